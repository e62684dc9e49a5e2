package service

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"pacms/selector"
	"pacms/session"
)

// metrics are what the service counts. No label has anything of a session.
type metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	seconds   *prometheus.HistogramVec
	inFlight  prometheus.Gauge
	rejected  prometheus.Counter
	items     prometheus.Histogram
	tokens    *prometheus.CounterVec
	partial   prometheus.Counter
	nonfinite prometheus.Counter
	unknown   prometheus.Counter
	engine    prometheus.Counter
	fallbacks *prometheus.CounterVec
	unwarmed  prometheus.Counter
	reviewed  prometheus.Counter
	misses    prometheus.Counter
	panics    prometheus.Counter
}

func newMetrics(s *Service) *metrics {
	m := &metrics{registry: prometheus.NewRegistry()}
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Name: "pacms_" + name, Help: help})
		m.registry.MustRegister(c)
		return c
	}
	counters := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pacms_" + name, Help: help}, labels)
		m.registry.MustRegister(c)
		return c
	}
	read := func(name, help string, value func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "pacms_" + name, Help: help}, value))
	}
	m.requests = counters("requests_total", "Requests by route, method and status; 499 is a client that went away.", "route", "method", "code")
	m.seconds = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "pacms_request_duration_seconds", Help: "How long requests took, by route.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 1.5, 2.5, 5, 10},
	}, []string{"route"})
	m.inFlight = prometheus.NewGauge(prometheus.GaugeOpts{Name: "pacms_in_flight_requests", Help: "Requests that are being answered."})
	m.items = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "pacms_pool_items", Help: "Candidates of the pools.", Buckets: []float64{10, 30, 100, 300, 1000, 3000, 10_000},
	})
	m.registry.MustRegister(m.seconds, m.inFlight, m.items)
	m.rejected = counter("queue_rejects_total", "Requests refused because too much was waiting.")
	m.tokens = counters("tokens_total", "Tokens of the pools by verdict and reason.", "verdict", "reason")
	m.partial = counter("partial_total", "Selections that the deadline cut short.")
	m.nonfinite = counter("nonfinite_vectors_total", "Vectors of requests that are zero or not finite.")
	m.unknown = counter("unknown_fields_total", "Fields of requests that a pool does not have.")
	m.engine = counter("engine_fallbacks_total", "Selections made with the built-in embedder in the place of another.")
	m.fallbacks = counters("client_fallbacks_total", "Turns that clients went without an answer, as they report, by cause.", "cause")
	m.unwarmed = counter("prewarm_dropped_total", "Pools that were not embedded ahead for want of time.")
	m.reviewed = counter("turns_reviewed_total", "Turns that a later pool of their session shows the outcome of.")
	m.misses = counter("likely_misses_total", "What those turns seem to have needed and were not given (an estimate).")
	m.panics = counter("panics_total", "Requests and background work that failed unexpectedly.")
	read("sessions", "Sessions whose vectors are held.", func() float64 { n, _ := s.sessions.count(); return float64(n) })
	read("session_bytes", "Estimated memory of those.", func() float64 { _, bytes := s.sessions.count(); return float64(bytes) })
	read("event_listeners", "Clients that follow the events.", func() float64 { return float64(s.events.count()) })
	if s.Recorder != nil {
		m.recorder(s.Recorder)
	}
	info := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "pacms_build_info", Help: "The build; always 1."}, []string{"version", "revision", "go"})
	info.WithLabelValues(s.Build.Version, s.Build.Revision, s.Build.Go).Set(1)
	m.registry.MustRegister(info)
	for _, cause := range fallbackCauses { // so that each is there before it happens
		m.fallbacks.WithLabelValues(cause)
	}
	return m
}

// recorder has the metrics read how captures fare.
func (m *metrics) recorder(r Recorder) {
	for _, c := range []struct {
		name, help string
		value      func(RecorderState) uint64
	}{
		{"captures_recorded_total", "Captures that were stored.", func(s RecorderState) uint64 { return s.Recorded }},
		{"captures_dropped_total", "Captures that were not stored.", func(s RecorderState) uint64 { return s.Dropped }},
		{"captures_busy_total", "How often the store of captures was locked by another program.", func(s RecorderState) uint64 { return s.Busy }},
	} {
		m.registry.MustRegister(prometheus.NewCounterFunc(
			prometheus.CounterOpts{Name: "pacms_" + c.name, Help: c.help},
			func() float64 { return float64(c.value(r.State())) }))
	}
}

// request counts an answer.
func (m *metrics) request(route, verb string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, method(verb), strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

// selected counts what was chosen.
func (m *metrics) selected(pool *session.Pool, s *selector.Selection) {
	m.items.Observe(float64(len(pool.Candidates)))
	type fate struct {
		verdict string
		reason  selector.Code
	}
	sums := make(map[fate]int)
	for i := range pool.Candidates {
		f := fate{"dropped", s.Code(i)}
		if s.Keeps(i) {
			f.verdict = "kept"
		}
		sums[f] += pool.Candidates[i].Tokens
	}
	for f, n := range sums {
		m.tokens.WithLabelValues(f.verdict, string(f.reason)).Add(float64(n))
	}
	if s.Partial {
		m.partial.Inc()
	}
	for _, w := range s.Warnings {
		switch w.Code {
		case "nonfinite_vectors":
			m.nonfinite.Add(float64(w.Count))
		case "unknown_fields":
			m.unknown.Add(float64(w.Count))
		case "embedder_fallback":
			m.engine.Inc()
		}
	}
}

// fallbackCauses are why a client may have gone without an answer.
var fallbackCauses = []string{"refused", "timeout", "error", "invalid", "open", "other"}

// mostFallbacks bounds what one request may report of a cause.
const mostFallbacks = 1000

// noteFallbacks counts what a client reports of the turns since it last asked, as
// "timeout=2, refused=1".
func (s *Service) noteFallbacks(r *http.Request) error {
	given := r.Header.Get(fallbacksHeader)
	if given == "" {
		return nil
	}
	counts := make(map[string]int)
	for part := range strings.SplitSeq(given, ",") {
		cause, number, _ := strings.Cut(strings.TrimSpace(part), "=")
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || n > mostFallbacks || !slices.Contains(fallbackCauses, cause) {
			return &problem{
				status: http.StatusBadRequest, code: "bad_header", path: fallbacksHeader,
				message: "fallbacks are counts up to " + strconv.Itoa(mostFallbacks) + " by cause, as timeout=2, refused=1; causes are " + strings.Join(fallbackCauses, ", "),
			}
		}
		counts[cause] += n
	}
	for cause, n := range counts {
		s.metrics.fallbacks.WithLabelValues(cause).Add(float64(n))
	}
	return nil
}

// showMetrics answers in the format of Prometheus.
func (s *Service) showMetrics(w *answer, r *http.Request) error {
	promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{DisableCompression: true}).ServeHTTP(w, r)
	return nil
}
