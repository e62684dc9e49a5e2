package tui

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pacms/session"
	"pacms/themes"
)

// Whatever happens in whatever order, a frame has as many lines as the screen is
// high, none of them wider than the screen, no byte that the program did not mean,
// and nothing panics. Every part of the screen is come by on the way.
func TestFrames(t *testing.T) {
	cfg := storyConfig(t)
	sessions := []*session.Session{madeUp(), wide(250), strange(), hostile(), branched()}
	keys := rapid.SampledFrom(strings.Fields(", . { } < > - + _ * b g = 1 2 3 4 5 6 7 8 n N o a enter esc ? H D h j k l home end pgup pgdown space up down x p u ctrl+r z / t f X i left right ctrl+u ctrl+d y Y ctrl+y r 0 5 % F backspace M v tab c A B"))
	n := viewNames(t)
	seen := make(map[string]int)
	count := func(m *Model) {
		for _, part := range n.parts(m) {
			seen[part]++
		}
	}
	synctest.Test(t, func(t *testing.T) {
		defer time.Sleep(time.Hour) // the timers that were left alone end
		for _, s := range []*session.Session{madeUp(), branched()} {
			everyDetour(t, cfg, s, count)
		}
		rapid.Check(struct{ rapid.TB }{t}, func(t *rapid.T) {
			anyFrames(t, cfg, sessions, keys, count)
		})
	})
	for _, part := range n.allParts() {
		t.Logf("%6d frames with %s", seen[part], part)
		if seen[part] == 0 && !testing.Short() { // a few frames need not have all
			t.Errorf("no frame had %q", part)
		}
	}
}

// detours are keys that lead to what single keys at random seldom come to.
var detours = []string{
	"enter", "enter r", "1 enter", "1 enter right enter", "1 h h h enter enter n b", "3 enter b", "3 enter x", "1 enter , .", "f", "1 f", "f + _", "1 enter r", "3 enter r", "enter / t h e", "a a", "t t", "t", "a", "2 t", "2 a", "2 t t", "g", "?", "b", "/ t", "/ z q z enter", "z", "z z", "o", "p", "x", "space", "g 1 enter", "g 2 9 enter", "g 2 6 enter", "g 2 6 enter down", "g 2 6 enter / f", "g 2 6 enter end b", "g 2 4 enter", "g 2 4 enter 3 b 3 0 % enter", "g 2 4 enter 1", "D", "D 1", "F", "F 5 enter", "F t h e enter down enter", "i", "i down", "1 i", "7 i", "g 2 6 enter i", "D i", "M", "M a", "1 M down enter", "M a v", "v", "v right left", "v down M", "g 1 enter M", "g 1 enter v", "g 2 4 enter v", "p M a",
	"c", "1 c", "c enter", "c n enter", "c A", "c B down enter", "c tab - .", "c A 4 5 % enter", "1 c A m m r : l a m b d a = 0 . 9 enter n", "c B r u l e down enter", "c A n e x t enter", "c ?", "c g 3 enter", "c b 1 enter", "c M", "c v esc n",
	"m", "m m", "m m m", "m ;", "m ; n o enter",
}

// stroll is a screen with the commands that it has started, the oldest first.
type stroll struct {
	m     *Model
	drawn func() // after each message
	queue []tea.Cmd
}

func (w *stroll) update(msg tea.Msg) {
	_, cmd := w.m.Update(msg)
	w.queue = append(w.queue, cmd)
	w.drawn()
}

// answer lets some of what was started come to an end.
func (w *stroll) answer(most int) {
	for range min(len(w.queue), most) {
		cmd := w.queue[0]
		w.queue = w.queue[1:]
		for _, msg := range answers(cmd) {
			w.update(msg)
		}
	}
}

// everyDetour takes each detour once, so that what they lead to is not left to chance.
func everyDetour(t *testing.T, cfg Config, s *session.Session, drawn func(*Model)) {
	t.Helper()
	if testing.Short() {
		return
	}
	cfg.Story = nil
	m := New(t.Context(), cfg)
	w := &stroll{m: m, drawn: func() {
		if fault := frameFault(m); fault != "" {
			t.Fatalf("%s:\n%s", fault, ansi.Strip(m.View().Content))
		}
		drawn(m)
	}}
	update, answer := w.update, w.answer
	update(tea.WindowSizeMsg{Width: 160, Height: 45})
	update(loadedMsg{session: s, keeper: newKeeper()})
	for _, detour := range detours {
		for len(w.queue) > 0 {
			answer(len(w.queue))
		}
		for key := range strings.FieldsSeq("esc esc esc " + detour) {
			update(keyPress(key))
			answer(4)
		}
	}
}

