package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"pacms/capture/service"
	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/session/token"
)

const secret = "a-token-that-nobody-guesses"

// chooser selects with what is built in. before, unless it is nil, comes first.
type chooser struct {
	before func(ctx context.Context, pool *session.Pool) error
}

func (*chooser) Counter() token.Counter {
	c, err := token.New("chars4")
	if err != nil {
		panic(err)
	}
	return c
}

func (*chooser) Engine() *selector.Engine { return selector.NewEngine(embed.NewBuiltin(), "chars4") }

func (c *chooser) Choose(ctx context.Context, e *selector.Engine, pool *session.Pool, ask service.Ask) (*selector.Selection, error) {
	if c.before != nil {
		if err := c.before(ctx, pool); err != nil {
			return nil, err
		}
	}
	prepared, err := e.Prepare(ctx, pool, selector.PrepareOptions{})
	if err != nil {
		return nil, err
	}
	opt := selector.Options{Rules: selector.DefaultRules(), Tail: 1, Debug: ask.Debug}
	if opt.Strategy, err = selector.ParseStrategy("pacms"); err != nil {
		return nil, err
	}
	if ask.Strategy != nil {
		opt.Strategy = *ask.Strategy
	}
	if ask.Budget != nil {
		opt.Budget = selector.Term{Value: ask.Budget.Tokens(pool.Tokens()), Source: ask.Source}
	}
	return prepared.Select(ctx, opt)
}

// encode writes JSON without what JSON lets through and terminals act on.
func encode(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, r := range string(text) {
		if r >= 0x7f && r < 0xa0 {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out, nil
}

// logged is a log that is read while it is written.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// running is a service that answers at a loopback address.
type running struct {
	t    *testing.T
	addr string
	log  *logged
	stop context.CancelFunc
	done chan error
}

// start runs a service until the test ends. change, unless it is nil, changes how. Its
// selections have the time they need: a busy machine is not what is tested, and time
// that can be tested is that of startPiped.
func start(t *testing.T, change func(*service.Config)) *running {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return startOn(t, ln, func(c *service.Config) {
		c.Limits.Deadline = time.Hour
		if change != nil {
			change(c)
		}
	})
}

func startOn(t *testing.T, ln net.Listener, change func(*service.Config)) *running {
	t.Helper()
	s := &running{t: t, addr: ln.Addr().String(), log: new(logged), done: make(chan error, 1)}
	cfg := service.Config{
		Chooser: new(chooser), Encode: encode, Token: secret, Limits: service.DefaultLimits(2),
		Log:   slog.New(slog.NewJSONHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Build: service.Build{Version: "v1.2.3", Go: "go1.26", Platform: "plan9/mips"},
	}
	if change != nil {
		change(&cfg)
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	go func() { s.done <- service.New(cfg).Serve(ctx, ln) }()
	t.Cleanup(func() {
		stop()
		if err := <-s.done; err != nil {
			t.Errorf("the service ended with %v", err)
		}
		s.done <- nil
	})
	return s
}

// ended waits for the end of the service.
func (s *running) ended() error {
	err := <-s.done
	s.done <- nil
	return err
}

// reply is an answer with its whole body.
type reply struct {
	status int
	header http.Header
	body   string
}

// problem is the document of a refusal.
type problem struct {
	Error struct {
		Code, Message, Path string
		RequestID           string `json:"request_id"`
	}
}

func (r reply) problem(t *testing.T) problem {
	t.Helper()
	var p problem
	if err := json.Unmarshal([]byte(r.body), &p); err != nil || p.Error.Code == "" {
		t.Fatalf("%d %q is no problem document: %v", r.status, r.body, err)
	}
	return p
}

func (r reply) selection(t *testing.T) *selector.Selection {
	t.Helper()
	var s selector.Selection
	if err := json.Unmarshal([]byte(r.body), &s); err != nil || r.status != http.StatusOK || s.Schema != selector.SelectionSchema {
		t.Fatalf("%d %.300q is no selection: %v", r.status, r.body, err)
	}
	return &s
}

// ask sends a request; headers are "Name: value".
func (s *running) ask(method, path, body string, headers ...string) reply {
	s.t.Helper()
	r, err := s.try(context.Background(), method, path, body, headers...)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

func (s *running) try(ctx context.Context, method, path, body string, headers ...string) (reply, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+s.addr+path, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			req.Host = value
		}
		req.Header.Set(name, value)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true}}
	resp, err := client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	return reply{resp.StatusCode, resp.Header, string(all)}, err
}

// metric is the value of a line of /metrics that begins so.
func (s *running) metric(line string) string {
	s.t.Helper()
	for l := range strings.SplitSeq(s.ask("GET", "/metrics", "").body, "\n") {
		if value, ok := strings.CutPrefix(l, line+" "); ok {
			return value
		}
	}
	return "none"
}

// counts waits until a metric has a value: it is counted when the answer has gone out.
func (s *running) counts(line, want string) {
	s.t.Helper()
	got := ""
	if !eventually(func() bool { got = s.metric(line); return got == want }) {
		s.t.Errorf("%s is %s, want %s", line, got, want)
	}
}

// eventually waits until something holds that comes by itself, on a busy machine late;
// false where it does not come.
func eventually(holds func() bool) bool {
	for end := time.Now().Add(30 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// kettle is a pool of three messages with a secret text in each.
const kettle = `{"session":"agent:hush","turn":3,"query":"where is the blue kettle?","budget":12,"candidates":[
	{"id":"a","text":"the blue kettle is on shelf four","tokens":8},
	{"id":"b","kind":"assistant","text":"green bananas ripen slowly","tokens":6},
	{"id":"c","text":"buy paint","tokens":3}]}`

// pool is a pool of n different sentences of a session.
func pool(session string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"session":%q,"query":"which port does the staging database use","candidates":[`, session)
	words := strings.Fields("port database staging ferry harbour bread dough oven garden thyme sage config retry payment invoice queue worker memory disk log")
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"c%d","text":"%s %s %s number %d","tokens":%d}`, i, words[i%20], words[(i*7+3)%20], words[(i*i+5)%20], i, 5+i%11)
	}
	b.WriteString("]}")
	return b.String()
}

// readFile is what is in a file.
func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
