package share_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/selector/embed"
	"pacms/selector/share"
	"pacms/session"
	"pacms/session/redact"
	"pacms/session/token"
)

// letters are those of which the texts of the tests are made: no word of the format
// and no digest has four of them in a row.
const letters = "qxzjvkwyQXZ"

var build = compare.Build{Version: "v1", Revision: "0123456789abcdef", Go: "go1.26", Platform: "linux/amd64"}

// word generates words, from a few for whole texts that are alike.
func word(t *rapid.T) string {
	n := rapid.IntRange(0, 40).Draw(t, "word")
	var b strings.Builder
	for k := range 5 + n%3 {
		b.WriteByte(letters[(n*(k+3)+k*k)%len(letters)])
	}
	return b.String()
}

func words(t *rapid.T, most int) string {
	list := make([]string, rapid.IntRange(0, most).Draw(t, "words"))
	for i := range list {
		list[i] = word(t)
	}
	return strings.Join(list, " ")
}

// pools generates pools with all that strategies and rules look at: texts, copies,
// texts within others, polls, reads of files, calls and results, results without a
// call, blobs, vectors, required ones and pending messages.
func pools(t *rapid.T) *session.Pool {
	budget := rapid.IntRange(0, 400).Draw(t, "budget")
	p := &session.Pool{
		Schema: session.PoolSchema, Session: "agent:" + word(t), Turn: 3, Time: time.Unix(1_700_000_000, 0).UTC(), Query: words(t, 6),
		Candidates: []session.Candidate{}, FromSession: rapid.Bool().Draw(t, "from session"),
	}
	switch rapid.IntRange(0, 2).Draw(t, "limits") {
	case 0:
		p.Budget = &budget
	case 1:
		window, reserve, system := budget+90, 40, 50
		p.Window, p.Reserve, p.System = &window, &reserve, &system
	}
	for range rapid.IntRange(0, 1).Draw(t, "pending") {
		p.Pending = append(p.Pending, session.Pending{ID: word(t), Text: words(t, 4), Tokens: rapid.IntRange(0, 20).Draw(t, "tokens")})
	}
	vectors := rapid.IntRange(0, 5).Draw(t, "vectors") == 0
	vector := rapid.SliceOfN(rapid.Map(rapid.IntRange(-3, 4), func(n int) float32 { return float32(n) }), 3, 3)
	if vectors {
		p.QueryEmbedding = vector.Draw(t, "query")
	}
	add := func(c session.Candidate) {
		c.ID = fmt.Sprintf("%s.%d", word(t), len(p.Candidates))
		c.Tokens, c.Number, c.Turn = rapid.IntRange(0, 60).Draw(t, "tokens"), len(p.Candidates)+1, 1+len(p.Candidates)/3
		c.Time, c.Required = p.Time, rapid.IntRange(0, 9).Draw(t, "required") == 0
		if vectors {
			c.Embedding = vector.Draw(t, "embedding")
		}
		p.Candidates = append(p.Candidates, c)
	}
	for range rapid.IntRange(0, 14).Draw(t, "messages") {
		switch rapid.IntRange(0, 9).Draw(t, "message") {
		case 0: // a copy, or a text within another
			if n := len(p.Candidates); n > 0 {
				text := strings.Fields(p.Candidates[rapid.IntRange(0, n-1).Draw(t, "of")].Text)
				text = text[:rapid.IntRange(len(text)/2, len(text)).Draw(t, "up to")]
				add(session.Candidate{Kind: session.User, Text: strings.Join(append(slices.Clone(text), strings.Fields(words(t, 8))...), " ")})
			}
		case 1, 2: // a file is read, perhaps a part of it
			args := fmt.Sprintf(`{"path":"/%s"%s}`, rapid.SampledFrom([]string{"qxzj", "vkwy"}).Draw(t, "path"), rapid.SampledFrom([]string{"", `,"limit":3`}).Draw(t, "part"))
			use := session.ToolUse{Name: rapid.SampledFrom([]string{"read", "zzqq"}).Draw(t, "tool"), CallID: word(t), Args: json.RawMessage(args)}
			add(session.Candidate{Kind: session.Assistant, Text: words(t, 2), Calls: []session.ToolUse{use}})
			use.Error = rapid.IntRange(0, 4).Draw(t, "failed") == 0
			add(session.Candidate{Kind: session.Tool, Text: words(t, 12), Tool: &use})
		case 3: // a poll
			add(session.Candidate{Kind: session.User, Text: "qqxx zzjj", Internal: rapid.SampledFrom([]string{"", "heartbeat", "vvkkww"}).Draw(t, "internal")})
			add(session.Candidate{Kind: session.Assistant, Text: rapid.SampledFrom([]string{"OK", "qqvv"}).Draw(t, "answer"), Internal: rapid.SampledFrom([]string{"", "ack"}).Draw(t, "ack")})
		case 4: // a result whose call is not there
			add(session.Candidate{Kind: session.Tool, Text: words(t, 4), Tool: &session.ToolUse{Name: word(t), CallID: word(t)}})
		case 5: // data
			add(session.Candidate{Kind: session.Document, Text: words(t, 4) + " data:;base64," + strings.Repeat("qXz1", 80)})
		default:
			add(session.Candidate{
				Kind: rapid.SampledFrom(session.Kinds).Draw(t, "kind"), Text: words(t, 15), Images: rapid.IntRange(0, 1).Draw(t, "images"),
				ThinkingUnsigned: rapid.Bool().Draw(t, "unsigned"),
			})
		}
	}
	p.IDsRepaired = session.Pair(p.Candidates)
	return p
}

