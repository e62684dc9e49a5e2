//go:build unix

package cmd

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
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
		// What was sent once too often must not reach the next command.
		for late := true; late; {
			select {
			case <-caught:
			case <-time.After(100 * time.Millisecond):
				late = false
			}
		}
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

// TestSecondSignalEndsTheService sends signals to a service that has a request to
// finish: the first lets it, the second does not.
func TestSecondSignalEndsTheService(t *testing.T) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt)
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	code := make(chan int)
	go func() {
		code <- Main([]string{"serve", "--listen", ":0", "--address-file", dir + "/address", "--token-file", dir + "/token", "--no-captures"}, null, w, null)
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimPrefix(strings.TrimSpace(line), "http://")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const half = "POST /select HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
	if _, err := fmt.Fprintf(conn, half, address); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, make([]byte, 12)); err != nil { // it asks for the rest
		t.Fatal(err)
	}
	if got := endedBy(t, syscall.SIGINT, code); got != exitInterrupted {
		t.Errorf("it ends with %d, want %d", got, exitInterrupted)
	}
}
