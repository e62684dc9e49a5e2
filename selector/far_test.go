package selector_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/selector/selectortest"
	"pacms/session"
)

// far prepares a pool as if it were too large for a matrix of cosines.
func far(t fatal, pool *session.Pool) *selector.Prepared {
	t.Helper()
	e := selector.NewEngine(embed.NewBuiltin(), "chars4")
	e.KeepCosines(0)
	p, err := e.Prepare(background, pool, selector.PrepareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Without a matrix every strategy but pacms keeps the same; pacms, whose gains are
// summed up anew and not lowered, may break a tie otherwise and does without
// Greedy+Max, but its answer, its bound and its reasons are as sound.
func TestWithoutMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := pools(9).Draw(t, "pool")
		p := far(t, pool)
		for _, name := range specs {
			opt := selector.Options{Strategy: mustStrategy(t, name)}
			s, err := p.Select(background, opt)
			if err != nil {
				t.Fatal(err)
			}
			if err := selectortest.Check(pool, s); err != nil {
				t.Fatal(err)
			}
			if opt.Strategy.Name() != "pacms" {
				if want := selectFrom(t, pool, opt); !slices.Equal(s.Order, want.Order) || s.Coverage != want.Coverage {
					t.Fatalf("%s: order %v, coverage %v; with a matrix %v, %v", name, s.Order, s.Coverage, want.Order, want.Coverage)
				}
				continue
			}
			if name != "pacms" || s.Objective == nil {
				continue
			}
			in := paperInstance(pool, slices.Repeat([]bool{true}, len(pool.Candidates)))
			best := in.optimum(pool, s.EffectiveBudget)
			rounding := 1e-5 * max(1, best)
			if value := in.value(s.KeptIndices); math.Abs(value-*s.Objective) > rounding {
				t.Fatalf("objective %v, the kept set has %v", *s.Objective, value)
			}
			if *s.UpperBound < best-rounding || *s.Objective < (1-1/math.Sqrt(math.E))*best-rounding {
				t.Fatalf("objective %v and bound %v, the optimum is %v", *s.Objective, *s.UpperBound, best)
			}
		}
	})
}

// On texts, whose gains do not tie, pacms keeps the same without a matrix.
func TestTextsWithoutMatrix(t *testing.T) {
	pool := varied(300)
	compared := 0
	near, away := prepare(t, pool), far(t, pool)
	for _, percent := range []int{2, 20, 60} {
		opt := selector.Options{Strategy: mustStrategy(t, "pacms"), Budget: selector.Term{Value: pool.Tokens() * percent / 100, Source: "test"}}
		want, err := near.Select(background, opt)
		if err != nil {
			t.Fatal(err)
		}
		got, err := away.Select(background, opt)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(*got.Objective-*want.Objective) > 1e-3**want.Objective || *got.UpperBound < *want.Objective {
			t.Errorf("at %d%%: %v of at most %v, with a matrix %v", percent, *got.Objective, *got.UpperBound, *want.Objective)
		}
		if !slices.Equal(got.Order, want.Order) {
			continue // Greedy+Max won, or rounding made a tie
		}
		for i := range pool.Candidates {
			g, w := got.Explain(i), want.Explain(i)
			if math.Abs(g.Gain-w.Gain) > 1e-6 || g.Reason.Code != w.Reason.Code || len(g.Reason.By) != len(w.Reason.By) {
				t.Errorf("at %d%%: candidate %d: %+v, with a matrix %+v", percent, i, g, w)
			}
			compared++
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

// A session may have more texts than cosines are kept of, and its pools fewer: each
// is answered as by an engine that has seen no other.
func TestPoolsOfLargeSessions(t *testing.T) {
	all := long(200)
	e := selector.NewEngine(embed.NewBuiltin(), "chars4")
	e.KeepCosines(60)
	for _, part := range [][2]int{{0, 40}, {0, 55}, {30, 80}, {31, 81}, {0, 200}, {150, 200}, {10, 20}, {33, 83}} {
		pool := *all
		pool.Candidates = all.Candidates[part[0]:part[1]]
		p, err := e.Prepare(background, &pool, selector.PrepareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if part[1]-part[0] > 60 {
			continue
		}
		for _, name := range selector.Strategies() {
			opt := selector.Options{Strategy: mustStrategy(t, name), Budget: selector.Term{Value: pool.Tokens() / 3, Source: "test"}}
			if got, want := document(t, p, opt), document(t, prepare(t, &pool), opt); got != want {
				t.Errorf("%s of %v:\n%s\nalone:\n%s", name, part, got, want)
			}
		}
	}
}
