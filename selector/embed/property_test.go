package embed_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"pacms/selector/embed"
)

// vectorOf embeds one text and checks what holds for every vector.
func vectorOf(t interface {
	Helper()
	Fatalf(string, ...any)
}, e embed.Embedder, text string,
) []float32 {
	t.Helper()
	v, err := e.Query(context.Background(), text)
	if err != nil {
		t.Fatalf("Query(%q): %v", text, err)
	}
	if len(v) != e.Dim() {
		t.Fatalf("Query(%q) has %d components, want %d", text, len(v), e.Dim())
	}
	if norm := math.Sqrt(dot(v, v)); math.Abs(norm-1) > 1e-5 && norm != 0 {
		t.Fatalf("norm of %q = %g, want 1 or 0", text, norm)
	}
	return v
}

func FuzzBuiltin(f *testing.F) {
	for _, text := range []string{
		"", " \t\n", "\x00", "\xff\xfe", "The the", "HTTPServer2x", "Ann: hi (Bob)", "我们 ABC", "ＡＢ！", "é", "🎉", "ー", "Ⅷ ǅ ß İ", "ကာ",
	} {
		f.Add(text)
	}
	e := embed.NewBuiltin()
	f.Fuzz(func(t *testing.T, text string) {
		v := vectorOf(t, e, text)
		blank := !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsControl(r) })
		if blank && dot(v, v) != 0 {
			t.Errorf("the blank text %q has a vector", text)
		}
		if !slices.Equal(v, vectorOf(t, e, text)) {
			t.Errorf("two vectors for %q", text)
		}
	})
}

// TestBuiltinIsFunctionOfText embeds the same texts in other orders, batches and
// embedders, after others and at the same time, and compares bits.
func TestBuiltinIsFunctionOfText(t *testing.T) {
	words := rapid.SampledFrom([]string{
		"the", "Postgres", "event", "getUserName", "数据库", "v2", "\n", ":", "ran", "running", "🎉", "x",
	})
	shared := embed.NewBuiltin()
	rapid.Check(t, func(t *rapid.T) {
		var texts []string
		for _, ws := range rapid.SliceOfN(rapid.SliceOfN(words, 0, 12), 1, 8).Draw(t, "texts") {
			texts = append(texts, strings.Join(ws, " "))
		}
		together, err := shared.Documents(context.Background(), texts)
		if err != nil {
			t.Fatal(err)
		}
		fresh := embed.NewBuiltin()
		for i, text := range slices.Backward(texts) {
			if !slices.Equal(together[i], vectorOf(t, fresh, text)) {
				t.Fatalf("the vector of %q depends on what came before", text)
			}
		}
	})
}

func TestBuiltinConcurrently(t *testing.T) {
	texts := readReference(t).Texts
	e := embed.NewBuiltin()
	want, err := e.Documents(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			got, err := e.Documents(t.Context(), texts)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range want {
				if !slices.Equal(got[i], want[i]) {
					t.Errorf("another vector for %q", texts[i])
				}
			}
		})
	}
	group.Wait()
}

func TestBuiltinStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := embed.NewBuiltin()
	if v, err := e.Documents(ctx, []string{"a", "b"}); v != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("Documents = %v, %v", v, err)
	}
	if v, err := e.Query(ctx, "a"); v != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("Query = %v, %v", v, err)
	}
}

func TestBuiltinOfNothing(t *testing.T) {
	vectors, err := embed.NewBuiltin().Documents(t.Context(), nil)
	if err != nil || len(vectors) != 0 {
		t.Errorf("Documents(nil) = %v, %v", vectors, err)
	}
}

// TestBuiltinThresholds checks what the two thresholds promise, on a sentence
// beside itself in lower case, a paraphrase and another sentence.
func TestBuiltinThresholds(t *testing.T) {
	e := embed.NewBuiltin()
	text, copied, paraphrase, other := "We decided to use Postgres for the event store.",
		"we decided to use postgres for the event store",
		"The team settled on PostgreSQL as the database that holds events.",
		"The build fails on Windows because of path separators."
	v := vectorOf(t, e, text)
	if cos := dot(v, vectorOf(t, e, copied)); cos < e.Duplicate() {
		t.Errorf("cosine of a copy = %g, below the threshold %g", cos, e.Duplicate())
	}
	if cos := dot(v, vectorOf(t, e, paraphrase)); cos >= e.Duplicate() || cos < e.Noise() {
		t.Errorf("cosine of a paraphrase = %g, not from %g to %g", cos, e.Noise(), e.Duplicate())
	}
	if cos := dot(v, vectorOf(t, e, other)); cos >= e.Noise() {
		t.Errorf("cosine of another sentence = %g, not below %g", cos, e.Noise())
	}
}
