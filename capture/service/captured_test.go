package service_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pacms/capture/service"
)

// recorder remembers captures, or does not take them.
type recorder struct {
	mu    sync.Mutex
	took  []service.Capture
	full  bool
	state service.RecorderState
}

func (r *recorder) Record(c service.Capture) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.full {
		r.state.Dropped++
		return false
	}
	r.state.Recorded++
	r.took = append(r.took, c)
	return true
}

func (r *recorder) Before(_ context.Context, session string, at time.Time) (*service.Capture, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range slices.Backward(r.took) {
		if c := &r.took[i]; c.Pool.Session == session && c.Time.Before(at) {
			return c, nil
		}
	}
	return nil, nil //nolint:nilnil // there is none
}

func (r *recorder) State() service.RecorderState {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

func (r *recorder) set(full bool, trouble string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.full, r.state.Trouble = full, trouble
}

// last is the newest capture. The answer may come before it.
func (r *recorder) last() service.Capture {
	var c service.Capture
	eventually(func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		n := len(r.took)
		if n > 0 {
			c, r.took = r.took[n-1], nil
		}
		return n > 0
	})
	return c
}

// S17, S12: whatever becomes of captures, the answer goes out, and the loss is seen.
func TestCapturesAreNotWaitedFor(t *testing.T) {
	t.Parallel()
	r := new(recorder)
	s := start(t, func(c *service.Config) { c.Recorder = r })
	got := s.ask("POST", "/select", kettle).selection(t)
	if c := r.last(); c.Pool.Session != "agent:hush" || !slices.Equal(c.Selection.Kept, got.Kept) || c.Time.IsZero() {
		t.Errorf("the capture is %+v", c)
	}
	r.set(true, "the disk is full")
	s.ask("POST", "/select", kettle).selection(t)
	ready := s.ask("GET", "/readyz", "")
	if ready.status != 503 || !strings.Contains(ready.body, "the disk is full") {
		t.Errorf("/readyz: %d %s", ready.status, ready.body)
	}
	follows(t, "ready", ready.body)
	for line, want := range map[string]string{"pacms_captures_recorded_total": "1", "pacms_captures_dropped_total": "1", "pacms_captures_busy_total": "0"} {
		s.counts(line, want)
	}
	r.set(false, "")
	if !eventually(func() bool { return s.ask("GET", "/readyz", "").status == 200 }) {
		t.Error("it is never ready again")
	}
}

// That captures cannot be written is told at the start and when it happens, once, and
// when they can be again.
func TestTroubleIsTold(t *testing.T) {
	t.Parallel()
	kept := new(recorder)
	kept.set(true, "the captures cannot be written to a.sqlite: it is full")
	s := start(t, func(c *service.Config) { c.Recorder = kept })
	told := func(text string, want int) {
		t.Helper()
		if !eventually(func() bool { return strings.Count(s.log.String(), text) == want }) {
			t.Fatalf("%q is told %d times, want %d:\n%s", text, strings.Count(s.log.String(), text), want, s.log)
		}
	}
	const trouble, over = "selections are answered, but the captures cannot be written", "captures are written again"
	told(trouble, 1)
	s.ask("POST", "/select", kettle)
	kept.set(false, "")
	s.ask("POST", "/select", kettle)
	told(over, 1)
	told(trouble, 1)
	kept.set(true, "the captures cannot be written to a.sqlite: another process holds it")
	s.ask("POST", "/select", kettle)
	told(trouble, 2)
}
