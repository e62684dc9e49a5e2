package service

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"pacms/selector"
	"pacms/session"
	"pacms/session/cores"
)

// lane is a queue of work that nobody waits for. What has no room in it is not done.
type lane chan func(context.Context)

// laneRoom is how much may wait in a lane.
const laneRoom = 16

func newLane() lane { return make(lane, laneRoom) }

// add is false where there is no room.
func (l lane) add(job func(context.Context)) bool {
	select {
	case l <- job:
		return true
	default:
		return false
	}
}

// run does the work of a lane, one piece after the other.
func (s *Service) run(ctx context.Context, l lane) {
	for {
		select {
		case job := <-l:
			s.runOne(ctx, job)
		case <-ctx.Done():
			return
		}
	}
}

func (s *Service) runOne(ctx context.Context, job func(context.Context)) {
	defer func() {
		if v := recover(); v != nil {
			s.metrics.panics.Inc()
			s.Log.Error("work in the background failed unexpectedly", "cause", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
		}
	}()
	job(ctx)
}

// prewarm embeds the texts of a pool for a turn that is still to come.
func (s *Service) prewarm(w *answer, r *http.Request) error {
	pool, _, done, err := s.receive(r.Context(), w, r, false)
	if err != nil {
		return err
	}
	done()
	if pool.Session == "" {
		return &problem{
			status: http.StatusBadRequest, code: "bad_pool", path: "$.session",
			message: "missing; without the name of a session there is nothing to make ready",
		}
	}
	if !s.warmLater(pool) {
		return busy("too many pools wait to be made ready")
	}
	return s.write(w, http.StatusAccepted, map[string]any{"queued": len(pool.Candidates), "request_id": w.id})
}

// warmLater embeds the texts of a pool when there is time. It is false where that is
// not going to happen.
func (s *Service) warmLater(pool *session.Pool) bool {
	if pool.Session == "" {
		return false
	}
	ok := s.warming.add(func(ctx context.Context) { s.warmNow(ctx, pool) })
	if !ok {
		s.metrics.unwarmed.Inc()
	}
	return ok
}

// warmBatch is how many texts are embedded before a request may come in between.
const warmBatch = 32

func (s *Service) warmNow(ctx context.Context, pool *session.Pool) {
	h, err := s.sessions.join(pool.Session)
	if err != nil {
		return
	}
	returned := false
	defer func() { s.sessions.leave(h, !returned) }()
	for batch := range slices.Chunk(pool.Candidates, warmBatch) {
		part := *pool
		part.Candidates = batch
		// Not at the gate: no client is to wait there for what none waits for.
		if err := h.engine.Warm(cores.Alone(ctx), &part); err != nil {
			if ctx.Err() == nil {
				s.Log.Warn("texts could not be embedded ahead", "error", err.Error())
			}
			break
		}
	}
	returned = true
}

// given is what was answered for a turn.
type given struct {
	pool  *session.Pool
	kept  []bool // by candidate: the selection itself would hold all its vectors
	bytes int64
}

func newGiven(pool *session.Pool, selection *selector.Selection) *given {
	g := &given{pool: pool, kept: make([]bool, len(pool.Candidates))}
	for _, i := range selection.KeptIndices {
		g.kept[i] = true
	}
	for i := range pool.Candidates {
		c := &pool.Candidates[i]
		g.bytes += int64(len(c.Text) + 4*len(c.Embedding) + 256)
	}
	return g
}

// lookBack counts what the turn before turns out to have needed and was not given,
// now that the pool after it shows what came of it. What was answered before this
// service began, or was forgotten since, is in its captures.
func (s *Service) lookBack(before *given, pool *session.Pool) {
	if before == nil && s.Recorder == nil {
		return
	}
	now := time.Now()
	s.reviews.add(func(ctx context.Context) {
		if before == nil {
			before = s.captured(ctx, pool.Session, now)
		}
		if before == nil {
			return
		}
		later, ok := laterOf(before.pool, pool)
		if !ok {
			return
		}
		needs := selector.Needs(before.pool, later)
		s.metrics.reviewed.Inc()
		s.metrics.misses.Add(float64(len(selector.Missed(needs, func(i int) bool { return before.kept[i] }))))
	})
}

// captured is what was answered for a session last, nil where that is not known.
func (s *Service) captured(ctx context.Context, key string, at time.Time) *given {
	c, err := s.Recorder.Before(ctx, key, at)
	if err != nil {
		s.Log.Debug("the last capture of a session cannot be read", "error", err.Error())
	}
	if c == nil {
		return nil
	}
	return newGiven(c.Pool, c.Selection)
}

// laterOf is what a pool shows to have happened after another one of its session. It
// is false where it shows nothing: the same turn was asked about again.
func laterOf(before, after *session.Pool) (selector.Later, bool) {
	known := make(map[string]bool, len(before.Candidates))
	for i := range before.Candidates {
		known[before.Candidates[i].ID] = true
	}
	later := selector.Later{Next: after.Query}
	for i := range after.Candidates {
		c := &after.Candidates[i]
		if known[c.ID] {
			continue
		}
		later.Run = append(later.Run, *c)
		if c.Kind == session.Assistant && c.Text != "" {
			later.Answer = c.Text
		}
	}
	return later, later.Answer != ""
}
