package catalogue_test

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"pacms/selector"
	"pacms/session"
	"pacms/session/token"
)

// tokens has the faults of what a message costs.
func tokens() []fault {
	return []fault{
		{number: 17, name: "scripts without spaces", input: eastAsian},
		{
			number: 19, name: "images, and base64 in a text",
			input: func(t *testing.T) *session.Pool { return pictures(t, 1) },
			twin:  func(t *testing.T) *session.Pool { return pictures(t, 2) },
			check: func(t *testing.T, _ *session.Pool, s *selector.Selection) {
				if w := warned(s, "opaque_blob"); w == nil || strings.Join(w.IDs, " ") != "u3" {
					t.Errorf("%s: warning %+v", s.Strategy, w)
				}
			},
		},
		{number: 20, name: "what stands beside a message is not of it", input: sidecars},
	}
}

// counts are what two vocabularies make of natural sentences, counted once with
// another program.
var counts = []struct {
	text          string
	o200k, cl100k int
}{
	{"蓝色的水壶放在第四层架子上，红色的水壶在厨房的柜子里。请在明天早上之前把它们都洗干净，然后放回原来的地方。如果找不到，就问问管理员。", 55, 79},
	{"あおいやかんはたなのよんだんめにあります。あかいやかんはだいどころのとだなのなかです。あしたのあさまでにあらっておいてください。", 48, 56},
	{"파란 주전자는 네 번째 선반에 있고 빨간 주전자는 부엌 찬장 안에 있습니다. 내일 아침까지 모두 씻어서 제자리에 돌려놓아 주세요.", 44, 69},
	{"The blue kettle is on shelf 4 and the red kettle is in the kitchen cupboard. Please wash both by morning.", 24, 24},
	{"把数据库的端口改成 5433，然后运行 `go test ./internal/cart/...`，结果写进 config/staging.yaml 的 `pool_size: 20` 下面。", 39, 44},
	{"你好世界", 2, 5},
}

// eastAsian has sentences in scripts of which a character is a token or more.
// The counters of vocabularies are exact; the host's own estimate, which is held
// to the host's answers elsewhere, is never far below them.
func eastAsian(t *testing.T) *session.Pool {
	var said []message
	o200k, cl100k, host := counter(t, "o200k"), counter(t, "cl100k"), counter(t, "openclaw")
	for i, c := range counts {
		parts := token.Parts{Text: c.text}
		if a, b := o200k.Count(parts), cl100k.Count(parts); a != c.o200k || b != c.cl100k {
			t.Errorf("%q: o200k counts %d, want %d; cl100k counts %d, want %d", c.text, a, c.o200k, b, c.cl100k)
		}
		if estimate := float64(host.Count(parts)); estimate < 0.9*float64(c.o200k) || estimate > 2.5*float64(c.o200k) {
			t.Errorf("%q: estimated at %v, it is %d", c.text, estimate, c.o200k)
		}
		said = append(said, message{id: "u" + string(rune('1'+i)), role: "user", text: c.text})
	}
	return lastPool(t, read(t, asking(said, "蓝色的水壶在哪里？")))
}

// noise is base64 of n random bytes.
func noise(seed uint64, n int) string {
	rnd := rand.New(rand.NewPCG(seed, 0))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(rnd.Uint32())
	}
	return base64.StdEncoding.EncodeToString(data)
}

// pictures has an image in a tool result, the same as text, and one alone.
func pictures(t *testing.T, seed uint64) *session.Pool {
	data := noise(seed, 150<<10)
	image := map[string]any{"type": "image", "mimeType": "image/png", "data": data}
	said := talk("u1 a1{c1} t1{c1} u2 u3 a3 u4 a4", map[string]string{
		"u1": "Take a screenshot of the kettle page.", "u3": "Here it is again: " + data, "u4": "The ferry leaves at nine.",
	})
	said[2].blocks = []any{map[string]any{"type": "text", "text": "The kettle page."}, image}
	said[3].blocks = []any{image}
	s := read(t, asking(said, "What is on the kettle page?"))
	p := expect(t, s, "u1 a1 t1 u2 u3 a3 u4 a4", "", 0)
	for id, text := range map[string]string{"t1": "The kettle page.\n[image 150 KB png]", "u2": "[image 150 KB png]"} {
		c := p.Candidates[place(t, p, id)]
		if c.Text != text || c.Tokens < 200 || c.Tokens > 3000 {
			t.Errorf("%s is %.100q and costs %d", id, c.Text, c.Tokens)
		}
	}
	return p
}

// sidecars has messages with much beside them that no model sees, and one
// message in three lines under one id of the provider's, or of the entry too.
func sidecars(t *testing.T) *session.Pool {
	junk := strings.Repeat("junk ", 10_000)
	said := talk("u1 a1{c1} t1{c1} a2 a3 a4{c2} t2{c2} a5 a5 a5{c3} t3{c3}", map[string]string{
		"u1": "Please tell me now where we put the blue kettle.",
	})
	for i := range said {
		said[i].more = map[string]any{
			"details": map[string]any{"log": junk}, "usage": map[string]any{"input": 120000, "note": junk}, "toolResult": map[string]any{"meta": junk},
		}
		switch said[i].id {
		case "a2", "a3", "a4":
			said[i].more["responseId"] = "resp-1"
		case "a5":
			said[i].more["responseId"] = "resp-2"
		}
	}
	for _, first := range []int{3, 7} {
		said[first].blocks = []any{map[string]any{"type": "thinking", "thinking": "Hm.", "thinkingSignature": "sig"}}
		said[first+1].text, said[first+2].text = "I shall look into the cupboard.", ""
	}
	s := read(t, asking(said, "Where is the kettle?"))
	p := expect(t, s, "u1 a1 t1 a2 t2 a5 t3", "", 0)
	for i := range p.Candidates {
		if c := &p.Candidates[i]; c.Tokens >= 60 || strings.Contains(c.Content(), "junk") {
			t.Errorf("%s costs %d: %.100q", c.ID, c.Tokens, c.Content())
		}
	}
	for _, id := range []string{"a2", "a5"} {
		if c := p.Candidates[place(t, p, id)]; c.Text != "I shall look into the cupboard." || len(c.Calls) != 1 {
			t.Errorf("%s is %+v", id, c)
		}
	}
	return p
}
