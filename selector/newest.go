package selector

import (
	"context"
	"sync"
)

// Newest lets the newest request win: each new one ends the one before. It is safe
// for concurrent use; the zero value is ready.
type Newest struct {
	mu   sync.Mutex
	stop context.CancelFunc
}

// Next is the context of a new request. It ends with parent, with the next request,
// or when done is called, which the request does when it is over.
func (n *Newest) Next(parent context.Context) (ctx context.Context, done context.CancelFunc) {
	ctx, done = context.WithCancel(parent)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.stop != nil {
		n.stop()
	}
	n.stop = done
	return ctx, done
}

// Stop ends the newest request.
func (n *Newest) Stop() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.stop != nil {
		n.stop()
	}
	n.stop = nil
}
