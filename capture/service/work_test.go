package service_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pacms/capture/service"
	"pacms/selector"
	"pacms/session"
	"pacms/session/cores"
)

// timed runs a test in which time passes at once.
func timed(t *testing.T, change func(*service.Config), test func(t *testing.T, s *piped)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, startPiped(t, change)) })
}

// held is a chooser whose selections wait until they are let go.
type held struct {
	chooser
	began, ended atomic.Int32
	most         atomic.Int32
	let          chan struct{}
}

func newHeld() *held {
	h := &held{let: make(chan struct{})}
	h.before = func(ctx context.Context, pool *session.Pool) error {
		if pool.Session == "" { // the first selection of the service itself
			return nil
		}
		now := h.began.Add(1) - h.ended.Load()
		for {
			if most := h.most.Load(); now <= most || h.most.CompareAndSwap(most, now) {
				break
			}
		}
		defer h.ended.Add(1)
		select {
		case <-h.let:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return h
}

// S7: who sends nothing more is not waited for.
func TestSlowClients(t *testing.T) {
	for name, c := range map[string]struct {
		sent string
		most time.Duration
		want int
	}{
		"no header":   {"", 2 * time.Second, 0},
		"half a line": {"POST /sel", 2 * time.Second, 400},
		"half a head": {"POST /select HTTP/1.1\r\nHost: 127.0.0.1:8077\r\n", 2 * time.Second, 0},
		"half a body": {"POST /select HTTP/1.1\r\nHost: 127.0.0.1:8077\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", 10 * time.Second, 408},
	} {
		t.Run(name, func(t *testing.T) {
			timed(t, nil, func(t *testing.T, s *piped) {
				conn, _ := s.dial()
				defer conn.Close()
				begun := time.Now()
				if _, err := io.WriteString(conn, c.sent); err != nil {
					t.Fatal(err)
				}
				r := readReply(conn)
				if took := time.Since(begun); r.status != c.want || took > c.most+time.Millisecond {
					t.Errorf("answered with %d %s after %v, want %d after at most %v", r.status, r.body, took, c.want, c.most)
				}
			})
		})
	}
}

// S7: who does not read its answer, and who asks nothing more, is not waited for.
func TestSilentClients(t *testing.T) {
	timed(t, nil, func(t *testing.T, s *piped) {
		deaf, _ := s.dial()
		defer deaf.Close()
		body := pool("s", 300)
		if _, err := fmt.Fprintf(deaf, "POST /select HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", s.addr, len(body), body); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		for _, c := range []struct {
			pause time.Duration
			want  string // with the request for the figures
		}{{14 * time.Second, "2"}, {2 * time.Second, "1"}} {
			time.Sleep(c.pause)
			if n := s.metric("pacms_in_flight_requests"); n != c.want {
				t.Errorf("%s requests are being answered, want %s", n, c.want)
			}
		}

		idle, _ := s.dial()
		defer idle.Close()
		if _, err := io.WriteString(idle, "GET /healthz HTTP/1.1\r\nHost: "+s.addr+"\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if r := readReply(idle); r.status != 200 {
			t.Fatalf("%d", r.status)
		}
		begun := time.Now()
		if n, err := idle.Read(make([]byte, 1)); err == nil || time.Since(begun) != time.Minute {
			t.Errorf("%d bytes and %v after %v, want the end after a minute", n, err, time.Since(begun))
		}
	})
}

// S7: the time that a client has is the selection's, and it has an end.
func TestDeadlines(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"":                                1500 * time.Millisecond,
		"X-Pacms-Deadline-Ms: 300":        300 * time.Millisecond,
		"X-Pacms-Deadline-Ms: 4000":       4 * time.Second,
		"X-Pacms-Deadline-Ms: 3600000":    10 * time.Second,
		"X-Pacms-Deadline-Ms: 2147483648": 10 * time.Second,
	} {
		h := newHeld()
		timed(t, func(c *service.Config) { h.let = make(chan struct{}); c.Chooser = h }, func(t *testing.T, s *piped) {
			begun := time.Now()
			var headers []string
			if header != "" {
				headers = append(headers, header)
			}
			r := s.post(t.Context(), "/select", named("s"), headers...)
			if took := time.Since(begun); took != want || r.status != 503 || r.header.Get("Retry-After") == "" {
				t.Errorf("with %q: %d %s after %v, want 503 after %v", header, r.status, r.body, took, want)
			}
		})
	}
}

// S8: as many are worked on as there are workers, some wait, and the rest is told
// when to come again.
func TestQueue(t *testing.T) {
	h := newHeld()
	timed(t, func(c *service.Config) {
		h.let = make(chan struct{})
		c.Chooser, c.Limits.Workers, c.Limits.Queue = h, 2, 3
	}, func(t *testing.T, s *piped) {
		var wait sync.WaitGroup
		var fine atomic.Int32
		for i := range 5 {
			wait.Go(func() {
				if r := s.post(t.Context(), "/select", named(fmt.Sprint("s", i))); r.status == 200 {
					fine.Add(1)
				}
			})
		}
		synctest.Wait()
		if h.began.Load() != 2 {
			t.Errorf("%d are worked on at once, want 2", h.began.Load())
		}
		r := s.post(t.Context(), "/select", named("late"))
		if r.status != 503 || r.header.Get("Retry-After") != "1" || r.problem(t).Error.Code != "busy" {
			t.Errorf("one too many: %d %s", r.status, r.body)
		}
		// What is cheap is answered all the same.
		if r := s.get("/healthz"); r.status != 200 {
			t.Errorf("/healthz is answered with %d", r.status)
		}
		close(h.let)
		wait.Wait()
		if fine.Load() != 5 || h.most.Load() > 2 {
			t.Errorf("%d of 5 were answered, %d at once", fine.Load(), h.most.Load())
		}
		if n := s.metric("pacms_queue_rejects_total"); n != "1" {
			t.Errorf("%s rejects are counted", n)
		}
	})
}

// Requests of one session come one after the other, and do not take the place of all.
func TestSessionsTakeTurns(t *testing.T) {
	h := newHeld()
	timed(t, func(c *service.Config) {
		h.let = make(chan struct{})
		c.Chooser, c.Limits.Workers, c.Limits.Queue = h, 4, 40
	}, func(t *testing.T, s *piped) {
		var wait sync.WaitGroup
		statuses := make(chan int, 20)
		for range 8 {
			wait.Go(func() { statuses <- s.post(t.Context(), "/select", named("greedy")).status })
		}
		synctest.Wait()
		if h.began.Load() != 1 {
			t.Errorf("%d of one session are worked on at once", h.began.Load())
		}
		wait.Go(func() { statuses <- s.post(t.Context(), "/select", named("other")).status })
		synctest.Wait()
		if h.began.Load() != 2 {
			t.Error("another session waits")
		}
		close(h.let)
		wait.Wait()
		close(statuses)
		count := map[int]int{}
		for status := range statuses {
			count[status]++
		}
		if count[200] != 6 || count[503] != 3 {
			t.Errorf("answers are %v, want 6 of 200 and 3 of 503", count)
		}
	})
}

// largePool is a large pool of a session of its own.
func largePool(i int) string {
	return fmt.Sprintf(`{"session":"large%d","query":"x","candidates":[{"id":"a","text":%q,"tokens":1}]}`, i, strings.Repeat("x", 300<<10))
}

// Large pools leave all workers to the others, and have one processor each.
func TestLargePoolsLeaveRoom(t *testing.T) {
	h := newHeld()
	wait, alone := h.before, new(atomic.Int32)
	h.before = func(ctx context.Context, pool *session.Pool) error {
		if strings.HasPrefix(pool.Session, "large") && cores.Workers(ctx) == 1 && cores.Workers(selector.Beyond(ctx)) == 1 {
			alone.Add(1)
		}
		return wait(ctx, pool)
	}
	timed(t, func(c *service.Config) {
		h.let = make(chan struct{})
		c.Chooser, c.Limits.Workers, c.Limits.Queue = h, 2, 20
	}, func(t *testing.T, s *piped) {
		var wait sync.WaitGroup
		for i := range 4 {
			wait.Go(func() { s.post(t.Context(), "/select", largePool(i)) })
		}
		synctest.Wait()
		if h.began.Load() != 1 {
			t.Errorf("%d large pools are worked on at once", h.began.Load())
		}
		for i := range 2 {
			wait.Go(func() { s.post(t.Context(), "/select", named(fmt.Sprint("small", i))) })
		}
		synctest.Wait()
		if h.began.Load() != 3 {
			t.Error("a small pool waits for large ones")
		}
		close(h.let)
		wait.Wait()
		if alone.Load() != 4 {
			t.Errorf("%d of 4 large pools have one processor", alone.Load())
		}
	})
}

// Large pools that wait have places of their own, and wait no longer than they are given,
// also before they are read.
func TestLargePoolsWait(t *testing.T) {
	h := newHeld()
	timed(t, func(c *service.Config) {
		h.let = make(chan struct{})
		c.Chooser, c.Limits.Workers, c.Limits.Queue = h, 2, 8
	}, func(t *testing.T, s *piped) {
		var wait sync.WaitGroup
		statuses := make(chan int, 20)
		begun := time.Now()
		for i := range 12 { // one is worked on, two wait
			wait.Go(func() { statuses <- s.post(t.Context(), "/select", largePool(i), "X-Pacms-Deadline-Ms: 700").status })
		}
		synctest.Wait()
		if len(statuses) != 9 || h.began.Load() != 1 {
			t.Errorf("of 12 large pools %d are told to come again at once, and %d are worked on", len(statuses), h.began.Load())
		}
		for i := range 3 {
			wait.Go(func() { s.post(t.Context(), "/select", named(fmt.Sprint("small", i))) })
		}
		synctest.Wait()
		if h.began.Load() != 3 {
			t.Errorf("%d small pools are worked on beside large ones, want 2", h.began.Load()-1)
		}
		for len(statuses) < 12 && time.Since(begun) < 5*time.Second {
			time.Sleep(10 * time.Millisecond)
		}
		if took := time.Since(begun); took > 720*time.Millisecond {
			t.Errorf("large pools wait %v where they are given 700 ms", took)
		}
		close(h.let)
		wait.Wait()
	})
}

// Who sends large bodies slowly is not in the way of small ones.
func TestSlowBodiesLeaveRoom(t *testing.T) {
	timed(t, func(c *service.Config) { c.Limits.Body = 300 << 10 }, func(t *testing.T, s *piped) {
		for range 8 {
			conn, _ := s.dial()
			defer conn.Close()
			if _, err := fmt.Fprintf(conn, "POST /select HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{", s.addr, 300<<10); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if r := s.post(t.Context(), "/select", named("s")); r.status != 200 {
			t.Errorf("a small body is answered with %d %s", r.status, r.body)
		}
		large := `{"query":"x","candidates":[]}` + strings.Repeat(" ", 280<<10)
		if r := s.post(t.Context(), "/select", large); r.status != 503 || r.header.Get("Retry-After") == "" {
			t.Errorf("one large body more is answered with %d %s", r.status, r.body)
		}
		time.Sleep(11 * time.Second) // the slow ones are given up
		if r := s.post(t.Context(), "/select", large); r.status != 200 {
			t.Errorf("a large body afterwards is answered with %d %s", r.status, r.body)
		}
	})
}

// S9: where the client has gone, so has its work; while it waits, too.
func TestClientGone(t *testing.T) {
	h := newHeld()
	timed(t, func(c *service.Config) { h.let = make(chan struct{}); c.Chooser, c.Limits.Workers = h, 1 }, func(t *testing.T, s *piped) {
		ctx, cancel := context.WithCancel(t.Context())
		var wait sync.WaitGroup
		begun := time.Now()
		for i := range 3 { // one at work, one that waits for the worker, one for its session
			wait.Go(func() { s.post(ctx, "/select", named(fmt.Sprint("s", i%2)), "X-Pacms-Deadline-Ms: 9000") })
		}
		synctest.Wait()
		if h.began.Load() != 1 {
			t.Fatalf("%d are worked on", h.began.Load())
		}
		cancel()
		wait.Wait()
		synctest.Wait()
		if took := time.Since(begun); h.ended.Load() != h.began.Load() || took != 0 {
			t.Errorf("%d began, %d ended, after %v", h.began.Load(), h.ended.Load(), took)
		}
		if n := s.metric(`pacms_requests_total{code="499",method="POST",route="/select"}`); n != "3" {
			t.Errorf("%s requests are counted as left, want 3", n)
		}
		close(h.let)
		if r := s.post(t.Context(), "/select", named("s0")); r.status != 200 {
			t.Errorf("afterwards: %d", r.status)
		}
	})
}

// S9: real work stops within 50 ms, too. A busy machine may be slow once, but not
// each time.
func TestClientGoneFromRealWork(t *testing.T) {
	ended := make(chan time.Time, 1)
	began := make(chan struct{}, 1)
	c := new(chooser)
	s := start(t, func(cfg *service.Config) { cfg.Chooser = &watched{c, began, ended} })
	body := pool("", 4000)
	best := time.Hour
	for try := 0; try < 10 && best > 50*time.Millisecond; try++ {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			_, _ = s.try(ctx, "POST", "/select", body, "X-Pacms-Deadline-Ms: 10000")
			close(done)
		}()
		<-began
		time.Sleep(time.Duration(try) * 10 * time.Millisecond)
		gone := time.Now()
		cancel()
		best = min(best, (<-ended).Sub(gone))
		<-done
	}
	if best > 50*time.Millisecond {
		t.Errorf("work went on for %v at least after its client had gone", best)
	}
}

// watched tells when selections of more than a message begin and end.
type watched struct {
	*chooser
	began chan<- struct{}
	ended chan<- time.Time
}

func (w *watched) Choose(ctx context.Context, e *selector.Engine, p *session.Pool, ask service.Ask) (*selector.Selection, error) {
	if len(p.Candidates) > 1 {
		w.began <- struct{}{}
		defer func() { w.ended <- time.Now() }()
	}
	return w.chooser.Choose(ctx, e, p, ask)
}

// S10: what has begun is finished, and nothing more begins.
func TestStop(t *testing.T) {
	h := newHeld()
	timed(t, func(c *service.Config) { h.let = make(chan struct{}); c.Chooser, c.Limits.Deadline = h, 9*time.Second }, func(t *testing.T, s *piped) {
		answer := make(chan reply, 1)
		go func() { answer <- s.post(t.Context(), "/select", named("s")) }()
		synctest.Wait()
		s.stop()
		synctest.Wait()
		if r := s.get("/healthz"); r.status != 0 {
			t.Errorf("a new request is answered with %d", r.status)
		}
		time.Sleep(3 * time.Second)
		close(h.let)
		if r := <-answer; r.status != 200 {
			t.Errorf("what had begun is answered with %d", r.status)
		}
		if err := s.ended(); err != nil {
			t.Error(err)
		}
	})
}

// S10: it does not take longer than five seconds, whatever is at work.
func TestStopInTime(t *testing.T) {
	h := newHeld()
	timed(t, func(c *service.Config) { h.let = make(chan struct{}); c.Chooser, c.Limits.Deadline = h, 9*time.Second }, func(t *testing.T, s *piped) {
		answer := make(chan reply, 1)
		go func() { answer <- s.post(t.Context(), "/select", named("s")) }()
		listener, _ := s.dial()
		defer listener.Close()
		go func() { _, _ = io.WriteString(listener, "GET /events HTTP/1.1\r\nHost: "+s.addr+"\r\n\r\n") }()
		synctest.Wait()
		begun := time.Now()
		s.stop()
		if err := s.ended(); err != nil {
			t.Error(err)
		}
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("it took %v", took)
		}
		<-answer
		synctest.Wait()
		if h.ended.Load() != h.began.Load() {
			t.Error("work goes on")
		}
	})
}

