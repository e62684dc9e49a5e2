package capture

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"pacms/session"
	"pacms/session/openclaw"
)

// State says how following goes.
type State uint8

// The states of following.
const (
	// Live: what is stored was read, and what comes is seen.
	Live State = iota
	// Waiting: there is nothing to read, not yet or not any more.
	Waiting
	// Busy: the writer holds the store; it is tried again.
	Busy
	// Failing: the store cannot be read; it is tried again.
	Failing
)

// News are what is new since the news before.
type News struct {
	// Session is the newest state of the session; nil where nothing was added. It
	// shares memory with earlier ones and is not to be changed.
	Session *session.Session
	// Events say in a sentence each what happened to the session, the newest last.
	Events []string
	// State says how following goes, and Note what it waits for or what fails.
	State State
	Note  string
	// Pending is how many bytes there are of a record that is still being written.
	Pending int
}

// Source is a session that can be looked at again and again, such as an
// *openclaw.Follower.
type Source interface {
	Look(ctx context.Context) (openclaw.Look, error)
	// Folders are where changes show.
	Folders() []string
}

// Following is a session that is being followed. Next may be called while it goes on.
type Following struct {
	news chan struct{} // there are some
	done chan struct{}

	mu   sync.Mutex
	next News
	err  error
}

const (
	// pollEvery is how long a change may go unseen where nothing tells of it, as on
	// a network mount.
	pollEvery = time.Second
	// retryEvery is how long a store that could not be read is left alone.
	retryEvery = 250 * time.Millisecond
	// shortest is how much time at least passes between two sessions that are put
	// together, so that a burst of writes gives a few.
	shortest = 10 * time.Millisecond
)

// Follow follows src until ctx ends. It looks as soon as a folder of src changes, and
// every second.
func Follow(ctx context.Context, src Source) *Following {
	return follow(ctx, src, newWatch())
}

func follow(ctx context.Context, src Source, w watch) *Following {
	f := &Following{news: make(chan struct{}, 1), done: make(chan struct{})}
	go func() {
		defer close(f.done)
		defer w.close()
		f.run(ctx, src, w)
	}()
	return f
}

// Next waits for news and gives all that are new since it was called last. Sessions
// that were overtaken by newer ones are left out. The error is why following has
// ended: that of a context, or of a source that is no session.
func (f *Following) Next(ctx context.Context) (News, error) {
	select {
	case <-f.news:
	case <-f.done:
	case <-ctx.Done():
		return News{}, ctx.Err()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.next
	f.next.Session, f.next.Events = nil, nil
	if n.Session == nil && n.Events == nil && f.err != nil {
		return n, f.err
	}
	return n, nil
}

func (f *Following) run(ctx context.Context, src Source, w watch) {
	begun := false
	w.over(src.Folders())
	for {
		start := time.Now()
		look, err := src.Look(ctx)
		switch {
		case ctx.Err() != nil:
			f.end(ctx.Err())
			return
		case err != nil && !begun && !errors.Is(err, openclaw.ErrBusy):
			f.end(fmt.Errorf("capture: follow: %w", err))
			return
		}
		f.take(look, err)
		begun = begun || look.Session != nil
		if w.over(src.Folders()) {
			continue // something may have changed there before it was watched
		}
		pause, every := time.Duration(0), pollEvery
		if look.Session != nil {
			pause = max(shortest, time.Since(start))
		}
		if err != nil {
			pause, every = retryEvery, retryEvery
		}
		if !f.wait(ctx, w, pause, every) {
			f.end(ctx.Err())
			return
		}
	}
}

// wait waits for a change, every at most and pause at least; false where ctx ends.
func (f *Following) wait(ctx context.Context, w watch, pause, every time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
	}
	select {
	case <-ctx.Done():
		return false
	case <-w.changed():
	case <-time.After(every - pause):
	}
	return true
}

// take adds what a look gave to the news.
func (f *Following) take(look openclaw.Look, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.next
	n.Events = append(n.Events, look.Events...)
	if look.Session != nil {
		n.Session = look.Session
	}
	n.State, n.Note, n.Pending = Live, look.Waiting, look.Pending
	switch {
	case errors.Is(err, openclaw.ErrBusy):
		n.State, n.Note = Busy, "the store is busy, it is tried again"
	case err != nil:
		n.State, n.Note = Failing, err.Error()
	case look.Waiting != "":
		n.State = Waiting
	}
	same := n.State == f.next.State && n.Note == f.next.Note && n.Pending == f.next.Pending
	f.next = n
	if same && look.Session == nil && len(look.Events) == 0 {
		return
	}
	select {
	case f.news <- struct{}{}:
	default: // nobody has taken the news before
	}
}

func (f *Following) end(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}
