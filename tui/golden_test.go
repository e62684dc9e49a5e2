package tui

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/exp/golden"

	"pacms/session"
	"pacms/themes"
)

// sizes are the screens that the goldens are drawn on.
var sizes = [][2]int{{60, 20}, {80, 24}, {120, 36}, {160, 45}}

// Every main state of the screen at every size, as plain text.
func TestGolden(t *testing.T) {
	notShort(t)
	states := []struct {
		name string
		do   func(r *robot)
	}{
		{"mark", func(r *robot) { r.wait(time.Minute) }},
		{"back", func(r *robot) { r.wait(time.Minute); r.press("1") }},
		{"lanes", func(r *robot) { r.wait(time.Minute); r.press("o") }},
		{"why", func(r *robot) { r.wait(time.Minute); r.press("enter") }},
		{"help", func(r *robot) { r.wait(time.Minute); r.press("?") }},
		{"prompt", func(r *robot) { r.wait(time.Minute); r.press("b 4 x enter") }},
		{"rows", func(r *robot) { r.wait(time.Minute); r.press("z") }},
		{"strip", func(r *robot) { r.wait(time.Minute); r.press("z z") }},
		{"find", func(r *robot) { r.wait(time.Minute); r.press("/ p o r t o") }},
		{"pins", func(r *robot) { r.wait(time.Minute); r.press("p h h x") }},
		{"turns", func(r *robot) { r.wait(time.Minute); r.press("g") }},
		{"helped", func(r *robot) { r.wait(time.Minute); r.press("? b u d g e t") }},
		{"record", func(r *robot) { r.wait(time.Minute); r.press("enter r / s t o r e d") }},
		{"talk", func(r *robot) { r.wait(time.Minute); r.press("t") }},
		{"answer", func(r *robot) { r.wait(time.Minute); r.press("a") }},
		{"everywhere", func(r *robot) { r.wait(time.Minute); r.press("F 5 4 3 3 enter") }},
		{"everyturn", func(r *robot) { r.wait(time.Minute); r.press("F P o r t o enter end") }},
		{"first", func(r *robot) { r.press("space") }},
	}
	for _, state := range states {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s-%dx%d", state.name, size[0], size[1]), func(t *testing.T) {
				drive(t, storyConfig(t), size[0], size[1], func(r *robot) {
					state.do(r)
					golden.RequireEqual(t, r.screen())
				})
			})
		}
	}
}

func TestGoldenColour(t *testing.T) {
	notShort(t)
	all := looks()
	all["16"] = func(cfg *Config) { cfg.Profile = colorprofile.ANSI }
	all["256"] = func(cfg *Config) { cfg.Profile = colorprofile.ANSI256 }
	for _, theme := range themes.All() {
		all[theme.Name] = func(cfg *Config) { cfg.Theme = theme }
	}
	for name, change := range all {
		t.Run(name, func(t *testing.T) {
			cfg := storyConfig(t)
			change(&cfg)
			drive(t, cfg, 80, 24, func(r *robot) {
				r.wait(time.Minute)
				r.press("1")
				golden.RequireEqual(t, r.m.View().Content+"\n")
			})
		})
	}
}

// looks are the ways in which every view is drawn.
func looks() map[string]func(*Config) {
	return map[string]func(*Config){
		"dark":  func(*Config) {},
		"mono":  func(cfg *Config) { cfg.Profile = colorprofile.ASCII },
		"ascii": func(cfg *Config) { cfg.ASCII = true },
	}
}

