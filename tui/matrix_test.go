package tui

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/token"
	"pacms/tui/matrix"
)

// recorded are the sessions that are recorded in the repository: the demo, and what
// OpenClaw of several versions wrote.
func recorded(t *testing.T) map[string]*session.Session {
	t.Helper()
	sessions := map[string]*session.Session{}
	paths, err := filepath.Glob("../testdata/openclaw/*.jsonl")
	if err != nil || len(paths) < 3 {
		t.Fatalf("the recorded sessions are %v, %v", paths, err)
	}
	counter, err := token.New("openclaw")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths, "../testdata/demo/session.jsonl") {
		s, err := openclaw.Open(t.Context(), path, openclaw.Options{Counter: counter})
		if err != nil {
			t.Fatal(err)
		}
		sessions[filepath.Base(path)] = s
	}
	return sessions
}

// same fails where a row says anything else than another, but for the time.
func same(t *testing.T, where string, got, want compare.Row) {
	t.Helper()
	got.MS, want.MS, got.Budget, want.Budget = 0, 0, "", ""
	if got != want {
		t.Errorf("%s is\n%+v, want\n%+v", where, got, want)
	}
}

// Every number of the matrix is that of pacms compare and of a selection by itself, for
// the demo and for what OpenClaw wrote.
func TestMatrixAgrees(t *testing.T) {
	t.Parallel()
	for name, s := range recorded(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config(t)
			cfg.Turn, cfg.Load = 0, func(context.Context, Progress) (*session.Session, error) { return s, nil }
			drive(t, cfg, 120, 36, func(r *robot) {
				t := r.t
				budget := r.m.want.budget
				spec, err := selector.ParseBudget(strconv.Itoa(budget))
				if err != nil {
					t.Fatal(err)
				}
				plan := &compare.Plan{
					Sessions: []*session.Session{s}, Embedder: embed.NewBuiltin(), Strategies: selector.Numbered(cfg.Strategy), Budgets: []selector.BudgetSpec{spec},
					Options: compare.Options{Rules: cfg.Rules, Tail: cfg.Tail, Mode: cfg.PoolMode, Source: "flag"},
				}
				all, err := compare.Run(t.Context(), plan, nil)
				if err != nil {
					t.Fatal(err)
				}
				r.press("M a")
				want := plan.Rows(all.Cells)
				got := r.m.lineup.tally.rows
				if len(got) != len(want) {
					t.Fatalf("%d strategies, want %d", len(got), len(want))
				}
				for i := range want {
					k := slices.IndexFunc(got, func(row compare.Row) bool { return row.Strategy == want[i].Strategy })
					same(t, want[i].Strategy+" over all turns", got[k], want[i])
				}
				r.press("a")
				each := len(plan.Strategies)
				plan.AllTurns = true
				// Some ten turns, evenly spread.
				step := each * max(1, len(all.Cells)/each/10)
				for at := 0; at < len(all.Cells); at += step {
					r.press("esc g")
					for _, digit := range strconv.Itoa(all.Cells[at].Turn) {
						r.press(string(digit))
					}
					r.press("enter M")
					one := r.m.lineup.one
					if one == nil || one.picture != r.m.shown || one.picture.number != all.Cells[at].Turn || one.picture.budget != budget {
						t.Fatalf("there is no table of turn %d:\n%s", all.Cells[at].Turn, r.screen())
					}
					rows := plan.Rows(all.Cells[at : at+each])
					for i := range rows {
						k := slices.IndexFunc(one.rows, func(row compare.Row) bool { return row.Strategy == rows[i].Strategy })
						same(t, rows[i].Strategy+" in turn "+strconv.Itoa(one.picture.number), one.rows[k], rows[i])
						opt := r.m.options(r.m.want)
						if opt.Strategy, err = selector.ParseStrategy(rows[i].Strategy); err != nil {
							t.Fatal(err)
						}
						sel, err := r.m.shown.prepared.Select(t.Context(), opt)
						if err != nil {
							t.Fatal(err)
						}
						if len(sel.Kept) != int(one.rows[k].Items) || sel.Tokens.Kept != int(one.rows[k].Tokens) || sel.Coverage != one.rows[k].Coverage || !slices.Equal(sel.KeptIndices, one.kept[rows[i].Strategy]) {
							t.Errorf("%s in turn %d is not what it selects", rows[i].Strategy, one.picture.number)
						}
					}
					if !slices.IsSortedFunc(one.rows, func(a, b compare.Row) int { return a.Missed - b.Missed }) {
						t.Errorf("turn %d is not sorted by likely misses", one.picture.number)
					}
				}
			})
		})
	}
}

