package tui

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// robot drives a screen without a terminal: it runs the commands that the screen
// asks for and gives it their answers, in a time of its own.
type robot struct {
	t    *testing.T
	m    *Model
	msgs chan tea.Msg
	quit tea.Msg // the message that ended the program

	checked   string // the frame that was checked last
	checkedAt [2]int // on a screen of this size
}

// drive runs f with a robot on a screen of the given size, once the first
// picture is there.
func drive(t *testing.T, cfg Config, width, height int, f func(r *robot)) {
	t.Helper()
	driveModel(t, func(ctx context.Context) *Model { return New(ctx, cfg) }, width, height, f)
}

// driveModel is drive for a screen that is made in another way.
func driveModel(t *testing.T, open func(context.Context) *Model, width, height int, f func(r *robot)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r := &robot{t: t, m: open(ctx), msgs: make(chan tea.Msg, 1024)}
		defer func() {
			cancel()
			time.Sleep(time.Hour) // whatever still ticks has ended then
		}()
		r.start(r.m.Init())
		r.send(tea.WindowSizeMsg{Width: width, Height: height})
		f(r)
	})
}

// notShort skips a test under -short, by which the race detector runs: it waits after
// each key, and what runs beside the screen does so in TestGoldenViews and TestFrames.
func notShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one key after another")
	}
}

// start runs a command beside the screen.
func (r *robot) start(cmd tea.Cmd) {
	if cmd != nil {
		go func() { r.msgs <- cmd() }()
	}
}

// update gives the screen one message.
func (r *robot) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			r.start(cmd)
		}
	case tea.QuitMsg, tea.InterruptMsg, tea.SuspendMsg:
		r.quit = msg
	default:
		_, cmd := r.m.Update(msg)
		r.start(cmd)
		r.check()
	}
}

// check holds for every frame.
func (r *robot) check() {
	r.t.Helper()
	size := [2]int{r.m.layout.Width, r.m.layout.Height}
	content := r.m.View().Content
	if content == r.checked && size == r.checkedAt {
		return
	}
	r.checked, r.checkedAt = content, size
	if fault := frameFault(r.m); fault != "" {
		r.t.Fatal(fault)
	}
}

// settle waits until nothing but timers is on its way.
func (r *robot) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-r.msgs:
			r.update(msg)
		default:
			return
		}
	}
}

// send gives the screen a message and waits for all that follows from it.
func (r *robot) send(msgs ...tea.Msg) {
	for _, msg := range msgs {
		r.update(msg)
	}
	r.settle()
}

// wait lets time pass.
func (r *robot) wait(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(min(10*time.Millisecond, time.Until(end)))
		r.settle()
	}
}

// press presses keys: names as Bubble Tea writes them, separated by blanks.
func (r *robot) press(keys string) {
	for key := range strings.FieldsSeq(keys) {
		r.send(keyPress(key))
	}
}

// keyPress is the message of a key by its name.
func keyPress(name string) tea.KeyPressMsg {
	special := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "space": tea.KeySpace, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
		"home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "tab": tea.KeyTab,
	}
	if code, ok := special[name]; ok {
		msg := tea.KeyPressMsg{Code: code}
		if name == "space" {
			msg.Text = " "
		}
		return msg
	}
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: []rune(letter)[0], Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// screen is the screen as plain text.
func (r *robot) screen() string {
	lines := strings.Split(ansi.Strip(r.m.View().Content), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// sees fails unless the screen shows all the texts.
func (r *robot) sees(texts ...string) {
	r.t.Helper()
	screen := r.screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			r.t.Errorf("the screen does not show %q:\n%s", text, screen)
		}
	}
}

// seesNot fails if the screen shows the text.
func (r *robot) seesNot(text string) {
	r.t.Helper()
	if screen := r.screen(); strings.Contains(screen, text) {
		r.t.Errorf("the screen shows %q:\n%s", text, screen)
	}
}
