package tui

import (
	"context"

	"pacms/session/cores"
)

// aside is where work is done that nobody waits for: so much of it at a time that the
// rest of the processors is left to what somebody waits for.
type aside chan struct{}

func newAside() aside { return make(aside, max(1, cores.Workers(context.Background())/2)) }

// enter waits for a place, which is to be left by leave. Where ctx ends first there is
// none, and what ctx is for ends soon anyway.
func (a aside) enter(ctx context.Context) (leave func()) {
	select {
	case a <- struct{}{}:
		return func() { <-a }
	case <-ctx.Done():
		return func() {}
	}
}
