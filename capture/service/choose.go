package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"pacms/selector"
	"pacms/session"
	"pacms/session/cores"
	"pacms/session/poolfile"
)

// answerBytes is how long an answer may be.
const answerBytes = 64 << 20

// The headers that a request for a selection may have.
const (
	deadlineHeader  = "X-Pacms-Deadline-Ms"
	fallbacksHeader = "X-Pacms-Fallbacks"
)

// choose answers with what is kept of a pool.
func (s *Service) choose(w *answer, r *http.Request) error { return s.chosen(w, r, false) }

// chooseDebug does the same, and gives every candidate with its reasoning.
func (s *Service) chooseDebug(w *answer, r *http.Request) error {
	if s.NoDebug {
		return refuse(http.StatusForbidden, "debug_off", "this service gives no reasoning: it was started with --no-debug")
	}
	return s.chosen(w, r, true)
}

// chosen answers with a selection.
func (s *Service) chosen(w *answer, r *http.Request, reasoning bool) error {
	start := time.Now()
	if err := s.noteFallbacks(r); err != nil {
		return err
	}
	inTime, err := s.deadline(r)
	if err != nil {
		return err
	}
	ask, steered, err := s.asked(r)
	if err != nil {
		return err
	}
	ask.Debug = reasoning
	deadline := start.Add(inTime)
	waiting, cancel := context.WithDeadline(r.Context(), deadline)
	defer cancel()
	pool, size, done, err := s.receive(waiting, w, r, reasoning)
	if err != nil {
		return err
	}
	defer done()
	asker := r.Context()
	if size >= large {
		asker = cores.Alone(asker)
	}
	// What the client waits for includes the time to send the pool.
	ctx, cancel := selector.InTime(asker, deadline)
	defer cancel()
	selection, err := s.inSession(ctx, pool, size, ask)
	if err != nil {
		return err
	}
	selection.RequestID = w.id
	if steered != nil {
		selection.Warnings = append(selection.Warnings, *steered)
	}
	w.note = append(w.note, slog.Int("items", len(pool.Candidates)), slog.Int("kept", len(selection.Kept)),
		slog.Int("tokens", selection.Tokens.Kept), slog.Bool("partial", selection.Partial))
	body, err := s.Encode(selection)
	if err != nil {
		return fmt.Errorf("write the selection: %w", err)
	}
	if len(body) > answerBytes {
		return refuse(http.StatusRequestEntityTooLarge, "too_large", "the answer would be longer than "+sizeText(answerBytes))
	}
	if r.Context().Err() != nil {
		return r.Context().Err()
	}
	now := time.Now()
	s.metrics.selected(pool, selection)
	s.events.send(summary(w.id, now, pool, selection))
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)+1))
	_, _ = w.Write(append(body, '\n')) // a client that went away has no use for an error
	_ = http.NewResponseController(w).Flush()
	// Nobody waits for what follows.
	if s.Recorder != nil {
		s.Recorder.Record(Capture{RequestID: w.id, Time: now, Pool: pool, Selection: selection})
		s.tellTrouble()
	}
	if selection.Partial {
		s.warmLater(pool)
	}
	return nil
}

// inSession selects where the session's earlier turns have left their vectors.
func (s *Service) inSession(ctx context.Context, pool *session.Pool, size int64, ask Ask) (selection *selector.Selection, err error) {
	h, err := s.sessions.join(pool.Session)
	if err != nil {
		return nil, err
	}
	returned := false
	defer func() { s.sessions.leave(h, !returned) }()
	selection, err = s.inTurn(ctx, h, pool, size, ask)
	returned = true
	return selection, err
}

func (s *Service) inTurn(ctx context.Context, h *held, pool *session.Pool, size int64, ask Ask) (*selector.Selection, error) {
	if err := take(ctx, h.turn); err != nil {
		return nil, err
	}
	defer func() { <-h.turn }()
	done, err := s.gate.of(size).work(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	selection, err := s.Chooser.Choose(ctx, h.engine, pool, ask)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, busy("time was up before anything could be chosen")
		}
		return nil, err
	}
	if h.named {
		s.lookBack(h.last.Swap(newGiven(pool, selection)), pool)
	}
	return selection, nil
}

// receive reads the pool of a request. done is to be called when the request is over;
// until then it has a place among those who wait for a worker, as long as waiting goes
// on: reading what has come has no deadline.
func (s *Service) receive(waiting context.Context, w *answer, r *http.Request, reasoning bool) (pool *session.Pool, size int64, done func(), err error) {
	if err := checkType(r); err != nil {
		return nil, 0, nil, err
	}
	body, free, err := s.read(w, r)
	if err != nil {
		return nil, 0, nil, err
	}
	defer free()
	size = int64(len(body))
	queue := s.gate.of(size)
	leave, err := queue.enter()
	if err != nil {
		return nil, 0, nil, err
	}
	defer func() {
		if pool == nil {
			leave()
		}
	}()
	worked, err := queue.work(waiting)
	if err != nil {
		return nil, 0, nil, err
	}
	defer worked()
	lim := poolfile.Limits{Candidates: s.Limits.Items, Text: s.Limits.Text}
	if reasoning {
		lim.Candidates = min(lim.Candidates, s.Limits.DebugItems)
	}
	if pool, err = poolfile.DecodeWithin(r.Context(), body, s.Chooser.Counter(), lim); err != nil {
		return nil, 0, nil, err
	}
	return pool, size, leave, nil
}

// deadline is how long a client waits.
func (s *Service) deadline(r *http.Request) (time.Duration, error) {
	given := r.Header.Get(deadlineHeader)
	if given == "" {
		return s.Limits.Deadline, nil
	}
	ms, err := strconv.Atoi(given)
	if err != nil || ms < 1 {
		return 0, &problem{
			status: http.StatusBadRequest, code: "bad_header", path: deadlineHeader,
			message: "a deadline is a whole number of milliseconds from 1 on",
		}
	}
	return min(time.Duration(min(ms, 1<<30))*time.Millisecond, maxDeadline), nil
}

// asked is what a request asks for beside its pool, and what is said where a person
// decided otherwise.
func (s *Service) asked(r *http.Request) (Ask, *session.Warning, error) {
	var ask Ask
	bad := func(name, message string) error {
		return &problem{status: http.StatusBadRequest, code: "bad_parameter", message: message, path: name}
	}
	parameters, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return ask, nil, bad("", "the parameters cannot be read: "+err.Error()+" (% is written as %25, & stands between two of them)")
	}
	for name, values := range parameters {
		if len(values) != 1 {
			return ask, nil, bad(name, "given twice")
		}
		switch name {
		case "strategy":
			if strings.Contains(values[0], " ") {
				return ask, nil, bad(name, "has a blank, which a + in an address is: it is written %2B")
			}
			strategy, err := selector.ParseStrategy(values[0])
			if err != nil {
				return ask, nil, bad(name, plainly(err))
			}
			ask.Strategy = &strategy
		case "budget":
			budget, err := selector.ParseBudget(values[0])
			if err != nil {
				return ask, nil, bad(name, plainly(err))
			}
			ask.Budget, ask.Source = &budget, "request"
		default:
			return ask, nil, bad(name, "there is no such parameter: there are strategy and budget")
		}
	}
	return ask, s.control.apply(&ask), nil
}
