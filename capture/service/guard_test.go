package service_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"pacms/capture/service"
)

// raw sends bytes as they are and returns the status of the answer.
func (s *running) raw(text string) (status int, body string) {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, text); err != nil {
		s.t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	all, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(all)
}

// S2: whatever name a page was given, this service answers to its own alone.
func TestHosts(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *service.Config) { c.Hosts = []string{"pacms.lan", "[fd00::1]:90", "Upper.Example:81"} })
	_, port, _ := net.SplitHostPort(s.addr)
	for host, want := range map[string]int{
		"127.0.0.1:" + port: 200, "localhost:" + port: 200, "LocalHost:" + port: 200, "localhost.:" + port: 200, "[::1]:" + port: 200,
		"pacms.lan:" + port: 200, "pacms.lan": 200, "PACMS.lan.:" + port: 200, "[fd00::1]:90": 200, "upper.example:81": 200,
		"localhost": 403, "127.0.0.1": 403, "localhost:1": 403, "localhost..:" + port: 403, "127.0.0.2:" + port: 403, "0.0.0.0:" + port: 403,
		"[localhost]:" + port: 403, "[127.0.0.1]:" + port: 403, "[pacms.lan]:" + port: 403,
		"evil.example": 403, "evil.example:" + port: 403, "evil-localhost:" + port: 403, "localhost.evil.example:" + port: 403,
		"xlocalhost:" + port: 403, "127.0.0.1.evil.example:" + port: 403, "pacms.lan:1": 403, "x.pacms.lan:" + port: 403,
		"[fd00::1]:" + port: 403, "upper.example": 403, "": 403, ":" + port: 403, "[::ffff:127.0.0.1]:" + port: 403,
	} {
		status, body := s.raw("GET /healthz HTTP/1.0\r\nHost: " + host + "\r\n\r\n")
		if status != want {
			t.Errorf("Host %q is answered with %d, want %d", host, status, want)
		}
		if status == 403 && (!strings.Contains(body, "host_not_allowed") || !strings.Contains(body, "--allow-host "+host)) {
			t.Errorf("Host %q: %s names neither host nor flag", host, body)
		}
	}
	for _, request := range []string{
		"GET /healthz HTTP/1.0\r\n\r\n",
		"GET /healthz HTTP/1.1\r\n\r\n",
		"GET /healthz HTTP/1.1\r\nHost: localhost:" + port + "\r\nHost: evil.example\r\n\r\n",
		"GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost:" + port + "\r\n\r\n",
		"GET /healthz HTTP/1.1\r\nHost: localhost:" + port + " \x00\r\n\r\n",
	} {
		if status, _ := s.raw(request); status != 400 && status != 403 {
			t.Errorf("%q is answered with %d", request, status)
		}
	}
	// Every path is guarded, and a name is not repeated at any length.
	for _, path := range []string{"/select", "/events", "/metrics", "/control", "/readyz", "/nothing"} {
		if r := s.ask("POST", path, "{}", "Host: "+strings.Repeat("x", 5000)); r.status != 403 || len(r.body) > 600 {
			t.Errorf("%s is answered with %d and %d bytes", path, r.status, len(r.body))
		}
	}
}

// S3: a page of another origin neither sends a pool nor is told anything.
func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for _, c := range []struct {
		method, path, body string
		headers            []string
		want               int
	}{
		{"POST", "/select", kettle, nil, 200},
		{"POST", "/select", kettle, []string{"Content-Type: application/json; charset=utf-8"}, 200},
		{"POST", "/select", kettle, []string{"Sec-Fetch-Site: same-origin"}, 200},
		{"POST", "/select", kettle, []string{"Sec-Fetch-Site: none"}, 200},
		{"POST", "/select", kettle, []string{"Origin: http://" + s.addr}, 200},
		{"POST", "/select", kettle, []string{"Sec-Fetch-Site: cross-site"}, 403},
		{"POST", "/select", kettle, []string{"Sec-Fetch-Site: same-site"}, 403},
		{"POST", "/select", kettle, []string{"Origin: https://evil.example"}, 403},
		{"POST", "/select", kettle, []string{"Origin: null"}, 403},
		{"POST", "/v1/select_debug", kettle, []string{"Origin: https://evil.example"}, 403},
		{"POST", "/prewarm", kettle, []string{"Origin: https://evil.example"}, 403},
		{"POST", "/control", "{}", []string{"Origin: https://evil.example", "Authorization: Bearer " + secret}, 403},
		{"OPTIONS", "/select", "", []string{"Origin: https://evil.example", "Access-Control-Request-Method: POST"}, 403},
		{"OPTIONS", "/select", "", nil, 403},
		{"POST", "/select", kettle, []string{"Content-Type: text/plain"}, 415},
		{"POST", "/select", kettle, []string{"Content-Type: application/x-www-form-urlencoded"}, 415},
		{"POST", "/select", kettle, []string{"Content-Type: multipart/form-data; boundary=x"}, 415},
		{"POST", "/select", kettle, []string{"Content-Type: "}, 415},
		{"POST", "/control", "{}", []string{"Content-Type: text/plain", "Authorization: Bearer " + secret}, 415},
		{"GET", "/select", "", nil, 405},
		{"GET", "/prewarm", "", nil, 405},
		{"PUT", "/control", "{}", []string{"Authorization: Bearer " + secret}, 405},
		{"DELETE", "/healthz", "", nil, 405},
		{"HEAD", "/healthz", "", nil, 200},
	} {
		r := s.ask(c.method, c.path, c.body, c.headers...)
		if r.status != c.want {
			t.Errorf("%s %s with %q is answered with %d, want %d: %s", c.method, c.path, c.headers, r.status, c.want, r.body)
		}
		if c.want == 405 && r.header.Get("Allow") == "" {
			t.Errorf("%s %s does not say what is allowed", c.method, c.path)
		}
		for name := range r.header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s %s with %q gives %s", c.method, c.path, c.headers, name)
			}
		}
		if r.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s may be sniffed", c.method, c.path)
		}
	}
}

