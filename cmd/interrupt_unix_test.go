//go:build unix

package cmd_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/creack/pty"

	"pacms/session/sessiontest"
)

// TestAnInterruptedComparisonPrintsWhatIsDone interrupts a comparison in the middle.
func TestAnInterruptedComparisonPrintsWhatIsDone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := interrupted(t, dir, "turns are compared", "compare", longSession(t, dir), "--html", filepath.Join(dir, "r.html"))
	for _, part := range []string{"PARTIAL: it ended after ", " of 400 turns", "repeat: pacms compare", "No column measures"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in:\n%s", part, text)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "r.html"))
	if err != nil || !bytes.Contains(page, []byte("PARTIAL: it ended after ")) {
		t.Errorf("the report does not say it: %v", err)
	}
}

// TestAnInterruptedCheckPrintsWhatIsDone interrupts a check in the middle.
func TestAnInterruptedCheckPrintsWhatIsDone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := []byte("expect:\n")
	for turn := 2; turn <= 400; turn++ {
		file = fmt.Appendf(file, "  - {turn: %d, keep: {id: 1}, strategy: [pacms, lastk], budget: [5%%, 20%%]}\n", turn)
	}
	path := filepath.Join(dir, "expect.yaml")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	text := interrupted(t, dir, "expectations are checked", "check", longSession(t, dir), "--expect", path, "--rules", "none")
	m := regexp.MustCompile(`: interrupted: (\d+) of 399 expectations checked; (\d+) expected verdicts checked, `).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("it does not say that it was interrupted:\n%s", text)
	}
	done, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	if done < 1 || done > 398 || m[2] != strconv.Itoa(4*done) {
		t.Errorf("%d expectations are done with %s verdicts, each of them has 4", done, m[2])
	}
	if n := len(regexp.MustCompile(`(?m)^(met   |MISSED)  line `).FindAllString(text, -1)); n != 4*done {
		t.Errorf("%d verdicts are printed, want %d", n, 4*done)
	}
	if !strings.Contains(text, "repeat: pacms check") {
		t.Errorf("it does not say how to repeat it:\n%s", text)
	}
}

// longSession is the path of a session that takes far longer than an interruption.
func longSession(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "long.jsonl")
	if err := os.WriteFile(path, sessiontest.JSONL(400), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// interrupted runs the program with a terminal for its progress, interrupts it when
// that says that it is in the middle, and gives what it prints.
func interrupted(t *testing.T, dir, progress string, args ...string) string {
	t.Helper()
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
	c := exec.CommandContext(t.Context(), link, args...)
	c.Stdout, c.Stderr = &out, terminal
	c.Env = append(os.Environ(), "TERM=xterm", "XDG_CONFIG_HOME="+filepath.Join(dir, "config"))
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	var said []byte
	buffer := make([]byte, 4096)
	for sent := false; ; {
		n, err := master.Read(buffer)
		said = append(said, buffer[:n]...)
		if !sent && bytes.Contains(said, []byte(progress+", ctrl+c ends it")) {
			sent = true
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
	if !bytes.HasSuffix(said, []byte("\r\x1b[K")) {
		t.Errorf("the line of the progress stays: %q", said)
	}
	return out.String()
}
