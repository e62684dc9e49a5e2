package service_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"pacms/capture/service"
	"pacms/selector"
	"pacms/session"
)

// follows checks a document against a schema: "selection", or a definition of the
// service's own.
func follows(t *testing.T, name, doc string) {
	t.Helper()
	file := "pacms.service-1.json#/$defs/" + name
	if name == "selection" {
		file = "pacms.selection-1.json"
	}
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "docs", "schema", file))
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		t.Fatalf("%.300q: %v", doc, err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s is no %s: %v", doc, name, err)
	}
}

// S22: what is answered follows its schema, under both names of a path.
func TestSchemas(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	auth := "Authorization: Bearer " + secret
	for _, c := range []struct {
		schema, method, path, body string
		headers                    []string
		status                     int
	}{
		{"selection", "POST", "/select", kettle, nil, 200},
		{"selection", "POST", "/v1/select", kettle, nil, 200},
		{"selection", "POST", "/select?strategy=rag:k=2&budget=50%25", kettle, nil, 200},
		{"selection", "POST", "/select_debug", kettle, nil, 200},
		{"selection", "POST", "/v1/select_debug?strategy=pacms%2B", pool("s", 30), nil, 200},
		{"selection", "POST", "/select", `{"candidates":[]}`, nil, 200},
		{"queued", "POST", "/prewarm", kettle, nil, 202},
		{"queued", "POST", "/v1/prewarm", kettle, nil, 202},
		{"health", "GET", "/healthz", "", nil, 200},
		{"version", "GET", "/version", "", nil, 200},
		{"control", "GET", "/control", "", []string{auth}, 200},
		{"control", "POST", "/control", `{"budget":"10%"}`, []string{auth}, 200},
		{"selection", "POST", "/select", kettle, nil, 200},
		{"problem", "POST", "/control", `{"budget":"lots"}`, []string{auth}, 400},
		{"problem", "GET", "/control", "", nil, 401},
		{"problem", "POST", "/select", "{", nil, 400},
		{"problem", "POST", "/select", kettle, []string{"Content-Type: text/plain"}, 415},
		{"problem", "POST", "/select", kettle, []string{"Host: evil"}, 403},
		{"problem", "PUT", "/select", kettle, nil, 405},
		{"problem", "GET", "/nothing", "", nil, 404},
	} {
		r := s.ask(c.method, c.path, c.body, c.headers...)
		if r.status != c.status || r.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: %d, %s: %s", c.method, c.path, r.status, r.header.Get("Content-Type"), r.body)
			continue
		}
		follows(t, c.schema, r.body)
	}
	for s.ask("GET", "/readyz", "").status != 200 { // the first selection takes a moment
		time.Sleep(time.Millisecond)
	}
	follows(t, "ready", s.ask("GET", "/readyz", "").body)
}

// Every code that the source has is in the schema.
func TestCodesAreInTheSchema(t *testing.T) {
	t.Parallel()
	written := regexp.MustCompile(`(?:code: |refuse\([^,"]+, )"([a-z_]+)"`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, m := range written.FindAllStringSubmatch(readFile(t, file), -1) {
			found++
			follows(t, "problem", `{"error":{"code":"`+m[1]+`","message":"m","request_id":"i"}}`)
		}
	}
	if found < 15 {
		t.Errorf("only %d codes were found", found)
	}
}

// S14: a request keeps its name wherever it is told of.
func TestRequestIDs(t *testing.T) {
	t.Parallel()
	r := new(recorder)
	s := start(t, func(c *service.Config) { c.Recorder = r })
	for id, good := range map[string]bool{
		"turn-12.a_B": true, strings.Repeat("x", 64): true,
		"": false, strings.Repeat("x", 65): false, "a b": false, "a\tb": false, `a"b`: false, "é": false, "<script>": false,
	} {
		got := s.ask("POST", "/select", kettle, "X-Request-Id: "+id)
		own := got.header.Get("X-Request-Id")
		if good != (own == id) || own == "" {
			t.Errorf("the id %q is answered with %q", id, own)
		}
		if inBody := got.selection(t).RequestID; inBody != own {
			t.Errorf("the body has the id %q, the header %q", inBody, own)
		}
		if last := r.last(); last.RequestID != own {
			t.Errorf("the capture has the id %q, the header %q", last.RequestID, own)
		}
		for try := 0; !strings.Contains(s.log.String(), `"id":"`+own+`"`); try++ {
			if time.Sleep(time.Millisecond); try == 2000 {
				t.Fatalf("the log does not have the id %q", own)
			}
		}
	}
}

