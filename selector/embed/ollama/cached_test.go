package ollama

import (
	"path/filepath"
	"testing"

	"pacms/selector/embed/cache"
)

// With the key of the model its vectors are stored, but not those of a text that
// could not be embedded; another build of the model has none of them.
func TestCached(t *testing.T) {
	f := newFake().small()
	f.embed = failOn("poison", answer{500, nanBody})
	e, skipped := start(t, f)
	store := cache.Open(filepath.Join(t.TempDir(), "c.db"), 1<<20, func(string) {})
	defer store.Close()
	embed := func() (requests int) {
		before := len(f.sent())
		m, err := e.Ready(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := store.Wrap(e, m.CacheKey()).Documents(t.Context(), []string{"one", "poison for any beginning", "two"})
		if err != nil || !near(got[0], expect(f, "one")) || !near(got[1], make([]float32, 8)) || !near(got[2], expect(f, "two")) {
			t.Errorf("%v, %v", got, err)
		}
		return len(f.sent()) - before
	}
	if n := embed(); n != 7 { // all, a plain word, each by itself, the bad one twice at half its length
		t.Errorf("the first time: %d requests", n)
	}
	if n := embed(); n != 5 { // the bad one, a plain word, and the bad one in three lengths
		t.Errorf("the second time: %d requests", n)
	}
	if len(*skipped) != 2 {
		t.Errorf("skipped %v", *skipped)
	}
	f.tags.body = `{"models":[{"name":"nomic-embed-text:latest","digest":"another"}]}`
	e = New("")
	if n := embed(); n != 7 {
		t.Errorf("another build: %d requests", n)
	}
}
