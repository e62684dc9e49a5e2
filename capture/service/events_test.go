package service_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

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
