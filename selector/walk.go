package selector

import (
	"context"
	"fmt"

	"pacms/session"
)

// Walk is how the turns of a session are selected for, one after the other.
type Walk struct {
	Session *session.Session
	// Mode is that of the pools.
	Mode session.PoolMode
	// Turns are the indices of the turns on the active branch to walk, ascending.
	Turns []int
	// Prepare makes the pool of a turn ready.
	Prepare func(ctx context.Context, turn int) (*Prepared, error)
	// Options are what the pool of a turn is selected from with.
	Options func(turn int, pool *session.Pool) Options
}

// choose prepares and selects for one turn.
func (w Walk) choose(ctx context.Context, turn int) (*Prepared, *Selection, error) {
	p, err := w.Prepare(ctx, turn)
	if err != nil {
		return nil, nil, err
	}
	s, err := p.Select(ctx, w.Options(turn, p.Pool))
	if err != nil {
		return nil, nil, fmt.Errorf("turn %d: %w", w.Session.Turns[turn].Number, err)
	}
	return p, s, nil
}
