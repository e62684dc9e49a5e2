package service_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"pacms/capture/service"
)

// small has limits that tests reach.
func small(c *service.Config) {
	c.Limits.Body, c.Limits.Text, c.Limits.Items, c.Limits.DebugItems = 8<<10, 100, 20, 5
}

// S5: what is too much is refused, and the answer names the limit.
func TestLimits(t *testing.T) {
	t.Parallel()
	s := start(t, small)
	text := func(n int) string {
		return fmt.Sprintf(`{"query":"q","candidates":[{"id":"a","text":%q}]}`, strings.Repeat("x", n))
	}
	for name, c := range map[string]struct {
		path, body, code, said, at string
		status                     int
	}{
		"all within":       {path: "/select", body: pool("s", 20), status: 200},
		"a text":           {path: "/select", body: text(100), status: 200},
		"a longer text":    {"/select", text(101), "too_large", "more than 100", "$.candidates[0].text", 413},
		"another":          {"/select", pool("s", 21), "too_large", "more than 20 candidates", "$.candidates", 413},
		"with reasons":     {path: "/select_debug", body: pool("s", 5), status: 200},
		"too many reasons": {"/select_debug", pool("s", 6), "too_large", "more than 5 candidates", "$.candidates", 413},
		"a body":           {"/select", text(8 << 10), "too_large", "longer than 8 KiB", "", 413},
		"depth":            {"/select", `{"x":` + strings.Repeat("[", 3000), "too_large", "deeper than 100", "$.x[0][0][0][0][0]…91 more…[0][0][0]", 413},
		"blanks":           {"/prewarm", strings.Repeat(" ", 9<<10), "too_large", "longer than 8 KiB", "", 413},
	} {
		r := s.ask("POST", c.path, c.body)
		if r.status != c.status {
			t.Errorf("%s: %d %s", name, r.status, r.body)
			continue
		}
		if c.status == 200 {
			continue
		}
		if p := r.problem(t).Error; p.Code != c.code || !strings.Contains(p.Message, c.said) || p.Path != c.at {
			t.Errorf("%s: %s", name, r.body)
		}
	}
	// The length need not be known.
	req, err := http.NewRequest(http.MethodPost, "http://"+s.addr+"/select", io.MultiReader(strings.NewReader(text(5 << 10)[:5<<10]), strings.NewReader(strings.Repeat("x", 5<<10))))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a body of unknown length is answered with %d", resp.StatusCode)
	}
	s.counts(`pacms_requests_total{code="413",method="POST",route="/select"}`, "5")
}

// S6: what may be a mistake is refused with its place.
func TestMistakes(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for body, at := range map[string]string{
		``:                                  "$",
		`[]`:                                "$",
		`{"candidates":`:                    "$.candidates",
		`{"candidates":[]}x`:                "$",
		`{"candidates":[]}{}`:               "$",
		`{"candidates":[],"candidates":[]}`: "$.candidates",
		`{"candidates":[{"id":"a","text":"x","text":"y"}]}`:            "$.candidates[0].text",
		`{"candidates":[{"id":"a","text":"x","tokens":-1}]}`:           "$.candidates[0].tokens",
		`{"candidates":[{"id":"a","text":"x","tokens":NaN}]}`:          "$.candidates[0].tokens",
		`{"candidates":[{"id":"a","text":"x","tokens":1e400}]}`:        "$.candidates[0].tokens",
		`{"query_embedding":[1e999],"candidates":[]}`:                  "$.query_embedding[0]",
		`{"query_embedding":[Infinity],"candidates":[]}`:               "$.query_embedding",
		`{"candidates":[{"text":"x"}]}`:                                "$.candidates[0].id",
		`{"candidates":[{"id":"a","text":"x"},{"id":"a","text":"y"}]}`: "$.candidates[1].id",
		`{"candidates":[{"id":"a","kind":7,"text":"x"}]}`:              "$.candidates[0].kind",
		`{"budget":-4,"candidates":[]}`:                                "$.budget",
		`{"schema":"pacms.pool/2","candidates":[]}`:                    "$.schema",
		"{\x00}":             "$",
		"\xff\xfe{\x00}\x00": "$",
	} {
		r := s.ask("POST", "/select", body, "Content-Type: application/json")
		if r.status != 400 {
			t.Errorf("%q is answered with %d: %s", body, r.status, r.body)
			continue
		}
		if p := r.problem(t).Error; p.Code != "bad_pool" || p.Path != at || p.RequestID == "" {
			t.Errorf("%q: %s, want the path %s", body, r.body, at)
		}
	}
	if r := s.ask("POST", "/prewarm", `{"candidates":[]}`); r.status != 400 || r.problem(t).Error.Path != "$.session" {
		t.Errorf("to make ready what has no name: %d %s", r.status, r.body)
	}
	for header, value := range map[string]string{"X-Pacms-Deadline-Ms": "0", "X-Pacms-Fallbacks": "hunger=1"} {
		for _, v := range []string{value, "-1", "x", "1.5", "99999999999999999999"} {
			if r := s.ask("POST", "/select", kettle, header+": "+v); r.status != 400 || r.problem(t).Error.Path != header {
				t.Errorf("%s: %s is answered with %d: %s", header, v, r.status, r.body)
			}
		}
	}
	for query, at := range map[string]string{
		"strategy=none": "strategy", "strategy=topk&strategy=topk": "strategy", "budget=-1": "budget", "budget=lots": "budget", "colour=red": "colour", "budget=": "budget",
	} {
		if r := s.ask("POST", "/select?"+query, kettle); r.status != 400 || r.problem(t).Error.Path != at {
			t.Errorf("?%s is answered with %d: %s", query, r.status, r.body)
		}
	}
}

