package selector

import (
	"context"
	"crypto/sha256"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pacms/session"
)

// The words of a long text are never in memory together: that would be many
// times the text.
func TestWordGramsOfLongText(t *testing.T) {
	text := strings.Repeat("kettle shelf ferry lamp window garden river stone ", 100_000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	grams := wordGrams(text)
	runtime.ReadMemStats(&after)
	if len(grams) != 8 {
		t.Errorf("%d different grams, want 8", len(grams))
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > uint64(len(text))/4 {
		t.Errorf("%d bytes were allocated for a text of %d", used, len(text))
	}
}

// However long a text is, its grams are each of them once, in order, and take no more
// room than they need.
func TestWordGramsAreDistinct(t *testing.T) {
	for _, n := range []int{0, 2, 3, gramsKept - 1, gramsKept + 2, 3 * gramsKept, 9*gramsKept + 1} {
		for _, different := range []int{1, 7, gramsKept, 4 * gramsKept, 1 << 20} {
			list := make([]string, n)
			for i := range list {
				list[i] = "w" + strconv.Itoa(i%different)
			}
			want := map[string]bool{}
			for i := range list {
				if i >= gramWords-1 {
					want[strings.Join(list[i-gramWords+1:i+1], " ")] = true
				}
			}
			grams := wordGrams(strings.Join(list, " "))
			if len(grams) != len(want) || !slices.IsSorted(grams) || len(slices.Compact(slices.Clone(grams))) != len(want) {
				t.Errorf("%d words, %d of them different: %d grams, want %d", n, different, len(grams), len(want))
			}
			if cap(grams) > 2*len(grams)+8 {
				t.Errorf("%d words, %d of them different: room for %d grams is kept for %d", n, different, cap(grams), len(grams))
			}
		}
	}
}

// A long text has the hash that it would have in one piece.
func TestSumOfText(t *testing.T) {
	for _, n := range []int{0, 1, 8 << 10, 8<<10 + 1, 100_000} {
		text := strings.Repeat("x", n)
		if sumOfText(text) != sha256.Sum256([]byte(text)) {
			t.Errorf("the hash of %d bytes is another one", n)
		}
	}
}

// A text costs no more to compare than its beginning does, which is cut between two
// characters.
func TestComparedIsBounded(t *testing.T) {
	for _, lead := range []string{"", "a", "ab"} {
		text := lead + strings.Repeat("茶", comparedBytes/3+9)
		got := compared(text)
		if len(got) > comparedBytes || len(got) <= comparedBytes-3 || !utf8.ValidString(got) || !strings.HasPrefix(text, got) {
			t.Errorf("after %q: %d bytes", lead, len(got))
		}
	}
	broken := strings.Repeat("\x80", comparedBytes+9)
	if got := compared(broken); len(got) > comparedBytes || len(got) < comparedBytes-utf8.UTFMax {
		t.Errorf("of no characters: %d bytes", len(got))
	}
	for _, n := range []int{0, 1, comparedBytes} {
		if got := compared(strings.Repeat("x", n)); len(got) != n {
			t.Errorf("%d bytes of %d", len(got), n)
		}
	}
	for name, p := range map[string]*session.Pool{
		"texts":   {Schema: session.PoolSchema, Query: "kettle", Candidates: []session.Candidate{{ID: "a", Kind: session.User}}},
		"vectors": {Schema: session.PoolSchema, QueryEmbedding: []float32{1}, Candidates: []session.Candidate{{ID: "a", Kind: session.User, Embedding: []float32{1}}}},
	} {
		p.Candidates[0].Text = strings.Repeat("kettle shelf ferry ", comparedBytes/19+1) + " and then something else"
		if name == "texts" {
			p.Query = p.Candidates[0].Text
		}
		got, err := NewEngine(longest{t}, "openclaw").Prepare(t.Context(), p, PrepareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if grams := got.space.grams[got.rows[0]]; len(grams) > 5 {
			t.Errorf("%s: %d different grams", name, len(grams))
		}
	}
}

// longest is an embedder that fails on a text that is too long.
type longest struct{ t *testing.T }

func (longest) Name() string       { return "longest" }
func (longest) Dim() int           { return 1 }
func (longest) Duplicate() float64 { return 1 }
func (longest) Noise() float64     { return 0 }
func (longest) Sparse() bool       { return false }
func (l longest) Query(ctx context.Context, text string) ([]float32, error) {
	v, err := l.Documents(ctx, []string{text})
	return v[0], err
}

func (l longest) Documents(_ context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if vectors[i] = []float32{1}; len(text) > comparedBytes {
			l.t.Errorf("a text of %d bytes", len(text))
		}
	}
	return vectors, nil
}
