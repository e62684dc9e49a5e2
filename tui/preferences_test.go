package tui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// visit opens a screen as a program does, presses keys and leaves.
func visit(t *testing.T, cfg Config, keys string, see func(r *robot)) {
	t.Helper()
	driveModel(t, func(ctx context.Context) *Model {
		m := New(ctx, cfg)
		m.prefer()
		return m
	}, 160, 45, func(r *robot) {
		r.press(keys)
		see(r)
		if err := r.m.remember(); err != nil {
			t.Error(err)
		}
	})
}

// The next visit looks at the candidates as the last one did, and decides about
// them as if there had been none.
func TestPreferences(t *testing.T) {
	cfg := config(t)
	cfg.StateDir = filepath.Join(t.TempDir(), "pacms")
	visit(t, cfg, "", func(*robot) {})
	if _, err := os.Stat(cfg.StateDir); err == nil {
		t.Error("something was kept though nothing was changed")
	}
	visit(t, cfg, "o H 3", func(r *robot) { r.sees("by rank", "lastk would keep") })
	visit(t, cfg, "", func(r *robot) {
		r.sees("by rank", "pacms would keep")
		if !r.m.internals {
			t.Error("the host's own turns are folded again")
		}
	})
	visit(t, cfg, "o z", func(r *robot) { r.seesNot("by rank") })
	visit(t, cfg, "", func(r *robot) {
		if r.m.zoomed() != zoomRows || r.m.lanes {
			t.Errorf("the zoom is %v, lanes %t:\n%s", r.m.zoomed(), r.m.lanes, r.screen())
		}
	})

	forgetful := cfg
	forgetful.StateDir = ""
	visit(t, forgetful, "", func(r *robot) {
		if r.m.zoomed() == zoomRows {
			t.Error("what was kept is used though no state is wanted")
		}
	})
	story := storyConfig(t)
	story.StateDir = cfg.StateDir
	visit(t, story, "o", func(r *robot) {
		if r.m.zoom != zoomAuto {
			t.Error("a story begins as someone else left a session")
		}
	})
	visit(t, cfg, "", func(r *robot) {
		if r.m.lanes {
			t.Error("a story was kept")
		}
	})
}

// A file that is no file of preferences is said to be none, and changes nothing.
func TestPreferencesThatCannotBeUsed(t *testing.T) {
	cfg := config(t)
	cfg.StateDir = t.TempDir()
	path := filepath.Join(cfg.StateDir, "preferences.json")
	for _, text := range []string{"{", `{"schema":"other/1"}`, `{"schema":"pacms.preferences/1","zoom":"near"}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m := New(t.Context(), cfg)
		m.prefer()
		if !strings.Contains(m.status, path) || m.zoom != zoomAuto || m.lanes {
			t.Errorf("%s: %q", text, m.status)
		}
	}
	cfg.StateDir = path // a file, in which nothing can be made
	m := New(t.Context(), cfg)
	m.prefer()
	m.lanes = true
	if err := m.remember(); err == nil {
		t.Error("preferences were kept below a file")
	}
}
