package service_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pacms/capture/service"
)

// S12, S15: what supervisors ask all the time is not told, and nothing of a session.
func TestLog(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *service.Config) { c.Recorder = new(recorder) })
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
		s.ask("GET", path, "")
	}
	s.ask("POST", "/select", kettle)
	s.ask("POST", "/select_debug", kettle)
	s.ask("POST", "/select", `{"candidates":[{"id":"a","kind":"kettle kettle","text":"hush"}]}`)
	s.ask("POST", "/select", `{"candidates":[{"id":"agent:hush","text":"x"},{"id":"agent:hush","text":"x"}]}`)
	s.ask("POST", "/kettle/hush", kettle)
	s.ask("KETTLE", "/select", kettle)
	s.ask("POST", "/control", `{"strategy":"kettle"}`, "Authorization: Bearer "+secret)
	s.ask("POST", "/control", `{"strategy":"topk"}`, "Authorization: Bearer hush-"+secret)
	s.stop()
	if err := s.ended(); err != nil {
		t.Fatal(err)
	}
	told := 0
	for line := range strings.SplitSeq(strings.TrimSpace(s.log.String()), "\n") {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if fields["level"] == "DEBUG" {
			continue
		}
		told++
		if lower := strings.ToLower(line); strings.Contains(lower, "kettle") || strings.Contains(lower, "hush") || strings.Contains(line, secret) ||
			strings.Contains(line, "healthz") || strings.Contains(line, "readyz") || strings.Contains(line, "/metrics") {
			t.Errorf("the log tells %s", line)
		}
	}
	if told < 8 {
		t.Errorf("only %d lines are told:\n%s", told, s.log)
	}
}

// S13: what is counted has the figures, and nothing of a session in it.
func TestMetrics(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *service.Config) { c.Recorder = new(recorder) })
	got := s.ask("POST", "/select", kettle, "X-Pacms-Fallbacks: timeout=2, refused=1, timeout=3").selection(t)
	s.ask("POST", "/select_debug", kettle)
	s.ask("POST", "/x/"+strings.Repeat("y", 100), kettle)
	s.ask("KETTLE", "/select", kettle)
	s.counts(`pacms_requests_total{code="405",method="other",route="/select"}`, "1")
	s.counts(`pacms_requests_total{code="200",method="POST",route="/select_debug"}`, "1")
	s.counts(`pacms_requests_total{code="200",method="POST",route="/select"}`, "1")
	s.counts(`pacms_requests_total{code="404",method="POST",route="other"}`, "1")
	s.counts(`pacms_in_flight_requests`, "1")
	r := s.ask("GET", "/metrics", "")
	if r.status != 200 || !strings.HasPrefix(r.header.Get("Content-Type"), "text/plain") {
		t.Fatalf("%d %s", r.status, r.header.Get("Content-Type"))
	}
	for _, line := range []string{
		`pacms_requests_total{code="200",method="POST",route="/select"} 1`,
		`pacms_requests_total{code="404",method="POST",route="other"} 1`,
		`pacms_requests_total{code="405",method="other",route="/select"} 1`,
		`pacms_request_duration_seconds_count{route="/select"} 2`,
		`pacms_in_flight_requests 1`,
		`pacms_queue_rejects_total 0`,
		`pacms_pool_items_sum 6`,
		`pacms_tokens_total{reason="tail",verdict="kept"} `,
		`pacms_client_fallbacks_total{cause="timeout"} 5`,
		`pacms_client_fallbacks_total{cause="refused"} 1`,
		`pacms_client_fallbacks_total{cause="open"} 0`,
		`pacms_captures_dropped_total 0`,
		`pacms_captures_busy_total 0`,
		`pacms_nonfinite_vectors_total 0`,
		`pacms_engine_fallbacks_total 0`,
		`pacms_partial_total 0`,
		`pacms_likely_misses_total 0`,
		`pacms_build_info{go="go1.26",revision="",version="v1.2.3"} 1`,
	} {
		if !strings.Contains(r.body, line) {
			t.Errorf("there is no %s", line)
		}
	}
	sum := 0
	for _, m := range regexp.MustCompile(`pacms_tokens_total\{reason="[a-z_]+",verdict="(?:kept|dropped)"\} (\d+)`).FindAllStringSubmatch(r.body, -1) {
		n := 0
		for _, d := range m[1] {
			n = 10*n + int(d-'0')
		}
		sum += n
	}
	if sum != 2*got.Tokens.Pool {
		t.Errorf("%d tokens are counted, want %d", sum, 2*got.Tokens.Pool)
	}
	if lower := strings.ToLower(r.body); strings.Contains(lower, "kettle") || strings.Contains(lower, "hush") || strings.Contains(lower, "yyy") {
		t.Errorf("the metrics tell of the session:\n%s", r.body)
	}
}

// A turn that a later one shows to have missed something is counted, also where the
// service was started anew in between.
func TestMisses(t *testing.T) {
	t.Parallel()
	kept := new(recorder)
	recorded := func(c *service.Config) { c.Recorder = kept }
	s := start(t, recorded)
	const one = `{"session":"s","turn":1,"query":"paint","budget":4,"candidates":[
		{"id":"a","text":"the staging port is 5433 now","tokens":8},{"id":"b","text":"buy green paint","tokens":4}]}`
	const two = `{"session":"s","turn":2,"query":"thanks","candidates":[
		{"id":"a","text":"the staging port is 5433 now","tokens":8},{"id":"b","text":"buy green paint","tokens":4},
		{"id":"q","text":"which port does staging use?","tokens":4},{"id":"c","kind":"assistant","text":"It is port 5433.","tokens":4}]}`
	if ids := s.ask("POST", "/select", one).selection(t).Kept; slices.Contains(ids, "a") {
		t.Fatalf("%v is kept", ids)
	}
	s.ask("POST", "/select", one) // the same again shows nothing new
	s.ask("POST", "/select", two)
	s.counts("pacms_turns_reviewed_total", "1")
	s.counts("pacms_likely_misses_total", "1")

	s.stop() // all that was answered is recorded then
	if err := s.ended(); err != nil {
		t.Fatal(err)
	}
	kept.took = kept.took[:2] // turn 1, twice
	anew := start(t, recorded)
	anew.ask("POST", "/select", two)
	anew.counts("pacms_turns_reviewed_total", "1")
	anew.counts("pacms_likely_misses_total", "1")
}