func anyFrames(t *rapid.T, cfg Config, sessions []*session.Session, keys *rapid.Generator[string], drawn func(*Model)) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := cfg
	c.ASCII = rapid.Bool().Draw(t, "ascii")
	c.Profile = rapid.SampledFrom([]colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI, colorprofile.ASCII}).Draw(t, "profile")
	switch evenly(t, "kind", 6) {
	case 0, 1:
		c.Story = nil
	case 2:
		c.NoMotion = true // the story is at its mark at once
	case 3, 4:
		c.Booth = true
	}
	m := New(ctx, c)
	w := &stroll{m: m, drawn: func() {
		checkFrame(t, m)
		drawn(m)
	}}
	update, answer := w.update, w.answer
	resize := func() {
		w, h := evenly(t, "width", 321), evenly(t, "height", 96)
		if w < minWidth && rapid.Bool().Draw(t, "wide enough") {
			w += minWidth
		}
		if h < minHeight && rapid.Bool().Draw(t, "high enough") {
			h += minHeight
		}
		update(tea.WindowSizeMsg{Width: w, Height: h})
	}
	progress := func() {
		total := rapid.Int64Range(-1, 9).Draw(t, "total")
		update(progressMsg{m.generation, "reading the meaning of items", rapid.Int64Range(0, 12).Draw(t, "done"), total})
	}
	resize()
	progress()
	update(loadedMsg{session: sessions[evenly(t, "session", len(sessions))], keeper: newKeeper()})
	for range 25 {
		switch evenly(t, "what", 12) {
		case 0:
			resize()
		case 1, 2:
			update(keyPress(keys.Draw(t, "key")))
		case 3:
			update(mouseMsg(t))
		case 4:
			time.Sleep(time.Duration(evenly(t, "seconds", 120)) * time.Second)
			update(tickMsg{m.play.generation})
			update(boothMsg{m.booth.generation})
		case 5:
			update(tea.PasteMsg{Content: rapid.String().Draw(t, "paste")})
		case 6:
			progress()
		case 7:
			// An answer that came to nothing.
			update(pictureMsg{generation: m.generation, err: errors.New("\x1b[2Jthe model\nis gone")})
		case 8, 9:
			// From the main screen, once it is there, to somewhere.
			answer(8)
			for key := range strings.FieldsSeq("esc esc esc " + detours[evenly(t, "detour", len(detours))]) {
				update(keyPress(key))
				answer(4)
			}
		default:
			answer(rapid.IntRange(1, 4).Draw(t, "answers"))
		}
	}
}

// evenly draws a number below n, each as likely as another. Numbers that rapid draws
// by itself are mostly small, so that little but the first of what can happen would
// happen.
func evenly(t *rapid.T, name string, n int) int {
	number := 0
	for _, bit := range rapid.SliceOfN(rapid.Bool(), 12, 12).Draw(t, name) {
		number *= 2
		if bit {
			number++
		}
	}
	return number % n
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
	if fault := frameFault(m); fault != "" {
		t.Fatalf("%s:\n%s", fault, ansi.Strip(m.View().Content))
	}
}

// frameFault says what is wrong with the frame of a screen: not as many lines as it
// is high, one that is too wide, or a byte that the program did not mean. "" where
// all is well.
func frameFault(m *Model) string {
	l := m.layout
	if l.Width <= 0 || l.Height <= 0 {
		return ""
	}
	content := m.View().Content
	lines := strings.Split(content, "\n")
	if len(lines) != l.Height {
		return fmt.Sprintf("%d lines on a screen of %d×%d", len(lines), l.Width, l.Height)
	}
	for i, line := range lines {
		if w := ansi.StringWidth(line); w > l.Width {
			return fmt.Sprintf("line %d is %d columns wide on a screen of %d×%d: %q", i, w, l.Width, l.Height, ansi.Strip(line))
		}
	}
	colours := m.profile != colorprofile.ASCII
	for rest := content; ; {
		before, after, found := strings.Cut(rest, "\x1b")
		if !utf8.ValidString(before) {
			return fmt.Sprintf("invalid UTF-8: %q", before)
		}
		if i := strings.IndexFunc(before, acts); i >= 0 {
			return fmt.Sprintf("%q stands in %q", before[i:min(i+4, len(before))], before)
		}
		if !found {
			return ""
		}
		style, text, ended := strings.Cut(after, "m")
		if !ended || !strings.HasPrefix(style, "[") || strings.Trim(style[1:], "0123456789;:") != "" {
			return fmt.Sprintf("an escape sequence that is no style: %q", after[:min(20, len(after))])
		}
		for parameter := range strings.SplitSeq(style[1:], ";") {
			if n, _ := strconv.Atoi(parameter); !colours && n >= 30 {
				return fmt.Sprintf("a colour without colours: %q", style)
			}
		}
		rest = text
	}
}

// acts reports whether a character does something to a terminal other than to be
// seen in a cell.
func acts(r rune) bool {
	return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
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

// A theme that was named brings its background along, or it could not be read on a
// terminal of the other brightness. Without one, and without colours, the
// terminal's stays.
func TestNamedThemeBringsItsBackground(t *testing.T) {
	for _, theme := range themes.All() {
		cfg := config(t)
		cfg.Theme = theme
		v := New(t.Context(), cfg).View()
		if v.BackgroundColor != theme.Background || v.ForegroundColor != theme.Text {
			t.Errorf("%s is shown on %v in %v", theme.Name, v.BackgroundColor, v.ForegroundColor)
		}
		if r, g, b, _ := theme.Background.RGBA(); r>>8<<16|g>>8<<8|b>>8 != theme.Background.RGB {
			t.Errorf("%06x becomes %x %x %x", theme.Background.RGB, r, g, b)
		}
		cfg.Profile = colorprofile.ASCII
		if v := New(t.Context(), cfg).View(); v.BackgroundColor != nil || v.ForegroundColor != nil {
			t.Errorf("%s changes a terminal without colours", theme.Name)
		}
	}
	if v := New(t.Context(), config(t)).View(); v.BackgroundColor != nil || v.ForegroundColor != nil {
		t.Error("without a theme the terminal's colours change")
	}
}
