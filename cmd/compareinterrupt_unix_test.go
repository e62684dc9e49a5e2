//go:build unix

package cmd_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"pacms/session/sessiontest"
)

// TestAnInterruptedComparisonPrintsWhatIsDone runs the program with a terminal for
// its progress, and interrupts it when that says that it is in the middle.
func TestAnInterruptedComparisonPrintsWhatIsDone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "long.jsonl")
	if err := os.WriteFile(path, sessiontest.JSONL(400), 0o600); err != nil { // far longer than the interruption takes
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	master, terminal, err := pty.Open()
	if err != nil {
		t.Skip("there are no pseudo-terminals:", err)
	}
	defer master.Close()
	// The test binary is the program where it is called by that name.
	link := filepath.Join(dir, "pacms")
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c := exec.CommandContext(t.Context(), link, "compare", path, "--html", filepath.Join(dir, "r.html"))
	c.Stdout, c.Stderr = &out, terminal
	c.Env = append(os.Environ(), "TERM=xterm", "XDG_CONFIG_HOME="+filepath.Join(dir, "config"))
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	var said []byte
	buffer := make([]byte, 4096)
	for interrupted := false; ; {
		n, err := master.Read(buffer)
		said = append(said, buffer[:n]...)
		if !interrupted && bytes.Contains(said, []byte("turns are compared, ctrl+c ends it")) {
			interrupted = true
			if err := c.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil { // the program has left its terminal
			break
		}
	}
	var exit *exec.ExitError
	if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Fatalf("it ends with %v, want 130; it said %q", err, said)
	}
	text := out.String()
	for _, part := range []string{"PARTIAL: it ended after ", " of 400 turns", "repeat: pacms compare", "No column measures"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in:\n%s", part, text)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "r.html"))
	if err != nil || !bytes.Contains(page, []byte("PARTIAL: it ended after ")) {
		t.Errorf("the report does not say it: %v", err)
	}
	if !bytes.HasSuffix(said, []byte("\r\x1b[K")) {
		t.Errorf("the line of the progress stays: %q", said)
	}
}
