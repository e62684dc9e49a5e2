package selector_test

import (
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/session"
)

func TestStablePrefix(t *testing.T) {
	t.Parallel()
	pool := func(texts ...string) *session.Pool {
		p := new(session.Pool)
		for _, text := range texts {
			p.Candidates = append(p.Candidates, session.Candidate{ID: text[:1], Text: text, Tokens: len(text)})
		}
		return p
	}
	before := pool("a", "bb", "ccc", "dddd")
	for name, c := range map[string]struct {
		now        *session.Pool
		kept, then []int
		want       int
	}{
		"the same":                  {before, []int{0, 1, 3}, []int{0, 1, 3}, 7},
		"one more at the end":       {before, []int{0, 1, 3}, []int{0, 1}, 3},
		"one more in the middle":    {before, []int{0, 1, 2, 3}, []int{0, 1, 3}, 3},
		"one less in front":         {before, []int{1, 2, 3}, []int{0, 1, 2, 3}, 0},
		"nothing kept":              {before, nil, []int{0}, 0},
		"nothing kept before":       {before, []int{0}, nil, 0},
		"a summary came in front":   {pool("s", "a", "bb"), []int{0, 1, 2}, []int{0, 1}, 0},
		"another place in the pool": {pool("bb", "ccc"), []int{0, 1}, []int{1, 2}, 5},
		"another text":              {pool("a", "bX"), []int{0, 1}, []int{0, 1}, 1},
	} {
		if got := selector.StablePrefix(before, c.now, c.then, c.kept); got != c.want {
			t.Errorf("%s: %d tokens, want %d", name, got, c.want)
		}
	}
}

// The prefix is the whole where nothing changed, and ends at the first item that
// only one of the two keeps.
func TestStablePrefixEndsAtTheFirstDifference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pool := pools(12).Draw(t, "pool")
		var a, b []int
		want, same := 0, true
		for i := range pool.Candidates {
			inA, inB := rapid.Bool().Draw(t, "a"), rapid.Bool().Draw(t, "b")
			if inA {
				a = append(a, i)
			}
			if inB {
				b = append(b, i)
			}
			same = same && inA == inB
			if same && inA {
				want += pool.Candidates[i].Tokens
			}
		}
		if got := selector.StablePrefix(pool, pool, a, b); got != want {
			t.Fatalf("%v and %v: %d tokens, want %d", a, b, got, want)
		}
	})
}

func TestPrefixSentence(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"the first 19 of 1,805 kept tokens are as in turn 60: what a provider's prompt cache could reuse":   selector.PrefixSentence(19, 1805, 60),
		"what is kept begins otherwise than in turn 7: a provider's prompt cache could reuse nothing of it": selector.PrefixSentence(0, 484, 7),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