// S26: a request that fails unexpectedly is its own problem.
func TestPanic(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *service.Config) {
		c.Chooser = &chooser{before: func(_ context.Context, pool *session.Pool) error {
			switch pool.Session {
			case "text":
				panic("the blue kettle is on shelf four")
			case "index":
				_ = pool.Candidates[len(pool.Candidates)+1]
			}
			return nil
		}}
	})
	for _, name := range []string{"text", "index"} {
		for range 2 {
			r := s.ask("POST", "/select", named(name), "X-Request-Id: my-"+name)
			if p := r.problem(t).Error; r.status != 500 || p.Code != "internal" || p.RequestID != "my-"+name || strings.Contains(r.body, "kettle") {
				t.Errorf("%d %s", r.status, r.body)
			}
		}
	}
	if r := s.ask("POST", "/select", kettle); r.status != 200 {
		t.Errorf("afterwards: %d", r.status)
	}
	for line, want := range map[string]string{"pacms_panics_total": "4", "pacms_sessions": "1", "pacms_in_flight_requests": "1"} {
		s.counts(line, want)
	}
	if log := s.log.String(); strings.Contains(log, "kettle") || !strings.Contains(log, "index out of range") || !strings.Contains(log, "my-text") {
		t.Errorf("the log has %s", log)
	}
}

