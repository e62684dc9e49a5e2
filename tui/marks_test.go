package tui

import (
	"testing"

	"pacms/tui/choices"
	"pacms/tui/grid"
)

// A mark changes nothing of what is kept, is shown everywhere, and can be taken back.
func TestMarks(t *testing.T) {
	drive(t, config(t), 120, 36, func(r *robot) {
		r.press("3 b 2 0 % enter")
		r.candidate(7)
		if r.keeps(7) {
			t.Fatal("lastk keeps the old fact: nothing to show")
		}
		turn, kept := r.m.shown.number, len(r.m.shown.kept)
		r.press(";")
		r.sees("this item is not marked for this turn: m marks it")
		r.press("m")
		r.sees("marked: turn 28 must keep #7", "! mark missed", "missed mark")
		if turn != 28 || len(r.m.shown.kept) != kept || r.m.shown.unmet != 1 || r.m.shown.cells[r.m.cursor].Mark != grid.MarkMissed {
			t.Errorf("turn %d keeps %d, %d before; %d are not met", turn, len(r.m.shown.kept), kept, r.m.shown.unmet)
		}
		r.press("; p o r t enter enter")
		r.sees("mark", "this turn must keep it: missed · port")
		r.press("q i")
		r.sees("turn 28 must keep #7: missed · port")
		r.press("q")
		if got := r.m.history.past[len(r.m.history.past)-1].what; got != "the note on the mark of #7 is taken" {
			t.Errorf("the last step is %q", got)
		}
		// A larger budget meets it, and } goes to the turn as long as it is missed.
		r.press("b 1 0 0 % enter")
		r.sees("✓ mark met")
		r.press("b 2 0 % enter , ,")
		r.seesNot("mark missed")
		at := r.m.shown.number
		for range 10 {
			if r.press("}"); r.m.shown.number >= turn {
				break
			}
		}
		if r.m.shown.number != turn {
			t.Errorf("from turn %d } goes to %d and not to that with the missed mark", at, r.m.shown.number)
		}
		r.candidate(7)
		r.press("m")
		r.sees("marked: turn 28 must drop #7", "✓ mark met")
		r.press("m")
		r.sees("#7 is no longer marked for turn 28")
		r.seesNot("✓ mark met")
		r.press("u u u")
		r.sees("taken back: the note on the mark of #7 is taken", "! mark missed")
		r.press("u")
		r.seesNot("! mark missed")
		r.press("ctrl+r")
		r.sees("again: marked: turn 28 must keep #7", "! mark missed")
	})
}

// Marks are there on the next visit, beside pins and bans, and a turn that is not on
// screen is found by its missed mark.
func TestMarksAreRemembered(t *testing.T) {
	cfg := config(t)
	cfg.StateDir = t.TempDir()
	drive(t, cfg, 120, 36, func(r *robot) {
		r.press("3 b 2 0 % enter")
		r.candidate(7)
		r.press("m p")
		r.press("x")
	})
	drive(t, cfg, 120, 36, func(r *robot) {
		if got := r.m.expected.Marks; len(got) != 1 || got[0] != (choices.Mark{Turn: 28, ID: got[0].ID, Keep: true}) {
			t.Fatalf("remembered is %v", got)
		}
		r.sees("BANNED 1", "! mark missed")
		r.press("i")
		r.sees("turn 28 must keep #7: missed", "pacms check PATH --marks checks them")
		r.press("q g 2 0 enter } } } }")
		for range 20 {
			r.press("}")
		}
		r.press("u")
		r.sees("taken back: marked: turn 28 must keep #7")
		r.press("u")
		r.seesNot("BANNED")
		r.press("u")
		r.sees("nothing to take back")
	})
	drive(t, cfg, 120, 36, func(r *robot) {
		if !r.m.keeper.wanted.Load().Empty() {
			t.Errorf("what was taken back is remembered: %v", r.m.keeper.wanted.Load())
		}
	})
}

// Where nothing is to be remembered, marks end with the visit.
func TestMarksWithoutState(t *testing.T) {
	cfg := config(t)
	drive(t, cfg, 80, 24, func(r *robot) {
		r.press("m")
		if len(r.m.expected.Marks) != 1 {
			t.Error("nothing is marked")
		}
		r.press("i")
		r.seesNot("pacms check PATH --marks")
	})
	drive(t, cfg, 80, 24, func(r *robot) {
		if len(r.m.expected.Marks) != 0 {
			t.Error("a mark is remembered without a place for it")
		}
	})
}
