package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// batch is how many captures are written in one transaction, at most, so that a
	// burst costs few syncs of the disk.
	batch = 64
	// firstPause and lastPause are how long the writer waits after a write that
	// failed, from the first time on, doubling.
	firstPause = 200 * time.Millisecond
	lastPause  = 10 * time.Second
	// pruneEvery is how often captures are looked at for their age.
	pruneEvery = 10 * time.Minute
)

// errBusy says that another process holds the file. errDamaged says that the file is
// one of captures, and is not what was written.
var (
	errBusy    = errors.New("another process holds it")
	errDamaged = errors.New("it is damaged")
)

// writer is the side of a store that its goroutine alone uses.
type writer struct {
	*Store
	file   *file // nil while it cannot be used
	pruned time.Time
}

// run writes what comes in until the store is closed and nothing waits.
func (w *writer) run(ctx context.Context) {
	defer close(w.done)
	w.store(ctx, nil) // mends what can be mended, and removes what is too old
	for {
		captures, last := w.take(ctx)
		if len(captures) == 0 && last {
			break
		}
		w.store(ctx, captures)
	}
	if w.attempt(ctx, nil) { // for what was lost last
		if err := w.file.end(ctx); err != nil {
			w.fault(err)
		}
	}
}

// take waits for captures, or for as long as nothing has to be done. last is set
// once the store is to be closed.
func (w *writer) take(ctx context.Context) (captures []*queued, last bool) {
	select {
	case <-w.wake:
	case <-time.After(pruneEvery):
	case <-w.closing:
		last = true
	case <-ctx.Done():
		last = true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(batch, len(w.queue))
	captures = append(captures, w.queue[:n]...)
	clear(w.queue[:n]) // they are large
	w.queue = w.queue[n:]
	if len(w.queue) > 0 {
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}
	return captures, last
}

// store writes captures, however long that takes; once the store is to be closed it
// is tried once more.
func (w *writer) store(ctx context.Context, captures []*queued) {
	entries := w.encode(captures)
	pause := firstPause
	for {
		closing := w.isClosing()
		if w.attempt(ctx, entries) {
			return
		}
		if closing || ctx.Err() != nil {
			w.giveUp(entries)
			return
		}
		select {
		case <-time.After(pause):
		case <-w.closing:
		case <-ctx.Done():
		}
		pause = min(2*pause, lastPause)
	}
}

func (w *writer) isClosing() bool {
	select {
	case <-w.closing:
		return true
	default:
		return false
	}
}

// encode makes the captures ready to be written. One that cannot be has failed.
func (w *writer) encode(captures []*queued) []*entry {
	entries := make([]*entry, 0, len(captures))
	for _, q := range captures {
		e, err := newEntry(q, w.opt.Redact)
		if err != nil {
			w.finish(q, false, fmt.Sprintf("a capture cannot be encoded: %v", err))
			continue
		}
		entries = append(entries, e)
	}
	return entries
}

// attempt writes entries and reports whether the work on them has ended. It opens
// the file if need be.
func (w *writer) attempt(ctx context.Context, entries []*entry) bool {
	err := w.open(ctx)
	if err == nil {
		err = w.write(ctx, entries)
	}
	if errors.Is(err, errDamaged) {
		// What can be read of it is there for a person; captures begin anew.
		w.close()
		if aside, moved := setAside(w.path); moved == nil {
			w.mu.Lock()
			w.stats.Aside = aside
			w.mu.Unlock()
			if err = w.open(ctx); err == nil {
				err = w.write(ctx, entries)
			}
		} else {
			err = moved
		}
	}
	if err == nil {
		w.mu.Lock()
		w.stats.Fault, w.stats.Since = "", time.Time{}
		w.stats.Bytes = w.file.bytes
		w.mu.Unlock()
		w.retain(ctx)
		return true
	}
	w.fault(err)
	if errors.Is(err, errBusy) {
		return false
	}
	w.close() // what it was may have gone: the next attempt begins anew
	return false
}

// open makes the file ready. One that was removed or replaced since is let go.
func (w *writer) open(ctx context.Context) (err error) {
	if w.file != nil && w.file.gone() {
		w.close()
	}
	if w.file == nil {
		w.file, err = openFile(ctx, w.path, w.opt.SecureDelete, migrations)
	}
	return err
}

func (w *writer) close() {
	if w.file != nil {
		w.file.close()
		w.file = nil
	}
}

// write stores entries, and what was lost before.
func (w *writer) write(ctx context.Context, entries []*entry) error {
	losses := w.takeLosses()
	written, err := w.file.write(ctx, entries, losses)
	if err != nil {
		w.putBack(losses)
		return err
	}
	for _, e := range entries {
		w.finish(e.from, written[e] == nil, fmt.Sprintf("a capture cannot be stored: %v", written[e]))
	}
	return nil
}

// retain removes what is too old or too much.
func (w *writer) retain(ctx context.Context) {
	due := w.opt.MaxAge > 0 && time.Since(w.pruned) >= pruneEvery
	if !due && (w.opt.MaxBytes == 0 || w.file.bytes <= w.opt.MaxBytes) {
		return
	}
	w.pruned = time.Now()
	if _, err := w.file.prune(ctx, w.opt.policy(w.pruned)); err != nil {
		w.fault(fmt.Errorf("remove old captures: %w", err))
	}
	w.mu.Lock()
	w.stats.Bytes = w.file.bytes
	w.mu.Unlock()
}

// finish counts a capture of which the work has ended.
func (w *writer) finish(q *queued, written bool, why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if written {
		w.stats.Written++
	} else {
		w.stats.Failed++
		w.lose(1, why)
	}
	w.stats.Queued--
	w.bytes -= q.bytes
	w.ended++
	close(w.moved)
	w.moved = make(chan struct{})
}

// giveUp counts captures that will not be written any more.
func (w *writer) giveUp(entries []*entry) {
	why := w.Stats().Fault
	for _, e := range entries {
		w.finish(e.from, false, why)
	}
}

// fault notes why nothing can be written.
func (w *writer) fault(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stats.Fault == "" {
		w.stats.Since = time.Now()
	}
	w.stats.Fault = fmt.Sprintf("the captures cannot be written to %s: %v", w.path, err)
	if errors.Is(err, errBusy) {
		w.stats.Busy++
	}
}

// takeLosses gives what was lost and is not written down yet.
func (w *writer) takeLosses() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	losses := w.losses
	w.losses = make(map[string]int)
	return losses
}

// putBack keeps losses that could not be written down.
func (w *writer) putBack(losses map[string]int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for cause, n := range losses {
		w.losses[cause] += n
	}
}

// policy is what the options say of how long captures are kept.
func (o *Options) policy(now time.Time) Policy {
	p := Policy{KeepBytes: o.MaxBytes}
	if o.MaxAge > 0 {
		p.Before = now.Add(-o.MaxAge)
	}
	return p
}
