package ollama

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// expect is the vector of a text that is sent as it is.
func expect(f *fake, text string) []float32 { return vectorOf("search_document: "+text, f.dim) }

// texts is n different texts.
func texts(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("text %d", i)
	}
	return out
}

func TestRequests(t *testing.T) {
	f := newFake()
	var progress []int
	e, skipped := start(t, f, WithProgress(func(texts int) { progress = append(progress, texts) }))
	in := slices.Insert(texts(40), 3, " \n")
	got, err := e.Documents(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range in {
		want := expect(f, text)
		if i == 3 {
			want = make([]float32, 768)
		}
		if !near(got[i], want) {
			t.Errorf("text %d has another vector", i)
		}
	}
	sizes := []int{}
	for i, prompts := range f.sent() {
		sizes = append(sizes, len(prompts))
		r := f.requests[i]
		if r.Model != "nomic-embed-text" || r.Truncate == nil || !*r.Truncate || r.KeepAlive == nil || r.KeepAlive.Duration != 10*time.Minute {
			t.Errorf("request %d is %+v", i, r)
		}
	}
	if want := []int{16, 16, 8}; !slices.Equal(sizes, want) {
		t.Errorf("batches of %v", sizes)
	}
	if want := []int{1, 16, 16, 8}; !slices.Equal(progress, want) {
		t.Errorf("progress %v, want %v", progress, want)
	}
	if len(*skipped) != 0 {
		t.Errorf("skipped %v", *skipped)
	}
}

func TestPrompts(t *testing.T) {
	f := newFake()
	e, _ := start(t, f)
	if _, err := e.Documents(t.Context(), []string{"  The Parser\n", strings.Repeat("ab", 50)}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Query(t.Context(), "Which PARSER?"); err != nil {
		t.Fatal(err)
	}
	ab := strings.Repeat("ab", 32) + " " + strings.Repeat("ab", 18)
	want := [][]string{{"search_document: the parser", "search_document: " + ab}, {"search_query: which parser?"}}
	if got := f.sent(); !reflect.DeepEqual(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
}

// Nothing to embed is nothing to ask.
func TestNothing(t *testing.T) {
	f := newFake()
	e, _ := start(t, f)
	if got, err := e.Documents(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("no texts: %v, %v", got, err)
	}
	if got, err := e.Query(t.Context(), "\u200b"); err != nil || !slices.Equal(got, make([]float32, 768)) {
		t.Errorf("a blank query: %v, %v", got, err)
	}
	if len(f.sent()) != 0 {
		t.Errorf("sent %q", f.sent())
	}
}

func TestWarm(t *testing.T) {
	f := newFake()
	e, _ := start(t, f)
	if err := e.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := f.sent(); len(got) != 1 || len(got[0]) != 0 {
		t.Errorf("sent %q", got)
	}
	f.embed = failAlways(answer{404, notFoundBody})
	if err := e.Warm(t.Context()); !errors.Is(err, ErrNoModel) {
		t.Errorf("a model that has gone: %v", err)
	}
}

// A text that breaks the server costs its own vector and no other.
func TestOneBadText(t *testing.T) {
	nan := answer{500, nanBody}
	for name, bad := range map[string]func(http.ResponseWriter, *http.Request, []string) bool{
		"NaN":            failOn("poison", nan),
		"old NaN":        failOn("poison", answer{500, oldNaNBody}),
		"too long":       failOn("poison", answer{400, tooLongBody}),
		"runner crashed": failOn("poison", answer{500, crashBody}),
		"none":           failOn("poison", answer{200, emptyBody}),
		"short vector":   failOn("poison", answer{200, `{"embeddings":[[1,0]]}`}),
		"zero vector":    failOn("poison", answer{200, `{"embeddings":[[0,0,0,0,0,0,0,0]]}`}),
		"null vector":    failOn("poison", answer{200, `{"embeddings":[null]}`}),
		"not a float32":  failOn("poison", answer{200, `{"embeddings":[[1e99,0,0,0,0,0,0,0]]}`}),
		"not JSON":       failOn("poison", answer{200, `{"embeddings":[[`}),
		"connection closed": func(w http.ResponseWriter, r *http.Request, prompts []string) bool {
			return failOn("poison", nan)(discard{}, r, prompts) && hangUp(w, r, prompts)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake().small()
			f.embed = bad
			e, skipped := start(t, f)
			in := texts(20)
			in[5] = "the poison and something behind it"
			got, err := e.Documents(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			in[5] = "the poiso" // the mark is not in the first quarter
			for i, text := range in {
				if !near(got[i], expect(f, text)) {
					t.Errorf("text %d, %q, has another vector", i, text)
				}
			}
			if len(*skipped) != 0 {
				t.Errorf("skipped %v", *skipped)
			}
		})
	}
}

// discard takes an answer and sends nothing.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}

// A text that cannot be embedded at any length has the zero vector, and is
// reported with the cause.
func TestUnembeddable(t *testing.T) {
	f := newFake().small()
	f.embed = failOn("poison", answer{500, nanBody})
	e, skipped := start(t, f)
	got, err := e.Documents(t.Context(), []string{"good", "Poison first, then something"})
	if err != nil {
		t.Fatal(err)
	}
	if !near(got[0], expect(f, "good")) || !slices.Equal(got[1], make([]float32, 8)) {
		t.Errorf("%v", got)
	}
	if s := *skipped; len(s) != 1 || s[0].Text != "Poison first, then something" || !strings.Contains(s[0].Cause.Error(), "embedding contains NaN or Inf values") {
		t.Errorf("skipped %v", s)
	}
	want := [][]string{
		{"search_document: good", "search_document: poison first, then something"},
		{"search_document: hello"},
		{"search_document: good"},
		{"search_document: poison first, then something"},
		{"search_document: poison first, "},
		{"search_document: poison "},
	}
	if sent := f.sent(); !reflect.DeepEqual(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
	*skipped = nil
	if v, err := e.Query(t.Context(), "poison without any good beginning"); err != nil || !slices.Equal(v, make([]float32, 8)) || len(*skipped) != 1 {
		t.Errorf("a bad query: %v, %v, skipped %v", v, err, *skipped)
	}
}

// A server that fails on every text is an error, not a session of zero vectors.
func TestBrokenServer(t *testing.T) {
	for _, c := range []struct {
		name     string
		embed    func(http.ResponseWriter, *http.Request, []string) bool
		is       error
		says     string
		requests int
	}{
		{"model has gone", failAlways(answer{404, notFoundBody}), ErrNoModel, "ollama pull nomic-embed-text", 1},
		{"always 500", failAlways(answer{500, `{"error":"model requires more system memory"}`}), nil, "more system memory", 2},
		{"always empty", failAlways(answer{200, emptyBody}), nil, "0 vectors came for 1 texts", 2},
		{"wrong dimension", failAlways(answer{200, `{"embeddings":[[1,0]]}`}), nil, "2 numbers came, the model has 8", 2},
		{"always closed", hangUp, nil, "EOF", 2},
		{"busy", failAlways(answer{503, busyBody}), nil, "server busy", 1},
		{"forbidden", failAlways(answer{403, `{"error":"forbidden"}`}), nil, "forbidden", 1},
		{"unauthorized", failAlways(answer{401, `{"error":"unauthorized"}`}), nil, "embed with nomic-embed-text", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake().small()
			f.embed = c.embed
			e, skipped := start(t, f)
			got, err := e.Documents(t.Context(), texts(5))
			if err == nil || got != nil || !strings.Contains(err.Error(), c.says) || (c.is != nil && !errors.Is(err, c.is)) {
				t.Errorf("%v, %v", got, err)
			}
			if n := len(f.sent()); n != c.requests || len(*skipped) != 0 {
				t.Errorf("%d requests, skipped %v", n, *skipped)
			}
		})
	}
}

// A server that ends while it is used is said to have ended.
func TestServerEnds(t *testing.T) {
	srv := httptest.NewServer(newFake())
	t.Setenv("OLLAMA_HOST", srv.URL)
	e := New("")
	if _, err := e.Query(t.Context(), "q"); err != nil {
		t.Fatal(err)
	}
	srv.Close()
	if _, err := e.Query(t.Context(), "q"); !errors.Is(err, ErrNoAnswer) || !strings.Contains(err.Error(), "`ollama serve`") {
		t.Errorf("%v", err)
	}
}

// An answer with another number of vectors is not spread over the texts.
func TestWrongCount(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		f := newFake().small()
		f.embed = func(w http.ResponseWriter, _ *http.Request, prompts []string) bool {
			if len(prompts) == 1 {
				return false
			}
			answer{200, f.vectors(texts(n))}.write(w)
			return true
		}
		e, _ := start(t, f)
		got, err := e.Documents(t.Context(), texts(3))
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts(3) {
			if !near(got[i], expect(f, text)) {
				t.Errorf("%d vectors for 3 texts: text %d has another vector", n, i)
			}
		}
	}
}

// A vector that is not of norm 1 is scaled.
func TestNorm(t *testing.T) {
	f := newFake().small()
	f.embed = failAlways(answer{200, `{"embeddings":[[0,3,0,0,4,0,0,0]]}`})
	e, _ := start(t, f)
	if v, err := e.Query(t.Context(), "q"); err != nil || !near(v, []float32{0, 0.6, 0, 0, 0.8, 0, 0, 0}) {
		t.Errorf("%v, %v", v, err)
	}
}

// An answer without end is cut off.
func TestEndlessAnswer(t *testing.T) {
	f := newFake().small()
	f.embed = func(w http.ResponseWriter, _ *http.Request, _ []string) bool {
		chunk := []byte(strings.Repeat(" ", 1<<20))
		for range maxAnswer>>20 + 1 {
			if _, err := w.Write(chunk); err != nil {
				return true
			}
		}
		return true
	}
	e, _ := start(t, f)
	if _, err := e.Query(t.Context(), "q"); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("%v", err)
	}
}

// Cancelling ends a request that runs, and names its cause.
func TestCancel(t *testing.T) {
	f := newFake()
	ctx, cancel := context.WithCancel(t.Context())
	f.embed = func(_ http.ResponseWriter, r *http.Request, _ []string) bool {
		cancel()
		<-r.Context().Done() // the client has gone
		return true
	}
	e, skipped := start(t, f)
	got, err := e.Documents(ctx, texts(40))
	if !errors.Is(err, context.Canceled) || got != nil || strings.Contains(err.Error(), "fails on") {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := e.Documents(ctx, texts(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	if len(f.sent()) != 1 || len(*skipped) != 0 {
		t.Errorf("sent %d requests, skipped %v", len(f.sent()), *skipped)
	}
}

// hangOn keeps every request with the mark waiting.
func hangOn(mark string) func(http.ResponseWriter, *http.Request, []string) bool {
	return func(_ http.ResponseWriter, r *http.Request, prompts []string) bool {
		if !slices.ContainsFunc(prompts, func(p string) bool { return strings.Contains(p, mark) }) {
			return false
		}
		<-r.Context().Done()
		return true
	}
}

// A text on which the server hangs costs its vector and two waits, in fake time.
func TestHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake().small()
		f.embed = hangOn("tarpit")
		var skipped []Skipped
		e, stop := startInMemory(f, WithSkipped(func(s Skipped) { skipped = append(skipped, s) }))
		defer stop()
		in := texts(4)
		in[1] = "tarpit"
		began := time.Now()
		got, err := e.Documents(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range in {
			want := expect(f, text)
			if i == 1 {
				want = make([]float32, 8)
			}
			if !near(got[i], want) {
				t.Errorf("text %d has %v", i, got[i])
			}
		}
		if len(skipped) != 1 || !errors.Is(skipped[0].Cause, errHang) {
			t.Errorf("skipped %v", skipped)
		}
		if took := time.Since(began); took < 2*baseTime || took > 2*baseTime+time.Second {
			t.Errorf("that took %v", took)
		}
	})
}

// A server that hangs on everything, or on one text after the other, is given up.
func TestHangingServer(t *testing.T) {
	for mark, waits := range map[string]int{"": 2, "text": 1 + maxHangs + 1} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake().small()
			f.embed = hangOn(mark)
			e, stop := startInMemory(f)
			defer stop()
			began := time.Now()
			_, err := e.Documents(t.Context(), texts(16))
			if !errors.Is(err, errHang) || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("hangs on %q: %v", mark, err)
			}
			if took, least := time.Since(began), time.Duration(waits)*baseTime; took < least || took > least+10*time.Second {
				t.Errorf("hangs on %q: that took %v", mark, took)
			}
		})
	}
}

