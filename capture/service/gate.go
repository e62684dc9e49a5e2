package service

import (
	"context"
	"errors"

	"golang.org/x/sync/semaphore"
)

// large is the size in bytes from which a request is one of those that take long. They
// have workers of their own, one for two of the others', each on one processor, and
// a quarter as many places to wait.
const large = 256 << 10

// bodies is how many of the largest bodies are held at once while they come in.
const bodies = 8

// gate bounds how much is worked on at once and how much waits for it.
type gate struct {
	small, large queue
	bytes        *semaphore.Weighted
}

// queue has places for those who work or wait, and slots for those who work.
type queue struct{ places, slots chan struct{} }

func newQueue(workers, waiting int) queue {
	return queue{make(chan struct{}, workers+waiting), make(chan struct{}, workers)}
}

func newGate(l Limits) *gate {
	return &gate{
		small: newQueue(l.Workers, l.Queue),
		large: newQueue(max(1, l.Workers/2), l.Queue/4),
		bytes: semaphore.NewWeighted(bodies * max(1, l.Body)),
	}
}

// of is the queue for requests of a size.
func (g *gate) of(size int64) *queue {
	if size >= large {
		return &g.large
	}
	return &g.small
}

// hold sets memory aside for a body of n bytes, until done is called. It does not
// wait. Small ones need none: who sends large ones slowly is not in their way.
func (g *gate) hold(n int64) (done func(), err error) {
	if n < large {
		return func() {}, nil
	}
	if !g.bytes.TryAcquire(n) {
		return nil, busy("too many large requests are being received")
	}
	return func() { g.bytes.Release(n) }, nil
}

// enter takes a place among those who wait for a worker, until leave is called.
func (q *queue) enter() (leave func(), err error) {
	select {
	case q.places <- struct{}{}:
		return func() { <-q.places }, nil
	default:
		return nil, busy("too many requests wait already")
	}
}

// work waits for a worker, until done is called. At the deadline it gives up.
func (q *queue) work(ctx context.Context) (done func(), err error) {
	if err := take(ctx, q.slots); err != nil {
		return nil, err
	}
	return func() { <-q.slots }, nil
}

// take waits for room in a channel.
func take(ctx context.Context, room chan struct{}) error {
	select {
	case room <- struct{}{}:
		return nil
	default:
	}
	select {
	case room <- struct{}{}:
		return nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return busy("time was up before a worker was free")
		}
		return ctx.Err()
	}
}
