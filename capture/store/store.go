// Package store keeps captures: every pool that was asked about, with what was
// selected of it, in a SQLite file of the user's own.
//
// Whoever answers a request hands its capture to Record, which never waits. One
// goroutine writes what was handed in. Whatever happens to the file, the answer is
// not held up: what cannot be stored is kept in memory as far as the bounds go, and
// what does not fit there is counted, with the cause.
package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"pacms/selector"
	"pacms/session"
)

// Capture is one pool with what was selected of it.
type Capture struct {
	// ID counts from 1 in one file, and is never used again. The store gives it.
	ID int64
	// Time is when the selection was made; Record takes the present where it is zero.
	Time time.Time
	// Session is the key of the session; Turn is the number of the turn as the
	// request has it, 0 where it has none.
	Session string
	Turn    int
	// Pool and Selection are not to be changed once they were given to Record.
	Pool      *session.Pool
	Selection *selector.Selection
	// RequestID is the id of the request, as in its answer and in logs.
	RequestID string
	// Redacted is set by the store where its texts are not those that were selected
	// from.
	Redacted bool
}

// The bounds of what waits to be written, where Options name none.
const (
	defaultQueue      = 512
	defaultQueueBytes = 64 << 20
)

// Options say what is kept, for how long, and how.
type Options struct {
	// MaxAge and MaxBytes are what the file may hold: captures of that age, in so
	// many bytes. What goes beyond is removed, the oldest first. 0 is no limit.
	MaxAge   time.Duration
	MaxBytes int64
	// SecureDelete overwrites what is removed.
	SecureDelete bool
	// Redact, unless it is nil, is applied to every text before it is stored.
	Redact func(string) string
	// Queue and QueueBytes bound what waits to be written: so many captures, and
	// about so many bytes. 0 is 512 captures, and 64 MiB.
	Queue      int
	QueueBytes int64
}

// Stats say how a store does. The counters begin with 0 when it is opened.
type Stats struct {
	Path string
	// Written captures are in the file for good. Dropped ones were not taken because
	// too many waited; Failed ones were taken and could not be stored. Queued ones
	// wait or are being written.
	Written, Dropped, Failed uint64
	Queued                   int
	// Busy is how often another process held the file for longer than a write waits.
	Busy uint64
	// Fault is why nothing can be written now, since when; empty where it can.
	Fault string
	Since time.Time
	// Aside is where a damaged file was put; empty where there was none.
	Aside string
	// Bytes is the size of the file, in use.
	Bytes int64
}

// Lost is how many captures were handed in and are not stored.
func (s Stats) Lost() uint64 { return s.Dropped + s.Failed }

// Store writes captures to one file. It is safe for concurrent use, and several
// processes may use one file.
type Store struct {
	path string
	opt  Options

	wake    chan struct{} // something waits, or the store is to be closed
	closing chan struct{} // closed by the first Close
	done    chan struct{} // closed when the writer has ended
	stop    context.CancelFunc

	mu     sync.Mutex // guards the fields below
	queue  []*queued
	bytes  int64 // of what waits or is being written
	stats  Stats
	closed bool
	taken  uint64        // captures handed in and accepted
	ended  uint64        // of those, written or failed
	moved  chan struct{} // closed and made anew when ended grows
	losses map[string]int
}

// queued is a capture that waits.
type queued struct {
	Capture
	codes []selector.Code
	bytes int64
}

// Open returns the store in the file at path, which it makes if need be, readable by
// its owner alone. Where the file cannot be used, now or later, the store says so in
// its Stats and tries again: that is no error. Close it after use.
func Open(ctx context.Context, path string, opt Options) (*Store, error) {
	s, alive, err := newStore(ctx, path, opt)
	if err != nil {
		return nil, err
	}
	w := &writer{Store: s}
	if err := w.open(ctx); err != nil { // here, so that Stats are true from the beginning
		w.fault(err)
	}
	go w.run(alive)
	return s, nil
}

