package selector_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/session"
)

// ruled draws rules beside pins and bans, and lets the candidates speak, so that
// they apply: there are complete turns, and some that say nothing.
func ruled(t *rapid.T, pool *session.Pool) selector.Options {
	opt := peopled(t, pool, specs)
	opt.Rules, _ = selector.ParseRules(rapid.SampledFrom([]string{"none", "default", "tail", "first,tail,empty"}).Draw(t, "rules"))
	opt.Tail = rapid.IntRange(0, 2).Draw(t, "tail")
	pool.FromSession = rapid.Bool().Draw(t, "session")
	for i := range pool.Candidates {
		c := &pool.Candidates[i]
		c.Kind = rapid.SampledFrom([]session.Kind{session.User, session.Assistant, session.Assistant, session.Document}).Draw(t, "kind")
		if rapid.IntRange(0, 9).Draw(t, "silent") != 6 {
			c.Text = string(rune('a' + i))
		}
	}
	return opt
}

// keptAt runs a strategy at a budget.
func keptAt(t fatal, p *selector.Prepared, opt selector.Options, budget int) *selector.Selection {
	opt.Budget = selector.Term{Value: budget, Source: "test"}
	s, err := p.Select(background, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// beyond is a budget above which nothing can change: half of it holds the pool.
func beyond(pool *session.Pool) int {
	n := 2*pool.Tokens() + 2
	for _, p := range pool.Pending {
		n += p.Tokens
	}
	return n
}

// Where a pool is small every budget is tried: the answer is exact for every
// strategy, from 0 to where nothing changes any more.
func TestReturnsAtIsExactOnSmallPools(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := crowded(9).Draw(t, "pool")
		opt := ruled(t, pool)
		p := prepare(t, pool)
		far, of := 0, 0
		all, err := p.ReturnsAtAll(background, opt, func(done, total int) {
			if done <= far {
				t.Errorf("%d are done after %d", done, far)
			}
			far, of = done, total
		})
		if err != nil || far == 0 || far != of {
			t.Fatalf("%v after %d of %d", err, far, of)
		}
		for i, r := range all {
			if r.Resolution != 0 {
				t.Fatalf("%s, candidate %d: resolution %d", opt.Strategy, i, r.Resolution)
			}
			one, err := p.ReturnsAt(background, opt, i)
			if err != nil || !slices.Equal(one.Intervals, r.Intervals) || one.Resolution != r.Resolution {
				t.Fatalf("candidate %d alone: %v %v, among all %v", i, one, err, r)
			}
		}
		for b := range beyond(pool) {
			s := keptAt(t, p, opt, b)
			for i, r := range all {
				if r.At(b) != s.Keeps(i) || r.Otherwise().At(b) == s.Keeps(i) {
					t.Fatalf("%s, candidate %d at %d: kept %v, returns at %v, else %v", opt.Strategy, i, b, s.Keeps(i), r.Intervals, r.Otherwise().Intervals)
				}
			}
		}
	})
}

// Where some budgets are not tried, both sides of every end are still as they are
// said to be, and only what is as short as the resolution is missed.
func TestReturnsAtKeepsToItsResolution(t *testing.T) {
	coarse, missed := 0, 0
	until(t, func(t *rapid.T) {
		pool := crowded(14).Draw(t, "pool")
		opt := ruled(t, pool)
		opt.Strategy = mustStrategy(t, rapid.SampledFrom([]string{"pacms", "pacms+", "pacms:smooth=0.3"}).Draw(t, "locator"))
		p := prepare(t, pool)
		kept := make([]*selector.Selection, beyond(pool))
		for b := range kept {
			kept[b] = keptAt(t, p, opt, b)
		}
		grid, most := rapid.IntRange(2, 12).Draw(t, "grid"), rapid.IntRange(0, 20).Draw(t, "most")
		opt.Budget = selector.Term{Value: rapid.IntRange(0, len(kept)-1).Draw(t, "budget"), Source: "test"}
		for i := range pool.Candidates {
			r, err := p.ReturnsAtWithin(background, opt, i, grid, most, rapid.IntRange(0, 3).Draw(t, "steps"))
			if err != nil {
				t.Fatal(err)
			}
			if now := opt.Budget.Value; r.At(now) != kept[now].Keeps(i) {
				t.Fatalf("%s, candidate %d at the present %d: kept %v, returns at %v", opt.Strategy, i, now, kept[now].Keeps(i), r.Intervals)
			}
			is := func(budget int, want bool) {
				if kept[budget].Keeps(i) != want {
					t.Fatalf("%s, candidate %d at %d: kept %v, returns at %v", opt.Strategy, i, budget, !want, r.Intervals)
				}
			}
			for k, iv := range r.Intervals {
				if iv.To >= 0 && iv.To < iv.From || k > 0 && iv.From <= r.Intervals[k-1].To+1 {
					t.Fatalf("candidate %d: intervals %v", i, r.Intervals)
				}
				is(iv.From, true)
				if iv.From > 0 {
					is(iv.From-1, false)
				}
				if iv.To >= 0 {
					is(iv.To, true)
					is(iv.To+1, false)
				}
			}
			wrong := 0
			for b := range kept {
				if kept[b].Keeps(i) == r.At(b) {
					wrong = 0
					continue
				}
				missed++
				if wrong++; wrong > r.Resolution {
					t.Fatalf("%s, candidate %d at %d: kept %v, returns at %v with resolution %d", opt.Strategy, i, b, kept[b].Keeps(i), r.Intervals, r.Resolution)
				}
			}
			if r.Resolution > 0 {
				coarse++
			}
		}
	}, func() bool { return coarse > 0 && missed > 0 })
	if coarse == 0 || missed == 0 {
		t.Errorf("%d answers had a resolution, which hid %d budgets: nothing was tried", coarse, missed)
	}
}

