//go:build unix

package cmd

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// TestSignalsEndInOrder sends each signal to a command that waits for input.
func TestSignalsEndInOrder(t *testing.T) {
	for _, sig := range endings {
		caught := make(chan os.Signal, 1)
		// A signal that comes too early or too late would end the tests, so that they
		// listen for it from here on.
		signal.Notify(caught, sig)
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		code := make(chan int)
		go func() { code <- Main([]string{"select", "-"}, r, null, null) }()
		if got := endedBy(t, sig.(syscall.Signal), code); got != exitInterrupted {
			t.Errorf("%v ends with %d, want %d", sig, got, exitInterrupted)
		}
		w.Close()
		r.Close()
		null.Close()
	}
}

// endedBy sends a signal until the program ends: it may not listen yet.
func endedBy(t *testing.T, sig syscall.Signal, code <-chan int) int {
	t.Helper()
	for {
		if err := syscall.Kill(os.Getpid(), sig); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-code:
			return got
		case <-time.After(time.Millisecond):
		}
	}
}
