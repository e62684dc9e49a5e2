package service_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pacms/capture/service"
	"pacms/selector"
	"pacms/session"
)

// Sessions are forgotten when nobody asked for long, or others need the memory.
func TestSessionsAreForgotten(t *testing.T) {
	timed(t, nil, func(t *testing.T, s *piped) {
		s.post(t.Context(), "/select", named("s"))
		s.post(t.Context(), "/select", `{"query":"x","candidates":[{"id":"a","text":"x","tokens":1}]}`)
		if n := s.metric("pacms_sessions"); n != "1" {
			t.Errorf("%s sessions are held", n)
		}
		time.Sleep(29 * time.Minute)
		if n := s.metric("pacms_sessions"); n != "1" {
			t.Errorf("%s sessions are held after 29 minutes", n)
		}
		time.Sleep(3 * time.Minute)
		if n := s.metric("pacms_sessions"); n != "0" {
			t.Errorf("%s sessions are held after half an hour", n)
		}
	})
	const bound = 512 << 10
	c := new(counted)
	timed(t, func(cfg *service.Config) { cfg.Limits.Memory, cfg.Chooser = bound, c }, func(t *testing.T, s *piped) {
		for i := range 12 {
			time.Sleep(time.Second)
			s.post(t.Context(), "/select", pool(string(rune('a'+i)), 60))
			var bytes float64
			if err := json.Unmarshal([]byte(s.metric("pacms_session_bytes")), &bytes); err != nil || bytes > bound {
				t.Errorf("%v bytes are held after %d sessions, %v", bytes, i+1, err)
			}
		}
		if n := s.metric("pacms_sessions"); n == "12" || n == "0" {
			t.Errorf("%s sessions are held", n)
		}
		// The newest is among them: it needs no new engine.
		before := c.made.Load()
		s.post(t.Context(), "/select", pool("l", 60))
		if c.made.Load() != before {
			t.Error("the newest session is forgotten")
		}
		s.post(t.Context(), "/select", pool("a", 60))
		if c.made.Load() != before+1 {
			t.Error("the oldest session is held")
		}
	})
}

// counted counts the engines that it makes.
type counted struct {
	chooser
	made atomic.Int32
}

func (c *counted) Engine() *selector.Engine {
	c.made.Add(1)
	return c.chooser.Engine()
}

// What was made ready ahead is there when the question comes.
func TestPrewarm(t *testing.T) {
	c := new(peeking)
	timed(t, func(cfg *service.Config) { cfg.Chooser = c }, func(t *testing.T, s *piped) {
		c.seen = make(chan int64, 100)
		synctest.Wait()
		if r := s.post(t.Context(), "/prewarm", pool("s", 100)); r.status != 202 {
			t.Fatalf("%d %s", r.status, r.body)
		}
		synctest.Wait()
		s.post(t.Context(), "/select", pool("s", 100))
		s.post(t.Context(), "/select", pool("cold", 100))
		if warm, cold := <-c.seen, <-c.seen; warm < 100*1024 || cold != 0 {
			t.Errorf("the engine holds %d bytes before the question, of a cold session %d", warm, cold)
		}
	})
}

// peeking tells what an engine holds before it is asked.
type peeking struct {
	chooser
	seen chan int64
}

func (p *peeking) Choose(ctx context.Context, e *selector.Engine, pool *session.Pool, ask service.Ask) (*selector.Selection, error) {
	if pool.Session != "" {
		p.seen <- e.Bytes()
	}
	return p.chooser.Choose(ctx, e, pool, ask)
}
