package tui

import (
	"context"
	"testing"

	"pacms/session"
)

// What a compaction took away is counted above the grid and can be read in the
// conversation, but is no cell that could be chosen.
func TestEarlierItems(t *testing.T) {
	for _, c := range []struct{ boundary, head, why string }{
		{"compaction", "· 68 compacted", "not offered for this turn, compacted: 68 items"},
		{"reset", "· 68 before the reset", "not offered for this turn, before the reset: 68 items"},
	} {
		cfg := config(t)
		cfg.Load = func(context.Context, Progress) (*session.Session, error) {
			s := madeUp()
			s.Turns[28].Boundary.Kind = c.boundary
			return s, nil
		}
		drive(t, cfg, 100, 30, func(r *robot) {
			r.press("g 2 8 enter")
			r.seesNot(c.head)
			r.press("g 2 9 enter")
			r.sees(c.head)
			r.press("t home")
			r.sees(c.why, "#1 user · turn 1")
		})
		cfg.PoolMode = session.PoolKey
		drive(t, cfg, 100, 30, func(r *robot) {
			r.press("g 2 9 enter")
			r.seesNot(c.head)
		})
	}
}

// After a reset nothing is offered for the next turn, and what the reset took out
// can be read all the same.
func TestNothingAfterReset(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}, {160, 45}} {
		cfg := config(t)
		cfg.Load = func(context.Context, Progress) (*session.Session, error) {
			s := madeUp()
			s.Turns[28].Boundary.Kind, s.Turns[28].Window = "reset", nil
			return s, nil
		}
		drive(t, cfg, size[0], size[1], func(r *robot) {
			r.press("g 2 9 enter")
			r.sees("the reset took out 88")
			r.press("enter")
			r.sees("nothing offered: the reset took out 88 items: t shows them")
			r.press("t")
			if size[0] >= besideWidth {
				r.sees("THE CONVERSATION")
				r.press("t")
			}
			r.press("home")
			r.sees("not offered for this turn, before the reset: 88 items", "#1 user · turn 1")
			r.press("end")
			r.sees("nothing is offered for this turn")
			r.press("q esc g 1 enter")
			r.press("t")
			r.sees("it has no history")
			r.seesNot("conversation  offered")
		})
	}
}

// What was said on a branch that was left stands in the conversation where it was
// said, marked, and is no cell that could be chosen; the turn that it began can be
// read.
func TestLeftBranch(t *testing.T) {
	cfg := config(t)
	cfg.Load = func(context.Context, Progress) (*session.Session, error) { return branched(), nil }
	for _, size := range [][2]int{{100, 30}, {120, 36}} {
		drive(t, cfg, size[0], size[1], func(r *robot) {
			r.press("end t")
			cells := len(r.m.shown.cells)
			r.sees("┊ user · turn 26 · on a branch that was left", "And to Faro?", "Three trains")
			r.seesNot("Kept from the model")
			r.press("esc g 2 6 enter")
			r.sees("turn 26  on a branch that was left", "── assistant ", "Three trains")
			r.press("q")
			if len(r.m.shown.cells) != cells || r.m.shown.number != 28 {
				t.Errorf("reading a turn leads to turn %d with %d cells, not %d", r.m.shown.number, len(r.m.shown.cells), cells)
			}
			r.press("g 2 5 enter t")
			r.seesNot("Faro") // it was said later
		})
	}
}

// branched is the made-up session with its turn 26 on a branch that was left.
func branched() *session.Session {
	s := madeUp()
	s.Turns[25].Branch = session.BranchOther
	s.Aside = []session.Aside{
		{Candidate: session.Candidate{ID: "a1", Kind: session.User, Text: "And to Faro?", Turn: 26}, Why: session.OtherBranch},
		{Candidate: session.Candidate{ID: "a2", Kind: session.Assistant, Text: "Three trains to Faro.", Turn: 26}, Why: session.OtherBranch},
		{Candidate: session.Candidate{ID: "a3", Kind: session.Assistant, Text: "Kept from the model.", Turn: 26}, Why: session.Excluded},
	}
	return s
}
