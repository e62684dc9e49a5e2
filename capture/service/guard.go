package service

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// loopback are the names of this machine that no foreign name server can give to
// something else.
var loopback = []string{"127.0.0.1", "localhost", "::1"}

// checkHost refuses requests to names that are not this service's: a page whose name
// was made to point here would send its own.
func (s *Service) checkHost(r *http.Request) error {
	if s.knows(r.Host) {
		return nil
	}
	name := r.Host
	if len(name) > 100 {
		name = name[:100] + "…"
	}
	return refuse(http.StatusForbidden, "host_not_allowed", fmt.Sprintf(
		"the Host %q is none of this service's names; if it should be, start the service with --allow-host %s", name, name))
}

// knows reports whether a Host header names this service.
func (s *Service) knows(host string) bool {
	name, port := splitHost(host)
	if name == "" {
		return false
	}
	own := strconv.FormatInt(s.port.Load(), 10)
	for _, n := range loopback {
		if name == n {
			return port == own || port == "" && own == "80"
		}
	}
	for _, h := range s.Hosts {
		n, p := splitHost(h)
		if n == name && (p == port || p == "" && (port == own || port == "")) {
			return true
		}
	}
	return false
}

// splitHost is the name and the port of a host, the name in lower case and without a
// dot at its end; the port is empty where there is none, and the name where it is none.
func splitHost(host string) (name, port string) {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), ""
	}
	if strings.HasPrefix(host, "[") && !strings.Contains(name, ":") { // brackets are for addresses of IPv6
		return "", port
	}
	return strings.TrimSuffix(strings.ToLower(name), "."), port
}

// checkToken refuses who does not bring the token.
func (s *Service) checkToken(w *answer, r *http.Request) error {
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	// Hashes have one length, so that the time tells nothing of the token's.
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.Token))
	if ok && s.Token != "" && subtle.ConstantTimeCompare(a[:], b[:]) == 1 {
		return nil
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="pacms"`)
	return refuse(http.StatusUnauthorized, "unauthorized",
		"this needs the token of the service, as Authorization: Bearer TOKEN; the service said at its start in which file it is")
}

// checkType refuses a body that is not plain JSON: what a form can send is never
// taken, nor what grows when it is unpacked.
func checkType(r *http.Request) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" || len(r.Header.Values("Content-Type")) != 1 {
		return refuse(http.StatusUnsupportedMediaType, "unsupported_type", "the body has to be sent as Content-Type: application/json")
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return refuse(http.StatusUnsupportedMediaType, "unsupported_encoding", "the body has to be sent as it is, not compressed")
	}
	return nil
}