// recorder remembers captures, or does not take them.
type recorder struct {
	mu    sync.Mutex
	took  []service.Capture
	full  bool
	state service.RecorderState
}

func (r *recorder) Record(c service.Capture) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.full {
		r.state.Dropped++
		return false
	}
	r.state.Recorded++
	r.took = append(r.took, c)
	return true
}

func (r *recorder) State() service.RecorderState {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

func (r *recorder) set(full bool, trouble string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.full, r.state.Trouble = full, trouble
}

// last is the newest capture. The answer may come before it.
func (r *recorder) last() service.Capture {
	for range 1000 {
		r.mu.Lock()
		if n := len(r.took); n > 0 {
			c := r.took[n-1]
			r.took = nil
			r.mu.Unlock()
			return c
		}
		r.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
	return service.Capture{}
}

// S17, S12: whatever becomes of captures, the answer goes out, and the loss is seen.
func TestCapturesAreNotWaitedFor(t *testing.T) {
	t.Parallel()
	r := new(recorder)
	s := start(t, func(c *service.Config) { c.Recorder = r })
	got := s.ask("POST", "/select", kettle).selection(t)
	if c := r.last(); c.Pool.Session != "agent:hush" || !slices.Equal(c.Selection.Kept, got.Kept) || c.Time.IsZero() {
		t.Errorf("the capture is %+v", c)
	}
	r.set(true, "the disk is full")
	s.ask("POST", "/select", kettle).selection(t)
	ready := s.ask("GET", "/readyz", "")
	if ready.status != 503 || !strings.Contains(ready.body, "the disk is full") {
		t.Errorf("/readyz: %d %s", ready.status, ready.body)
	}
	follows(t, "ready", ready.body)
	for line, want := range map[string]string{"pacms_captures_recorded_total": "1", "pacms_captures_dropped_total": "1", "pacms_captures_busy_total": "0"} {
		s.counts(line, want)
	}
	r.set(false, "")
	for range 100 {
		if s.ask("GET", "/readyz", "").status == 200 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("it is never ready again")
}

// neutral is an answer without what differs each time.
func neutral(t *testing.T, r reply) string {
	t.Helper()
	sel := r.selection(t)
	return regexp.MustCompile(`"ms":\{[^}]*\}`).ReplaceAllString(strings.Replace(r.body, `"request_id":"`+sel.RequestID+`",`, "", 1), "")
}

// S21: the same request has the same answer to the byte, whatever came before, whoever
// asks and how warm the session is.
func TestSameAnswer(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for _, strategy := range selector.Strategies() {
		for _, path := range []string{"/select", "/v1/select", "/select_debug"} {
			path += "?strategy=" + strings.ReplaceAll(strategy, "+", "%2B")
			body := strings.Replace(pool("warm", 60), "{", `{"turn":9,"budget":90,`, 1)
			want := neutral(t, start(t, nil).ask("POST", path, body))
			s.ask("POST", path, pool("warm", 25))
			s.ask("POST", "/prewarm", pool("warm", 80))
			for range 3 {
				if got := neutral(t, s.ask("POST", path, body)); got != want {
					t.Fatalf("%s gives\n%s\na new service gives\n%s", path, got, want)
				}
			}
		}
	}
}

// S20: with all reasons it is the same selection, or none where they are turned off.
func TestDebug(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for _, strategy := range selector.Strategies() {
		query := "?budget=30%25&strategy=" + strings.ReplaceAll(strategy, "+", "%2B")
		short := s.ask("POST", "/select"+query, pool("s", 50))
		long := s.ask("POST", "/select_debug"+query, pool("s", 50))
		if n := len(long.selection(t).Candidates); n != 50 {
			t.Errorf("%s: %d candidates have their reasoning", strategy, n)
		}
		few, all := withoutTimes(t, short), withoutTimes(t, long)
		delete(all, "candidates")
		if len(few) != len(all) {
			t.Errorf("%s: %d fields, with reasons %d", strategy, len(few), len(all))
		}
		for name := range few {
			if string(few[name]) != string(all[name]) {
				t.Errorf("%s: %s is %s, with reasons %s", strategy, name, few[name], all[name])
			}
		}
	}
	off := start(t, func(c *service.Config) { c.NoDebug = true })
	for _, path := range []string{"/select_debug", "/v1/select_debug"} {
		if r := off.ask("POST", path, kettle); r.status != 403 || r.problem(t).Error.Code != "debug_off" {
			t.Errorf("%s is turned off, but: %d %.100s", path, r.status, r.body)
		}
	}
	if r := off.ask("POST", "/select", kettle); r.status != 200 {
		t.Errorf("/select: %d", r.status)
	}
}

// withoutTimes are the fields of an answer but those that differ each time.
func withoutTimes(t *testing.T, r reply) map[string]json.RawMessage {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(r.body), &fields); err != nil {
		t.Fatal(err)
	}
	delete(fields, "request_id")
	delete(fields, "ms")
	return fields
}

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

// A turn that a later one shows to have missed something is counted.
func TestMisses(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	const one = `{"session":"s","turn":1,"query":"paint","budget":4,"candidates":[
		{"id":"a","text":"the staging port is 5433 now","tokens":8},{"id":"b","text":"buy green paint","tokens":4}]}`
	const two = `{"session":"s","turn":2,"query":"thanks","candidates":[
		{"id":"a","text":"the staging port is 5433 now","tokens":8},{"id":"b","text":"buy green paint","tokens":4},
		{"id":"q","text":"which port does staging use?","tokens":4},{"id":"c","kind":"assistant","text":"It is port 5433.","tokens":4}]}`
	if kept := s.ask("POST", "/select", one).selection(t).Kept; slices.Contains(kept, "a") {
		t.Fatalf("%v is kept", kept)
	}
	s.ask("POST", "/select", one) // the same again shows nothing new
	s.ask("POST", "/select", two)
	s.counts("pacms_turns_reviewed_total", "1")
	s.counts("pacms_likely_misses_total", "1")
}

// What a person decided counts for every request, and every answer says so.
func TestControl(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	auth := "Authorization: Bearer " + secret
	steer := func(body string, want int) reply {
		t.Helper()
		r := s.ask("POST", "/control", body, auth)
		if r.status != want {
			t.Fatalf("%s: %d %s", body, r.status, r.body)
		}
		return r
	}
	warned := func(sel *selector.Selection) string {
		for _, w := range sel.Warnings {
			if w.Code == "steered" {
				return w.Message
			}
		}
		return ""
	}
	term := func(sel *selector.Selection) selector.Term { return sel.BudgetTerms["budget"] }

	sel := s.ask("POST", "/select", kettle).selection(t)
	if warned(sel) != "" || term(sel) != (selector.Term{Value: 12, Source: "request"}) {
		t.Errorf("before: %+v", sel)
	}
	steer(`{"strategy":"topk","budget":9}`, 200)
	sel = s.ask("POST", "/select?strategy=mmr&budget=5", kettle).selection(t)
	if sel.Strategy != "topk" || term(sel) != (selector.Term{Value: 9, Source: "control"}) || warned(sel) != "a person set the strategy topk and a budget of 9 tokens for every request" {
		t.Errorf("steered: %+v", sel)
	}
	// What is not named stays, what is null is given back.
	steer(`{"budget":"50%"}`, 200)
	sel = s.ask("POST", "/v1/select_debug", kettle).selection(t)
	if sel.Strategy != "topk" || term(sel).Value != 8 || !strings.Contains(warned(sel), "50% of the pool") {
		t.Errorf("half: %+v", sel)
	}
	if r := steer(`{"strategy":null}`, 200); !strings.Contains(r.body, `"strategy":null,"budget":"50%"`) {
		t.Errorf("%s", r.body)
	}
	// A request that cannot be used changes nothing.
	for _, body := range []string{
		``, `[]`, `null`, `{"strategy":"none"}`, `{"strategy":"lastk","budget":-1}`, `{"budget":[]}`, `{"budget":true}`, `{"colour":"red"}`, `{"strategy":"lastk","strategy":"topk"}`,
		`{"strategy":"lastk"}x`, `{"strategy":"lastk"`, `{"strategy":"lastk","budget":1e3}`,
	} {
		r := s.ask("POST", "/control", body, auth, "Content-Type: application/json")
		if r.status != 400 || r.problem(t).Error.Code != "bad_control" {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		}
	}
	if r := s.ask("POST", "/control", strings.Repeat(" ", 5<<10), auth); r.status != 413 {
		t.Errorf("a long one: %d", r.status)
	}
	if r := s.ask("GET", "/control", "", auth); !strings.Contains(r.body, `"strategy":null,"budget":"50%"`) {
		t.Errorf("%s", r.body)
	}
	steer(`{"budget":null}`, 200)
	if sel = s.ask("POST", "/select", kettle).selection(t); warned(sel) != "" || term(sel).Source != "request" {
		t.Errorf("afterwards: %+v", sel)
	}
}

// stream reads events from a connection.
type stream struct {
	t     *testing.T
	lines *bufio.Scanner
}

// next is the name and the data of the next event.
func (s *stream) next() (name, data string) {
	s.t.Helper()
	for s.lines.Scan() {
		line := s.lines.Text()
		if n, ok := strings.CutPrefix(line, "event: "); ok {
			name = n
		}
		if d, ok := strings.CutPrefix(line, "data: "); ok {
			return name, d
		}
	}
	s.t.Fatalf("the stream ended: %v", s.lines.Err())
	return "", ""
}

// Every selection is told to who listens, without a word of the session.
func TestEvents(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.addr+"/events", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream" || resp.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", resp.StatusCode, kind)
	}
	events := &stream{t, bufio.NewScanner(resp.Body)}
	got := s.ask("POST", "/select", kettle, "X-Request-Id: one").selection(t)
	s.ask("POST", "/select_debug", kettle, "X-Request-Id: two")
	s.ask("POST", "/control", `{"strategy":"lastk"}`, "Authorization: Bearer "+secret)
	for _, id := range []string{"one", "two"} {
		name, data := events.next()
		follows(t, "event", data)
		var e struct {
			RequestID string `json:"request_id"`
			Session   string
			Turn      int
			Items     int
			Kept      int
			Budget    int
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatal(err)
		}
		if name != "selection" || e.RequestID != id || e.Session != "agent:hush" || e.Turn != 3 || e.Items != 3 || e.Kept != len(got.Kept) || e.Budget != 12 || strings.Contains(data, "kettle") {
			t.Errorf("event %s: %s", name, data)
		}
	}
	name, data := events.next()
	if follows(t, "control", data); name != "control" || !strings.Contains(data, "lastk") {
		t.Errorf("event %s: %s", name, data)
	}
	// There is room for so many and no more.
	for i := 1; ; i++ {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.addr+"/events", http.NoBody)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode == http.StatusServiceUnavailable {
			if i != 16 {
				t.Errorf("the listener after %d is refused", i)
			}
			return
		}
		if i > 16 {
			t.Fatal("any number may listen")
		}
	}
}