// The overlap is with the strategy that runs, whichever that is, and the story's need
// is in the table.
func TestMatrixOfStory(t *testing.T) {
	drive(t, storyConfig(t), 160, 45, func(r *robot) {
		atMark("M")(r)
		r.sees("all strategies in turn 24", "1 of 1", "0 of 1", "coverage", "*", compare.Footnote, "what each keeps, oldest first", "lastk keeps")
		rows := r.m.lineup.one.rows
		if last := rows[len(rows)-1]; last.Strategy != "lastk" || last.Missed != 1 || last.Overlap != 1 {
			t.Errorf("the last row is %+v", last)
		}
		for _, row := range rows {
			if row.Strategy != "lastk" && (row.Missed != 0 || row.Overlap == 1) {
				t.Errorf("a row is %+v", row)
			}
		}
		// A digit runs another one and stays on the page; the overlap follows.
		r.press("1")
		if r.m.page == nil || r.m.shown.strategy.String() != "pacms" {
			t.Fatalf("1 does not run pacms on the page:\n%s", r.screen())
		}
		for _, row := range r.m.lineup.one.rows {
			if (row.Overlap == 1) != (row.Strategy == "pacms") {
				t.Errorf("a row is %+v while pacms runs", row)
			}
		}
		// So do the turn and the budget.
		r.press(",")
		r.sees("all strategies in turn 23")
		before := r.m.want.budget
		r.press("+")
		if after := r.m.want.budget; after <= before || r.m.lineup.one.picture.budget != after || r.m.lineup.one.picture.number != 23 {
			t.Errorf("+ goes from %d to %d, the table is of %d", before, after, r.m.lineup.one.picture.budget)
		}
		r.press("_ * b 5 0 % enter")
		r.sees("budget " + strconv.Itoa(r.m.basis/2/1) + " of")
	})
}

// Arrows move from row to row, enter takes the strategy of one and goes back, and so
// does a second click.
func TestMatrixTakes(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		atMark("M")(r)
		names := make([]string, 0, len(r.m.strategies))
		for _, row := range r.m.lineup.one.rows {
			names = append(names, row.Strategy)
		}
		if r.m.chosenStrategy() != "lastk" {
			t.Errorf("the cursor begins on %s", r.m.chosenStrategy())
		}
		r.press("up up")
		if want := names[len(names)-3]; r.m.chosenStrategy() != want {
			t.Errorf("the cursor is on %s, want %s", r.m.chosenStrategy(), want)
		}
		for range names {
			r.press("k")
		}
		if r.m.chosenStrategy() != names[0] {
			t.Errorf("the cursor is on %s, want %s", r.m.chosenStrategy(), names[0])
		}
		r.press("enter")
		if r.m.page != nil || r.m.shown.strategy.String() != names[0] {
			t.Errorf("enter runs %s:\n%s", r.m.shown.strategy, r.screen())
		}
		r.sees("since lastk")
		r.press("M")
		lines := strings.Split(r.screen(), "\n")
		y := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "5 mmr") })
		click := tea.MouseClickMsg{X: 7, Y: y, Button: tea.MouseLeft}
		r.send(click)
		if r.m.chosenStrategy() != "mmr" || r.m.page == nil {
			t.Errorf("a click chooses %s", r.m.chosenStrategy())
		}
		r.send(tea.MouseClickMsg{X: 7, Y: 1, Button: tea.MouseLeft}, tea.MouseClickMsg{X: 7, Y: 23, Button: tea.MouseLeft}, click)
		if r.m.shown.strategy.String() != "mmr" || r.m.page != nil {
			t.Errorf("the second click runs %s", r.m.shown.strategy)
		}
		// Each key closes the page that it opens, and leads from the other one to it.
		for keys, want := range map[string]string{"M": "matrix  ", "M M": "", "v": "chart  ", "v v": "", "M v": "chart  ", "v M": "matrix  ", "M q": "", "v esc": ""} {
			r.press(keys)
			title, _, _ := strings.Cut(r.screen(), "\n")
			if want == "" != (r.m.page == nil) || !strings.Contains(title, want) {
				t.Errorf("%s shows %s", keys, title)
			}
			r.press("esc")
		}
	})
}

