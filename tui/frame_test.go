package tui

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pacms/session"
	"pacms/themes"
)

// Whatever happens in whatever order, a frame has as many lines as the screen is
// high, none of them wider than the screen, and nothing panics.
func TestFrames(t *testing.T) {
	cfg := storyConfig(t)
	sessions := []*session.Session{madeUp(), wide(250), strange()}
	keys := rapid.SampledFrom(strings.Fields(", . { } < > - + _ * b g = 1 2 3 4 5 6 7 8 n N o a enter esc ? H D h j k l home end pgup pgdown space up down x p u ctrl+r z / t ctrl+u ctrl+d y Y ctrl+y r 0 5 % backspace"))
	synctest.Test(t, func(t *testing.T) {
		defer time.Sleep(time.Hour) // the timers that were left alone end
		rapid.Check(struct{ rapid.TB }{t}, func(t *rapid.T) { anyFrames(t, cfg, sessions, keys) })
	})
}

func anyFrames(t *rapid.T, cfg Config, sessions []*session.Session, keys *rapid.Generator[string]) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := cfg
	c.ASCII = rapid.Bool().Draw(t, "ascii")
	c.Booth = rapid.Bool().Draw(t, "booth")
	if rapid.Bool().Draw(t, "replay") {
		c.Story = nil
	}
	m := New(ctx, c)
	queue := []tea.Cmd{}
	update := func(msg tea.Msg) {
		_, cmd := m.Update(msg)
		queue = append(queue, cmd)
	}
	update(loadedMsg{session: rapid.SampledFrom(sessions).Draw(t, "session"), keeper: newKeeper()})
	for range rapid.IntRange(1, 25).Draw(t, "steps") {
		switch rapid.IntRange(0, 6).Draw(t, "what") {
		case 0:
			update(tea.WindowSizeMsg{Width: rapid.IntRange(0, 320).Draw(t, "width"), Height: rapid.IntRange(0, 95).Draw(t, "height")})
		case 1, 2:
			update(keyPress(keys.Draw(t, "key")))
		case 3:
			update(mouseMsg(t))
		case 4:
			update(tickMsg{m.play.generation})
			update(boothMsg{m.booth.generation})
		default:
			// Some of what was started comes to an end.
			for range min(len(queue), rapid.IntRange(1, 4).Draw(t, "answers")) {
				cmd := queue[0]
				queue = queue[1:]
				for _, msg := range answers(cmd) {
					update(msg)
				}
			}
		}
		checkFrame(t, m)
	}
}

// answers runs a command and gives its messages; what still waits then, a timer
// or the next report, is left alone.
func answers(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	synctest.Wait()
	select {
	case msg := <-done:
		batch, ok := msg.(tea.BatchMsg)
		if !ok {
			return []tea.Msg{msg}
		}
		var all []tea.Msg
		for _, c := range batch {
			all = append(all, answers(c)...)
		}
		return all
	default:
		return nil
	}
}

func mouseMsg(t *rapid.T) tea.Msg {
	x, y := rapid.IntRange(0, 200).Draw(t, "x"), rapid.IntRange(0, 60).Draw(t, "y")
	switch rapid.IntRange(0, 3).Draw(t, "mouse") {
	case 0:
		return tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}
	case 1:
		return tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft}
	case 2:
		return motionMsg{motion: &tea.MouseMotionMsg{X: x, Y: y}}
	default:
		return motionMsg{x: x, y: y, wheel: rapid.IntRange(-5, 5).Draw(t, "wheel")}
	}
}

func checkFrame(t *rapid.T, m *Model) {
	l := m.layout
	if l.Width <= 0 || l.Height <= 0 {
		return
	}
	lines := strings.Split(m.View().Content, "\n")
	if len(lines) != l.Height {
		t.Fatalf("%d lines on %d×%d:\n%s", len(lines), l.Width, l.Height, ansi.Strip(m.View().Content))
	}
	for _, line := range lines {
		if w := ansi.StringWidth(line); w > l.Width {
			t.Fatalf("%d columns on %d×%d: %q", w, l.Width, l.Height, ansi.Strip(line))
		}
	}
}

// strange is a session of texts that are hard to draw: wide and joined
// characters, no text, one long word.
func strange() *session.Session {
	texts := []string{"", "漢字かな交じり文、とても長い一行です。", "👩‍👩‍👧‍👦 family 🏳️‍🌈", strings.Repeat("x", 900), "e\u0301\u0301\u0301 zalgo", "\n\n\n", "ﷺ wide", "\u200b\u200d"}
	s := &session.Session{Key: "strange"}
	for i := range 40 {
		s.Candidates = append(s.Candidates, session.Candidate{
			ID: strings.Repeat("i", i+1), Kind: session.Kinds[i%len(session.Kinds)], Text: texts[i%len(texts)], Tokens: i % 7, Turn: i/2 + 1,
		})
	}
	for turn := range 20 {
		span := []session.Span{{From: 0, To: turn * 2}}
		s.Turns = append(s.Turns, session.Turn{Number: turn + 1, Branch: session.BranchActive, Query: texts[turn%len(texts)], Answer: texts[(turn+3)%len(texts)], Window: span, Key: span})
	}
	return s
}

// A frame is drawn once, and with few allocations: a key that moves the cursor
// stays far below the 50 that a frame may have, and so does a frame on which
// everything is new.
func TestViewAllocations(t *testing.T) {
	m := ready(t, wide(benchCells), benchWidth, benchHeight)
	redraw := redrawAll(m)
	redraw()
	if n := testing.AllocsPerRun(100, redraw); n > 50 {
		t.Errorf("a whole new frame takes %.0f allocations", n)
	}
	i := 0
	if n := testing.AllocsPerRun(100, func() {
		i++
		m.point(i)
		m.panes.dirty = true
		m.View()
	}); n > 30 {
		t.Errorf("a frame with the cursor elsewhere takes %.0f allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { m.View() }); n > 0 {
		t.Errorf("a frame that is there already takes %.0f allocations", n)
	}
}

// The terminal says whether it is light, unless a theme was chosen, and what
// colours it has, unless they were chosen.
func TestTerminalDecides(t *testing.T) {
	m := New(t.Context(), config(t))
	if !m.table.Theme.Dark {
		t.Error("the screen does not start dark")
	}
	m.Update(tea.BackgroundColorMsg{Color: ansi.RGBColor{R: 255, G: 255, B: 255}})
	if m.table.Theme.Dark {
		t.Error("a light terminal gets a dark theme")
	}
	m.Update(tea.ColorProfileMsg{Profile: 3})
	if m.profile != 3 {
		t.Errorf("the profile is %v", m.profile)
	}
	cfg := config(t)
	cfg.Theme, cfg.Profile = themes.For(true), 2
	m = New(t.Context(), cfg)
	m.Update(tea.BackgroundColorMsg{Color: ansi.RGBColor{R: 255, G: 255, B: 255}})
	m.Update(tea.ColorProfileMsg{Profile: 5})
	if _, cmd := m.Update(tea.EnvMsg{"SSH_TTY=/dev/pts/3"}); cmd == nil {
		t.Error("over SSH nobody asks for synchronized output")
	}
	if !m.table.Theme.Dark || m.profile != 2 {
		t.Errorf("what was chosen is changed: %v, %v", m.table.Theme.Name, m.profile)
	}
}
