//go:build unix

package tui

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"pacms/session/files"
)

// A pipe in the place of the preferences is said to be one, and not waited for.
func TestPreferencesRefusePipes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "preferences.json")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readPreferences(path); !errors.Is(err, files.ErrNotRegular) {
		t.Errorf("a pipe gives %v", err)
	}
}
