package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacms/session/files"
)

func TestOutput(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, text string) {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	says := func(name, want string) {
		t.Helper()
		if got, err := os.ReadFile(at(name)); err != nil || string(got) != want {
			t.Errorf("%s says %q, %v", name, got, err)
		}
	}
	put("there", "old")
	put("input", "read")
	if err := os.Symlink("there", at("link")); err != nil {
		t.Skip(err)
	}
	inputs := []string{at("input")}
	for _, name := range []string{"there", "link"} {
		if err := (&files.Output{Path: at(name), Inputs: inputs}).Write(text("new")); !errors.Is(err, files.ErrExists) {
			t.Errorf("%s: %v", name, err)
		}
		says("there", "old")
	}
	if err := os.Link(at("input"), at("same")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"input", "same"} {
		if err := (&files.Output{Path: at(name), Replace: true, Inputs: inputs}).Write(text("new")); !errors.Is(err, files.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
		says("input", "read")
	}
	if err := (&files.Output{Path: at("link"), Replace: true}).Write(text("new")); err != nil {
		t.Error(err)
	}
	says("there", "new")
	if info, err := os.Lstat(at("link")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info.Mode(), err)
	}
	if err := (&files.Output{Path: dir, Replace: true}).Write(text("new")); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
	away := filepath.Join(dir, "none", "a.json")
	if err := (&files.Output{Path: away}).Write(text("new")); err == nil || !strings.HasPrefix(err.Error(), "write "+away+": ") || strings.Contains(err.Error(), ".pacms-") {
		t.Errorf("no folder: %v", err)
	}
}

func TestOutputToADevice(t *testing.T) {
	before, err := os.Stat("/dev/null")
	if err != nil {
		t.Skip(err)
	}
	if err := (&files.Output{Path: "/dev/null"}).Write(text("new")); err != nil {
		t.Error(err)
	}
	if after, err := os.Stat("/dev/null"); err != nil || after.Mode() != before.Mode() {
		t.Errorf("the device became %v, %v", after.Mode(), err)
	}
}