// The table over all turns comes turn by turn; what is left undone says so, ends with
// the page, and goes on from there.
func TestMatrixOverAllTurns(t *testing.T) {
	drive(t, storyConfig(t), 120, 36, func(r *robot) {
		atMark("M")(r)
		r.m.Update(keyPress("a")) // what it asks for is lost
		r.sees("so far 0 of 29 turns")
		generation := r.m.lineup.tally.generation
		r.press("esc")
		if r.m.lineup.tally.stop != nil || r.m.lineup.tally.generation == generation {
			t.Error("the work goes on when nobody looks at it any more")
		}
		r.send(tallyMsg{generation: generation, tallied: tallied{done: 3}})
		if r.m.lineup.tally.done != 0 {
			t.Error("an answer that nobody waits for is taken")
		}
		r.press("M")
		r.sees("means over", "contested of 29 turns", "misses and quoted are sums", "turns in order: ✓ has what it needs")
		r.seesNot("so far")
		rows := r.m.lineup.tally.rows
		// It is the same for another turn, and another one for another strategy.
		r.press(",")
		if &r.m.lineup.tally.rows[0] != &rows[0] {
			t.Error("another turn has all turns compared again")
		}
		r.press("1")
		for _, row := range r.m.lineup.tally.rows {
			if (math.Abs(row.Overlap-1) < 1e-12) != (row.Strategy == "pacms") {
				t.Errorf("a row is %+v while pacms runs", row)
			}
		}
		r.press("b 9 0 0 0 0 enter")
		r.sees("means over 0 contested of 29 turns", "Everything fits")
		r.press("a")
		r.sees("all strategies in turn")
	})
}

// What fails is said, and does not begin again and again.
func TestMatrixFails(t *testing.T) {
	drive(t, storyConfig(t), 120, 36, func(r *robot) {
		atMark("M")(r)
		r.m.engine = selector.NewEngine(broken{embed.NewBuiltin()}, "openclaw")
		r.m.prepared = recent{}
		r.press("a")
		r.sees("given up after 0 of 29 turns")
		if r.m.failure == nil || r.m.lineup.tally.stop != nil {
			t.Errorf("the failure is %v", r.m.failure)
		}
	})
}

// The marks below the table are the grid's own: what is kept, needed and missed.
func TestMatrixMarks(t *testing.T) {
	drive(t, storyConfig(t), 120, 36, func(r *robot) {
		atMark("M")(r)
		one := r.m.lineup.one
		needed := r.m.shown.indexOf(factID())
		for _, s := range r.m.strategies {
			marks := one.marks(s.String())
			for i, mark := range marks {
				_, kept := slices.BinarySearch(one.kept[s.String()], i)
				want := map[[2]bool]matrix.State{{false, false}: matrix.Out, {true, false}: matrix.In, {true, true}: matrix.Had, {false, true}: matrix.Missed}[[2]bool{kept, i == needed}]
				if mark.State != want || mark.Kind != r.m.shown.cells[i].Kind {
					t.Errorf("%s marks #%d as %v, want %v", s, r.m.shown.numbers[i], mark.State, want)
				}
			}
		}
	})
}

// A turn to which nothing is offered, and a stand that is left, leave nothing behind.
func TestMatrixOnAStand(t *testing.T) {
	cfg := storyConfig(t)
	cfg.Booth = true
	drive(t, cfg, 80, 24, func(r *robot) {
		r.press("M a")
		r.sees("all strategies over all turns")
		r.press("q q")
		if r.m.lineup.all || r.m.page != nil {
			t.Error("the stand keeps the table over all turns for the next visitor")
		}
	})
}