// S7: a stream is not cut off, and a listener that does not read holds up nobody.
func TestEventsLast(t *testing.T) {
	timed(t, nil, func(t *testing.T, s *piped) {
		reading, _ := s.dial()
		defer reading.Close()
		deaf, _ := s.dial()
		defer deaf.Close()
		for _, conn := range []interface{ Write([]byte) (int, error) }{reading, deaf} {
			if _, err := conn.Write([]byte("GET /events HTTP/1.1\r\nHost: " + s.addr + "\r\n\r\n")); err != nil {
				t.Fatal(err)
			}
		}
		lines := make(chan string, 10_000)
		go func() {
			defer close(lines)
			for scan := bufio.NewScanner(reading); scan.Scan(); {
				lines <- scan.Text()
			}
		}()
		synctest.Wait()
		if n := s.metric("pacms_event_listeners"); n != "2" {
			t.Errorf("%s listen", n)
		}
		begun := time.Now()
		for range 200 {
			if r := s.post(t.Context(), "/select", named("s")); r.status != 200 {
				t.Fatalf("%d", r.status)
			}
			synctest.Wait() // for the one that reads
		}
		if took := time.Since(begun); took > 0 {
			t.Errorf("a deaf listener held up others for %v", took)
		}
		time.Sleep(61 * time.Second)
		if n := s.metric("pacms_event_listeners"); n != "1" {
			t.Errorf("%s listen after a minute, want the one that reads", n)
		}
		s.post(t.Context(), "/select", named("late"))
		synctest.Wait()
		reading.Close()
		selections, beats, late := 0, 0, false
		for line := range lines {
			switch {
			case line == "event: selection":
				selections++
			case line == ": still there":
				beats++
			case strings.Contains(line, `"session":"late"`):
				late = true
			}
		}
		if selections != 201 || beats < 3 || !late {
			t.Errorf("%d selections and %d beats were heard, the last: %v", selections, beats, late)
		}
	})
}

