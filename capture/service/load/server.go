package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// server is a service that runs for the measurement alone.
type server struct {
	cmd     *exec.Cmd
	address string
	client  *http.Client
}

// open starts the program.
func open(ctx context.Context, program, folder string) (*server, error) {
	s := &server{client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	s.cmd = exec.CommandContext(ctx, program, "serve", "--listen", "127.0.0.1:0", "--log-level", "warn",
		"--address-file", filepath.Join(folder, "address"), "--token-file", filepath.Join(folder, "token"), "--captures", filepath.Join(folder, "captures.sqlite"))
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(os.Interrupt) }
	s.cmd.Stderr = os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("load: the service does not say where it is: %w", err), s.close())
	}
	s.address = strings.TrimPrefix(strings.TrimSpace(line), "http://")
	return s, nil
}

// close ends the service, and returns an error where it does not end well.
func (s *server) close() error {
	_ = s.cmd.Process.Signal(os.Interrupt) // it may have ended already
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("load: the service: %w", err)
	}
	return nil
}

// poster returns what sends a pool and gives the status of the answer.
func (s *server) poster(body string) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.address+"/select", strings.NewReader(body))
		if err != nil {
			return 0, fmt.Errorf("load: %w", err)
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := s.client.Do(req)
		if err != nil {
			return 0, fmt.Errorf("load: %w", err)
		}
		defer func() { _ = resp.Body.Close() }()
		_, err = io.Copy(io.Discard, resp.Body)
		return resp.StatusCode, err //nolint:wrapcheck // it is counted, not told
	}
}

// drip sends a large request a byte at a time until it is cut off.
func (s *server) drip(ctx context.Context) (int, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.address)
	if err != nil {
		return 0, fmt.Errorf("load: %w", err)
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	const head = "POST /select HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 16000000\r\n\r\n{"
	if _, err := fmt.Fprintf(conn, head, s.address); err != nil {
		return 0, fmt.Errorf("load: %w", err)
	}
	for {
		if _, err := io.WriteString(conn, " "); err != nil {
			return http.StatusRequestTimeout, nil //nolint:nilerr // it was cut off, as it should be
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// lost are the figures about captures, once those that wait are stored.
func (s *server) lost() (map[string]string, error) {
	figures := make(map[string]string)
	for range 100 {
		resp, err := s.client.Get("http://" + s.address + "/metrics") //nolint:noctx // of a service of its own
		if err != nil {
			return nil, fmt.Errorf("load: %w", err)
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil {
			return nil, fmt.Errorf("load: %w", err)
		}
		before := figures["pacms_captures_recorded_total"]
		for line := range strings.SplitSeq(string(text), "\n") {
			if name, value, ok := strings.Cut(line, " "); ok && strings.HasPrefix(name, "pacms_captures_") {
				figures[name] = value
			}
		}
		if before == figures["pacms_captures_recorded_total"] {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	return figures, nil
}

var words = strings.Fields("port database staging ferry harbour bread dough oven garden thyme sage config retry payment invoice queue worker memory disk log tide crane bolt lantern meadow copper violin basket")

// sentence is the i-th message of anybody.
func sentence(i int) string {
	var b strings.Builder
	for k := range 12 + i%17 {
		fmt.Fprintf(&b, "%s ", words[(i*(k+3)+k*k)%len(words)])
	}
	fmt.Fprintf(&b, "number %d", i)
	return b.String()
}

// grown is a pool of a session after some turns: n messages, the oldest of which have
// left it.
func grown(session string, n, turns int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"session":%q,"turn":%d,"query":"which port does the staging database use, %s?","candidates":[`, session, turns+1, words[turns%len(words)])
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		kind := "user"
		if (turns+i)%2 == 1 {
			kind = "assistant"
		}
		fmt.Fprintf(&b, `{"id":"m%d","kind":%q,"text":%q}`, turns+i, kind, sentence(turns+i))
	}
	b.WriteString("]}")
	return b.String()
}

// wide is a pool as long as a request may be: some large tool outputs.
func wide() string {
	const each, all = 900 << 10, 16<<20 - 64<<10
	var b strings.Builder
	b.WriteString(`{"session":"wide","query":"which port does the staging database use?","candidates":[`)
	for i := 0; b.Len() < all-each; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"m%d","text":"`, i)
		for k := b.Len() + each; b.Len() < k; {
			b.WriteString(sentence(b.Len()))
			b.WriteString(". ")
		}
		b.WriteString(`"}`)
	}
	b.WriteString("]}")
	return b.String()
}