// sources generates selections of which a case is made.
func sources(t *rapid.T) share.Source {
	counter, err := token.New("chars4")
	if err != nil {
		t.Fatal(err)
	}
	strategies := append(selector.Strategies(), "mmr:lambda=0.8", "rag:k=2", "pacms+:smooth=0.3", "pacms+:preset=A", "dedup:cosine=0.9")
	strategy, err := selector.ParseStrategy(rapid.SampledFrom(strategies).Draw(t, "strategy"))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := selector.ParseRules(rapid.SampledFrom(append(selector.RuleNames(), "none", "default", "default", "default")).Draw(t, "rules"))
	if err != nil {
		t.Fatal(err)
	}
	s := share.Source{
		Pool: pools(t), Turn: 3, NoWiden: rapid.Bool().Draw(t, "no widen"), Embedder: embed.NewBuiltin(), Counter: counter, Build: build,
		Options: selector.Options{Strategy: strategy, Rules: rules, Tail: rapid.IntRange(0, 2).Draw(t, "tail")},
	}
	if rapid.Bool().Draw(t, "named budget") {
		s.Options.Budget = selector.Term{Value: rapid.IntRange(0, s.Pool.Tokens()+10).Draw(t, "named"), Source: "flag"}
	}
	for _, c := range s.Pool.Candidates {
		switch rapid.IntRange(0, 12).Draw(t, "person") {
		case 0:
			s.Options.Pins = append(s.Options.Pins, c.ID)
		case 1:
			s.Options.Bans = append(s.Options.Bans, c.ID)
		}
	}
	return s
}

// chosen is the selection of a source, all of it but ids, sentences and times.
func chosen(t *rapid.T, s share.Source) *selector.Selection {
	p, err := selector.NewEngine(s.Embedder, s.Counter.Name()).Prepare(context.Background(), s.Pool, selector.PrepareOptions{NoWiden: s.NoWiden})
	if err != nil {
		t.Fatal(err)
	}
	sel, err := p.Select(context.Background(), s.Options)
	if err != nil {
		t.Fatal(err)
	}
	return sel
}

func makeCase(t interface{ Fatal(args ...any) }, s share.Source) (*share.Case, []byte) {
	c, err := share.Make(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return c, text
}

func readCase(t interface{ Fatal(args ...any) }, text []byte) *share.Case {
	cases, err := share.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != 1 {
		t.Fatal("cases:", len(cases))
	}
	return cases[0]
}

// here is the machine on which the tests run.
func here() share.Here {
	return share.Here{Build: build, Open: func(context.Context, string) (embed.Embedder, string, error) { return embed.NewBuiltin(), "", nil }}
}

// A case without text gives what the texts gave, to the last bit, and so does one with
// them; both pass where they were written.
func TestCaseKeepsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sources(t)
		want := chosen(t, s)
		for _, s.NoText = range []bool{false, true} {
			c, text := makeCase(t, s)
			got := c.Result
			if !c.Same || !slices.Equal(got.KeptIndices, want.KeptIndices) || !slices.Equal(got.Order, want.Order) {
				t.Fatalf("no text %t: kept %v in order %v, the texts give %v in order %v", s.NoText, got.KeptIndices, got.Order, want.KeptIndices, want.Order)
			}
			for i := range got.Codes {
				if got.Codes[i] != want.Code(i) {
					t.Fatalf("no text %t: candidate %d is %s, the texts give %s", s.NoText, i, got.Codes[i], want.Code(i))
				}
			}
			if got.Coverage != want.Coverage || !equal(got.Objective, want.Objective) || !equal(got.UpperBound, want.UpperBound) || got.QuerySource != want.QuerySource {
				t.Fatalf("no text %t: coverage %v of %v, objective %v of %v, question %s of %s", s.NoText, got.Coverage, want.Coverage, got.Objective, want.Objective, got.QuerySource, want.QuerySource)
			}
			r, err := readCase(t, text).Verify(context.Background(), here())
			if err != nil {
				t.Fatal(err)
			}
			if !r.Same || len(r.Causes) > 0 {
				t.Fatalf("no text %t: where it was written %+v differs", s.NoText, r)
			}
			// A case can be made of a case.
			again := s
			again.Pool, again.NoText = c.Pool, true
			again.Options.Pins, again.Options.Bans = c.Config.Pins, c.Config.Bans
			if b, _ := makeCase(t, again); !slices.Equal(b.Result.Order, want.Order) || !slices.Equal(b.Result.Codes, got.Codes) {
				t.Fatalf("no text %t: a case of the case has the order %v, the texts give %v", s.NoText, b.Result.Order, want.Order)
			}
		}
	})
}

