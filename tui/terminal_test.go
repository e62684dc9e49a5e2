package tui

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// terminal is a whole program in an emulator: real bytes in, real cells out.
type terminal struct {
	t    *testing.T
	emu  *vt.SafeEmulator
	sent *transcript
	p    program
	done chan error
}

// patience is how long a test waits for what must come; it ends earlier in all
// cases but a failure.
const patience = 30 * time.Second

// keyboard is what the program reads of the emulator. It holds what nobody reads,
// as a real terminal does; the emulator alone would stand still.
type keyboard struct {
	bytes chan byte
}

// newKeyboard takes over all that comes from r, which is never closed: closing
// the emulator while it is read is a race in it.
func newKeyboard(r io.Reader) *keyboard {
	k := &keyboard{bytes: make(chan byte, 1<<16)}
	go func() {
		defer close(k.bytes)
		buf := make([]byte, 256)
		for {
			n, err := r.Read(buf)
			for _, b := range buf[:n] {
				k.bytes <- b
			}
			if err != nil {
				return
			}
		}
	}()
	return k
}

// Read waits for a byte and gives all that are there.
func (k *keyboard) Read(p []byte) (int, error) {
	b, ok := <-k.bytes
	if !ok {
		return 0, io.EOF
	}
	n := 0
	for {
		p[n] = b
		if n++; n == len(p) {
			return n, nil
		}
		select {
		case b, ok = <-k.bytes:
			if !ok {
				return n, nil
			}
		default:
			return n, nil
		}
	}
}

// transcript is an emulator that remembers all bytes it was sent. While it is
// locked nothing reaches the emulator.
type transcript struct {
	io.Writer
	mu    sync.Mutex
	bytes []byte
}

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bytes = append(t.bytes, p...)
	return t.Writer.Write(p)
}

// copied waits until something was copied for the nth time, and gives it as OSC 52
// carries it. It may come a moment after the screen says so.
func (term *terminal) copied(n int) (string, error) {
	term.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		term.sent.mu.Lock()
		parts := strings.Split(string(term.sent.bytes), "\x1b]52;c;")
		term.sent.mu.Unlock()
		if len(parts) <= n {
			continue
		}
		if payload, _, ended := strings.Cut(parts[n], "\x07"); ended {
			text, err := base64.StdEncoding.DecodeString(payload)
			return string(text), err
		}
	}
	term.t.Fatalf("nothing is copied for the %d. time:\n%s", n, term.screen())
	return "", nil
}

func openTerminal(t *testing.T, cfg Config, width, height int) *terminal {
	t.Helper()
	cfg.Profile = colorprofile.TrueColor
	return openTerminalIn(t, cfg, width, height, "TERM=xterm-256color", "COLORTERM=truecolor")
}

// openTerminalIn opens a terminal that the environment describes.
func openTerminalIn(t *testing.T, cfg Config, width, height int, environ ...string) *terminal {
	t.Helper()
	emu := vt.NewSafeEmulator(width, height)
	// Without a terminal nobody turns \n into \r\n: let the emulator do it.
	if _, err := emu.Write([]byte("\x1b[20h")); err != nil {
		t.Fatal(err)
	}
	// Not the test's own context: that ends before the program is left.
	ctx, cancel := context.WithTimeout(context.Background(), 4*patience)
	sent := &transcript{Writer: emu}
	term := &terminal{t: t, emu: emu, sent: sent, done: make(chan error, 1)}
	term.p = newProgram(ctx, cfg, tea.WithInput(newKeyboard(emu)), tea.WithOutput(sent), tea.WithWindowSize(width, height),
		tea.WithEnvironment(environ), tea.WithoutSignals())
	go func() { term.done <- term.p.run() }()
	t.Cleanup(cancel)
	return term
}

// screen is what stands on the screen.
func (term *terminal) screen() string { return ansi.Strip(term.emu.Render()) }

// cell is what stands at a place now, blank outside of the screen. The emulator
// gives a pointer to what its next write changes, so it is copied between two.
func (term *terminal) cell(x, y int) uv.Cell {
	term.sent.mu.Lock()
	defer term.sent.mu.Unlock()
	if cell := term.emu.CellAt(x, y); cell != nil {
		return *cell
	}
	return uv.EmptyCell
}

// count is how often a sign stands on the screen.
func (term *terminal) count(sign string) int { return strings.Count(term.screen(), sign) }

// until waits until the screen shows a text.
func (term *terminal) until(texts ...string) {
	term.t.Helper()
	missing := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		screen := term.screen()
		missing = ""
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				missing = text
			}
		}
		if missing == "" {
			return
		}
	}
	term.t.Fatalf("%q does not come:\n%s", missing, term.screen())
}

