package tui

import (
	"fmt"
	"strings"
	"testing"
)

// The cursor walks, stays on its candidate from turn to turn, and n goes through
// what changed.
func TestCursor(t *testing.T) {
	first := config(t)
	first.Turn = 1
	drive(t, first, 80, 24, func(r *robot) {
		r.press("n")
		r.sees("nothing to compare with yet")
	})
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("home l l j")
		number := r.m.pointed()
		r.press("k")
		if r.m.pointed() >= number {
			t.Errorf("k goes from #%d to #%d", number, r.m.pointed())
		}
		r.press("end")
		if r.m.cursor != len(r.m.shown.cells)-1 {
			t.Errorf("end goes to %d of %d", r.m.cursor, len(r.m.shown.cells))
		}
		number = r.m.pointed()
		r.press("left")
		number--
		r.press("3")
		if r.m.pointed() != number {
			t.Errorf("another strategy moves the cursor from #%d to #%d", number, r.m.pointed())
		}
		changed := r.m.shown.changed
		if len(changed) == 0 {
			t.Fatal("nothing changed")
		}
		r.press("home")
		for _, want := range changed {
			if r.m.cursor == want {
				continue // the walk goes on from the cursor
			}
			r.press("n")
			if r.m.cursor != want {
				t.Errorf("n goes to %d, want %d of %v", r.m.cursor, want, changed)
			}
		}
		r.press("n")
		if r.m.cursor != changed[0] {
			t.Errorf("n after the last change goes to %d, want %d", r.m.cursor, changed[0])
		}
		r.press("N")
		if r.m.cursor != changed[len(changed)-1] {
			t.Errorf("N goes to %d", r.m.cursor)
		}
	})
}

// In the lanes a kind stands together in the order of the ranks; the order holds
// for the next pictures, and going back brings the time order back.
func TestLanes(t *testing.T) {
	drive(t, config(t), 120, 36, func(r *robot) {
		byTime := r.screen()
		inOrder := func() {
			t.Helper()
			p, last, kind := r.m.shown, 0, uint8(0)
			for place := range p.cells {
				i := r.m.view.Move(0, -len(p.cells), 0)
				i = r.m.view.Move(i, place, 0)
				c := p.cells[i]
				if c.Kind < kind || c.Kind == kind && c.Rank < last {
					t.Fatalf("#%d of kind %d and rank %d stands behind kind %d and rank %d", p.numbers[i], c.Kind, c.Rank, kind, last)
				}
				if want := p.sel.Rank(i); want > 0 && c.Rank > 0 && c.Rank != want {
					t.Errorf("#%d has rank %d, want %d", p.numbers[i], c.Rank, want)
				}
				kind, last = c.Kind, c.Rank
			}
		}
		r.press("o")
		r.sees("by rank", "assistant")
		inOrder()
		r.press("2")
		r.sees("by rank", "topk would keep")
		inOrder()
		r.press("1 o esc")
		r.sees("oldest first")
		if strings.Count(byTime, "■") != strings.Count(r.screen(), "■") {
			t.Errorf("the order by time is another one than before:\n%s\n%s", byTime, r.screen())
		}
	})
}

// The reason under the cursor is the selector's own.
func TestInspector(t *testing.T) {
	drive(t, config(t), 160, 45, func(r *robot) {
		for range 12 {
			r.press("left")
			v := r.m.shown.sel.Explain(r.m.cursor)
			first, _, _ := strings.Cut(v.Reason.Text, " ")
			r.sees(fmt.Sprintf("#%d ", r.m.pointed()), first)
			if v.Kept {
				r.sees("KEPT")
			} else {
				r.sees("DROPPED")
			}
		}
	})
}

// A page that is open when its candidate goes is closed; with another candidate
// it shows that one.
func TestPageFollows(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.update(keyPress(","))
		r.press("enter")
		r.sees("why", "for turn 27")
		r.press("q g 2 enter")
		r.update(keyPress(","))
		r.press("enter")
		r.sees("turn 1/30", "nothing was offered for this turn")
	})
}

func TestAnswerPage(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("g 2 4 enter a")
		r.sees("recorded at turn 24", "Which port did we settle on", "It is 5433 for the database on staging.")
		r.press("x")
		r.sees("q goes back to the main screen")
		r.press("q")
		r.sees("ASKED")
	})
}

// A screen that opens on a turn says what has changed since the turn before, as it
// does where one came from there.
func TestOpensCompared(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {160, 45}} {
		var opened, came string
		drive(t, config(t), size[0], size[1], func(r *robot) {
			r.sees("since turn 27: ▲ 20 came in")
			r.press("left right")
			opened = r.screen()
		})
		cfg := config(t)
		cfg.Turn = 27
		drive(t, cfg, size[0], size[1], func(r *robot) {
			r.press(".")
			r.press("end left right")
			came = r.screen()
		})
		if opened != came {
			t.Errorf("opened on the turn:\n%s\ncome to it:\n%s", opened, came)
		}
	}
}
