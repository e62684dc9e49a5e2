package service_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"pacms/capture/service"
	"pacms/selector"
)

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
