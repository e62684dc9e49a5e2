package selector_test

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/session"
)

// ways are those to make a pool ready: with a matrix of cosines, and without one.
var ways = []func(t fatal, pool *session.Pool) *selector.Prepared{
	prepare,
	func(t fatal, pool *session.Pool) *selector.Prepared { return far(t, pool, 1) },
	func(t fatal, pool *session.Pool) *selector.Prepared { return far(t, pool, 64) },
}

// What was computed for one selection never shows in another: whatever was asked
// before, the same options give the same bytes as in a pool that is new.
func TestSelectionsLeaveNoTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := pools(70).Draw(t, "pool")
		ready := rapid.SampledFrom(ways).Draw(t, "way")
		warm := ready(t, pool)
		for range 6 {
			opt := selector.Options{
				Strategy: mustStrategy(t, rapid.SampledFrom(specs).Draw(t, "strategy")),
				Budget:   selector.Term{Value: rapid.IntRange(0, pool.Tokens()).Draw(t, "budget"), Source: "test"},
			}
			for _, c := range pool.Candidates {
				if rapid.IntRange(0, 30).Draw(t, "pin") == 0 {
					opt.Pins = append(opt.Pins, c.ID)
				}
			}
			if got, want := document(t, warm, opt), document(t, ready(t, pool), opt); got != want {
				t.Fatalf("after others:\n%s\nat once:\n%s", got, want)
			}
		}
	})
}

// document is a selection as JSON, with all verdicts and without its timing.
func document(t fatal, p *selector.Prepared, opt selector.Options) string {
	t.Helper()
	s, err := p.Select(background, opt)
	if err != nil {
		t.Fatal(err)
	}
	s.MS = selector.Timing{}
	for i := range p.Pool.Candidates {
		s.Candidates = append(s.Candidates, s.Explain(i))
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A pool large enough for runs that begin where others have been, at budgets up and
// down, with few and with many candidates that are too large for some of them.
func TestBudgetsLeaveNoTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after another, in hundreds of pools made ready anew")
	}
	for way, large := range []int{0, 7, 2} {
		pool, ready := long(400), ways[way]
		for i := range pool.Candidates {
			if large > 0 && i%large == 0 {
				pool.Candidates[i].Tokens *= 20
			}
		}
		warm := ready(t, pool)
		for k, name := range []string{"pacms", "pacms+", "pacms:smooth=0.3", "pacms", "pacms+"} {
			rules := selector.DefaultRules()
			if k > 2 {
				rules = selector.Rules{}
			}
			for _, percent := range []int{20, 30, 21, 5, 1, 60, 22, 100, 95} {
				opt := selector.Options{
					Strategy: mustStrategy(t, name), Rules: rules, Tail: 1,
					Budget: selector.Term{Value: pool.Tokens() * percent / 100, Source: "test"},
				}
				if got, want := document(t, warm, opt), document(t, ready(t, pool), opt); got != want {
					t.Errorf("%s at %d%%, after others:\n%s\nat once:\n%s", name, percent, got, want)
				}
			}
		}
	}
}

// Runs that go along one trail at once come to what each comes to alone.
func TestBudgetsAtOnce(t *testing.T) {
	pool := long(400)
	warm := prepare(t, pool)
	var wait sync.WaitGroup
	for k := range 24 {
		opt := selector.Options{
			Strategy: mustStrategy(t, []string{"pacms", "pacms+"}[k%2]),
			Budget:   selector.Term{Value: pool.Tokens() * (k + 6) / 40, Source: "test"},
		}
		wait.Go(func() {
			got, err := warm.Select(t.Context(), opt)
			if err != nil {
				t.Error(err)
				return
			}
			if want := selectFrom(t, pool, opt); !slices.Equal(got.Order, want.Order) || *got.UpperBound != *want.UpperBound {
				t.Errorf("%s at %d: the bound is %v and the order %v, in a new pool %v and %v",
					opt.Strategy, opt.Budget.Value, *got.UpperBound, got.Order, *want.UpperBound, want.Order)
			}
		})
	}
	wait.Wait()
}
