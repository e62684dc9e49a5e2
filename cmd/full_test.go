//go:build linux

package cmd

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
)

// What cannot be written is an error of every command, of those too whose output a
// library writes.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("there is no file that is always full: %v", err)
	}
	defer full.Close()
	for _, args := range []string{"--help", "help demo", "demo --help", "--version", "config", "config show", "completion bash", "man", "demo --plain", "demo --json --turn 3"} {
		if err := run(t.Context(), strings.Fields(args), streams{in: os.Stdin, out: full, err: os.Stderr}); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("pacms %s: %v", args, err)
		}
	}
}
