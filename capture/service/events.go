package service

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"pacms/selector"
	"pacms/session"
)

// What bounds those who listen.
const (
	mostListeners = 16
	// listenerRoom is how many events wait for a slow listener; it misses the rest.
	listenerRoom = 64
	// beatTime is how often a listener hears that the service is still there.
	beatTime = 15 * time.Second
	// eventTime is how long an event may take to be written.
	eventTime = 10 * time.Second
)

// eventSchema names the format of an event about a selection.
const eventSchema = "pacms.event/1"

// event is something that happened.
type event struct {
	name string
	doc  any
}

// selectionEvent sums up a selection. It has no text of the session.
type selectionEvent struct {
	Schema    string               `json:"schema"`
	RequestID string               `json:"request_id"`
	Time      time.Time            `json:"time"`
	Session   string               `json:"session,omitempty"`
	Turn      int                  `json:"turn,omitempty"`
	Strategy  string               `json:"strategy"`
	Budget    int                  `json:"budget"`
	Effective int                  `json:"effective_budget"`
	Items     int                  `json:"items"`
	Kept      int                  `json:"kept"`
	Tokens    selector.TokenCounts `json:"tokens"`
	Coverage  float64              `json:"coverage"`
	Partial   bool                 `json:"partial"`
	Over      bool                 `json:"over_budget"`
	MS        selector.Timing      `json:"ms"`
	Warnings  []string             `json:"warnings"`
	// Missed is how many events this listener has missed until now.
	Missed int `json:"missed,omitempty"`
}

func summary(id string, now time.Time, p *session.Pool, s *selector.Selection) event {
	e := selectionEvent{
		Schema: eventSchema, RequestID: id, Time: now.UTC(), Session: p.Session, Turn: p.Turn, Strategy: s.Strategy,
		Budget: s.Budget, Effective: s.EffectiveBudget, Items: len(p.Candidates), Kept: len(s.Kept), Tokens: s.Tokens,
		Coverage: s.Coverage, Partial: s.Partial, Over: s.OverBudget, MS: s.MS, Warnings: []string{},
	}
	for _, w := range s.Warnings {
		e.Warnings = append(e.Warnings, w.Code)
	}
	return event{name: "selection", doc: e}
}

// hub tells listeners what happened, and waits for none of them.
type hub struct {
	mu        sync.Mutex
	listeners map[*listener]bool
	closed    chan struct{}
}

// listener is one who listens.
type listener struct {
	events chan event
	missed int // guarded by hub.mu
}

func newHub() *hub { return &hub{listeners: make(map[*listener]bool), closed: make(chan struct{})} }

// join is nil where there are too many already.
func (h *hub) join() *listener {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.listeners) >= mostListeners {
		return nil
	}
	l := &listener{events: make(chan event, listenerRoom)}
	h.listeners[l] = true
	return l
}

func (h *hub) leave(l *listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.listeners, l)
}

func (h *hub) send(e event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range h.listeners {
		own := e
		if doc, ok := e.doc.(selectionEvent); ok && l.missed > 0 {
			doc.Missed = l.missed
			own.doc = doc
		}
		select {
		case l.events <- own:
		default:
			l.missed++
		}
	}
}

func (h *hub) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.listeners)
}

// close ends every stream.
func (h *hub) close() { close(h.closed) }

// follow streams events until the client or the service goes.
func (s *Service) follow(w *answer, r *http.Request) error {
	l := s.events.join()
	if l == nil {
		return busy(fmt.Sprintf("%d clients follow the events already", mostListeners))
	}
	defer s.events.leave(l)
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // the stream has no end
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return nil
	}
	put := func(format string, args ...any) error {
		_ = control.SetWriteDeadline(time.Now().Add(eventTime))
		if _, err := fmt.Fprintf(w, format, args...); err != nil {
			return err //nolint:wrapcheck // nobody reads it
		}
		return control.Flush()
	}
	beat := time.NewTicker(beatTime)
	defer beat.Stop()
	err := put(": pacms\n\n")
	for number := 1; err == nil; {
		select {
		case e := <-l.events:
			doc, failed := s.Encode(e.doc)
			if failed != nil {
				return failed
			}
			err = put("id: %d\nevent: %s\ndata: %s\n\n", number, e.name, doc)
			number++
		case <-beat.C:
			err = put(": still there\n\n")
		case <-r.Context().Done():
			return nil
		case <-s.events.closed:
			return nil
		}
	}
	return nil // a client that went away has no use for an error
}
