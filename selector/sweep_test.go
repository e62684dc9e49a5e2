package selector_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
)

// Every point of a sweep is what a selection under that budget is.
func TestSweepIsSingleRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := crowded(12).Draw(t, "pool")
		opt := ruled(t, pool)
		p := prepare(t, pool)
		steps := rapid.IntRange(1, 40).Draw(t, "steps")
		last, calls := atomic.Int64{}, atomic.Int64{}
		sweep, err := p.Sweep(background, opt, steps, func(done, total int) {
			if int64(done) != last.Add(1) || total < done {
				t.Errorf("progress %d of %d after %d", done, total, last.Load()-1)
			}
			calls.Add(1)
		})
		if err != nil {
			t.Fatal(err)
		}
		if sweep.Strategy != opt.Strategy.String() || int(calls.Load()) != len(sweep.Points) || sweep.Points[0].Budget != 0 {
			t.Fatalf("%s: %d calls, %+v", sweep.Strategy, calls.Load(), sweep.Points[0])
		}
		before := keptAt(t, p, opt, 0)
		for k, point := range sweep.Points {
			if k > 0 && point.Budget <= sweep.Points[k-1].Budget {
				t.Fatalf("budget %d after %d", point.Budget, sweep.Points[k-1].Budget)
			}
			s := keptAt(t, p, opt, point.Budget)
			flips := 0
			for i := range pool.Candidates {
				if point.Keeps(i) != s.Keeps(i) {
					t.Fatalf("%s at %d: candidate %d, kept %v", opt.Strategy, point.Budget, i, s.Keeps(i))
				}
				if s.Keeps(i) != before.Keeps(i) {
					flips++
				}
			}
			if point.Items != len(s.Kept) || point.Tokens != s.Tokens.Kept || point.Flips != flips || point.Coverage != s.Coverage {
				t.Fatalf("%s: %+v, a single run has %d items, %+v, %d flips, coverage %v", opt.Strategy, point, len(s.Kept), s.Tokens, flips, s.Coverage)
			}
			if s.Objective != nil && point.Value != *s.Objective {
				t.Fatalf("%s at %d: value %v, a single run has %v", opt.Strategy, point.Budget, point.Value, *s.Objective)
			}
			before = s
		}
		if end := sweep.Points[len(sweep.Points)-1]; opt.Strategy.Name() != "rag" {
			for i := range pool.Candidates {
				if c := keptAt(t, p, opt, beyond(pool)); end.Keeps(i) != c.Keeps(i) {
					t.Fatalf("the last point, %d, does not keep what fits", end.Budget)
				}
			}
		}
	})
}

// What is kept is worth what the definition says, for every strategy: also where
// it has no objective of its own, or the required ones alone are too many.
func TestSweepValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := crowded(12).Draw(t, "pool")
		opt := peopled(t, pool, selector.Strategies())
		p := prepare(t, pool)
		sweep, err := p.Sweep(background, opt, 20, nil)
		if err != nil {
			t.Fatal(err)
		}
		all := keptAt(t, p, opt, beyond(pool))
		strategy := opt.Strategy
		if all.QuerySource == "none" {
			strategy = mustStrategy(t, "topk")
		}
		in := instanceOf(strategy, pool, clients(pool, all))
		most := sweep.Points[len(sweep.Points)-1].Value
		for _, point := range sweep.Points {
			var kept []int
			for i := range pool.Candidates {
				if point.Keeps(i) {
					kept = append(kept, i)
				}
			}
			if want := in.value(kept); math.Abs(point.Value-want) > 1e-5*max(1, want) {
				t.Fatalf("%s at %d: value %v, want %v", opt.Strategy, point.Budget, point.Value, want)
			}
		}
		budget, ok := sweep.Smallest(0.95)
		if ok != (most > 0) {
			t.Fatalf("smallest %d %v of a value of %v", budget, ok, most)
		}
		for _, point := range sweep.Points {
			if enough := point.Value >= 0.95*most; ok && (enough && point.Budget < budget || !enough && point.Budget == budget) {
				t.Fatalf("smallest %d, at %d there are %v of %v", budget, point.Budget, point.Value, most)
			}
		}
	})
}

func TestSweepIsCancelled(t *testing.T) {
	p := prepare(t, long(60))
	for _, name := range selector.Strategies() {
		ctx, cancel := context.WithCancel(background)
		_, err := p.Sweep(ctx, selector.Options{Strategy: mustStrategy(t, name)}, 100, func(done, _ int) {
			if done == 3 {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
}

// The points do not depend on how many runs are made at the same time.
func TestSweepIsTheSameTwice(t *testing.T) {
	p := prepare(t, long(80))
	for _, name := range selector.Strategies() {
		opt := selector.Options{Strategy: mustStrategy(t, name), Rules: selector.DefaultRules(), Tail: 1}
		one, err := p.Sweep(background, opt, 64, nil)
		if err != nil {
			t.Fatal(err)
		}
		two, err := p.Sweep(background, opt, 64, nil)
		if err != nil {
			t.Fatal(err)
		}
		same := func(a, b selector.Point) bool {
			return a.Budget == b.Budget && a.Items == b.Items && a.Tokens == b.Tokens && a.Flips == b.Flips && a.Value == b.Value && a.Coverage == b.Coverage
		}
		if !slices.EqualFunc(one.Points, two.Points, same) {
			t.Errorf("%s: two sweeps differ", name)
		}
	}
}