// As far as the steps from the present budget reach nothing is missed, however few
// other budgets are tried.
func TestReturnsAtIsExactAroundThePresentBudget(t *testing.T) {
	holes := 0
	until(t, func(t *rapid.T) {
		pool := crowded(14).Draw(t, "pool")
		opt := ruled(t, pool)
		opt.Strategy = mustStrategy(t, rapid.SampledFrom([]string{"pacms", "pacms+"}).Draw(t, "locator"))
		p := prepare(t, pool)
		kept := make([]*selector.Selection, beyond(pool))
		for b := range kept {
			kept[b] = keptAt(t, p, opt, b)
		}
		now := rapid.IntRange(0, len(kept)-1).Draw(t, "budget")
		opt.Budget = selector.Term{Value: now, Source: "test"}
		for i := range pool.Candidates {
			r, err := p.ReturnsAtWithin(background, opt, i, 1, 0, len(kept))
			if err != nil {
				t.Fatal(err)
			}
			without, err := p.ReturnsAtWithin(background, opt, i, 1, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, dir := range []int{-1, 1} {
				for b := now; b >= 0 && b < len(kept); b += dir {
					if r.At(b) != kept[b].Keeps(i) {
						t.Fatalf("%s, candidate %d from %d to %d: kept %v, returns at %v", opt.Strategy, i, now, b, kept[b].Keeps(i), r.Intervals)
					}
					if without.At(b) != kept[b].Keeps(i) {
						holes++
					}
					if kept[b].Keeps(i) != kept[now].Keeps(i) {
						break
					}
				}
			}
		}
	}, func() bool { return holes > 0 })
	if holes == 0 {
		t.Error("the steps found nothing that would have been missed without them")
	}
}

// The budgets at which an item of the demo is kept do not contradict what becomes of
// it under the budget on screen.
func TestReturnsAtAgreesWithTheSelection(t *testing.T) {
	d := openDemo(t)
	at := slices.IndexFunc(d.session.Turns, func(turn session.Turn) bool { return turn.Number == 22 })
	p := prepare(t, d.session.Pool(at, session.PoolWindow))
	for _, name := range []string{"pacms", "pacms+"} {
		opt := selector.Options{Strategy: mustStrategy(t, name), Rules: selector.DefaultRules(), Tail: 1, Budget: selector.Term{Value: 1808, Source: "test"}}
		s := keptAt(t, p, opt, 1808)
		all, err := p.ReturnsAtAll(background, opt, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range all {
			if r.At(1808) != s.Keeps(i) {
				t.Errorf("%s, candidate %d: kept %v, returns at %v", name, i, s.Keeps(i), r)
			}
		}
	}
}

func TestReturnsAtIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	p := prepare(t, long(60))
	for _, name := range selector.Strategies() {
		if _, err := p.ReturnsAt(ctx, selector.Options{Strategy: mustStrategy(t, name)}, 3); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestIntervalsInJSON(t *testing.T) {
	r := selector.ReturnsAt{Intervals: []selector.Interval{{From: 3, To: 5}, {From: 9, To: -1}}, Resolution: 2}
	data, err := json.Marshal(r)
	if want := `{"intervals":[[3,5],[9,null]],"resolution":2}`; err != nil || string(data) != want {
		t.Errorf("%s %v, want %s", data, err, want)
	}
	var back selector.ReturnsAt
	if err := json.Unmarshal(data, &back); err != nil || !slices.Equal(back.Intervals, r.Intervals) {
		t.Errorf("read back as %v, %v", back, err)
	}
	for _, wrong := range []string{`[]`, `[1]`, `[null,2]`, `[1,2,3]`, `"x"`} {
		if json.Unmarshal([]byte(wrong), &back.Intervals[0]) == nil {
			t.Errorf("%s is taken for an interval", wrong)
		}
	}
}
