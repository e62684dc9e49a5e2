package token_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"pacms/session/token"
)

func newCounter(tb testing.TB, name string) token.Counter {
	tb.Helper()
	c, err := token.New(name)
	if err != nil {
		tb.Fatal(err)
	}
	if c.Name() != name {
		tb.Fatalf("New(%q) names itself %q", name, c.Name())
	}
	return c
}

func TestNewUnknown(t *testing.T) {
	_, err := token.New("p50k")
	if err == nil || !strings.Contains(err.Error(), "p50k") || !strings.Contains(err.Error(), "o200k") {
		t.Errorf("error %v does not say what was asked for and what there is", err)
	}
}

func TestEstimated(t *testing.T) {
	want := map[string]bool{"openclaw": true, "o200k": false, "cl100k": false, "chars4": true}
	for _, name := range token.Names {
		if got := newCounter(t, name).Estimated(); got != want[name] {
			t.Errorf("%s: Estimated() = %v, want %v", name, got, want[name])
		}
	}
}

// The file holds the answers of OpenClaw itself.
func TestOpenClawMatchesHost(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "openclaw", "token-estimates.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Text   string
		Tokens int
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 31 {
		t.Fatalf("%d cases, want 31", len(cases))
	}
	c := newCounter(t, "openclaw")
	for _, tc := range cases {
		if got := c.Count(token.Parts{Text: tc.Text}); got != tc.Tokens {
			t.Errorf("%.40q: %d tokens, the host says %d", tc.Text, got, tc.Tokens)
		}
	}
}

func TestCount(t *testing.T) {
	tests := []struct {
		counter string
		parts   token.Parts
		want    int
	}{
		{"openclaw", token.Parts{}, 0},
		{"openclaw", token.Parts{Images: 2}, 4000},
		{"openclaw", token.Parts{Text: "abc", Images: 1}, 2001},
		// 4 + 3 + 4 + 9 units, rounded up once
		{"openclaw", token.Parts{Text: "abcd", Thinking: "abc", Calls: []token.Call{{Name: "read", Args: `{"a":"b"}`}}}, 5},
		{"openclaw", token.Parts{Text: "😀"}, 1},
		{"chars4", token.Parts{Text: "世界世界世"}, 2},
		{"chars4", token.Parts{Images: 1}, 2000},
		{"o200k", token.Parts{Text: "你好世界"}, 2},
		{"o200k", token.Parts{Text: "hello world"}, 2},
		{"o200k", token.Parts{Text: "hello world", Images: 1}, 2002},
		{"cl100k", token.Parts{Text: "hello world"}, 2},
		{"cl100k", token.Parts{Text: "tiktoken is great!"}, 6},
	}
	for _, tc := range tests {
		if got := newCounter(t, tc.counter).Count(tc.parts); got != tc.want {
			t.Errorf("%s: Count(%+v) = %d, want %d", tc.counter, tc.parts, got, tc.want)
		}
	}
}

func TestCountProperties(t *testing.T) {
	for _, name := range token.Names {
		c := newCounter(t, name)
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			p := token.Parts{
				Text:     rapid.String().Draw(t, "text"),
				Thinking: rapid.String().Draw(t, "thinking"),
				Images:   rapid.IntRange(0, 3).Draw(t, "images"),
			}
			base := c.Count(p)
			if base < 0 {
				t.Fatalf("Count = %d", base)
			}
			more := p
			more.Calls = []token.Call{{Name: rapid.String().Draw(t, "name"), Args: rapid.String().Draw(t, "args")}}
			if got := c.Count(more); got < base {
				t.Fatalf("a call makes it cheaper: %d < %d", got, base)
			}
			image := p
			image.Images++
			if got := c.Count(image); got != base+token.ImageTokens {
				t.Fatalf("an image costs %d", got-base)
			}
			if !c.Estimated() {
				return
			}
			longer := p
			longer.Text += rapid.String().Draw(t, "suffix")
			if got := c.Count(longer); got < base {
				t.Fatalf("a longer text is cheaper: %d < %d", got, base)
			}
		}))
	}
}

// Without a cut these inputs take minutes: the pattern of the encodings is
// quadratic in them. A cut may add tokens, but few.
func TestLongWhiteSpace(t *testing.T) {
	for _, name := range []string{"o200k", "cl100k"} {
		c := newCounter(t, name)
		for _, unit := range []string{" \n", "\t\r\n", "\u00a0\n"} {
			short, long := strings.Repeat(unit, 50), strings.Repeat(unit, 5000)
			if got, limit := c.Count(token.Parts{Text: long}), 100*(c.Count(token.Parts{Text: short})+1); got > limit {
				t.Errorf("%s: %d tokens for 5,000 times %q, at most %d wanted", name, got, unit, limit)
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	for _, name := range token.Names {
		c := newCounter(t, name)
		want := newCounter(t, name).Count(token.Parts{Text: "The blue kettle is on shelf 4."})
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if got := c.Count(token.Parts{Text: "The blue kettle is on shelf 4."}); got != want {
					t.Errorf("%s: %d, want %d", name, got, want)
				}
			})
		}
		wg.Wait()
	}
}

func BenchmarkCount(b *testing.B) {
	text := strings.Repeat("2026-11-28T10:01:00Z INFO worker-1 processed batch 1 in 13ms\n", 100)
	for _, name := range token.Names {
		c := newCounter(b, name)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				c.Count(token.Parts{Text: text})
			}
		})
	}
}
