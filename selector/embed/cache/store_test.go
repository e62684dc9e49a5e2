package cache

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector/embed"
)

const dim = 48

// embedder is an embedder that remembers what it was asked.
type embedder struct {
	mu    sync.Mutex
	asked []string
	// fail, where it is set, may answer in place of the embedder.
	fail func(texts []string) ([][]float32, error)
}

func (*embedder) Name() string       { return "counting" }
func (*embedder) Dim() int           { return dim }
func (*embedder) Duplicate() float64 { return 0.9 }
func (*embedder) Noise() float64     { return 0.1 }
func (*embedder) Sparse() bool       { return true }

func (e *embedder) Documents(_ context.Context, texts []string) ([][]float32, error) {
	return e.answer("d:", texts)
}

func (e *embedder) Query(_ context.Context, text string) ([]float32, error) {
	vectors, err := e.answer("q:", []string{text})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

func (e *embedder) answer(prefix string, texts []string) ([][]float32, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	vectors := make([][]float32, len(texts))
	for i, t := range texts {
		e.asked = append(e.asked, prefix+t)
		vectors[i] = vectorOf(prefix + t)
	}
	if e.fail != nil {
		if got, err := e.fail(texts); got != nil || err != nil {
			return got, err
		}
	}
	return vectors, nil
}

// take returns what was asked since the last call.
func (e *embedder) take() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	asked := e.asked
	e.asked = nil
	return asked
}

// vectorOf depends on the text alone; it is zero for "blank".
func vectorOf(text string) []float32 {
	v := make([]float32, dim)
	if strings.HasSuffix(text, "blank") {
		return v
	}
	h := fnv.New32a()
	h.Write([]byte(text))
	x := h.Sum32() | 1
	for i := range v {
		x = x*1664525 + 1013904223
		v[i] = float32(int32(x)) / (1 << 31)
	}
	return v
}

// notices collects what a store says.
type notices struct {
	mu   sync.Mutex
	said []string
}

func (n *notices) say(s string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.said = append(n.said, s)
}

// check embeds texts and compares every vector.
func check(t interface {
	Helper()
	Fatalf(string, ...any)
}, e embed.Embedder, texts ...string,
) {
	t.Helper()
	got, err := e.Documents(context.Background(), texts)
	if err != nil || len(got) != len(texts) {
		t.Fatalf("%d vectors for %d texts, %v", len(got), len(texts), err)
	}
	for i, s := range texts {
		if !slices.Equal(got[i], vectorOf("d:"+s)) {
			t.Fatalf("text %q has another vector", s)
		}
	}
}

// numbered is texts from one number to before another.
func numbered(from, to int) []string {
	var out []string
	for i := from; i < to; i++ {
		out = append(out, fmt.Sprintf("text %d", i))
	}
	return out
}

// documents is how the embedder remembers having been asked for texts.
func documents(texts ...string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, "d:"+t)
	}
	return out
}

func TestWrap(t *testing.T) {
	inner := &embedder{}
	e := memoryOnly().Wrap(inner, "model")
	if e.Name() != "counting" || e.Dim() != dim || e.Duplicate() != 0.9 || e.Noise() != 0.1 {
		t.Errorf("%s: %d, %v, %v", e.Name(), e.Dim(), e.Duplicate(), e.Noise())
	}
	check(t, e, "a", "b", "a", "c")
	if got := inner.take(); !slices.Equal(got, documents("a", "b", "c")) {
		t.Errorf("asked for %q", got)
	}
	check(t, e, "c", "d", "a", "d")
	if got := inner.take(); !slices.Equal(got, documents("d")) {
		t.Errorf("asked again for %q", got)
	}
	for range 2 {
		if v, err := e.Query(t.Context(), "a"); err != nil || !slices.Equal(v, vectorOf("q:a")) {
			t.Errorf("the query has %v, %v", v, err)
		}
	}
	if got := inner.take(); !slices.Equal(got, []string{"q:a"}) {
		t.Errorf("asked for %q: a question is not a stored text", got)
	}
	check(t, e)
	if got := inner.take(); got != nil {
		t.Errorf("asked for %q", got)
	}
}

// memoryOnly is a store without a file.
func memoryOnly() *Store {
	return &Store{notice: func(string) {}, memory: newMemory(memoryBytes)}
}

// One model's vector is never another's, whatever their keys and the texts are.
func TestKeysApart(t *testing.T) {
	s := memoryOnly()
	inner := &embedder{}
	check(t, s.Wrap(inner, "one"), "a")
	inner.take()
	check(t, s.Wrap(inner, "two"), "a")
	if got := inner.take(); len(got) != 1 {
		t.Errorf("another model was not asked")
	}
	if e := s.Wrap(inner, ""); e != embed.Embedder(inner) {
		t.Errorf("without a key there is %v", e)
	}
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.OneOf(rapid.String(), rapid.StringMatching(`["\\ a]{0,4}`))
		var a, b [3]string
		for i := range a {
			a[i], b[i] = part.Draw(t, "a"), part.Draw(t, "b")
		}
		if (keyOf(a[0], a[1], a[2]) == keyOf(b[0], b[1], b[2])) != (a == b) {
			t.Fatalf("%q and %q", a, b)
		}
	})
}

