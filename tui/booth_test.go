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

// A key or a click stops the story and does what it is for, unless that would end
// the visit; then the screen is the visitor's until nobody has touched it for a
// minute.
func TestBoothVisitor(t *testing.T) {
	for name, c := range map[string]struct {
		touch tea.Msg
		sees  string
	}{
		"a digit":      {keyPress("1"), "pacms would keep"},
		"help":         {keyPress("?"), "type to find"},
		"a prompt":     {keyPress("b"), "budget: "},
		"space":        {keyPress("space"), "it is yours"},
		"q":            {keyPress("q"), "it is yours"},
		"esc":          {keyPress("esc"), "it is yours"},
		"ctrl+z":       {keyPress("ctrl+z"), "it is yours"},
		"another key":  {keyPress("j"), "it is yours"},
		"a click":      {tea.MouseClickMsg{X: 70, Y: 3, Button: tea.MouseLeft}, "lastk would keep"},
		"a wheel":      {motionMsg{x: 1, y: 1, wheel: 1}, "it is yours"},
		"a paste":      {tea.PasteMsg{Content: "1"}, "it is yours"},
		"no such key":  {keyPress("W"), "nothing is on the key W"},
		"a click on 1": {tea.MouseClickMsg{X: 31, Y: 0, Button: tea.MouseLeft}, "pacms would keep"},
	} {
		drive(t, boothConfig(t), 80, 24, func(r *robot) {
			r.wait(3 * time.Second)
			at, budget := r.m.shown.number, r.m.want.budget
			r.send(c.touch)
			r.sees(c.sees)
			r.seesNot("any key takes over")
			if moved := r.m.want.budget != budget; moved != (name == "a click") {
				t.Errorf("%s moves the budget: %v", name, moved)
			}
			r.press("esc")
			if r.quit != nil || r.m.shown.number != at {
				t.Errorf("%s does not stop the story: %v\n%s", name, r.quit, r.screen())
			}
			r.sees("‖")
			r.wait(50 * time.Second)
			r.press("2")
			r.wait(55 * time.Second)
			r.sees("topk would keep")
			r.wait(10 * time.Second)
			r.sees("lastk would keep", "any key takes over")
		})
	}
}

// At the mark the digit that the box asks for brings the fact back, whoever pressed
// it: a visitor's first key is not lost.
func TestBoothFirstKeyAtMark(t *testing.T) {
	drive(t, boothConfig(t), 80, 24, func(r *robot) {
		r.wait(15 * time.Second)
		r.sees("turn 24/30 ‖", "lastk would keep", "any key takes over")
		r.press("1")
		r.sees("pacms would keep", "#7 is back from turn 3", "it is yours")
	})
}

// Whatever a visitor does, the next one finds the stand as the first did.
func TestBoothReset(t *testing.T) {
	notShort(t)
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
		r.press("esc")
		r.sees("nothing is open: q makes the stand ready for the next visitor")
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