// newStore returns a store without its writer, and the context of that.
func newStore(ctx context.Context, path string, opt Options) (*Store, context.Context, error) {
	if path == "" {
		return nil, nil, errors.New("store: the captures need a file")
	}
	if opt.Queue <= 0 {
		opt.Queue = defaultQueue
	}
	if opt.QueueBytes <= 0 {
		opt.QueueBytes = defaultQueueBytes
	}
	// The store outlives the call, and ends by Close alone.
	alive, stop := context.WithCancel(context.WithoutCancel(ctx))
	s := &Store{
		path: path, opt: opt, stop: stop, stats: Stats{Path: path},
		wake: make(chan struct{}, 1), closing: make(chan struct{}), done: make(chan struct{}),
		moved: make(chan struct{}), losses: make(map[string]int),
	}
	return s, alive, nil
}

// Record takes a capture to be stored. It never waits: where too many wait already,
// or the store is closed, the capture is counted as dropped and the answer is false.
func (s *Store) Record(c Capture) bool {
	q := &queued{Capture: c, codes: c.Selection.Codes()}
	q.Selection = c.Selection.Summary()
	if q.Time.IsZero() {
		q.Time = time.Now()
	}
	q.bytes = sizeOf(c.Pool)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.stats.Queued >= s.opt.Queue || s.stats.Queued > 0 && s.bytes+q.bytes > s.opt.QueueBytes {
		s.stats.Dropped++
		s.lose(1, s.whyFull())
		return false
	}
	s.queue = append(s.queue, q)
	s.stats.Queued++
	s.bytes += q.bytes
	s.taken++
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return true
}

// whyFull is why a capture is not taken.
func (s *Store) whyFull() string {
	switch {
	case s.closed:
		return "the service was about to end"
	case s.stats.Fault != "":
		return s.stats.Fault
	}
	return "more came in than could be written"
}

// lose counts captures that will not be stored.
func (s *Store) lose(n int, cause string) { s.losses[cause] += n }

// Flush waits until every capture that was taken before is written or has failed. An
// error says why it gave up with ctx.
func (s *Store) Flush(ctx context.Context) error {
	s.mu.Lock()
	want := s.taken
	for s.ended < want {
		moved := s.moved
		s.mu.Unlock()
		select {
		case <-moved:
		case <-ctx.Done():
			return s.unwritten(ctx.Err())
		}
		s.mu.Lock()
	}
	s.mu.Unlock()
	return nil
}

// unwritten is the error where captures still wait.
func (s *Store) unwritten(err error) error {
	st := s.Stats()
	if st.Fault != "" {
		return fmt.Errorf("store: %s not written: %s: %w", session.Counted(st.Queued, "capture"), st.Fault, err)
	}
	return fmt.Errorf("store: %s not written yet: %w", session.Counted(st.Queued, "capture"), err)
}

// Stats says how the store does.
func (s *Store) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stats
}

// Close writes what waits and closes the file. What cannot be written at once, or
// before ctx ends, has failed, which is the error. Record may still be called: it
// drops.
func (s *Store) Close(ctx context.Context) error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.closing)
	}
	s.mu.Unlock()
	select {
	case <-s.done:
	case <-ctx.Done():
		s.stop()
		return s.unwritten(ctx.Err())
	}
	s.stop()
	if st := s.Stats(); st.Queued > 0 || st.Fault != "" && st.Failed > 0 {
		return fmt.Errorf("store: %s could not be written to %s: %s", session.Counted(int(st.Failed), "capture"), s.path, st.Fault) //nolint:gosec // a count of captures
	}
	return nil
}

// sizeOf is about how many bytes a pool takes.
func sizeOf(p *session.Pool) int64 {
	const each = 256 // what is beside the texts of a candidate
	n := len(p.Query) + 4*len(p.QueryEmbedding)
	for i := range p.Candidates {
		c := &p.Candidates[i]
		n += each + len(c.Text) + 4*len(c.Embedding)
		for k := range c.Calls {
			n += len(c.Calls[k].Args)
		}
	}
	if p.Similarity != nil {
		n += len(p.Similarity.Pairs) + len(p.Similarity.Containment)
	}
	return int64(n)
}
