package tui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
)

// While a session is read the screen says how far it is, and can be left.
func TestLoading(t *testing.T) {
	cfg := config(t)
	cfg.Load = func(ctx context.Context, progress Progress) (*session.Session, error) {
		progress("reading", 512, 2048)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	drive(t, cfg, 80, 24, func(r *robot) {
		golden.RequireEqual(t, r.screen())
		r.press("1")
		r.sees("the session is still being read")
		r.press("q")
		if _, ok := r.quit.(tea.QuitMsg); !ok {
			t.Errorf("q gives %v", r.quit)
		}
	})
}

func TestLoadFails(t *testing.T) {
	cause := errors.New("line 3 is no JSON")
	cfg := config(t)
	cfg.Load = func(context.Context, Progress) (*session.Session, error) { return nil, cause }
	drive(t, cfg, 80, 24, func(r *robot) {
		if _, ok := r.quit.(tea.QuitMsg); !ok || !errors.Is(r.m.err, cause) {
			t.Errorf("the program ends with %v, %v", r.quit, r.m.err)
		}
	})
	for want, s := range map[string]*session.Session{
		"nobody asked":         {},
		"branch that was left": {Turns: []session.Turn{{Number: 1, Branch: session.BranchOther}}},
	} {
		cfg.Load = func(context.Context, Progress) (*session.Session, error) { return s, nil }
		drive(t, cfg, 80, 24, func(r *robot) {
			if r.m.err == nil || !strings.Contains(r.m.err.Error(), want) {
				t.Errorf("the program ends with %v, want %q", r.m.err, want)
			}
		})
	}
}

// stuck is an embedder whose vectors come when they are let go.
type stuck struct {
	embed.Embedder
	gate chan struct{}
}

func (s stuck) Query(ctx context.Context, text string) ([]float32, error) {
	if strings.Contains(text, "staging database") {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return s.Embedder.Query(ctx, text)
}

// The last complete picture stays until the next one is there; what nobody wants
// any more is given up.
func TestPictureStays(t *testing.T) {
	cfg := config(t)
	gate := make(chan struct{})
	drive(t, cfg, 80, 24, func(r *robot) {
		gate = make(chan struct{})
		r.m.engine = selector.NewEngine(stuck{embed.NewBuiltin(), gate}, "openclaw")
		r.press("g 2 3 enter .")
		r.sees("turn 23/30", "… 24")
		if !r.m.working {
			t.Fatal("no work on the next turn")
		}
		r.press(",")
		r.sees("turn 23/30")
		r.seesNot("… 24")
		r.press(".")
		r.sees("turn 23/30", "… 24")
		close(gate)
		r.settle()
		r.sees("turn 24/30", "staging database")
	})
}

func TestEngineFails(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.m.engine = selector.NewEngine(broken{embed.NewBuiltin()}, "openclaw")
		r.press(",")
		r.sees("turn 28/30", "the model is gone")
		r.press(".")
		r.sees("turn 28/30")
		r.seesNot("the model is gone")
	})
}

type broken struct{ embed.Embedder }

func (broken) Query(context.Context, string) ([]float32, error) {
	return nil, errors.New("the model is gone")
}

func (broken) Documents(context.Context, []string) ([][]float32, error) {
	return nil, errors.New("the model is gone")
}