func equal(a, b *float64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// blob finds the numbers of a case in base64.
var blob = regexp.MustCompile(`"(?:pairs|containment)":"([^"]*)"`)

// Of no text there is a piece of four letters in a case without text, and of no id,
// name, key, path or argument: neither as it is, nor in base64.
func TestCaseWithoutTextHasNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sources(t)
		s.NoText = true
		_, text := makeCase(t, s)
		var binary []byte
		for _, m := range blob.FindAllSubmatch(text, -1) {
			b, err := base64.StdEncoding.DecodeString(string(m[1]))
			if err != nil {
				t.Fatal(err)
			}
			binary = append(binary, b...)
		}
		plain := blob.ReplaceAll(text, nil)
		for _, said := range everything(s.Pool) {
			for i := 0; i+4 <= len(said); i++ {
				piece := said[i : i+4]
				if strings.Trim(piece, letters) != "" {
					continue // a word of the format itself, or a digit
				}
				if bytes.Contains(plain, []byte(piece)) || bytes.Contains(binary, []byte(piece)) {
					t.Fatalf("%q of %q is in %s", piece, said, text)
				}
			}
		}
		if bytes.Contains(text, []byte("2023-")) {
			t.Fatalf("a time is in %s", text)
		}
	})
}

// everything is every text of a pool.
func everything(p *session.Pool) []string {
	list := []string{p.Session, p.Query}
	for _, m := range p.Pending {
		list = append(list, m.ID, m.Text)
	}
	for i := range p.Candidates {
		c := &p.Candidates[i]
		list = append(list, c.ID, c.Group, c.Internal, c.Content())
		if c.Tool != nil {
			list = append(list, c.Tool.Name, c.Tool.CallID, string(c.Tool.Args))
		}
		for _, call := range c.Calls {
			list = append(list, call.CallID)
		}
	}
	return list
}

// A redacted case has no secret, keeps what is kept of its own texts and says so.
func TestRedactedCase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sources(t)
		secret := "ghp_" + strings.Repeat("a1B2", 9)
		for i := range s.Pool.Candidates {
			if c := &s.Pool.Candidates[i]; rapid.IntRange(0, 2).Draw(t, "secret") == 0 {
				c.Text += " " + secret
				if len(c.Calls) > 0 {
					c.Calls[0].Args = json.RawMessage(`{"path":"` + secret + `"}`)
				}
			}
		}
		s.Redactor = &redact.Redactor{}
		c, text := makeCase(t, s)
		if bytes.Contains(text, []byte(secret)) || c.Text != share.Redacted {
			t.Fatalf("%s", text)
		}
		if bytes.Contains(text, []byte("[redacted:github-token]")) != (c.Masked["github-token"] > 0) || bytes.Contains(text, []byte("[redacted:github-token-")) {
			t.Fatalf("masked %v in %s", c.Masked, text)
		}
		if r, err := readCase(t, text).Verify(context.Background(), here()); err != nil || !r.Same {
			t.Fatalf("%+v, %v", r, err)
		}
	})
}

// What a case is made of stays as it is.
func TestMakeChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sources(t)
		before, err := json.Marshal(s.Pool)
		if err != nil {
			t.Fatal(err)
		}
		pins := slices.Clone(s.Options.Pins)
		for k := range 3 {
			s.NoText, s.Redactor = k == 1, nil
			if k == 2 {
				s.Redactor = &redact.Redactor{}
			}
			makeCase(t, s)
		}
		if after, err := json.Marshal(s.Pool); err != nil || !bytes.Equal(before, after) || !slices.Equal(pins, s.Options.Pins) {
			t.Fatalf("%s became %s, %v", before, after, err)
		}
	})
}
