package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacms/session/files"
)

func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.toml")
	if err := os.WriteFile(path, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := files.Read(path, 5); err != nil || string(got) != "12345" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := files.Read(path, 4); err == nil || !strings.Contains(err.Error(), path+" has more than 4 bytes") {
		t.Errorf("a long file: %v", err)
	}
	if _, err := files.Read(filepath.Join(dir, "none"), 4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := files.Read(dir, 4); !errors.Is(err, files.ErrNotRegular) || !strings.Contains(err.Error(), dir+" is a folder") {
		t.Errorf("a folder: %v", err)
	}
}
