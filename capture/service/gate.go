package service

import (
	"context"
	"errors"

	"golang.org/x/sync/semaphore"
)

// large is the size in bytes from which a request is one of those that take long. They
// have workers of their own, one for two of the others', each on one processor.
const large = 256 << 10

// bodies is how many of the largest bodies are held at once while they come in.
const bodies = 8

// gate bounds how much is worked on at once and how much waits for it.
type gate struct {
	places chan struct{} // of those who work or wait
	slots  chan struct{} // of those who work on something small
	heavy  chan struct{} // of those who work on something large
	bytes  *semaphore.Weighted
}

func newGate(l Limits) *gate {
	return &gate{
		places: make(chan struct{}, l.Workers+l.Queue),
		slots:  make(chan struct{}, l.Workers),
		heavy:  make(chan struct{}, max(1, l.Workers/2)),
		bytes:  semaphore.NewWeighted(bodies * max(1, l.Body)),
	}
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
func (g *gate) enter() (leave func(), err error) {
	select {
	case g.places <- struct{}{}:
		return func() { <-g.places }, nil
	default:
		return nil, busy("too many requests wait already")
	}
}

// work waits for a worker, until done is called. At the deadline it gives up.
func (g *gate) work(ctx context.Context, size int64) (done func(), err error) {
	room := g.slots
	if size >= large {
		room = g.heavy
	}
	if err := take(ctx, room); err != nil {
		return nil, err
	}
	return func() { <-room }, nil
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