// Sessions are forgotten when nobody asked for long, or others need the memory.
func TestSessionsAreForgotten(t *testing.T) {
	timed(t, nil, func(t *testing.T, s *piped) {
		s.post(t.Context(), "/select", named("s"))
		s.post(t.Context(), "/select", `{"query":"x","candidates":[{"id":"a","text":"x","tokens":1}]}`)
		if n := s.metric("pacms_sessions"); n != "1" {
			t.Errorf("%s sessions are held", n)
		}
		time.Sleep(29 * time.Minute)
		if n := s.metric("pacms_sessions"); n != "1" {
			t.Errorf("%s sessions are held after 29 minutes", n)
		}
		time.Sleep(3 * time.Minute)
		if n := s.metric("pacms_sessions"); n != "0" {
			t.Errorf("%s sessions are held after half an hour", n)
		}
	})
	const bound = 512 << 10
	c := new(counted)
	timed(t, func(cfg *service.Config) { cfg.Limits.Memory, cfg.Chooser = bound, c }, func(t *testing.T, s *piped) {
		for i := range 12 {
			time.Sleep(time.Second)
			s.post(t.Context(), "/select", pool(string(rune('a'+i)), 60))
			var bytes float64
			if err := json.Unmarshal([]byte(s.metric("pacms_session_bytes")), &bytes); err != nil || bytes > bound {
				t.Errorf("%v bytes are held after %d sessions, %v", bytes, i+1, err)
			}
		}
		if n := s.metric("pacms_sessions"); n == "12" || n == "0" {
			t.Errorf("%s sessions are held", n)
		}
		// The newest is among them: it needs no new engine.
		before := c.made.Load()
		s.post(t.Context(), "/select", pool("l", 60))
		if c.made.Load() != before {
			t.Error("the newest session is forgotten")
		}
		s.post(t.Context(), "/select", pool("a", 60))
		if c.made.Load() != before+1 {
			t.Error("the oldest session is held")
		}
	})
}

