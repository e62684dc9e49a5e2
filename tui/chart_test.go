package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/tui/chart"
	"pacms/tui/choices"
	"pacms/tui/paint"
)

// Every point of the chart is what a selection under that budget is, and what is told
// of the present budget is that of the table.
func TestChartAgrees(t *testing.T) {
	drive(t, storyConfig(t), 120, 36, func(r *robot) {
		t := r.t
		atMark("h p v")(r)
		v := r.m.chartView()
		p, marks := r.m.shown, r.m.shown.marks()
		if v.Marked != 2 || v.Marked != len(marks) { // the story's need and the pin
			t.Errorf("%d are marked", v.Marked)
		}
		for k, s := range v.Series {
			if len(s.Points) < 50 {
				t.Fatalf("%s has %d points", s.Name, len(s.Points))
			}
			for i := 0; i < len(s.Points); i += 7 {
				point := s.Points[i]
				want := r.m.selected(t, k, point.Budget)
				if got := (chart.Point{Budget: point.Budget, Coverage: want.Coverage, Items: len(want.Kept), Tokens: want.Tokens.Kept, Marked: keptOf(marks, want.Keeps)}); got != point {
					t.Errorf("%s at %d is %+v, want %+v", s.Name, point.Budget, point, got)
				}
			}
			want := r.m.selected(t, k, p.budget)
			if s.Here == nil || s.Here.Coverage != want.Coverage || s.Here.Items != len(want.Kept) || s.Here.Marked != keptOf(marks, want.Keeps) {
				t.Errorf("%s is here %+v", s.Name, s.Here)
			}
		}
		if running := v.Series[v.Chosen]; running.Name != "lastk" || len(v.Items) != len(p.cells) {
			t.Errorf("the chosen one is %s with %d items", running.Name, len(v.Items))
		}
		for i, item := range v.Items {
			if item.Kept != p.sel.Keeps(i) {
				t.Errorf("#%d is shown as kept: %v", p.numbers[i], item.Kept)
			}
		}
	})
}

// What is marked is what the turn needs, what is to be kept in this turn, and what is
// pinned, an item once; what is to be dropped, or kept in another turn, is none of it.
func TestChartMarks(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		atMark("")(r)
		p := *r.m.shown
		id := func(i int) string { return p.pool.Candidates[i].ID }
		needed := p.indexOf(factID())
		p.choices = &choices.Choices{
			Pins: []string{id(20), id(21)},
			Marks: []choices.Mark{
				{Turn: p.number, ID: id(needed), Keep: true},
				{Turn: p.number, ID: id(20), Keep: true},
				{Turn: p.number, ID: id(22), Keep: true},
				{Turn: p.number, ID: id(23)},
				{Turn: p.number + 1, ID: id(24), Keep: true},
				{Turn: p.number, ID: "not offered", Keep: true},
			},
		}
		p.expected = p.choices
		if got, want := p.marks(), [][]int{{needed}, {20}, {21}, {22}}; !slices.EqualFunc(got, want, slices.Equal) {
			r.t.Errorf("marked are %v, want %v", got, want)
		}
		if got := r.m.markedWords(&p); got != "needed by this turn: #7 · 3 marked or pinned" {
			r.t.Errorf("they are called %q", got)
		}
	})
}

