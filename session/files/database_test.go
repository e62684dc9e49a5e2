package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"pacms/session/files"
)

// A new file and the folder made for it are their owner's alone; what is there stays
// as it is.
func TestMakePrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "folder", "a.db")
	if _, err := files.MakePrivate(path); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): os.ModeDir | 0o700} {
			if info, err := os.Stat(path); err != nil || info.Mode() != want {
				t.Errorf("%s is %v, not %v: %v", path, info.Mode(), want, err)
			}
		}
	}
	if err := os.WriteFile(path, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := files.MakePrivate(path)
	if err != nil || info.Size() != 4 {
		t.Errorf("a file of 4 bytes became %v: %v", info, err)
	}
	if _, err := files.MakePrivate(filepath.Dir(path)); !errors.Is(err, files.ErrNotRegular) {
		t.Errorf("a folder in the place of the file: %v", err)
	}
}

// What means something in a URI is written so that it does not.
func TestDatabaseURI(t *testing.T) {
	t.Parallel()
	if got, want := files.DatabaseURI("/a b/50%?#.db"), "file:/a b/50%25%3f%23.db"; runtime.GOOS != "windows" && got != want {
		t.Errorf("the URI is %s, not %s", got, want)
	}
}
