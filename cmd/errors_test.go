package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"pacms/tui"
)

func TestReport(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		code int
		said string
	}{
		"done":        {nil, 0, ""},
		"reader gone": {failedWrite(&os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}), 0, ""},
		"interrupted": {fmt.Errorf("turn 3: %w", context.Canceled), 130, ""},
		"ctrl+c":      {fmt.Errorf("show the session: %w", tui.ErrInterrupted), 130, ""},
		"failed":      {errors.New("no such thing"), 1, "pacms: no such thing\n"},
		"usage":       {usagef("--tail: %d", -1), 2, "pacms: --tail: -1\n"},
		"usage with help": {
			&usageError{err: errors.New("what?"), help: "pacms demo"}, 2,
			"pacms: what?\nTry 'pacms demo --help'.\n",
		},
		"one skipped":     {&skippedError{records: 1}, 4, "pacms: 1 damaged record was skipped, and --strict-input was given\n"},
		"several skipped": {&skippedError{records: 3}, 4, "pacms: 3 damaged records were skipped, and --strict-input was given\n"},
		"harmless":        {errors.New("open \x1b[2J.jsonl"), 1, "pacms: open ␛[2J.jsonl\n"},
	} {
		var b strings.Builder
		if got := report(&b, c.err); got != c.code || b.String() != c.said {
			t.Errorf("%s: code %d and %q, want %d and %q", name, got, b.String(), c.code, c.said)
		}
	}
}

// TestInterrupted stops a command that is at work.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { null.Close() })
	for _, args := range [][]string{{"demo", "--json"}, {"demo", "--plain"}, {"select", "testdata/pool.json"}} {
		var said strings.Builder
		if code := report(&said, run(ctx, args, streams{null, null, null})); code != exitInterrupted || said.String() != "" {
			t.Errorf("%q gives %d and says %q, want %d and nothing", args, code, said.String(), exitInterrupted)
		}
	}
}

// TestInterruptedRead stops a command that waits for input which never comes.
func TestInterruptedRead(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.Close() // the read ends, then the file may go
		r.Close()
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var said strings.Builder
	if code := report(&said, run(ctx, []string{"select", "-"}, streams{r, w, w})); code != exitInterrupted {
		t.Errorf("it gives %d and says %q, want %d", code, said.String(), exitInterrupted)
	}
}

// TestReaderGone writes to a pipe that nobody reads any more.
func TestReaderGone(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"demo", "--json"}, {"demo", "--jsonl"}, {"demo", "--plain"}, {"version"}, {"man"}, {"completion", "bash"}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		var said strings.Builder
		if code := report(&said, run(t.Context(), args, streams{r, w, w})); code != exitOK || said.String() != "" {
			t.Errorf("%q gives %d and says %q, want 0 and nothing", args, code, said.String())
		}
		w.Close()
	}
}