// A deadline of the caller's ends a slow request, and is not taken for a hang.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake().small()
		f.embed = hangOn("")
		e, stop := startInMemory(f)
		defer stop()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		_, err := e.Documents(ctx, texts(3))
		if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took != time.Second {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

// Whatever the texts are and whichever of them break the server, every text has
// a vector of the dimension in its place: its own, or zero and a report.
func TestEveryTextHasItsVector(t *testing.T) {
	f := newFake().small()
	faults := []answer{{400, tooLongBody}, {500, nanBody}, {500, crashBody}, {200, emptyBody}, {200, `{"embeddings":[[1]]}`}}
	f.embed = func(w http.ResponseWriter, _ *http.Request, prompts []string) bool {
		for _, p := range prompts {
			if _, kind, ok := strings.Cut(p, ": poison"); ok {
				faults[int(kind[0]-'0')].write(w)
				return true
			}
		}
		return false
	}
	e, skipped := start(t, f)
	m, err := e.Ready(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text := rapid.OneOf(
		rapid.String(), rapid.SampledFrom([]string{"", " ", "\x00", "\u200b\n", "\xff\xfe", strings.Repeat("A", 7000)}),
		rapid.Custom(func(t *rapid.T) string {
			// Long enough to keep its mark when it is halved twice.
			return fmt.Sprintf("poison%d%s", rapid.IntRange(0, len(faults)-1).Draw(t, "fault"), strings.Repeat(" and more", 8))
		}),
	)
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(text, 0, 40).Draw(t, "texts")
		*skipped = nil
		got, err := e.Documents(context.Background(), in)
		if err != nil || len(got) != len(in) {
			t.Fatalf("%d vectors for %d texts, %v", len(got), len(in), err)
		}
		var bad []string
		for i, s := range in {
			want := make([]float32, 8)
			switch {
			case strings.HasPrefix(s, "poison"):
				bad = append(bad, s)
			case !blank(s):
				want = expect(f, m.rules.clean(s))
			}
			if !near(got[i], want) {
				t.Fatalf("text %d, %q, has %v, want %v", i, s, got[i], want)
			}
		}
		reported := make([]string, len(*skipped))
		for i, s := range *skipped {
			reported[i] = s.Text
		}
		if !slices.Equal(reported, bad) {
			t.Fatalf("reported %q, want %q", reported, bad)
		}
	})
}

// near reports whether two vectors are the same but for rounding.
func near(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return x-y < 1e-6 && y-x < 1e-6 })
}