// counted counts the engines that it makes.
type counted struct {
	chooser
	made atomic.Int32
}

func (c *counted) Engine() *selector.Engine {
	c.made.Add(1)
	return c.chooser.Engine()
}

// What was made ready ahead is there when the question comes.
func TestPrewarm(t *testing.T) {
	c := new(peeking)
	timed(t, func(cfg *service.Config) { cfg.Chooser = c }, func(t *testing.T, s *piped) {
		c.seen = make(chan int64, 100)
		synctest.Wait()
		if r := s.post(t.Context(), "/prewarm", pool("s", 100)); r.status != 202 {
			t.Fatalf("%d %s", r.status, r.body)
		}
		synctest.Wait()
		s.post(t.Context(), "/select", pool("s", 100))
		s.post(t.Context(), "/select", pool("cold", 100))
		if warm, cold := <-c.seen, <-c.seen; warm < 100*1024 || cold != 0 {
			t.Errorf("the engine holds %d bytes before the question, of a cold session %d", warm, cold)
		}
	})
}

// peeking tells what an engine holds before it is asked.
type peeking struct {
	chooser
	seen chan int64
}

func (p *peeking) Choose(ctx context.Context, e *selector.Engine, pool *session.Pool, ask service.Ask) (*selector.Selection, error) {
	if pool.Session != "" {
		p.seen <- e.Bytes()
	}
	return p.chooser.Choose(ctx, e, pool, ask)
}
