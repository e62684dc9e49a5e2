package ollama

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ollama/ollama/envconfig"
)

const (
	connectTime = 5 * time.Second
	idleTime    = 90 * time.Second
	// maxAnswer bounds the bytes of one answer. Sixteen vectors of 8,192
	// numbers are 3 MB.
	maxAnswer = 64 << 20
)

// errElsewhere says that the server sent a request on to another one.
var errElsewhere = errors.New("the server redirects to another host")

// CheckHost returns an error where the port in OLLAMA_HOST is none. Ollama's own
// reading takes another one instead, which would send texts to where nobody wants
// them, and logs that amid the screen.
func CheckHost() error {
	env := envconfig.Var("OLLAMA_HOST")
	_, at, found := strings.Cut(env, "://")
	if !found {
		at = env
	}
	at, _, _ = strings.Cut(at, "/")
	_, port, err := net.SplitHostPort(at)
	if err != nil {
		return nil //nolint:nilerr // there is no port
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return fmt.Errorf("OLLAMA_HOST is %q, of which %q is no port: set it as in 127.0.0.1:11434", env, port)
	}
	return nil
}

// host is the server that OLLAMA_HOST names, read as Ollama reads it. An
// address that stands for all of a server's interfaces, as in 0.0.0.0, is
// nothing to connect to on every system: the same machine is meant.
func host() *url.URL {
	base := envconfig.Host()
	ip := net.ParseIP(base.Hostname())
	if ip == nil || !ip.IsUnspecified() {
		return base
	}
	local := "127.0.0.1"
	if ip.To4() == nil {
		local = "::1"
	}
	base.Host = net.JoinHostPort(local, base.Port())
	return base
}

// newClient returns a client for the server at base. A loopback address is
// never reached through a proxy, by the rules of http.ProxyFromEnvironment, and
// texts are never sent on to a host that OLLAMA_HOST does not name.
func newClient(base *url.URL) *http.Client {
	return &http.Client{
		Transport: bounded{&http.Transport{
			Proxy:             http.ProxyFromEnvironment,
			DialContext:       (&net.Dialer{Timeout: connectTime}).DialContext,
			ForceAttemptHTTP2: true,
			IdleConnTimeout:   idleTime,
		}},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if req.URL.Host != base.Host || req.URL.Scheme != base.Scheme {
				return fmt.Errorf("%w (%s): set OLLAMA_HOST to it if that is wanted", errElsewhere, req.URL.Host)
			}
			if len(via) > 3 {
				return errors.New("the server redirects in a circle")
			}
			return nil
		},
	}
}

// bounded is a transport whose answers end with an error after maxAnswer bytes.
type bounded struct{ *http.Transport }

// RoundTrip does what the transport does.
func (b bounded) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := b.Transport.RoundTrip(req)
	if err != nil {
		return nil, err //nolint:wrapcheck // the client around it does
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{http.MaxBytesReader(nil, resp.Body, maxAnswer), resp.Body}
	return resp, nil
}
