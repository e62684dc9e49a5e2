package selector_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/session"
)

func others(t fatal) []selector.Strategy { return selector.Numbered(mustStrategy(t, "topk")) }

// effect is what differs between two selections, and the share of an objective
// that is lost.
func effect(pool *session.Pool, in instance, before, after *selector.Selection) selector.Effect {
	var e selector.Effect
	for i := range pool.Candidates {
		switch {
		case after.Keeps(i) && !before.Keeps(i):
			e.In = append(e.In, i)
		case before.Keeps(i) && !after.Keeps(i):
			e.Out = append(e.Out, i)
		}
	}
	v, all := in.value(before.KeptIndices), in.value(everyone(pool))
	switch {
	case all < 1e-3 || v > 1e-9 && v < 1e-3*all: // rounding decides
		e.Loss = math.NaN()
	case v > 1e-9:
		e.Loss = 1 - in.value(after.KeptIndices)/v
	}
	e.Over = max(0, after.Tokens.Kept-after.EffectiveBudget)
	return e
}

func sameEffect(t *rapid.T, what string, got, want selector.Effect) {
	if !slices.Equal(got.In, want.In) || !slices.Equal(got.Out, want.Out) || got.Over != want.Over || math.Abs(got.Loss-want.Loss) > 1e-3*max(1, math.Abs(want.Loss)) {
		t.Fatalf("%s: %+v, want %+v", what, got, want)
	}
}

// drawn draws a pool and options without rules, the selection, and its objective
// written anew.
func drawn(t *rapid.T) (*session.Pool, *selector.Prepared, selector.Options, *selector.Selection, instance) {
	pool := crowded(12).Draw(t, "pool")
	opt := peopled(t, pool, selector.Strategies())
	p := prepare(t, pool)
	s, err := p.Select(background, opt)
	if err != nil {
		t.Fatal(err)
	}
	objective := opt.Strategy
	if s.QuerySource == "none" {
		objective = mustStrategy(t, "topk")
	}
	return pool, p, opt, s, instanceOf(objective, pool, clients(pool, s))
}

// Every change that is named makes the difference that it names, when it is made
// by a selection of its own.
func TestChangesDoWhatTheySay(t *testing.T) {
	named := make(map[string]int)
	kinds := []string{"budget", "without", "strategy", "pin", "ban", "unpin", "unban", "over"}
	until(t, func(t *rapid.T) {
		pool, p, opt, s, in := drawn(t)
		for i, c := range pool.Candidates {
			kept := s.Keeps(i)
			changes, err := p.WouldBeKept(background, opt, i, others(t))
			if err != nil || kept && changes != nil {
				t.Fatalf("candidate %d, kept %v: %v %v", i, kept, changes, err)
			}
			if kept {
				if changes, err = p.WouldBeDropped(background, opt, i, others(t)); err != nil {
					t.Fatal(err)
				}
			}
			for _, change := range changes {
				if change.Returns != nil {
					named["budget"]++
					for _, iv := range change.Returns.Intervals {
						if keptAt(t, p, opt, iv.From).Keeps(i) == kept || keptAt(t, p, opt, max(iv.From, iv.To)).Keeps(i) == kept {
							t.Fatalf("%s, candidate %d, kept %v, is the same in %v", opt.Strategy, i, kept, iv)
						}
					}
					continue
				}
				other := opt
				freed := func(ids []string) []string {
					return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return sameGroup(pool, i, indexOf(pool, id)) })
				}
				switch {
				case change.Without != "":
					named["without"]++
					j := indexOf(pool, change.Without)
					if !s.Keeps(j) || sameGroup(pool, i, j) {
						if s.Code(i) != selector.DuplicateOf && s.Code(i) != selector.WithGroup {
							t.Fatalf("candidate %d without %s, which is in nobody's way", i, change.Without)
						}
					}
					other.Bans = append(slices.Clone(opt.Bans), change.Without)
				case change.Strategy != "":
					named["strategy"]++
					other.Strategy = mustStrategy(t, change.Strategy)
				case change.Pin:
					named["pin"]++
					other.Pins = append(slices.Clone(opt.Pins), c.ID)
				case change.Ban:
					named["ban"]++
					other.Bans = append(slices.Clone(opt.Bans), c.ID)
					other.Pins = freed(opt.Pins)
				case change.Unpin:
					named["unpin"]++
					other.Pins = freed(opt.Pins)
				case change.Unban:
					named["unban"]++
					other.Bans = freed(opt.Bans)
				default:
					t.Fatalf("candidate %d: a change of nothing", i)
				}
				after, err := p.Select(background, other)
				if err != nil {
					t.Fatal(err)
				}
				if after.Keeps(i) == kept {
					t.Fatalf("%s, candidate %d: kept %v as before after %+v", opt.Strategy, i, kept, change)
				}
				sameEffect(t, opt.Strategy.String(), *change.Effect, effect(pool, in, s, after))
				if change.Effect.Over > 0 {
					named["over"]++
				}
			}
		}
	}, func() bool { return len(named) == len(kinds) })
	for _, what := range kinds {
		if named[what] == 0 {
			t.Errorf("no change by %s was named: %v", what, named)
		}
	}
}

