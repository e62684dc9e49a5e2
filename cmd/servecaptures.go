package cmd

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"pacms/capture/service"
	"pacms/capture/store"
	"pacms/session/redact"
)

// flushTime is how long the service waits at its end for captures to be stored.
const flushTime = 5 * time.Second

// keeper keeps the captures of the service; without a store it keeps none.
type keeper struct{ store *store.Store }

// keeper opens the file of captures as the flags have it.
func (sf *serveFlags) keeper(ctx context.Context) (keeper, error) {
	if sf.noCaptures {
		return keeper{}, nil
	}
	opt := store.Options{MaxAge: sf.capturesAge, MaxBytes: sf.capturesSize}
	if sf.redact {
		opt.Redact = new(redact.Redactor).Text
	}
	s, err := store.Open(ctx, cmp.Or(sf.captures, store.DefaultPath()), opt)
	if err != nil {
		return keeper{}, fmt.Errorf("open the captures: %w", err)
	}
	return keeper{s}, nil
}

// recorder is what the service hands its captures to; nil where none are kept.
func (k keeper) recorder() service.Recorder {
	if k.store == nil {
		return nil
	}
	return k
}

// Record takes a capture without waiting.
func (k keeper) Record(c service.Capture) bool {
	return k.store.Record(store.Capture{
		Time: c.Time, Session: c.Pool.Session, Turn: c.Pool.Turn, Pool: c.Pool, Selection: c.Selection, RequestID: c.RequestID,
	})
}

// Before reads the newest capture of a session from before a time.
func (k keeper) Before(ctx context.Context, session string, at time.Time) (*service.Capture, error) {
	r, err := store.OpenReader(ctx, k.place())
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	c, err := r.Before(ctx, session, at)
	if c == nil {
		return nil, err
	}
	return &service.Capture{RequestID: c.RequestID, Time: c.Time, Pool: c.Pool, Selection: c.Selection}, nil
}

// State is how the store fares.
func (k keeper) State() service.RecorderState {
	st := k.store.Stats()
	return service.RecorderState{Recorded: st.Written, Dropped: st.Lost(), Busy: st.Busy, Trouble: st.Fault}
}

// place is where captures are kept.
func (k keeper) place() string {
	if k.store == nil {
		return "off"
	}
	return k.store.Stats().Path
}

// close stores what waits, and tells what could not be stored.
func (k keeper) close(log *slog.Logger) {
	if k.store == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	if err := k.store.Close(ctx); err != nil {
		log.Error("captures were lost", "error", err.Error())
	}
}
