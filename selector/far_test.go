package selector_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/selector/selectortest"
	"pacms/session"
)

// far prepares a pool as if it were too large for a matrix of cosines. After so many
// choices only what still counts is looked at.
func far(t fatal, pool *session.Pool, closeAt int) *selector.Prepared {
	t.Helper()
	e := selector.NewEngine(embed.NewBuiltin(), "chars4")
	e.KeepCosines(0)
	e.CloseIn(closeAt)
	p, err := e.Prepare(background, pool, selector.PrepareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Without a matrix every strategy but pacms keeps the same; pacms, whose gains are
// summed up anew and not lowered, may break a tie otherwise, but its answer, its bound
// and its reasons are as sound.
func TestWithoutMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := pools(9).Draw(t, "pool")
		p := far(t, pool, rapid.SampledFrom([]int{1, 2, 64}).Draw(t, "close in"))
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
			if *s.UpperBound < best-rounding || *s.Objective < best/2-rounding {
				t.Fatalf("objective %v and bound %v, the optimum is %v", *s.Objective, *s.UpperBound, best)
			}
		}
	})
}

// On texts, whose gains do not tie, pacms is the same without a matrix: what it keeps
// and in which order, what it proves, and why.
func TestTextsWithoutMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after another")
	}
	pool := varied(300)
	near := prepare(t, pool)
	for _, closeAt := range []int{1, 16, 64, 1 << 20} {
		away := far(t, pool, closeAt)
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
			if !slices.Equal(got.Order, want.Order) || math.Abs(*got.Objective-*want.Objective) > 1e-9**want.Objective {
				t.Errorf("at %d%%, closing in at %d: %v worth %v, with a matrix %v worth %v",
					percent, closeAt, got.Order, *got.Objective, want.Order, *want.Objective)
				continue
			}
			// A gain that was not computed anew is taken for what it was.
			if *got.UpperBound < *want.UpperBound*(1-1e-9) || *got.UpperBound > 1.1**want.UpperBound {
				t.Errorf("at %d%%, closing in at %d: bound %v, with a matrix %v", percent, closeAt, *got.UpperBound, *want.UpperBound)
			}
			for i := range pool.Candidates {
				g, w := got.Explain(i), want.Explain(i)
				if math.Abs(g.Gain-w.Gain) > 1e-6 || g.Reason.Code != w.Reason.Code || len(g.Reason.By) != len(w.Reason.By) {
					t.Errorf("at %d%%: candidate %d: %+v, with a matrix %+v", percent, i, g, w)
				}
			}
		}
	}
}

// What is asked of other ways to choose is answered as with a matrix.
func TestWhatIfsWithoutMatrix(t *testing.T) {
	pool := varied(120)
	near, away := prepare(t, pool), far(t, pool, 8)
	opt := selector.Options{Strategy: mustStrategy(t, "pacms"), Budget: selector.Term{Value: pool.Tokens() / 5, Source: "test"}}
	want, err := near.Sweep(background, opt, 6, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := away.Sweep(background, opt, 6, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k := range want.Points {
		g, w := got.Points[k], want.Points[k]
		if g.Items != w.Items || g.Flips != w.Flips || math.Abs(g.Value-w.Value) > 1e-6*w.Value {
			t.Errorf("point %d: %+v, with a matrix %+v", k, g, w)
		}
	}
	for _, i := range []int{3, 50, 119} {
		for name, force := range map[string]func(*selector.Prepared) (selector.Effect, error){
			"in":  func(p *selector.Prepared) (selector.Effect, error) { return p.ForceIn(background, opt, i) },
			"out": func(p *selector.Prepared) (selector.Effect, error) { return p.ForceOut(background, opt, i) },
		} {
			w, err := force(near)
			if err != nil {
				t.Fatal(err)
			}
			g, err := force(away)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(g.In, w.In) || !slices.Equal(g.Out, w.Out) || math.Abs(g.Loss-w.Loss) > 1e-6 {
				t.Errorf("candidate %d forced %s: %+v, with a matrix %+v", i, name, g, w)
			}
		}
	}
}

// Where too many pairs still count, the run goes on without them and looks again later:
// here most texts are alike, and what covers them comes late.
func TestManyPairsThatCount(t *testing.T) {
	pool := varied(900)
	for i := range pool.Candidates[:800] {
		c := &pool.Candidates[i]
		c.Text = fmt.Sprint("the staging database listens on port ", i)
		c.Tokens = 400
	}
	opt := selector.Options{Strategy: mustStrategy(t, "pacms"), Budget: selector.Term{Value: 5000, Source: "test"}}
	want, err := prepare(t, pool).Select(background, opt)
	if err != nil {
		t.Fatal(err)
	}
	got, err := far(t, pool, 1).Select(background, opt)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(*got.Objective-*want.Objective) > 1e-6**want.Objective {
		t.Errorf("worth %v, with a matrix %v", *got.Objective, *want.Objective)
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