// What the caller does with a vector does not change the stored one.
func TestVectorsAreCopies(t *testing.T) {
	e := memoryOnly().Wrap(&embedder{}, "model")
	for range 2 {
		got, err := e.Documents(t.Context(), []string{"a", "a"})
		if err != nil {
			t.Fatal(err)
		}
		got[0][0] = 7
		if !slices.Equal(got[1], vectorOf("d:a")) {
			t.Fatal("two texts share a vector")
		}
	}
	check(t, e, "a")
}

// A text without a vector is asked for again.
func TestZeroIsNotStored(t *testing.T) {
	inner := &embedder{}
	e := memoryOnly().Wrap(inner, "model")
	check(t, e, "blank", "a")
	check(t, e, "blank", "a")
	if got := inner.take(); !slices.Equal(got, documents("blank", "a", "blank")) {
		t.Errorf("asked for %q", got)
	}
}

// A run that fails keeps what it has paid for.
func TestErrorKeepsEarlierTexts(t *testing.T) {
	inner := &embedder{}
	e := memoryOnly().Wrap(inner, "model")
	broken := errors.New("broken")
	inner.fail = func(texts []string) ([][]float32, error) {
		if slices.Contains(texts, "text 20") {
			return nil, broken
		}
		return nil, nil
	}
	if got, err := e.Documents(t.Context(), numbered(0, 40)); !errors.Is(err, broken) || got != nil {
		t.Errorf("%v, %v", got, err)
	}
	inner.fail = nil
	inner.take()
	check(t, e, numbered(0, 40)...)
	if got := inner.take(); !slices.Equal(got, documents(numbered(saveEvery, 40)...)) {
		t.Errorf("asked again for %q", got)
	}
	inner.fail = func([]string) ([][]float32, error) { return nil, broken }
	if _, err := e.Query(t.Context(), "q"); !errors.Is(err, broken) {
		t.Errorf("a query: %v", err)
	}
}

func TestWrongCount(t *testing.T) {
	inner := &embedder{fail: func([]string) ([][]float32, error) { return make([][]float32, 1), nil }}
	_, err := memoryOnly().Wrap(inner, "model").Documents(t.Context(), []string{"a", "b"})
	if err == nil || !strings.Contains(err.Error(), "1 vectors for 2 texts") {
		t.Errorf("%v", err)
	}
}

func TestCancelled(t *testing.T) {
	inner := &embedder{}
	e := memoryOnly().Wrap(inner, "model")
	check(t, e, "a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Documents(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Many may use one store at once.
func TestConcurrent(t *testing.T) {
	var n notices
	s := Open(filepath.Join(t.TempDir(), "c.db"), 1<<20, n.say)
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			e := s.Wrap(&embedder{}, fmt.Sprint("model ", w%2))
			for i := range 10 {
				got, err := e.Documents(context.Background(), numbered(i, i+20))
				if err != nil || !slices.Equal(got[0], vectorOf(fmt.Sprint("d:text ", i))) {
					t.Errorf("%v, %v", got, err)
				}
			}
		})
	}
	all.Wait()
	if err := s.Close(); err != nil || n.saidOtherThanNoCgo() {
		t.Errorf("%v, %q", err, n.said)
	}
	check(t, s.Wrap(&embedder{}, "model 0"), "after", "closing")
}

// saidOtherThanNoCgo reports whether something was said that a build without
// cgo does not have to say.
func (n *notices) saidOtherThanNoCgo() bool {
	return slices.ContainsFunc(n.said, func(s string) bool { return !strings.Contains(s, "without cgo") })
}

// The memory behaves as a list of entries of which the least recently used go.
func TestMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Int64Range(0, 2000).Draw(t, "limit")
		m := newMemory(limit)
		var model []entry // the last used in front
		forget := func(k key) {
			model = slices.DeleteFunc(model, func(e entry) bool { return e.key == k })
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			k := key{rapid.ByteRange(0, 9).Draw(t, "key")}
			at := slices.IndexFunc(model, func(e entry) bool { return e.key == k })
			if rapid.Bool().Draw(t, "put") {
				v := make([]float32, rapid.IntRange(1, 99).Draw(t, "length"))
				v[0] = rapid.Float32().Draw(t, "number")
				m.put(k, v)
				forget(k)
				model = append([]entry{{k, v}}, model...)
				for total(model) > limit {
					model = model[:len(model)-1]
				}
				continue
			}
			got := m.get(k)
			if at < 0 {
				if got != nil {
					t.Fatalf("%v is still there", k[0])
				}
				continue
			}
			e := model[at]
			if !slices.Equal(got, e.vector) {
				t.Fatalf("%v is %v, want %v", k[0], got, e.vector)
			}
			forget(k)
			model = append([]entry{e}, model...)
		}
		if m.size != total(model) || m.size > limit || len(m.places) != len(model) || m.order.Len() != len(model) {
			t.Fatalf("%d bytes in %d places, want %d in %d", m.size, len(m.places), total(model), len(model))
		}
	})
}

func total(entries []entry) int64 {
	n := int64(0)
	for _, e := range entries {
		n += e.size()
	}
	return n
}
