package tui

import (
	"context"

	"pacms/session/cores"
)

// aside is where work is done that nobody waits for: so much of it at a time that the
// rest of the processors is left to what somebody waits for.
type aside chan struct{}

func newAside() aside { return make(aside, max(1, cores.Workers(context.Background())/2)) }

// enter waits for a place, which is to be left by leave, and returns ctx for work on one
// processor. Where ctx ends first there is no place, and what ctx is for ends soon anyway.
func (a aside) enter(ctx context.Context) (alone context.Context, leave func()) {
	alone = cores.Alone(ctx)
	select {
	case a <- struct{}{}:
		return alone, func() { <-a }
	case <-ctx.Done():
		return alone, func() {}
	}
}
