package selector

import (
	"context"
	"slices"
	"sync"
)

// memo keeps the newest few values that were asked for, by key. Who asks for one
// that is being computed waits for it, and leaves with the context. It is safe for
// concurrent use; the zero value keeps one value.
type memo[T any] struct {
	most int

	mu    sync.Mutex
	slots []*slot[T] // the newest last
}

type slot[T any] struct {
	key   string
	done  chan struct{}
	value T
	err   error
}

// get returns what compute returned for key. An error is not kept: where another
// caller gave up, compute is tried anew.
func (m *memo[T]) get(ctx context.Context, key string, compute func() (T, error)) (T, error) {
	for {
		s, mine := m.slot(key)
		if mine {
			return m.fill(s, compute)
		}
		select {
		case <-s.done:
		case <-ctx.Done():
		}
		if s.ready() { // even where the context has ended
			return s.value, nil
		}
		if err := ctx.Err(); err != nil {
			var none T
			return none, err
		}
	}
}

// fill computes the value of a slot.
func (m *memo[T]) fill(s *slot[T], compute func() (T, error)) (T, error) {
	defer close(s.done)
	if s.value, s.err = compute(); s.err != nil {
		m.forget(s)
	}
	return s.value, s.err
}

// ready reports whether the value is there.
func (s *slot[T]) ready() bool {
	select {
	case <-s.done:
		return s.err == nil
	default:
		return false
	}
}

// has reports whether the value of key is there.
func (m *memo[T]) has(key string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(m.slots, func(s *slot[T]) bool { return s.key == key && s.ready() })
}

// slot is the place of key, and true where the caller is to fill it.
func (m *memo[T]) slot(key string) (*slot[T], bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, s := range m.slots {
		if s.key == key {
			m.slots = append(slices.Delete(m.slots, i, i+1), s)
			return s, false
		}
	}
	if len(m.slots) >= max(1, m.most) {
		m.slots = slices.Delete(m.slots, 0, 1)
	}
	s := &slot[T]{key: key, done: make(chan struct{})}
	m.slots = append(m.slots, s)
	return s, true
}

func (m *memo[T]) forget(s *slot[T]) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.slots = slices.DeleteFunc(m.slots, func(other *slot[T]) bool { return other == s })
}
