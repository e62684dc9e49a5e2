package service

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// handler answers one kind of request. Its error becomes a problem document.
type handler func(w *answer, r *http.Request) error

// route is what can be done at one path.
type route struct {
	// name is the path without the version, for logs and metrics.
	name    string
	methods map[string]handler
	// open is true where no token is ever needed, locked where one always is.
	open, locked bool
	// quiet is true for what supervisors ask all the time.
	quiet bool
}

// table has every path.
func (s *Service) table() map[string]route {
	get := func(h handler) map[string]handler { return map[string]handler{http.MethodGet: h, http.MethodHead: h} }
	post := func(h handler) map[string]handler { return map[string]handler{http.MethodPost: h} }
	steer := get(s.showControl)
	steer[http.MethodPost] = s.setControl
	routes := map[string]route{
		"/healthz": {methods: get(s.healthz), open: true, quiet: true},
		"/readyz":  {methods: get(s.readyz), open: true, quiet: true},
		"/metrics": {methods: get(s.showMetrics), quiet: true},
		"/version": {methods: get(s.version)},
		"/events":  {methods: get(s.follow)},
		"/control": {methods: steer, locked: true},
	}
	for path, h := range map[string]handler{"/select": s.choose, "/select_debug": s.chooseDebug, "/prewarm": s.prewarm} {
		routes[path], routes["/v1"+path] = route{name: path, methods: post(h)}, route{name: path, methods: post(h)}
	}
	for path, r := range routes {
		if r.name == "" {
			r.name = path
			routes[path] = r
		}
	}
	return routes
}

// answer is the response to one request, and what is noted of it.
type answer struct {
	http.ResponseWriter
	id     string
	status int
	gone   bool // the client went away first
	// note has what the log says of it beside the usual.
	note []slog.Attr
}

// WriteHeader notes the status.
func (w *answer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write notes that the status is that of a success where none was written.
func (w *answer) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(b) //nolint:wrapcheck // it is the response itself
}

// Unwrap lets http.ResponseController find what it controls.
func (w *answer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// write answers with a document.
func (s *Service) write(w *answer, status int, doc any) error {
	body, err := s.Encode(doc)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // a client that went away has no use for an error
	return nil
}

// ServeHTTP answers a request.
func (s *Service) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	start := time.Now()
	w := &answer{ResponseWriter: rw, id: requestID(r)}
	head := w.Header()
	head.Set("X-Request-Id", w.id)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Cache-Control", "no-store")
	rt, known := s.routes[r.URL.Path]
	if !known {
		rt.name = "other"
	}
	s.metrics.inFlight.Inc()
	defer func() {
		// A panic of one request is that request's alone.
		if v := recover(); v != nil {
			s.panicked(w, v)
		}
		s.metrics.inFlight.Dec()
		s.finish(w, r, rt, time.Since(start))
	}()
	if err := s.serve(w, r, rt, known); err != nil {
		p := problemOf(r, err)
		w.note = append(w.note, slog.String("code", p.code))
		if p.path != "" {
			w.note = append(w.note, slog.String("path", p.path))
		}
		switch p.code {
		case "busy":
			s.metrics.rejected.Inc()
		case "internal":
			s.Log.Error("a request failed", "id", w.id, "route", rt.name, "error", err.Error())
		}
		s.fail(w, p)
	}
}

func (s *Service) serve(w *answer, r *http.Request, rt route, known bool) error {
	if err := s.checkHost(r); err != nil {
		return err
	}
	if r.Method == http.MethodOptions {
		return refuse(http.StatusForbidden, "cross_origin", "no other origin is allowed here")
	}
	if err := s.guard.Check(r); err != nil {
		return refuse(http.StatusForbidden, "cross_origin", "a page of another origin must not ask this")
	}
	if !known {
		return refuse(http.StatusNotFound, "not_found", "there is nothing at this path")
	}
	if rt.locked || s.TokenForAll && !rt.open {
		if err := s.checkToken(w, r); err != nil {
			return err
		}
	}
	h := rt.methods[r.Method]
	if h == nil {
		var allowed []string
		for m := range rt.methods {
			allowed = append(allowed, m)
		}
		slices.Sort(allowed)
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		return refuse(http.StatusMethodNotAllowed, "method_not_allowed", "this path takes "+strings.Join(allowed, ", "))
	}
	return h(w, r)
}

// panicked answers a request whose handler did not return.
func (s *Service) panicked(w *answer, v any) {
	s.metrics.panics.Inc()
	cause := fmt.Sprintf("%T", v) // its text may be anybody's
	var fault runtime.Error
	if err, ok := v.(error); ok && errors.As(err, &fault) {
		cause = fault.Error()
	}
	s.Log.Error("a request failed unexpectedly", "id", w.id, "cause", cause, "stack", string(debug.Stack()))
	s.fail(w, refuse(http.StatusInternalServerError, "internal", "the request failed unexpectedly; the log of the service says more"))
}

// finish notes a request in the log and in the metrics.
func (s *Service) finish(w *answer, r *http.Request, rt route, took time.Duration) {
	status := w.status
	if w.gone {
		status = statusGone
	}
	s.metrics.request(rt.name, r.Method, status, took)
	level := slog.LevelInfo
	if rt.quiet && (status < http.StatusBadRequest || status == http.StatusServiceUnavailable) {
		level = slog.LevelDebug
	}
	s.Log.LogAttrs(r.Context(), level, "request", append([]slog.Attr{
		slog.String("id", w.id), slog.String("method", method(r.Method)), slog.String("route", rt.name), slog.Int("status", status),
		slog.Float64("ms", float64(took.Microseconds())/1000),
	}, w.note...)...)
}

// method is the method of a request, of those that there are.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "other"
}

var goodID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// requestID is the client's name for the request, else a new one.
func requestID(r *http.Request) string {
	if ids := r.Header.Values("X-Request-Id"); len(ids) == 1 && goodID.MatchString(ids[0]) {
		return ids[0]
	}
	return rand.Text()
}
