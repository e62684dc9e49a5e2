package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"pacms/session"
	"pacms/themes"
)

// sizes are the screens that the goldens are drawn on.
var sizes = [][2]int{{60, 20}, {80, 24}, {120, 36}, {160, 45}}

// Every main state of the screen at every size, as plain text.
func TestGolden(t *testing.T) {
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

// Every view at every size in colour, without colour and in ASCII, with all
// escape sequences.
func TestGoldenViews(t *testing.T) {
	for _, view := range []struct{ name, keys string }{
		{"mark", ""},
		{"back", "1"},
		{"lanes", "o"},
		{"rows", "z"},
		{"strip", "z z"},
		{"find", "/ p o r t o"},
		{"pins", "p h h x"},
		{"turns", "g"},
		{"help", "?"},
		{"talk", "t"},
		{"answer", "a"},
		{"why", "enter"},
		{"record", "enter r"},
	} {
		for name, change := range looks() {
			for _, size := range sizes {
				t.Run(fmt.Sprintf("%s-%s-%dx%d", view.name, name, size[0], size[1]), func(t *testing.T) {
					cfg := storyConfig(t)
					change(&cfg)
					drive(t, cfg, size[0], size[1], func(r *robot) {
						r.wait(time.Minute)
						r.press(view.keys)
						golden.RequireEqual(t, r.m.View().Content+"\n")
					})
				})
			}
		}
	}
}

// A screen in ASCII has nothing else on it.
func TestASCII(t *testing.T) {
	cfg := storyConfig(t)
	cfg.ASCII = true
	drive(t, cfg, 160, 45, func(r *robot) {
		r.wait(time.Minute)
		for _, keys := range []string{"", "1", "o", "?", "q enter", "q"} {
			r.press(keys)
			for _, c := range r.screen() {
				if c > 0x7e {
					t.Fatalf("%q after %q:\n%s", c, keys, r.screen())
				}
			}
		}
	})
}

// What a session says cannot act on the terminal: the frame holds no escape
// sequences but the program's own styles, and keeps its size.
func TestHostileText(t *testing.T) {
	hostile := "\x1b]52;c;aGk=\x07 \x1b[2J \x9b31m \x1b]8;;http://x\x07hi \x1bP \u202e \r over\ttab \u009b0m \x00"
	cfg := config(t)
	cfg.Title = hostile
	cfg.Load = func(context.Context, Progress) (*session.Session, error) {
		s := madeUp()
		for i := range s.Candidates {
			s.Candidates[i].Text += hostile
			if s.Candidates[i].Tool != nil {
				s.Candidates[i].Tool.Name += hostile
			}
		}
		for i := range s.Turns {
			s.Turns[i].Query += hostile
			s.Turns[i].Answer += hostile
			if s.Turns[i].Internal != "" {
				s.Turns[i].Internal += hostile
			}
		}
		return s, nil
	}
	drive(t, cfg, 160, 45, func(r *robot) {
		for _, keys := range []string{"", "H g 1 2 enter", "end", "enter", "q a", "q 3", "?"} {
			r.press(keys)
			v := r.m.View()
			if ansi.Strip(v.WindowTitle) != v.WindowTitle {
				t.Errorf("the window's title acts: %q", v.WindowTitle)
			}
			state := byte(0)
			for rest := v.Content; rest != ""; {
				seq, width, n, next := ansi.DecodeSequence(rest, state, nil)
				if width == 0 && seq != "\n" && !strings.HasSuffix(seq, "m") {
					t.Fatalf("after %q the frame holds %q", keys, seq)
				}
				state, rest = next, rest[n:]
			}
		}
	})
}