// No refusal keeps a place or a worker.
func TestRefusalsKeepNothing(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *service.Config) {
		small(c)
		c.Limits.Workers, c.Limits.Queue = 1, 0
		c.Chooser = &chooser{before: func(_ context.Context, pool *session.Pool) error {
			switch pool.Session {
			case "panic":
				panic("no")
			case "error":
				return io.ErrClosedPipe
			}
			return nil
		}}
	})
	for _, body := range []string{`{`, `{"candidates":[{}]}`, pool("s", 30), named("panic"), named("error"), strings.Repeat(" ", 9<<10)} {
		for range 3 {
			for _, path := range []string{"/select", "/select_debug", "/prewarm"} {
				if r := s.ask("POST", path, body); r.status == 503 {
					t.Fatalf("%s with %.50q: %s", path, body, r.body)
				}
			}
		}
	}
	if r := s.ask("POST", "/select", kettle); r.status != 200 {
		t.Errorf("afterwards: %d %s", r.status, r.body)
	}
}

// Never more goroutines than there is work for.
func TestGoroutines(t *testing.T) {
	s := start(t, func(c *service.Config) { c.Limits.Workers, c.Limits.Queue = 1, 1 })
	before := runtime.NumGoroutine()
	var wait sync.WaitGroup
	for i := range 60 {
		wait.Go(func() {
			r, err := s.try(t.Context(), "POST", "/select", pool(fmt.Sprint(i), 50))
			if err != nil || r.status != 200 && r.status != 503 {
				t.Errorf("%d %v", r.status, err)
			}
		})
	}
	wait.Wait()
	http.DefaultClient.CloseIdleConnections()
	if !eventually(func() bool { return runtime.NumGoroutine() <= before+5 }) {
		t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
	}
}
