package compare_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/session/token"
)

// sideOf is a turn of a session with a strategy and a budget.
func sideOf(t testing.TB, pool *session.Pool, strategy string, budget int) *compare.Side {
	t.Helper()
	s, err := selector.ParseStrategy(strategy)
	if err != nil {
		t.Fatal(err)
	}
	counter, err := token.New("openclaw")
	if err != nil {
		t.Fatal(err)
	}
	return &compare.Side{
		Pool: pool, Embedder: embed.NewBuiltin(), Counter: counter,
		Options: selector.Options{Strategy: s, Budget: selector.Term{Value: budget, Source: "flag"}, Rules: selector.DefaultRules(), Tail: 1},
	}
}

func alone(t testing.TB, s *compare.Side) []string {
	t.Helper()
	p, err := selector.NewEngine(s.Embedder, s.Counter.Name()).Prepare(t.Context(), s.Pool, selector.PrepareOptions{NoWiden: s.NoWiden})
	if err != nil {
		t.Fatal(err)
	}
	sel, err := p.Select(t.Context(), s.Options)
	if err != nil {
		t.Fatal(err)
	}
	return sel.Kept
}

func compared(t testing.TB, a, b *compare.Side) *compare.Diff {
	t.Helper()
	d, err := compare.Compared(t.Context(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestDiffNamesThePlantedCause changes one thing at a time of a recorded turn.
func TestDiffNamesThePlantedCause(t *testing.T) {
	t.Parallel()
	s := recorded(t, "demo")
	pool := func() *session.Pool { return s.Pool(60, session.PoolWindow) }
	for _, c := range []struct {
		factor compare.Factor
		change func(b *compare.Side)
	}{
		{compare.FactorQuery, func(b *compare.Side) { b.Pool.Query = "What may the pension in Ljubljana cost a night?" }},
		{compare.FactorBudget, func(b *compare.Side) { b.Options.Budget.Value = 4000 }},
		{compare.FactorPool, func(b *compare.Side) { b.Pool.Candidates = b.Pool.Candidates[:len(b.Pool.Candidates)-8] }},
		{compare.FactorCounter, func(b *compare.Side) {
			for i := range b.Pool.Candidates {
				b.Pool.Candidates[i].Tokens *= 2
			}
		}},
		{compare.FactorEmbedder, func(b *compare.Side) { b.Embedder = reversed{b.Embedder} }},
		{compare.FactorStrategy, func(b *compare.Side) { b.Options.Strategy = sideOf(t, nil, "lastk", 0).Options.Strategy }},
		{compare.FactorRules, func(b *compare.Side) { b.Options.Rules, _ = selector.ParseRules("none") }},
		{compare.FactorVersion, func(b *compare.Side) { b.Recorded = []string{b.Pool.Candidates[0].ID} }},
	} {
		a, b := sideOf(t, pool(), "pacms", 2000), sideOf(t, pool(), "pacms", 2000)
		c.change(b)
		d := compared(t, a, b)
		if len(d.Entered)+len(d.Left) == 0 || len(d.Effects) != 1 || d.Effects[0].Factor != c.factor {
			t.Fatalf("%s: %d entered, %d left, effects %+v", c.factor, len(d.Entered), len(d.Left), d.Effects)
		}
		for _, ch := range slices.Concat(d.Entered, d.Left) {
			if ch.Cause != c.factor {
				t.Errorf("%s: %s is said to be by %s", c.factor, ch.Candidate.ID, ch.Cause)
			}
		}
		if c.factor != compare.FactorPool && d.Effects[0].Alone != len(d.Entered)+len(d.Left) {
			t.Errorf("%s makes %d of %d changes", c.factor, d.Effects[0].Alone, len(d.Entered)+len(d.Left))
		}
		if !slices.Equal(d.A.Kept, alone(t, a)) || !slices.Equal(d.B.Kept, alone(t, b)) {
			t.Errorf("%s: the sides keep something else by themselves", c.factor)
		}
	}
	same := compared(t, sideOf(t, pool(), "pacms", 2000), sideOf(t, pool(), "pacms", 2000))
	if len(same.Entered)+len(same.Left)+len(same.Effects) != 0 || same.Unchanged != len(same.A.Kept) {
		t.Errorf("a turn differs from itself: %+v", same)
	}
}

// reversed embeds otherwise: questions as their opposite.
type reversed struct{ embed.Embedder }

func (r reversed) Name() string { return "reversed" }

func (r reversed) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := r.Embedder.Documents(ctx, texts)
	for _, v := range vectors {
		slices.Reverse(v[:len(v)/2])
	}
	return vectors, err
}

// TestDiffIsSound draws two sides that differ in several things: the lists are what
// the selections say, and each cause does what it is said to do when it is run by
// itself.
func TestDiffIsSound(t *testing.T) {
	vector := rapid.SliceOfN(rapid.Float32Range(-1, 1), 3, 3)
	side := func(t *rapid.T, label string, dropped int) *compare.Side {
		p := &session.Pool{QueryEmbedding: vector.Draw(t, label+" query")}
		for i := range 9 {
			c := session.Candidate{ID: fmt.Sprint("c", i), Kind: session.User, Text: fmt.Sprint("text ", i), Tokens: 10 + i, Embedding: []float32{float32(i % 4), float32(i % 3), 1}}
			if i != dropped {
				p.Candidates = append(p.Candidates, c)
			}
		}
		strategy, err := selector.ParseStrategy(rapid.SampledFrom([]string{"pacms", "topk", "lastk", "mmr"}).Draw(t, label+" strategy"))
		if err != nil {
			t.Fatal(err)
		}
		counter, err := token.New("chars4")
		if err != nil {
			t.Fatal(err)
		}
		return &compare.Side{
			Pool: p, Embedder: embed.NewBuiltin(), Counter: counter,
			Options: selector.Options{Strategy: strategy, Budget: selector.Term{Value: rapid.IntRange(0, 130).Draw(t, label+" budget"), Source: "flag"}},
		}
	}
	kept := func(t *rapid.T, s *compare.Side) []string {
		p, err := selector.NewEngine(s.Embedder, "chars4").Prepare(t.Context(), s.Pool, selector.PrepareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		sel, err := p.Select(t.Context(), s.Options)
		if err != nil {
			t.Fatal(err)
		}
		return sel.Kept
	}
	// with is a side with one factor of another.
	with := func(s, from *compare.Side, f compare.Factor) *compare.Side {
		out := *s
		pool := *s.Pool
		out.Pool = &pool
		switch f {
		case compare.FactorQuery:
			pool.QueryEmbedding = from.Pool.QueryEmbedding
		case compare.FactorBudget:
			out.Options.Budget = from.Options.Budget
		case compare.FactorPool:
			pool.Candidates = from.Pool.Candidates
		case compare.FactorStrategy:
			out.Options.Strategy = from.Options.Strategy
		default: // the sides do not differ in it
		}
		return &out
	}
	several := 0
	rapid.Check(t, func(t *rapid.T) {
		a, b := side(t, "a", -1), side(t, "b", rapid.IntRange(-1, 8).Draw(t, "dropped"))
		d, err := compare.Compared(t.Context(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		inA, inB := kept(t, a), kept(t, b)
		for i, list := range [][]compare.Change{d.Entered, d.Left} {
			here, there := inB, inA
			if i == 1 {
				here, there = inA, inB
			}
			n := 0
			for _, id := range here {
				if !slices.Contains(there, id) {
					n++
				}
			}
			if n != len(list) || d.Unchanged != len(here)-n {
				t.Fatalf("a keeps %v, b %v: %+v", inA, inB, d)
			}
			for _, c := range list {
				id := c.Candidate.ID
				if !slices.Contains(here, id) || slices.Contains(there, id) {
					t.Fatalf("%s is no change of list %d: a keeps %v, b %v", id, i, inA, inB)
				}
				makes := func(f compare.Factor) bool {
					return slices.Contains(kept(t, with(a, b, f)), id) == slices.Contains(inB, id)
				}
				undoes := func(f compare.Factor) bool {
					return slices.Contains(kept(t, with(b, a, f)), id) == slices.Contains(inA, id)
				}
				if c.Cause == compare.FactorSeveral {
					several++
					for _, f := range []compare.Factor{compare.FactorQuery, compare.FactorBudget, compare.FactorPool, compare.FactorStrategy} {
						if makes(f) || undoes(f) {
							t.Fatalf("%s: %s does it alone", id, f)
						}
					}
				} else if !makes(c.Cause) && !undoes(c.Cause) {
					t.Fatalf("%s: %s does not do it: a keeps %v, b %v", id, c.Cause, inA, inB)
				}
			}
		}
	})
	if several == 0 {
		t.Log("no change was drawn that only several factors make")
	}
}

// TestDiffSaysWhatCannotBeRun has vectors of different lengths.
func TestDiffSaysWhatCannotBeRun(t *testing.T) {
	t.Parallel()
	pool := func(length int) *session.Pool {
		v := make([]float32, length)
		v[0] = 1
		return &session.Pool{QueryEmbedding: v, Candidates: []session.Candidate{
			{ID: fmt.Sprint("a", length), Kind: session.User, Tokens: 1, Embedding: v}, {ID: "b", Kind: session.User, Tokens: 1, Embedding: v},
		}}
	}
	d := compared(t, sideOf(t, pool(2), "topk", 1), sideOf(t, pool(3), "lastk", 1))
	untried := 0
	for _, e := range d.Effects {
		if e.Untried != "" {
			untried++
		}
	}
	if untried != 2 { // the query and the pool
		t.Errorf("%+v", d.Effects)
	}
}
