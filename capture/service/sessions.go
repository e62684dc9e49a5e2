package service

import (
	"context"
	"crypto/sha256"
	"sync"
	"sync/atomic"
	"time"

	"pacms/selector"
)

// What bounds sessions beside memory and idle time.
const (
	mostSessions = 1024
	// mostWaiting is how many requests of one session wait for each other: one that
	// asks again and again must not take the places of all.
	mostWaiting = 4
	// tidyTime is how often sessions that were left are looked for.
	tidyTime = time.Minute
)

// sessions are those whose engines are held between requests.
type sessions struct {
	engine func() *selector.Engine
	memory int64
	idle   time.Duration

	mu   sync.Mutex
	held map[[sha256.Size]byte]*held
}

// held is one session. Its requests are worked on one after the other.
type held struct {
	engine *selector.Engine
	turn   chan struct{} // a semaphore of one
	key    [sha256.Size]byte
	named  bool
	last   atomic.Pointer[given] // by the turn before

	// What follows is guarded by sessions.mu.
	users int
	used  time.Time
	bytes int64
}

func newSessions(engine func() *selector.Engine, memory int64, idle time.Duration) *sessions {
	return &sessions{engine: engine, memory: memory, idle: idle, held: make(map[[sha256.Size]byte]*held)}
}

// join returns the session with a name, which is to be left by leave. One without a
// name is new each time.
func (s *sessions) join(name string) (*held, error) {
	if name == "" {
		return &held{engine: s.engine(), turn: make(chan struct{}, 1), users: 1}, nil
	}
	key := sha256.Sum256([]byte(name))
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.held[key]
	if h == nil {
		h = &held{engine: s.engine(), turn: make(chan struct{}, 1), key: key, named: true}
		s.held[key] = h
	}
	if h.users > mostWaiting {
		return nil, busy("too many requests of this session wait already")
	}
	h.users++
	return h, nil
}

// leave ends what join began; where the engine is broken, another takes its place.
func (s *sessions) leave(h *held, broken bool) {
	if !h.named {
		return
	}
	size := h.size()
	s.mu.Lock()
	defer s.mu.Unlock()
	h.users--
	h.used, h.bytes = time.Now(), size
	if broken && s.held[h.key] == h {
		delete(s.held, h.key)
	}
	s.tidy(h.used)
}

// size estimates the memory of a session.
func (h *held) size() int64 {
	const least = 16 << 10
	n := h.engine.Bytes() + least
	if last := h.last.Load(); last != nil {
		n += last.bytes
	}
	return n
}

// tidy forgets sessions that nobody asked about for long, and those that were not
// used for longest where all take too much. s.mu is held.
func (s *sessions) tidy(now time.Time) {
	total := int64(0)
	for key, h := range s.held {
		if h.users == 0 && now.Sub(h.used) > s.idle {
			delete(s.held, key)
			continue
		}
		total += h.bytes
	}
	for total > s.memory || len(s.held) > mostSessions {
		var oldest *held
		for _, h := range s.held {
			if h.users == 0 && (oldest == nil || h.used.Before(oldest.used)) {
				oldest = h
			}
		}
		if oldest == nil {
			return
		}
		total -= oldest.bytes
		delete(s.held, oldest.key)
	}
}

// keep tidies from time to time.
func (s *sessions) keep(ctx context.Context) {
	tick := time.NewTicker(tidyTime)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			s.mu.Lock()
			s.tidy(now)
			s.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

// count is how many sessions are held and what they take.
func (s *sessions) count() (n int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.held {
		bytes += h.bytes
	}
	return len(s.held), bytes
}
