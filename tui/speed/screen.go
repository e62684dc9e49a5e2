//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

const (
	width, height = 160, 45
	// patience is how long to wait for what must come.
	patience = 60 * time.Second
	// quiet is how long nothing is drawn any more when all work has been shown, and
	// pause the same after a key, so that what is drawn next comes of the next key.
	quiet = 700 * time.Millisecond
	pause = 60 * time.Millisecond
	// unchanged is how long to wait for the frame of a key.
	unchanged = 3 * time.Second
)

var (
	// syncAsked asks whether the terminal can show a frame at once; the emulator
	// does not know the answer, syncYes.
	syncAsked = []byte("\x1b[?2026$p")
	syncYes   = []byte("\x1b[?2026;2$y")
	// frameEnd closes a synchronized update: the frame before it is complete.
	frameEnd = []byte("\x1b[?2026l")
)

// screen is the program in a pseudo-terminal, as one that can draw frames at once
// would show it.
type screen struct {
	process *exec.Cmd
	tty     *os.File
	begun   time.Time

	mu     sync.Mutex
	frames []time.Time // when each was complete
	tail   []byte      // the end of what came last, where a sequence may be cut

	// drawing guards the emulator, which is behind what has been read: interpreting
	// takes longer than reading, and must not keep the program from writing.
	drawing sync.Mutex
	emu     *vt.Emulator
	pending []byte // what the emulator has not seen yet; guarded by mu
}

// open starts the program with an own home, so that it finds and leaves nothing.
func open(ctx context.Context, program, home string, args ...string) (*screen, error) {
	s := &screen{process: exec.CommandContext(ctx, program, args...), emu: vt.NewEmulator(width, height)}
	s.process.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "HOME="+home, "XDG_STATE_HOME="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home)
	s.begun = time.Now()
	var err error
	if s.tty, err = pty.StartWithSize(s.process, &pty.Winsize{Rows: height, Cols: width}); err != nil {
		return nil, fmt.Errorf("speed: start %s: %w", program, err)
	}
	go s.read()
	go s.answer()
	return s, nil
}

// answer sends what the emulated terminal says when it is asked what it can do.
func (s *screen) answer() {
	buf := make([]byte, 256)
	for {
		n, err := s.emu.Read(buf)
		if err != nil {
			return
		}
		if _, err := s.tty.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (s *screen) read() {
	buf := make([]byte, 1<<16)
	for {
		n, err := s.tty.Read(buf)
		now := time.Now()
		if n > 0 {
			s.take(buf[:n], now)
		}
		if err != nil {
			return
		}
	}
}

func (s *screen) take(sent []byte, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	joined := slices.Concat(s.tail, sent)
	if bytes.Contains(joined, syncAsked) {
		_, _ = s.tty.Write(syncYes) // a program that has ended asks nothing
	}
	for range bytes.Count(joined, frameEnd) {
		s.frames = append(s.frames, now)
	}
	s.tail = bytes.Clone(joined[max(0, len(joined)-len(frameEnd)+1):]) // as long as syncAsked
	s.pending = append(s.pending, sent...)
	if bytes.Contains(sent, []byte("\x1b[")) && len(s.frames) == 0 {
		go s.catchUp() // the program asks what the terminal can do before its first frame
	}
}

// catchUp lets the emulator draw all that has been read.
func (s *screen) catchUp() {
	s.drawing.Lock()
	defer s.drawing.Unlock()
	s.mu.Lock()
	pending := s.pending
	s.pending = nil
	s.mu.Unlock()
	_, _ = s.emu.Write(pending) // an emulator in memory cannot fail
}

// drawn is how many frames there were, and when the last one was complete.
func (s *screen) drawn() (int, time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.frames) == 0 {
		return 0, s.begun
	}
	return len(s.frames), s.frames[len(s.frames)-1]
}

// frame is when frame number n, from 0, was complete; false while it is not.
func (s *screen) frame(n int) (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n >= len(s.frames) {
		return time.Time{}, false
	}
	return s.frames[n], true
}

func (s *screen) text() string {
	s.catchUp()
	s.drawing.Lock()
	defer s.drawing.Unlock()
	return ansi.Strip(s.emu.Render())
}

// until waits until the screen shows a text and gives when the frame was complete
// that did.
func (s *screen) until(text string) (time.Time, error) {
	seen := -1
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		n, at := s.drawn()
		if n == seen {
			continue
		}
		seen = n
		if strings.Contains(s.text(), text) {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("speed: %q does not come:\n%s", text, s.text())
}

// rest waits until nothing has been drawn for a time.
func (s *screen) rest(quiet time.Duration) {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if _, last := s.drawn(); time.Since(last) > quiet {
			return
		}
	}
}

// press sends a key and gives the time to the end of the next frame; drawn is false
// where none comes, because the key changed nothing that is shown.
func (s *screen) press(key string) (took time.Duration, drawn bool, err error) {
	n, _ := s.drawn()
	start := time.Now()
	if err := s.send(key); err != nil {
		return 0, false, err
	}
	for end := start.Add(unchanged); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
		if at, ok := s.frame(n); ok {
			return at.Sub(start), true, nil
		}
	}
	return 0, false, nil
}

func (s *screen) send(keys string) error {
	if _, err := s.tty.WriteString(keys); err != nil {
		return fmt.Errorf("speed: send %q: %w", keys, err)
	}
	return nil
}

// row is the line of the screen that holds a sign, from 0.
func (s *screen) row(sign string) int {
	for y, line := range strings.Split(s.text(), "\n") {
		if strings.Contains(line, sign) {
			return y
		}
	}
	return -1
}

// close leaves the program and gives its largest resident set in bytes.
func (s *screen) close() (memory int64, err error) {
	if err := s.send("q"); err != nil {
		return 0, err
	}
	if err := s.process.Wait(); err != nil {
		return 0, fmt.Errorf("speed: the program ended: %w", err)
	}
	if usage, ok := s.process.ProcessState.SysUsage().(*syscall.Rusage); ok {
		memory = usage.Maxrss * 1024 // Linux counts in kilobytes
	}
	if err := s.tty.Close(); err != nil {
		return 0, fmt.Errorf("speed: %w", err)
	}
	return memory, nil
}
