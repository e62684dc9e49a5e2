package files_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"pacms/session/files"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// holds checks what a file says, that it is the user's alone, and that nothing else
// lies beside it.
func holds(t *testing.T, path, want string, beside int) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s says %q, %v", path, got, err)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%s: %v, %v", path, info.Mode(), err)
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != beside {
		t.Errorf("%d files, want %d", len(list), beside)
	}
}

func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	for _, s := range []string{"one", "", "two"} {
		if err := files.Replace(path, text(s)); err != nil {
			t.Fatal(err)
		}
		holds(t, path, s, 1)
	}
	broken := errors.New("no more")
	if err := files.Replace(path, func(w io.Writer) error { _ = text("half")(w); return broken }); !errors.Is(err, broken) {
		t.Errorf("Replace = %v", err)
	}
	holds(t, path, "two", 1)
	if err := files.Replace(filepath.Join(t.TempDir(), "none", "a"), text("")); err == nil {
		t.Error("a file in no folder is written")
	}
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "pacms-demo.md")
	for i, want := range []string{"pacms-demo.md", "pacms-demo-2.md", "pacms-demo-3.md"} {
		got, err := files.Create(path, text(want))
		if err != nil || filepath.Base(got) != want {
			t.Fatalf("Create = %s, %v", got, err)
		}
		holds(t, got, want, i+1)
	}
	if _, err := files.Create(path, func(io.Writer) error { return errors.New("no more") }); err == nil {
		t.Error("an error is not told")
	}
	holds(t, path, "pacms-demo.md", 3)
}