// Nothing that would help is left out: a pin of a dropped one always keeps it, a
// ban of what nothing requires always drops it, and every strategy that keeps it
// is named.
func TestChangesAreAllNamed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool, p, opt, s, _ := drawn(t)
		for i := range pool.Candidates {
			ask := p.WouldBeKept
			if s.Keeps(i) {
				ask = p.WouldBeDropped
			}
			changes, err := ask(background, opt, i, others(t))
			if err != nil {
				t.Fatal(err)
			}
			has := func(is func(selector.WouldKeep) bool) bool { return slices.ContainsFunc(changes, is) }
			if !s.Keeps(i) && !has(func(w selector.WouldKeep) bool { return w.Pin }) {
				t.Fatalf("no pin of %d among %+v", i, changes)
			}
			required := false
			for _, m := range groupOf(pool, i) {
				required = required || pool.Candidates[m].Required
			}
			if s.Keeps(i) && required == has(func(w selector.WouldKeep) bool { return w.Ban }) {
				t.Fatalf("candidate %d, required %v: %+v", i, required, changes)
			}
			for _, other := range others(t) {
				if other.String() == opt.Strategy.String() {
					continue
				}
				o := opt
				o.Strategy = other
				after, err := p.Select(background, o)
				if err != nil {
					t.Fatal(err)
				}
				if differs := after.Keeps(i) != s.Keeps(i); differs != has(func(w selector.WouldKeep) bool { return w.Strategy == other.String() }) {
					t.Fatalf("candidate %d: %s differs %v, %+v", i, other, differs, changes)
				}
			}
			r, err := p.ReturnsAt(background, opt, i)
			if err != nil {
				t.Fatal(err)
			}
			if s.Keeps(i) {
				r = r.Otherwise()
			}
			said := slices.IndexFunc(changes, func(w selector.WouldKeep) bool { return w.Returns != nil })
			if said >= 0 && !slices.Equal(changes[said].Returns.Intervals, r.Intervals) {
				t.Fatalf("candidate %d returns at %v: %+v", i, r, changes[said].Returns)
			}
			// That no budget helps is said of what rag passed over.
			cut := cmp.Or(speaker(s, pool, i), s.Code(i)) == selector.Rank && opt.Strategy.Name() == "rag"
			if (len(r.Intervals) > 0 || cut) != (said >= 0) {
				t.Fatalf("candidate %d, %s, returns at %v: %+v", i, s.Code(i), r, changes)
			}
		}
	})
}

// Forcing one in or out does what a selection with a pin or a ban does.
func TestForceInAndOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool, p, opt, s, in := drawn(t)
		for i, c := range pool.Candidates {
			pinned, banned := opt, opt
			pinned.Pins = append(slices.Clone(opt.Pins), c.ID)
			banned.Bans = append(slices.Clone(opt.Bans), c.ID)
			banned.Pins = slices.DeleteFunc(slices.Clone(opt.Pins), func(id string) bool { return sameGroup(pool, i, indexOf(pool, id)) })
			for _, c := range []struct {
				name  string
				force func() (selector.Effect, error)
				opt   selector.Options
			}{
				{"in", func() (selector.Effect, error) { return p.ForceIn(background, opt, i) }, pinned},
				{"out", func() (selector.Effect, error) { return p.ForceOut(background, opt, i) }, banned},
			} {
				got, err := c.force()
				if err != nil {
					t.Fatal(err)
				}
				after, err := p.Select(background, c.opt)
				if err != nil {
					t.Fatal(err)
				}
				sameEffect(t, opt.Strategy.String()+" "+c.name, got, effect(pool, in, s, after))
			}
		}
	})
}

