package tui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pacms/session"
)

// A fault in the program leaves the terminal as it was and is reported, wherever
// it happens.
func TestPanic(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Config)
		msg    tea.Msg
	}{
		"in a command": {change: func(cfg *Config) {
			cfg.Load = func(context.Context, Progress) (*session.Session, error) { panic("a fault") }
		}},
		// A message that no command sends: it lacks what its sender promises.
		"in Update": {change: func(*Config) {}, msg: loadedMsg{}},
	} {
		t.Run(name, func(t *testing.T) {
			report := divertErrors(t)
			cfg := config(t)
			c.change(&cfg)
			term := openTerminal(t, cfg, 80, 24)
			if c.msg != nil {
				term.until("would keep")
				term.p.Send(c.msg)
			}
			err := term.left()
			if err == nil || !strings.Contains(err.Error(), "a fault of this program") {
				t.Errorf("the program ends with %v", err)
			}
			if term.emu.IsAltScreen() || term.emu.CursorHidden() {
				t.Error("the terminal is not as it was")
			}
			// The report may come a moment after the end; it ends with the stack.
			for end := time.Now().Add(patience); !strings.Contains(report(), "created by "); time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("the fault is not reported: %q", report())
				}
			}
			if !strings.Contains(report(), "Caught panic") {
				t.Errorf("the report is %q", report())
			}
		})
	}
}

// divertErrors sends what is written to the standard error into a file until the
// test ends; the function that it gives reads it.
func divertErrors(t *testing.T) func() string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "stderr")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = file
	t.Cleanup(func() {
		os.Stderr = stderr
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	})
	return func() string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
}
