package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"pacms/capture/service"
	"pacms/selector"
	"pacms/selector/embed"
	"pacms/selector/embed/ollama"
	"pacms/session"
	"pacms/session/poolfile"
)

// servedWith is how the service selects with an embedder.
func servedWith(t *testing.T, e *embedding) *served {
	t.Helper()
	f, fs := new(flags), pflag.NewFlagSet("", pflag.ContinueOnError)
	f.addSelection(fs, usual())
	p, err := f.plan(fs)
	if err != nil {
		t.Fatal(err)
	}
	return &served{plan: p, embedding: e}
}

// slowly embeds nothing before its context ends, and fails where that is told.
type slowly struct {
	embed.Embedder
	fails error
}

func (s slowly) Documents(ctx context.Context, _ []string) ([][]float32, error) {
	if s.fails != nil {
		return nil, s.fails
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

// smallPool is the pool of the tests.
func smallPool(t *testing.T, s *served) *session.Pool {
	t.Helper()
	f, err := os.Open("testdata/pool.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	pool, err := poolfile.Decode(f, s.Counter())
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

// S7: where time is up there is an answer, and it says so; with all reasons, too.
func TestServedInTime(t *testing.T) {
	t.Parallel()
	s := servedWith(t, &embedding{Embedder: slowly{Embedder: embed.NewBuiltin()}})
	pool := smallPool(t, s)
	for _, debug := range []bool{false, true} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		got, err := s.Choose(ctx, s.Engine(), pool, service.Ask{Debug: debug})
		if err != nil {
			t.Fatal(err)
		}
		warned := slices.ContainsFunc(got.Warnings, func(w session.Warning) bool { return w.Code == "partial" })
		if !got.Partial || !warned || got.Tokens.Kept == 0 || got.Tokens.Kept > 40 || len(got.Candidates) > 0 != debug || got.Optimum != nil {
			t.Errorf("%+v", got)
		}
	}
	// Who has gone needs none.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Choose(ctx, s.Engine(), pool, service.Ask{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the client has gone: %v", err)
	}
}

// Where a server that embeds fails, what is built in answers, and the answer says so.
func TestServedWithoutItsEmbedder(t *testing.T) {
	t.Parallel()
	broken := errors.New("out of order")
	s := servedWith(t, &embedding{Embedder: slowly{Embedder: embed.NewBuiltin(), fails: broken}, client: ollama.New("m")})
	pool := smallPool(t, s)
	got, err := s.Choose(t.Context(), s.Engine(), pool, service.Ask{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(got.Warnings, func(w session.Warning) bool { return w.Code == "embedder_fallback" })
	if i < 0 || !strings.Contains(got.Warnings[i].Message, "out of order") || got.Embedder != "builtin" || got.Partial {
		t.Errorf("%+v", got)
	}
	// What is built in has nothing to fall back on.
	s = servedWith(t, &embedding{Embedder: slowly{Embedder: embed.NewBuiltin(), fails: broken}})
	if _, err := s.Choose(t.Context(), s.Engine(), pool, service.Ask{}); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// What a request asks for wins over the flags.
func TestServedAsAsked(t *testing.T) {
	t.Parallel()
	s := servedWith(t, &embedding{Embedder: embed.NewBuiltin()})
	pool := smallPool(t, s)
	topk, err := selector.ParseStrategy("topk")
	if err != nil {
		t.Fatal(err)
	}
	half, err := selector.ParseBudget("50%")
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Choose(t.Context(), s.Engine(), pool, service.Ask{Strategy: &topk, Budget: &half, Source: "control"})
	if err != nil {
		t.Fatal(err)
	}
	if want := (selector.Term{Value: 33, Source: "control"}); got.Strategy != "topk" || got.BudgetTerms["budget"] != want {
		t.Errorf("%+v", got)
	}
	if got, err = s.Choose(t.Context(), s.Engine(), pool, service.Ask{}); err != nil || got.Strategy != "pacms" || got.BudgetTerms["budget"].Source != "request" {
		t.Errorf("afterwards %+v, %v", got, err)
	}
}

// S15: nothing in a log acts on a terminal, or begins a line that was not written.
func TestLogIsHarmless(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json", "auto"} {
		path := filepath.Join(t.TempDir(), "log")
		w, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		log := newLog(w, "info", format)
		log.Debug("not told")
		log.Info("told", "path", "a\x1b[2J\u009b31m\nlevel=ERROR msg=forged\u202e", "n", 1, slog.Group("g", "x", "\x1b]0;t\a"))
		w.Close()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Count(text, []byte("\n")) != 1 || bytes.ContainsFunc(text, func(r rune) bool { return r != '\n' && r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x202e }) {
			t.Errorf("%s: %q", format, text)
		}
		if isJSON := json.Valid(text); isJSON != (format != "text") {
			t.Errorf("%s: %s", format, text)
		}
	}
}

// S4: a token is made once, for its owner alone.
func TestToken(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "folder", "token")
	first, err := readToken(path)
	if err != nil || len(first) < 20 {
		t.Fatalf("%q, %v", first, err)
	}
	if again, err := readToken(path); err != nil || again != first {
		t.Errorf("%q, %v, want %q", again, err, first)
	}
	if other, err := readToken(filepath.Join(t.TempDir(), "token")); err != nil || other == first {
		t.Errorf("two tokens are the same, or %v", err)
	}
}

// The address of another service is not taken away.
func TestAddressFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "folder", "address")
	forget, err := writeAddress(path, "http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	forgetOther, err := writeAddress(path, "http://127.0.0.1:2")
	if err != nil {
		t.Fatal(err)
	}
	forget()
	if text, err := os.ReadFile(path); err != nil || string(text) != "http://127.0.0.1:2\n" {
		t.Errorf("%q, %v", text, err)
	}
	forgetOther()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}
