//go:build unix

package cmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pacms/session/files"
	"pacms/session/token"
)

// newPipe makes a named pipe that nobody writes to.
func newPipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A pipe is no session, and finding that out waits for nobody.
func TestReplayRefusesSpecialFiles(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{newPipe(t): "is a pipe", os.DevNull: "is a device"} {
		if _, err := fileSource(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
		if found, err := readCapture(path, 0); found != nil || err != nil {
			t.Errorf("as a capture: %s: %v, %v", path, found, err)
		}
		if _, err := readCases(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("as a case: %s: %v, want %q", path, err, want)
		}
	}
}

// Neither settings nor a theme are waited for.
func TestSettingsRefusePipes(t *testing.T) {
	t.Parallel()
	path := newPipe(t)
	if _, err := loadFile(path); !errors.Is(err, files.ErrNotRegular) {
		t.Errorf("as the configuration: %v", err)
	}
	if _, err := settingLines(path); !errors.Is(err, files.ErrNotRegular) {
		t.Errorf("as the configuration of which the lines are wanted: %v", err)
	}
	if _, err := findTheme("--theme", path); !errors.Is(err, files.ErrNotRegular) {
		t.Errorf("as a theme: %v", err)
	}
}

// A pool may come out of a pipe, and waiting for it can be interrupted.
func TestSelectReadsPipes(t *testing.T) {
	t.Parallel()
	counter, err := token.New(token.Names[0])
	if err != nil {
		t.Fatal(err)
	}
	p := &plan{counter: counter}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.readPool(ctx, streams{}, []string{newPipe(t)}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}

	path := newPipe(t)
	go func() {
		if err := os.WriteFile(path, []byte(`{"query":"q","candidates":[]}`), 0o600); err != nil {
			t.Error(err)
		}
	}()
	pool, err := p.readPool(t.Context(), streams{}, []string{path})
	if err != nil || pool.Query != "q" {
		t.Errorf("pool %+v, %v", pool, err)
	}
}
