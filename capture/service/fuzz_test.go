package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"pacms/capture/service"
	"pacms/selector"
	"pacms/selector/selectortest"
	"pacms/session"
	"pacms/session/poolfile"
)

// checked is a chooser whose every answer is looked at.
type checked struct {
	chooser
	t *testing.T
}

// Choose checks the selection before it is written.
func (c *checked) Choose(ctx context.Context, e *selector.Engine, pool *session.Pool, ask service.Ask) (*selector.Selection, error) {
	s, err := c.chooser.Choose(ctx, e, pool, ask)
	if err == nil {
		err = selectortest.Check(pool, s)
	}
	return s, err
}

// FuzzRequest sends any body, query and headers: the answer is a selection that is
// sound or a problem that says what is wrong, always JSON in which nothing acts on a
// terminal, and never a failure of the service.
func FuzzRequest(f *testing.F) {
	for _, body := range []string{
		kettle, pool("s", 5), named("s"), `{`, `[]`, `{"candidates":[]}`, `{"candidates":[{"id":"a","text":"\u001b[2J\u009b"}]}`,
		`{"query_embedding":[1,0],"candidates":[{"id":"a","tokens":1,"embedding":[0,0]}]}`,
		`{"candidates":[{"id":"a","tokens":1}],"similarity":{"query":[0.5],"pairs":""}}`,
		`{"window":10,"reserve":20,"pending":[{"text":"x"}],"candidates":[{"id":"a","text":"x","required":true,"group":"g"}]}`,
	} {
		f.Add(body, "", "", "application/json")
		f.Add(body, "strategy=topk&budget=50%25", "700", "application/json; charset=utf-8")
	}
	f.Add(kettle, "strategy=mmr:lambda=0.5", "x", "text/plain")
	f.Fuzz(func(t *testing.T, body, query, deadline, kind string) {
		c := &checked{t: t}
		limits := service.DefaultLimits(1)
		limits.Text, limits.Items = 4<<10, 64
		s := service.New(service.Config{
			Chooser: c, Encode: encode, Log: slog.New(slog.DiscardHandler), Limits: limits, Hosts: []string{"example.com"},
		})
		for _, path := range []string{"/select", "/select_debug"} {
			r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
			r.URL.RawQuery = query
			r.Header = http.Header{"Content-Type": {kind}, "X-Pacms-Deadline-Ms": {deadline}}
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			c.look(body, w.Result())
		}
	})
}

// look checks an answer.
func (c *checked) look(body string, resp *http.Response) {
	c.t.Helper()
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || !json.Valid(answer) || bytes.ContainsFunc(answer, func(r rune) bool { return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 }) {
		c.t.Fatalf("%d %q, %v", resp.StatusCode, answer, err)
	}
	switch resp.StatusCode {
	case http.StatusOK:
		var doc struct {
			Kept   []string
			Tokens struct{ Pool, Kept, Dropped int }
		}
		pool, err := poolfile.Decode(strings.NewReader(body), c.Counter())
		if err != nil {
			c.t.Fatalf("what cannot be read is answered: %v", err)
		}
		if err := json.Unmarshal(answer, &doc); err != nil || doc.Tokens.Pool != pool.Tokens() || doc.Tokens.Kept+doc.Tokens.Dropped != doc.Tokens.Pool {
			c.t.Fatalf("%s, %v", answer, err)
		}
	case http.StatusBadRequest, http.StatusUnsupportedMediaType, http.StatusRequestEntityTooLarge:
		var p problem
		if err := json.Unmarshal(answer, &p); err != nil || p.Error.Code == "" || p.Error.Message == "" || p.Error.RequestID == "" {
			c.t.Fatalf("%s, %v", answer, err)
		}
	default:
		c.t.Fatalf("%d %s", resp.StatusCode, answer)
	}
}
