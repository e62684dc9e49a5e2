package compare_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/sessiontest"
	"pacms/session/token"
	"pacms/testdata"
)

// recorded reads a recorded session: the demo, or a file of testdata/openclaw.
func recorded(t testing.TB, name string) *session.Session {
	t.Helper()
	counter, err := token.New("openclaw")
	if err != nil {
		t.Fatal(err)
	}
	opt := openclaw.Options{Counter: counter}
	if name == testdata.SessionName {
		s, err := openclaw.Read(t.Context(), testdata.Session(), name, opt)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s, err := openclaw.Open(t.Context(), "../../testdata/openclaw/"+name, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// planOf compares every strategy under some budgets.
func planOf(t testing.TB, budgets []string, sessions ...*session.Session) *compare.Plan {
	t.Helper()
	plan := &compare.Plan{
		Sessions: sessions, Embedder: embed.NewBuiltin(),
		Options: compare.Options{Rules: selector.DefaultRules(), Tail: 1, Mode: session.PoolWindow, Source: "flag"},
	}
	for _, name := range selector.Strategies() {
		s, err := selector.ParseStrategy(name)
		if err != nil {
			t.Fatal(err)
		}
		plan.Strategies = append(plan.Strategies, s)
	}
	for _, text := range budgets {
		b, err := selector.ParseBudget(text)
		if err != nil {
			t.Fatal(err)
		}
		plan.Budgets = append(plan.Budgets, b)
	}
	return plan
}

func run(t testing.TB, plan *compare.Plan) *compare.Result {
	t.Helper()
	r, err := compare.Run(t.Context(), plan, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOverlapIsTheShareOfBothInEither(t *testing.T) {
	sets := rapid.Custom(func(t *rapid.T) []int {
		s := rapid.SliceOfDistinct(rapid.IntRange(0, 12), rapid.ID).Draw(t, "set")
		slices.Sort(s)
		return s
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := sets.Draw(t, "a"), sets.Draw(t, "b")
		both, either := 0, 0
		for i := range 13 {
			inA, inB := slices.Contains(a, i), slices.Contains(b, i)
			if inA && inB {
				both++
			}
			if inA || inB {
				either++
			}
		}
		want := 1.0
		if either > 0 {
			want = float64(both) / float64(either)
		}
		got := compare.Overlap(a, b)
		if got != want || got != compare.Overlap(b, a) {
			t.Fatalf("overlap of %v and %v is %v, want %v", a, b, got, want)
		}
		if (got == 1) != slices.Equal(a, b) {
			t.Fatalf("overlap of %v and %v is %v", a, b, got)
		}
	})
}

// TestCellsAreSingleRuns makes every selection of a comparison again, by itself
// and turn by turn, and derives what a cell says from what is kept alone.
func TestCellsAreSingleRuns(t *testing.T) {
	t.Parallel()
	for _, name := range []string{testdata.SessionName, "2026.5.28.jsonl", "2026.9.6-basic.jsonl", "2026.9.6-edge.jsonl"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := recorded(t, name)
			plan := planOf(t, []string{"5%", "900"}, s)
			plan.IDs = true
			cells := run(t, plan).Cells
			engine := selector.NewEngine(plan.Embedder, s.Tokenizer)
			hindsight := selector.NewHindsight(s)
			before := map[string][]string{} // by strategy and budget, the kept ids of the turn before
			tokens := map[string]int{}      // of candidates
			for i := range s.Candidates {
				tokens[s.Candidates[i].ID] = s.Candidates[i].Tokens
			}
			for i := range s.Turns {
				if s.Turns[i].Branch != session.BranchActive || s.Turns[i].Internal != "" {
					continue
				}
				pool := s.Pool(i, session.PoolWindow)
				p, err := engine.Prepare(t.Context(), pool, selector.PrepareOptions{})
				if err != nil {
					t.Fatal(err)
				}
				for _, budget := range plan.Budgets {
					var first []string
					for k, strategy := range plan.Strategies {
						got := cells[0]
						cells = cells[1:]
						sel, err := p.Select(t.Context(), selector.Options{
							Strategy: strategy, Budget: selector.Term{Value: got.Budget, Source: "flag"}, Rules: plan.Options.Rules, Tail: 1,
						})
						if err != nil {
							t.Fatal(err)
						}
						if k == 0 {
							first = sel.Kept
						}
						key := strategy.String() + budget.String()
						want := compare.Cell{
							Turn: s.Turns[i].Number, Strategy: strategy.String(), Budget: budget.Tokens(s.LargestPool(session.PoolWindow)),
							Effective: sel.EffectiveBudget, Contested: pool.Tokens() > sel.EffectiveBudget,
							Items: len(sel.Kept), Coverage: sel.Coverage, Overlap: jaccard(first, sel.Kept),
						}
						for _, id := range sel.Kept {
							want.Tokens += tokens[id]
						}
						for _, need := range hindsight.Needs(i, pool) {
							want.Needs++
							kept := slices.ContainsFunc(need.Holders, func(h int) bool { return slices.Contains(sel.Kept, pool.Candidates[h].ID) })
							switch {
							case !kept:
								want.Missed++
							case need.Sign == selector.Quoted:
								want.Quoted++
							}
						}
						for n, id := range before[key] {
							want.PrefixOf += tokens[id]
							if n < len(sel.Kept) && slices.Equal(before[key][:n+1], sel.Kept[:n+1]) {
								want.Prefix += tokens[id]
							}
						}
						before[key] = sel.Kept
						if !slices.Equal(got.Kept, sel.Kept) {
							t.Errorf("turn %d, %s, %s: keeps %v, alone %v", want.Turn, strategy, budget, got.Kept, sel.Kept)
						}
						if !equal(got, want) {
							t.Errorf("turn %d, %s, %s:\n got %+v\nwant %+v", want.Turn, strategy, budget, got, want)
						}
					}
				}
			}
			if len(cells) > 0 {
				t.Errorf("%d cells too many", len(cells))
			}
		})
	}
}

// equal compares what two cells say of their selections, but for time, warnings and
// hashes.
func equal(a, b compare.Cell) bool {
	return a.Session == b.Session && a.Turn == b.Turn && a.Strategy == b.Strategy && a.Budget == b.Budget &&
		a.Effective == b.Effective && a.Contested == b.Contested && a.Items == b.Items && a.Tokens == b.Tokens &&
		a.Coverage == b.Coverage && a.Overlap == b.Overlap && a.Needs == b.Needs && a.Missed == b.Missed &&
		a.Quoted == b.Quoted && a.Prefix == b.Prefix && a.PrefixOf == b.PrefixOf
}

func jaccard(a, b []string) float64 {
	either := slices.Clone(a)
	both := 0
	for _, id := range b {
		if slices.Contains(a, id) {
			both++
		} else {
			either = append(either, id)
		}
	}
	if len(either) == 0 {
		return 1
	}
	return float64(both) / float64(len(either))
}

// TestRowsAreMeansAndSumsOfContestedCells sums up by hand.
func TestRowsAreMeansAndSumsOfContestedCells(t *testing.T) {
	t.Parallel()
	plan := planOf(t, []string{"20%", "70%"}, recorded(t, testdata.SessionName), recorded(t, "2026.9.6-edge.jsonl"))
	cells := run(t, plan).Cells
	for _, all := range []bool{false, true} {
		plan.AllTurns = all
		rows := plan.Rows(cells)
		if len(rows) != len(plan.Strategies)*2 {
			t.Fatalf("%d rows", len(rows))
		}
		for k, r := range rows {
			at := slices.IndexFunc(plan.Strategies, func(s selector.Strategy) bool { return s.String() == r.Strategy })
			if r.Budget == "70%" {
				at += len(plan.Strategies)
			}
			tokens, counted, contested, missed, prefix, follow := 0, 0, 0, 0, 0.0, 0
			for i := at; i < len(cells); i += len(plan.Strategies) * 2 {
				c := cells[i]
				if c.Strategy != r.Strategy {
					t.Fatalf("cell %d is one of %s", i, c.Strategy)
				}
				if c.Contested {
					contested++
				}
				if c.Contested || all {
					counted++
					tokens += c.Tokens
					missed += c.Missed
					if c.PrefixOf > 0 {
						follow++
						prefix += float64(c.Prefix) / float64(c.PrefixOf)
					}
				}
			}
			if r.Turns != len(cells)/len(rows) || r.Contested != contested || r.Counted != counted || r.Missed != missed || r.PrefixTurns != follow {
				t.Errorf("all %v: %+v: want %d contested, %d counted, %d missed, %d that follow", all, r, contested, counted, missed, follow)
			}
			if math.Abs(r.Tokens-float64(tokens)/float64(counted)) > 1e-9 || math.Abs(r.Prefix-prefix/float64(follow)) > 1e-9 {
				t.Errorf("all %v: %+v: want tokens %d and prefixes %f over %d", all, r, tokens, prefix, counted)
			}
			if k%len(plan.Strategies) > 0 && rows[k-1].Missed > r.Missed {
				t.Errorf("row %d: %s misses more than %s after it", k-1, rows[k-1].Strategy, r.Strategy)
			}
		}
		if contested := rows[0].Contested; contested == 0 || contested == rows[0].Turns {
			t.Errorf("%d of %d turns are contested: the sessions do not test it", contested, rows[0].Turns)
		}
	}
}

// TestWorkersDoNotChangeTheResult compares one worker with several.
func TestWorkersDoNotChangeTheResult(t *testing.T) {
	t.Parallel()
	plan := planOf(t, []string{"10%", "45%"}, sessiontest.Session(150), recorded(t, "2026.9.6-edge.jsonl"), sessiontest.Session(90))
	var results [][]compare.Cell
	for _, n := range []int{1, 5} {
		plan.Workers = n
		cells := run(t, plan).Cells
		for i := range cells {
			cells[i].MS = 0
		}
		results = append(results, cells)
	}
	if len(results[0]) == 0 || !slices.EqualFunc(results[0], results[1], func(a, b compare.Cell) bool {
		return equal(a, b) && a.KeptHash == b.KeptHash && a.PoolHash == b.PoolHash && slices.Equal(a.Warnings, b.Warnings)
	}) {
		t.Error("five workers find something else than one")
	}
}

// TestAnInterruptionKeepsTheFirstTurns ends a run in the middle.
func TestAnInterruptionKeepsTheFirstTurns(t *testing.T) {
	t.Parallel()
	plan := planOf(t, []string{"20%"}, sessiontest.Session(30), sessiontest.Session(30))
	whole := run(t, plan)
	if whole.Partial || whole.Done != whole.Total {
		t.Fatalf("%d of %d done", whole.Done, whole.Total)
	}
	for stop := 1; stop < whole.Total; stop++ {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := compare.Run(ctx, plan, func(done, _ int) {
			if done == stop {
				cancel()
			}
		})
		cancel()
		if r.Done == r.Total { // it was faster than the interruption
			continue
		}
		if !errors.Is(err, context.Canceled) || !r.Partial || r.Done < stop || r.Total != whole.Total {
			t.Fatalf("after %d: %d of %d done, partial %v: %v", stop, r.Done, r.Total, r.Partial, err)
		}
		if len(r.Cells) != r.Done*len(plan.Strategies) {
			t.Fatalf("%d cells of %d turns", len(r.Cells), r.Done)
		}
		for i := range r.Cells {
			if !equal(r.Cells[i], whole.Cells[i]) {
				t.Fatalf("cell %d is %+v, and %+v without an interruption", i, r.Cells[i], whole.Cells[i])
			}
		}
	}
}