// S6, S16: what is odd about a pool is said in the answer, and counted.
func TestOddities(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for body, code := range map[string]string{
		`{"colour":"red","query":"x","candidates":[{"id":"a","text":"x","size":4}]}`:                               "unknown_fields",
		`{"query":"x","candidates":[{"id":"a","kind":"robot","text":"x"}]}`:                                        "odd_kind",
		`{"query":"x","candidates":[{"id":"a","kind":"tool","text":"x","tool":{"name":"read","call_id":"none"}}]}`: "orphan_tool_result",
		`{"query":"x","query_embedding":[1,0],"candidates":[{"id":"a","tokens":1,"embedding":[0,0]}]}`:             "nonfinite_vectors",
		`{"query":"","candidates":[{"id":"a","text":"xx yy zz","tokens":9},{"id":"b","text":"yy","tokens":9}]}`:    "query_empty",
		"{\"query\":\"x\",\"candidates\":[{\"id\":\"a\",\"text\":\"\xff\"}]}":                                      "invalid_unicode",
		`{"query":"x","budget":1,"candidates":[{"id":"a","text":"x","tokens":5,"required":true}]}`:                 "over_budget",
	} {
		var codes []string
		for _, w := range s.ask("POST", "/select", body).selection(t).Warnings {
			codes = append(codes, w.Code)
		}
		if !strings.Contains(strings.Join(codes, " "), code) {
			t.Errorf("%s gives the warnings %v, not %s", body, codes, code)
		}
	}
	for line, want := range map[string]string{"pacms_unknown_fields_total": "2", "pacms_nonfinite_vectors_total": "1"} {
		s.counts(line, want)
	}
}

// A body that ends too early is told so, where somebody still listens.
func TestCutOff(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for _, sent := range []int{1, 42, 300 << 10, 2 << 20} {
		conn, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := fmt.Fprintf(conn, "POST /select HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			s.addr, 16<<20, strings.Repeat(" ", sent)); err != nil {
			t.Fatal(err)
		}
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(conn)
		if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") || !strings.Contains(string(answer), `"cut_off"`) {
			t.Errorf("%d bytes of 16 MiB are answered with %q, %v", sent, answer, err)
		}
	}
}

// A body in chunks that are none is the client's fault, not one of the service.
func TestMalformedChunks(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for _, path := range []string{"/select", "/prewarm", "/control"} {
		conn, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n\r\n",
			path, s.addr, secret); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(conn)
		if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") || !strings.Contains(string(answer), `"bad_body"`) {
			t.Errorf("%s: %q, %v", path, answer, err)
		}
	}
}

// What of the query cannot be read is refused and not left out.
func TestMalformedParameters(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for _, query := range []string{"budget=45%", "strategy=topk;budget=1", "budget=%zz&strategy=topk", "%=1", "strategy=pacms+"} {
		r := s.ask("POST", "/select?"+query, kettle)
		if p := r.problem(t).Error; r.status != 400 || p.Code != "bad_parameter" || !strings.Contains(p.Message, "%2") {
			t.Errorf("%s: %d %s", query, r.status, r.body)
		}
	}
}