// left waits until the program has ended and gives its error.
func (term *terminal) left() error {
	term.t.Helper()
	select {
	case err := <-term.done:
		return err
	case <-time.After(patience):
		term.t.Fatalf("the program does not end:\n%s", term.screen())
		return nil
	}
}

func (term *terminal) drag(from, to, y int) {
	term.emu.SendMouse(vt.MouseClick{X: from, Y: y, Button: vt.MouseLeft})
	step := 1
	if to < from {
		step = -1
	}
	for x := from; x != to; x += step {
		term.emu.SendMouse(vt.MouseMotion{X: x, Y: y, Button: vt.MouseLeft})
	}
	term.emu.SendMouse(vt.MouseRelease{X: to, Y: y, Button: vt.MouseLeft})
}

func TestTerminalKeys(t *testing.T) {
	term := openTerminal(t, config(t), 80, 24)
	term.until("turn 28/30", "pacms would keep")
	if !term.emu.IsAltScreen() {
		t.Error("the alternate screen is not used")
	}
	term.emu.SendText("3")
	term.until("lastk would keep", "since pacms")
	term.emu.SendText(",")
	term.until("turn 27/30", "since turn 28")
	term.emu.SendKey(vt.KeyPressEvent{Code: vt.KeyPgDown})
	term.until("turn 28/30")
	term.emu.SendText("b")
	term.until("budget: ")
	term.emu.SendText("20%")
	term.emu.SendKey(vt.KeyPressEvent{Code: vt.KeyEnter})
	term.until("(20 %)")
	term.emu.SendText("?")
	term.until("type to find", "the turn before")
	term.emu.SendText("q")
	term.until("ASKED")
	term.emu.SendText("q")
	if err := term.left(); err != nil {
		t.Errorf("q ends with %v", err)
	}
	if term.emu.IsAltScreen() || term.emu.CursorHidden() {
		t.Error("the terminal is not as it was")
	}
}

func TestTerminalDrag(t *testing.T) {
	term := openTerminal(t, config(t), 80, 24)
	term.until("turn 28/30", "pacms would keep")
	term.drag(36, 10, 3)
	term.until("(12 %)", "◆")
	if term.cell(10, 3).Content != "◆" {
		t.Errorf("the handle is not where the mouse let it go:\n%s", term.screen())
	}
	term.emu.SendMouse(vt.MouseClick{X: 60, Y: 3, Button: vt.MouseLeft})
	term.emu.SendMouse(vt.MouseRelease{X: 60, Y: 3, Button: vt.MouseLeft})
	term.until("(77 %)")
	term.emu.SendText("q")
	if err := term.left(); err != nil {
		t.Error(err)
	}
}

// However many motions come, the handle ends where the mouse was let go.
func TestTerminalBurst(t *testing.T) {
	term := openTerminal(t, config(t), 80, 24)
	term.until("turn 28/30", "pacms would keep")
	for range 2 {
		term.drag(1, 78, 3)
		term.drag(78, 1, 3)
	}
	term.drag(1, 40, 3)
	term.until("(51 %)")
	if term.cell(40, 3).Content != "◆" {
		t.Errorf("the handle is elsewhere:\n%s", term.screen())
	}
	term.emu.SendText("q")
	if err := term.left(); err != nil {
		t.Error(err)
	}
}

func TestTerminalResize(t *testing.T) {
	term := openTerminal(t, config(t), 80, 24)
	term.until("turn 28/30", "pacms would keep")
	for _, size := range [][2]int{{160, 45}, {60, 16}, {40, 10}, {300, 90}, {80, 24}} {
		term.emu.Resize(size[0], size[1])
		term.p.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		if size[0] < minWidth {
			term.until("needs 60×16, is 40×10")
			continue
		}
		term.until("pacms would keep", "q quit")
	}
	term.emu.SendText("q")
	if err := term.left(); err != nil {
		t.Error(err)
	}
}

// The colours reach the cells: the band of the title up to the right edge, the
// running strategy on the accent.
func TestTerminalColours(t *testing.T) {
	term := openTerminal(t, config(t), 80, 24)
	term.until("turn 28/30", "pacms would keep")
	for _, x := range []int{0, 79} {
		if term.cell(x, 0).Style.Bg == nil {
			t.Errorf("column %d of the title has no background", x)
		}
	}
	term.emu.SendText("q")
	if err := term.left(); err != nil {
		t.Error(err)
	}
}

func TestTerminalInterrupt(t *testing.T) {
	term := openTerminal(t, config(t), 80, 24)
	term.until("pacms would keep")
	term.emu.SendKey(vt.KeyPressEvent{Code: 'c', Mod: vt.ModCtrl})
	if err := term.left(); !errors.Is(err, ErrInterrupted) {
		t.Errorf("ctrl+c ends with %v", err)
	}
}
