package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

func boothConfig(t *testing.T) Config {
	cfg := storyConfig(t)
	cfg.Booth = true
	return cfg
}

// A stand that nobody touches tells its story again and again.
func TestBoothLoop(t *testing.T) {
	drive(t, boothConfig(t), 80, 24, func(r *robot) {
		for range 3 {
			r.sees("turn 1/30 ▶", "any key takes over")
			r.wait(15 * time.Second)
			r.sees("turn 24/30 ‖", "lastk would keep", "needed by this turn and dropped: 1", "any key takes over")
			r.wait(10 * time.Second)
			r.sees("turn 24/30 ‖", "pacms would keep", "#7 is back from turn 3", "any key takes over")
			for range 200 {
				if r.m.shown.number == 1 {
					break
				}
				r.wait(100 * time.Millisecond)
			}
		}
	})
}

// A key or a click stops the story and does nothing else; then the screen is the
// visitor's until nobody has touched it for a minute.
func TestBoothVisitor(t *testing.T) {
	for name, touch := range map[string]tea.Msg{
		"a digit": keyPress("1"), "q": keyPress("q"), "ctrl+z": keyPress("ctrl+z"),
		"a click": tea.MouseClickMsg{X: 70, Y: 3, Button: tea.MouseLeft},
		"a wheel": motionMsg{x: 1, y: 1, wheel: 1},
		"a paste": tea.PasteMsg{Content: "1"},
	} {
		drive(t, boothConfig(t), 80, 24, func(r *robot) {
			r.wait(3 * time.Second)
			at := r.m.shown.number
			r.send(touch)
			if r.quit != nil || r.m.shown.number != at || r.m.shown.strategy.String() != "lastk" {
				t.Errorf("%s did more than stop the story: %v\n%s", name, r.quit, r.screen())
			}
			r.sees("‖", "it is yours")
			r.seesNot("any key takes over")
			r.wait(50 * time.Second)
			r.press("2")
			r.wait(55 * time.Second)
			r.sees("topk would keep")
			r.wait(10 * time.Second)
			r.sees("lastk would keep", "any key takes over")
		})
	}
}

// Whatever a visitor does, the next one finds the stand as the first did.
func TestBoothReset(t *testing.T) {
	drive(t, boothConfig(t), 80, 24, func(r *robot) {
		mark := func() string {
			for range 200 {
				if r.m.booth.alone && r.m.story == storyMarked {
					return r.screen()
				}
				r.wait(time.Second)
			}
			t.Fatalf("the story does not come to its mark:\n%s", r.screen())
			return ""
		}
		fresh := mark()
		var keys []string
		for _, s := range r.m.keymap.sections {
			for _, b := range s.bindings {
				for _, key := range b.keys {
					if key != "ctrl+c" && key != "q" {
						keys = append(keys, key)
					}
				}
			}
		}
		r.press("h") // takes over
		for _, key := range keys {
			r.press(key + " 4 4 enter esc esc")
			if r.quit != nil {
				t.Fatalf("%s ends the program with %v", key, r.quit)
			}
		}
		if again := mark(); again != fresh {
			t.Errorf("after a visitor who tried every key:\n%s\nnot as before:\n%s", again, fresh)
		}
		for _, key := range keys {
			r.press("h " + key) // what it opens is left open
			if again := mark(); again != fresh {
				t.Errorf("after %s:\n%s\nnot as before:\n%s", key, again, fresh)
			}
		}
	})
}

// On a stand q is for the next visitor; only ctrl+c ends the program.
func TestBoothEnd(t *testing.T) {
	drive(t, boothConfig(t), 80, 24, func(r *robot) {
		r.wait(15 * time.Second)
		r.press("h 5")
		r.sees("mmr would keep", "q next visitor")
		r.press("ctrl+z")
		r.sees("a stand is not suspended")
		r.press("q")
		r.sees("turn 1/30 ▶", "any key takes over")
		if r.quit != nil {
			t.Fatalf("q ends with %v", r.quit)
		}
		r.press("ctrl+c")
		if _, ok := r.quit.(tea.InterruptMsg); !ok {
			t.Errorf("ctrl+c gives %v", r.quit)
		}
	})
}

// Without motion a stand waits at the mark and goes back to it.
func TestBoothWithoutMotion(t *testing.T) {
	cfg := boothConfig(t)
	cfg.NoMotion = true
	drive(t, cfg, 80, 24, func(r *robot) {
		r.wait(3 * time.Minute)
		r.sees("turn 24/30 ‖", "lastk would keep")
		r.press("1")
		r.sees("pacms would keep")
		r.wait(50 * time.Second)
		r.sees("pacms would keep")
		r.wait(20 * time.Second)
		r.sees("turn 24/30 ‖", "lastk would keep")
	})
}
