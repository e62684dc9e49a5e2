package service_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pacms/capture/service"
)

// pipes is a listener without a network, so that time can be let pass at once.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (*pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8077} }

// piped is a service that is reached by pipes.
type piped struct {
	*running
	ln *pipes
}

func startPiped(t *testing.T, change func(*service.Config)) *piped {
	t.Helper()
	ln := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	return &piped{startOn(t, ln, change), ln}
}

// dial connects to the service; false where it does not listen any more.
func (p *piped) dial() (net.Conn, bool) {
	own, other := net.Pipe()
	select {
	case p.ln.conns <- other:
		return own, true
	case <-p.ln.closed:
		return nil, false
	}
}

// post sends a pool, and returns what comes back; status 0 is no answer.
func (p *piped) post(ctx context.Context, path, body string, headers ...string) reply {
	conn, ok := p.dial()
	if !ok {
		return reply{}
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	head := "POST " + path + " HTTP/1.1\r\nHost: " + p.addr + "\r\nContent-Type: application/json\r\nConnection: close\r\n" +
		"Content-Length: " + strconv.Itoa(len(body)) + "\r\n"
	for _, h := range headers {
		head += h + "\r\n"
	}
	go func() { _, _ = io.WriteString(conn, head+"\r\n"+body) }()
	return readReply(conn)
}

// readReply is what comes back over a connection.
func readReply(conn io.Reader) reply {
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return reply{}
	}
	defer resp.Body.Close()
	all, _ := io.ReadAll(resp.Body)
	return reply{resp.StatusCode, resp.Header, string(all)}
}

// get asks for what needs no body.
func (p *piped) get(path string) reply {
	conn, ok := p.dial()
	if !ok {
		return reply{}
	}
	defer conn.Close()
	go func() { _, _ = io.WriteString(conn, "GET "+path+" HTTP/1.0\r\nHost: "+p.addr+"\r\n\r\n") }()
	return readReply(conn)
}

// metric is the value of a line of /metrics that begins so.
func (p *piped) metric(line string) string {
	for l := range strings.SplitSeq(p.get("/metrics").body, "\n") {
		if value, ok := strings.CutPrefix(l, line+" "); ok {
			return value
		}
	}
	return "none"
}

// named is a small pool of a session.
func named(session string) string {
	return `{"session":"` + session + `","query":"x","candidates":[{"id":"a","text":"x","tokens":1}]}`
}
