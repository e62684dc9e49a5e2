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
