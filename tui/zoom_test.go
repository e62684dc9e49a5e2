package tui

import (
	"context"
	"math"
	"strings"
	"testing"

	"pacms/selector"
	"pacms/session"
)

func TestZoom(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		if r.m.zoomed() != zoomCells {
			t.Errorf("a session that fits opens at level %d", r.m.zoomed())
		}
		r.candidate(7)
		r.press("z")
		r.sees("rows: one item a line", "#7   user      t3        13", fact)
		for i := range r.m.shown.cells {
			if c := r.m.shown.cells[i]; c.Rank == 0 && r.m.shown.sel.Rank(i) != 0 && c.Verdict != 2 {
				t.Errorf("row %d has no rank", i)
			}
		}
		r.press("j")
		r.sees("#8 assistant")
		r.press("ctrl+u")
		if r.m.shown.numbers[r.m.cursor] >= 8 {
			t.Error("ctrl+u does not go up")
		}
		r.press("end")
		r.sees("more above")
		r.press("z")
		r.sees("strip: a column", "user", "tool")
		r.press("o")
		r.sees("the strip has lanes already")
		r.press("home l l j")
		r.press("z")
		r.sees("cells: a sign for each item")
	})
}

// A pool of which not all cells fit opens as a strip that shows the whole of it.
func TestZoomOfManyCandidates(t *testing.T) {
	cfg := config(t)
	cfg.Turn, cfg.Strategy = 0, selector.Numbered(cfg.Strategy)[2]
	cfg.Load = func(context.Context, Progress) (*session.Session, error) { return wide(900), nil }
	drive(t, cfg, 80, 24, func(r *robot) {
		if r.m.zoomed() != zoomStrip {
			t.Fatalf("900 candidates open at level %d", r.m.zoomed())
		}
		r.sees("a column is", "/300", "turn 91/91")
		r.seesNot("below")
		r.press("z")
		r.sees("more above")
		r.press("end")
		if above, below := r.m.view.Hidden(r.m.top, r.m.layout.Grid.H); above == 0 || below != 0 {
			t.Errorf("at the end %d are above and %d below", above, below)
		}
		r.press("z z / t o p i c space 7 enter")
		r.sees("match")
	})
}

// At 80×24 with 5,000 candidates a key costs little, at every level: what is out
// of sight is not drawn.
func TestZoomAllocations(t *testing.T) {
	small, large := ready(t, wide(500), 80, 24), ready(t, wide(manyCells), 80, 24)
	for _, level := range []zoomLevel{zoomCells, zoomRows, zoomStrip} {
		few, many := keyAllocations(small, level), keyAllocations(large, level)
		if many > 90 || many > math.Ceil(few*1.5)+5 {
			t.Errorf("level %d: a key takes %.0f allocations with 500 candidates, %.0f with 5,000", level, few, many)
		}
	}
}

func keyAllocations(m *Model, level zoomLevel) float64 {
	m.zoom = level
	m.relayout()
	keys := strings.Fields("j l k h")
	i := 0
	return testing.AllocsPerRun(100, func() {
		m.Update(keyPress(keys[i%len(keys)]))
		m.View()
		i++
	})
}
