//go:build cgo

package cache

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// childPath is the variable that makes the test binary a process that writes to
// the file it names, and childFrom the number of its first text.
const (
	childPath = "PACMS_TEST_CACHE_PATH"
	childFrom = "PACMS_TEST_CACHE_FROM"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childPath); path != "" {
		if err := writeForever(path, os.Getenv(childFrom)); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// writeForever stores one text after the other and prints the number of each
// when it is stored, until nobody reads that any more.
func writeForever(path, first string) error {
	from, err := strconv.Atoi(first)
	if err != nil {
		return fmt.Errorf("%s: %w", childFrom, err)
	}
	s := Open(path, plenty, func(said string) { fmt.Println(said) })
	e := s.Wrap(&embedder{}, "model")
	for i := from; ; i++ {
		if _, err := e.Documents(context.Background(), numbered(i, i+1)); err != nil {
			return err
		}
		if _, err := fmt.Println(i); err != nil {
			return s.Close()
		}
	}
}

// child is a process that writes.
type child struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
}

func startChild(t *testing.T, path string, from int) *child {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childPath+"="+path, childFrom+"="+strconv.Itoa(from))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return &child{cmd, bufio.NewScanner(out)}
}

// wait reads until the child has stored the text with the number.
func (c *child) wait(t *testing.T, number int) {
	t.Helper()
	for c.lines.Scan() {
		n, err := strconv.Atoi(c.lines.Text())
		if err != nil {
			t.Fatalf("the child said %q", c.lines.Text())
		}
		if n == number {
			return
		}
	}
	t.Fatalf("the child ended before %d: %v", number, c.lines.Err())
}

// kill ends the child at once, whatever it is doing, and returns the number of
// the last text that it has stored.
func (c *child) kill(t *testing.T, last int) int {
	t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for c.lines.Scan() {
		if n, err := strconv.Atoi(c.lines.Text()); err == nil {
			last = max(last, n)
		}
	}
	_ = c.cmd.Wait() // it was killed
	return last
}

// A process that is killed while it writes loses at most what it was writing.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	from := 0
	for round := range 10 {
		c := startChild(t, path, from)
		c.wait(t, from+7*round)
		last := c.kill(t, from+7*round)
		from = last + 1
		if got := missing(t, path, numbered(0, from)...); got != nil {
			t.Fatalf("round %d: %d texts of %d are lost", round, len(got), from)
		}
		integrity(t, path)
	}
}

// Processes that begin one file together and write to it at once lose nothing.
func TestProcessesAtOnce(t *testing.T) {
	const each, apart = 60, 1_000_000
	for round := range 4 {
		path := filepath.Join(t.TempDir(), fmt.Sprint(round), "c.db")
		children := []*child{startChild(t, path, 0), startChild(t, path, apart)}
		s := open(t, path, plenty)
		e := s.Wrap(&embedder{}, "model")
		for i := range each {
			check(t, e, numbered(2*apart+i, 2*apart+i+1)...)
		}
		for i, c := range children {
			c.wait(t, i*apart+each-1)
			c.kill(t, 0)
		}
		for i := range 3 {
			if got := missing(t, path, numbered(i*apart, i*apart+each)...); got != nil {
				t.Errorf("%d texts of process %d are lost", len(got), i)
			}
		}
		integrity(t, path)
	}
}