// Every view at every size in colour, without colour and in ASCII, with all escape
// sequences. Every part of the screen is in one of them; in ASCII nothing else stands
// there, but for what a session says; and on the smallest screen what the screen says
// of itself is not cut off. A view is come to twice at a size: once for the pictures
// with and without colour, for which the terminal says that it has none after all, and
// once in ASCII.
func TestGoldenViews(t *testing.T) {
	n := viewNames(t)
	var mu sync.Mutex
	seen := map[string]bool{"too small": true} // TestGoldenTooSmall
	t.Run("all", func(t *testing.T) {
		sizes := sizes
		if testing.Short() {
			sizes = sizes[:1] // what is begun beside the screen is the same at every size
		}
		for _, v := range views() {
			for _, size := range sizes {
				t.Run(fmt.Sprintf("%s-%dx%d", v.name, size[0], size[1]), func(t *testing.T) {
					t.Parallel()
					golden := func(look string, r *robot) {
						t.Helper()
						golden.RequireEqual(named{t, fmt.Sprintf("TestGoldenViews/%s-%s-%dx%d", v.name, look, size[0], size[1])}, r.m.View().Content+"\n")
					}
					v.open(t, looks()["dark"], size[0], size[1], func(r *robot) {
						golden("dark", r)
						if size == sizes[0] {
							v.hasRoom(r)
						}
						r.send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
						golden("mono", r)
					})
					v.open(t, looks()["ascii"], size[0], size[1], func(r *robot) {
						golden("ascii", r)
						mu.Lock()
						defer mu.Unlock()
						for _, part := range n.parts(r.m) {
							seen[part] = true
						}
						if strings.HasPrefix(v.name, "strange") {
							return
						}
						if i := strings.IndexFunc(r.screen(), func(c rune) bool { return c > 0x7e }); i >= 0 {
							t.Errorf("%q in ASCII:\n%s", r.screen()[i:i+3], r.screen())
						}
					})
				})
			}
		}
	})
	for _, part := range n.allParts() {
		if !seen[part] && !testing.Short() { // one size need not have all
			t.Errorf("no view has %q: add one to those that goldens are drawn of", part)
		}
	}
}

// named is a test that golden files know by another name.
type named struct {
	testing.TB
	name string
}

func (n named) Name() string { return n.name }

// A screen that is too small says so as far as it has room.
func TestGoldenTooSmall(t *testing.T) {
	for name, look := range looks() {
		for _, size := range [][2]int{{59, 20}, {80, 15}, {20, 5}, {4, 1}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				cfg := storyConfig(t)
				look(&cfg)
				drive(t, cfg, size[0], size[1], func(r *robot) {
					golden.RequireEqual(t, r.m.View().Content+"\n")
				})
			})
		}
	}
}

// hostileText has all that acts on a terminal.
const hostileText = "\x1b]52;c;aGk=\x07 \x1b[2J \x9b31m \x1b]8;;http://x\x07hi \x1bP \u202e \r over\ttab \u009b0m \x00"

// hostile is the made-up session with text that would act on the terminal.
func hostile() *session.Session {
	s := branched()
	for i := range s.Aside {
		s.Aside[i].ID = hostileText + s.Aside[i].ID
		s.Aside[i].Text += hostileText
	}
	s.Host = []session.HostFile{{Name: "USER.md" + hostileText, Text: "Ada asks for the port." + hostileText}}
	for i := range s.Candidates {
		s.Candidates[i].Text += hostileText
		if s.Candidates[i].Tool != nil {
			s.Candidates[i].Tool.Name += hostileText
		}
	}
	for i := range s.Turns {
		s.Turns[i].Query += hostileText
		s.Turns[i].Answer += hostileText
		if s.Turns[i].Internal != "" {
			s.Turns[i].Internal += hostileText
		}
	}
	s.Raw = func(string) [][]byte { return [][]byte{[]byte(hostileText)} }
	return s
}

// What a session says cannot act on the terminal: the frame, which is checked after
// each key, holds no escape sequences but the program's own styles, and the title of
// the window none.
func TestHostileText(t *testing.T) {
	cfg := config(t)
	cfg.Title = hostileText
	cfg.Load = func(context.Context, Progress) (*session.Session, error) { return hostile(), nil }
	drive(t, cfg, 160, 45, func(r *robot) {
		for _, keys := range []string{"", "H g 1 2 enter", "end", "enter", "r", "q a", "a", "q t", "t", "q 3", "z", "z", "z", "?", "q g", "q c", "enter", "esc A", "esc n q g 2 6 enter", "q F p o r t enter", "end", "esc F f a r o enter"} {
			r.press(keys)
			if title := r.m.View().WindowTitle; strings.ContainsFunc(title, acts) {
				t.Errorf("the window's title acts: %q", title)
			}
		}
	})
}