// selected is the selection on screen by the strategy at a place under a budget.
func (m *Model) selected(t *testing.T, k, budget int) *selector.Selection {
	t.Helper()
	r := m.shown.request
	r.strategy, r.budget = m.strategies[k], budget
	s, err := m.shown.prepared.Select(t.Context(), m.options(r))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Moving along the chart moves the budget, at once on the chart and then in the grid;
// a click goes there.
func TestChartMovesTheBudget(t *testing.T) {
	drive(t, storyConfig(t), 100, 30, func(r *robot) {
		t := r.t
		atMark("v")(r)
		scale := r.m.chartView().Scale(100)
		at := scale.Column(r.m.want.budget)
		curves := r.m.lineup.curves.known
		for _, step := range []struct {
			key string
			to  int
		}{{"right", at + 1}, {"l", at + 2}, {"left", at + 1}, {"h", at}, {"end", scale.Width - 1}, {"home", 0}, {"right", 1}} {
			// Without the answer the line has moved already.
			_, cmd := r.m.Update(keyPress(step.key))
			if got := r.m.want.budget; got != scale.Tokens(step.to) || !strings.Contains(r.screen(), paint.Count(got)+" (") {
				t.Errorf("%s goes to %d, want %d:\n%s", step.key, got, scale.Tokens(step.to), r.screen())
			}
			r.start(cmd)
			r.settle()
			if r.m.shown.budget != r.m.want.budget || r.m.lineup.one.picture != r.m.shown {
				t.Errorf("after %s the grid is at %d", step.key, r.m.shown.budget)
			}
		}
		if &r.m.lineup.curves.known[0] != &curves[0] {
			t.Error("another budget has the strategies run again")
		}
		r.press("home home")
		r.sees("the budget is at the end of the chart")
		r.send(tea.MouseClickMsg{X: chart.Left + 20, Y: 5, Button: tea.MouseLeft})
		if r.m.shown.budget != scale.Tokens(20) {
			t.Errorf("a click goes to %d, want %d", r.m.shown.budget, scale.Tokens(20))
		}
		r.send(tea.MouseClickMsg{X: 99, Y: 5, Button: tea.MouseLeft}, tea.MouseClickMsg{X: 0, Y: 5, Button: tea.MouseLeft})
		if r.m.shown.budget != scale.Tokens(20) {
			t.Errorf("a click beside the chart goes to %d", r.m.shown.budget)
		}
		r.send(tea.MouseReleaseMsg{X: chart.Left + 20, Y: 5, Button: tea.MouseLeft})
		from := r.m.shown
		r.send(tea.MouseClickMsg{X: chart.Left + 20, Y: 5, Button: tea.MouseLeft})
		for x := 21; x <= 30; x++ {
			r.send(motionMsg{motion: &tea.MouseMotionMsg{X: chart.Left + x, Y: 7, Button: tea.MouseLeft}})
		}
		if r.m.shown.budget != scale.Tokens(30) || r.m.before != from {
			t.Errorf("dragging goes to %d, want %d", r.m.shown.budget, scale.Tokens(30))
		}
		r.send(motionMsg{motion: &tea.MouseMotionMsg{X: 0, Y: 7, Button: tea.MouseLeft}})
		if r.m.shown.budget != 0 {
			t.Errorf("dragging beyond the left end goes to %d", r.m.shown.budget)
		}
		r.send(tea.MouseReleaseMsg{X: chart.Left + 20, Y: 5, Button: tea.MouseLeft})
		if r.m.shown.budget != scale.Tokens(20) || r.m.dragging {
			t.Errorf("the drag ends at %d", r.m.shown.budget)
		}
		r.send(motionMsg{x: 20, y: 5, wheel: -2})
		if r.m.shown.budget <= scale.Tokens(20) {
			t.Error("the wheel does not move the budget")
		}
		r.press("v")
		r.sees("would keep", "budget ")
	})
}

// The strategies come one by one, the running one first, and what is not there yet
// says what it waits for. Work ends with the page and is taken up where it was left.
func TestChartComesStrategyByStrategy(t *testing.T) {
	drive(t, storyConfig(t), 120, 36, func(r *robot) {
		t := r.t
		atMark("")(r)
		r.m.Update(keyPress("v")) // what it asks for is lost
		c := &r.m.lineup.curves
		if c.at != r.m.running() || c.stop == nil {
			t.Fatalf("the work begins with %d", c.at)
		}
		r.sees("running it at many budgets …", "waits for its turn")
		r.send(curveMsg{generation: c.generation, at: c.at, done: 43, all: 129})
		r.sees("running it at 129 budgets … 33 %")
		points := []chart.Point{{Coverage: 0.5, Items: 3, Tokens: 30}}
		r.m.Update(curveMsg{generation: c.generation, at: c.at, points: points})
		if c.known[r.m.running()] == nil || c.at != 0 {
			t.Errorf("after the first one the work goes on with %d", c.at)
		}
		generation := c.generation
		r.press("esc")
		if c.stop != nil || c.at >= 0 {
			t.Error("the work goes on when nobody looks at it any more")
		}
		r.send(curveMsg{generation: generation, at: 0, points: points})
		if c.known[0] != nil {
			t.Error("an answer that nobody waits for is taken")
		}
		r.press("v")
		for k, known := range c.known {
			if known == nil {
				t.Errorf("%s was not run", r.m.labels[k])
			}
		}
		if !slices.Equal(c.known[r.m.running()], points) {
			t.Error("what was known already was run again")
		}
		r.seesNot("waits for its turn")
		// Another turn has other lines.
		r.press(",")
		if slices.Equal(c.known[r.m.running()], points) {
			t.Error("the lines of another turn stay")
		}
	})
}

// Without anything that is marked the chart tells of items; without any offered it
// says so; and an error is said once.
func TestChartWithoutMarks(t *testing.T) {
	cfg := config(t)
	cfg.Turn = 12
	drive(t, cfg, 80, 24, func(r *robot) {
		r.press("v")
		if n := len(r.m.shown.marks()); n > 0 {
			r.t.Fatalf("turn 12 needs %d", n)
		}
		r.sees("items kept", "nothing is needed or marked")
		r.press("p")
		r.sees("q goes back")
		r.press("esc p v")
		r.sees("needed and marked", "1 marked or pinned", "1 of 1")
		r.press("esc g 1 enter v")
		r.sees("nothing was offered for this turn")
		r.press("right left up down M v enter")
	})
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		atMark("")(r)
		r.m.Update(keyPress("v"))
		c := &r.m.lineup.curves
		r.send(curveMsg{generation: c.generation, at: c.at, err: errors.New("the model is gone")})
		r.sees("given up", "the model is gone")
		if c.stop != nil || !c.failed {
			r.t.Error("it begins again")
		}
	})
}
