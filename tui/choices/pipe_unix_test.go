//go:build unix

package choices

import (
	"errors"
	"os"
	"syscall"
	"testing"

	"pacms/session/files"
)

// A pipe in the place of the file is said to be one, and not waited for.
func TestPipeInPlaceOfFile(t *testing.T) {
	f := file(t)
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(f.Path(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Load(); !errors.Is(err, files.ErrNotRegular) {
		t.Errorf("a pipe gives %v", err)
	}
}