// The exact optimum is the one that trying every set finds.
func TestOptimumIsTheBestOfAllSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := crowded(10).Draw(t, "pool")
		opt := peopled(t, pool, []string{"pacms", "pacms+"})
		p := prepare(t, pool)
		s, err := p.Select(background, opt)
		if err != nil {
			t.Fatal(err)
		}
		best, ok, err := p.Optimum(background, opt)
		if err != nil || ok != (s.Objective != nil) {
			t.Fatalf("%v %v with an objective of %v", ok, err, s.Objective)
		}
		if !ok {
			return
		}
		in := instanceOf(opt.Strategy, pool, clients(pool, s))
		anew := *pool // the same with pins and bans as what is required and not offered
		anew.Candidates = slices.Clone(pool.Candidates)
		var banned []int
		for i := range anew.Candidates {
			anew.Candidates[i].Required = mustCode(s.Code(i)) || mustCode(speaker(s, pool, i))
			if s.Code(i) == selector.Banned || speaker(s, pool, i) == selector.Banned {
				banned = append(banned, i)
			}
		}
		for _, i := range banned {
			anew.Candidates[i].Tokens = s.EffectiveBudget + 1
		}
		want := in.optimum(&anew, s.EffectiveBudget)
		if math.Abs(best.Value-want) > 1e-5*max(1, want) || best.Found != *s.Objective {
			t.Fatalf("%s: best %v, found %v, want %v and %v", opt.Strategy, best.Value, best.Found, want, *s.Objective)
		}
		tokens := 0
		for _, i := range best.Kept {
			tokens += pool.Candidates[i].Tokens
		}
		if got := in.value(best.Kept); math.Abs(got-best.Value) > 1e-5*max(1, want) || tokens != best.Tokens || tokens > s.EffectiveBudget {
			t.Fatalf("%v is worth %v in %d tokens, said are %v in %d of %d", best.Kept, got, tokens, best.Value, best.Tokens, s.EffectiveBudget)
		}
		alone, err := p.OptimumFromNothing(background, opt)
		if err != nil || math.Abs(alone-want) > 1e-5*max(1, want) {
			t.Fatalf("%s: from nothing %v %v, want %v", opt.Strategy, alone, err, want)
		}
		if best.Value <= best.Found && !slices.Equal(best.Kept, s.KeptIndices) {
			t.Fatalf("%v is no better than %v", best.Kept, s.KeptIndices)
		}
	})
}

func TestOptimumOfManyIsNotSearched(t *testing.T) {
	p := prepare(t, long(60))
	for _, name := range selector.Strategies() {
		if _, ok, err := p.Optimum(background, selector.Options{Strategy: mustStrategy(t, name)}); ok || err != nil {
			t.Errorf("%s: %v %v", name, ok, err)
		}
	}
}

func TestOptimumClaims(t *testing.T) {
	const note = " (it says nothing about the answer)"
	for want, o := range map[string]selector.Optimum{
		"no subset within this budget scores higher: all were tried" + note:              {Value: 2, Found: 2},
		"the best subset within this budget scores 12.6 % higher: all were tried" + note: {Value: 1.1251, Found: 1},
		"the best subset within this budget scores something, this one nothing" + note:   {Value: 1},
	} {
		if got := o.Claim(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What a rule sets aside for a newer one comes back without that one.
func TestChangesUnderRules(t *testing.T) {
	pool := agent()
	p := prepare(t, pool)
	for _, name := range selector.Strategies() {
		opt := selector.Options{Strategy: mustStrategy(t, name), Rules: selector.DefaultRules(), Tail: 1, Budget: selector.Term{Value: pool.Tokens(), Source: "test"}}
		for id, stands := range map[string]string{"poll1": "poll2", "ack1": "poll2", "out1": "out2", "call1": "out2"} {
			changes, err := p.WouldBeKept(background, opt, indexOf(pool, id), others(t))
			if err != nil {
				t.Fatal(err)
			}
			for _, change := range changes {
				if change.Returns != nil || change.Strategy != "" {
					t.Errorf("%s: a rule sets %s aside, and yet %+v", name, id, change)
				}
			}
			if name == "rag" {
				continue // it may take others
			}
			if !slices.ContainsFunc(changes, func(w selector.WouldKeep) bool { return w.Without == stands }) {
				t.Errorf("%s: %s is not said to come back without %s: %+v", name, id, stands, changes)
			}
		}
		sys, err := p.WouldBeDropped(background, opt, indexOf(pool, "sys"), others(t))
		if err != nil || len(sys) != 0 {
			t.Errorf("%s: a system message would be dropped by %+v, %v", name, sys, err)
		}
	}
}