// S4: to steer takes the token, from anybody.
func TestToken(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for _, auth := range []string{"", "Bearer", "Bearer ", "Bearer x", "bearer " + secret, secret, "Basic " + secret, "Bearer " + secret + "x", "Bearer " + secret[1:]} {
		for _, method := range []string{"GET", "POST"} {
			r := s.ask(method, "/control", `{"strategy":"topk"}`, "Authorization: "+auth)
			if r.status != 401 || r.header.Get("WWW-Authenticate") == "" || strings.Contains(r.body, secret) {
				t.Errorf("%s with %q is answered with %d: %s", method, auth, r.status, r.body)
			}
		}
	}
	if r := s.ask("GET", "/control", "", "Authorization: Bearer "+secret); r.status != 200 || !strings.Contains(r.body, `"strategy":null`) {
		t.Errorf("with the token: %d %s", r.status, r.body)
	}
	if r := s.ask("POST", "/select", kettle); r.status != 200 {
		t.Errorf("a selection takes no token, but: %d %s", r.status, r.body)
	}
	// A service without a token is steered by nobody.
	if r := start(t, func(c *service.Config) { c.Token = "" }).ask("POST", "/control", "{}", "Authorization: Bearer "); r.status != 401 {
		t.Errorf("without a token: %d", r.status)
	}
}

// S1, S4: where others can reach the service, nothing is answered without the token
// but whether it is up.
func TestTokenForAll(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *service.Config) { c.TokenForAll = true })
	for _, c := range []struct{ method, path string }{
		{"POST", "/select"}, {"POST", "/v1/select_debug"}, {"POST", "/prewarm"}, {"GET", "/events"}, {"GET", "/metrics"}, {"GET", "/version"}, {"GET", "/control"},
	} {
		if r := s.ask(c.method, c.path, ""); r.status != 401 {
			t.Errorf("%s is answered with %d", c.path, r.status)
		}
	}
	if r := s.ask("POST", "/select", kettle, "Authorization: Bearer "+secret); r.status != 200 {
		t.Errorf("with the token: %d %s", r.status, r.body)
	}
	if r := s.ask("GET", "/healthz", ""); r.status != 200 {
		t.Errorf("/healthz is answered with %d", r.status)
	}
}

// S25: nothing is served but what the service is for.
func TestNothingElse(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for _, path := range []string{"/", "/debug/pprof/", "/debug/pprof/heap", "/debug/vars", "/select/", "/v2/select", "/v1/metrics", "//select", "/../metrics", "/Select"} {
		r := s.ask("GET", path, "")
		if r.status != 404 {
			t.Errorf("%s is answered with %d: %.100s", path, r.status, r.body)
		} else if p := r.problem(t); p.Error.Code != "not_found" {
			t.Errorf("%s: %s", path, r.body)
		}
	}
}

// S5: what grows when it is unpacked is not taken.
func TestCompressedBodies(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for _, coding := range []string{"gzip", "deflate", "br", "zstd", "identity, gzip"} {
		if r := s.ask("POST", "/select", kettle, "Content-Encoding: "+coding); r.status != 415 || r.problem(t).Error.Code != "unsupported_encoding" {
			t.Errorf("%s: %d %s", coding, r.status, r.body)
		}
	}
	if r := s.ask("POST", "/select", kettle, "Content-Encoding: identity"); r.status != 200 {
		t.Errorf("identity: %d %s", r.status, r.body)
	}
}

// S26: headers have an end.
func TestHeaders(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for n, want := range map[int]int{6 << 10: 200, 8 << 10: 431, 100 << 10: 431} {
		status, _ := s.raw(fmt.Sprintf("GET /healthz HTTP/1.1\r\nHost: %s\r\nX: %s\r\n\r\n", s.addr, strings.Repeat("x", n)))
		if status != want {
			t.Errorf("a header of %d bytes is answered with %d, want %d", n, status, want)
		}
	}
}
