package tui

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
)

// } and { walk the turns with a mark: what lastk misses, and the compaction.
func TestMarkedTurns(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		r.press("space")
		var marked []int
		for range 40 {
			r.press("}")
			if n := r.m.shown.number; len(marked) == 0 || marked[len(marked)-1] != n {
				marked = append(marked, n)
			}
		}
		r.sees("no turn after this one is marked")
		if !slices.Contains(marked, askTurnN) || marked[len(marked)-1] != 29 {
			t.Errorf("} goes to the turns %v", marked)
		}
		r.sees("turn 29/30", "compaction before this turn")
		r.press("{")
		if r.m.shown.number != marked[len(marked)-2] {
			t.Errorf("{ goes to turn %d of %v", r.m.shown.number, marked)
		}
		for range marked {
			r.press("{")
		}
		r.sees("no turn before this one is marked")
	})
}

// Heartbeats are folded until somebody asks for them.
func TestInternalTurns(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("g 1 1 enter .")
		r.sees("turn 13/30")
		r.press("H ,")
		r.sees("turn 12/30", "heartbeat")
		r.press("H")
		r.sees("turn 11/30", "folded")
	})
}

func TestKeysThatCannotAct(t *testing.T) {
	n := len(selector.Strategies())
	drive(t, config(t), 120, 36, func(r *robot) {
		r.press("g 3 0 enter")
		for _, c := range [][2]string{
			{".", "this is the last turn"},
			{"=", "the host's budget is not in this session"},
			{strconv.Itoa(n + 1), fmt.Sprintf("there is no strategy %d: they are 1 to %d", n+1, n)},
			{"9", "there is no strategy 9"},
			{"1", "pacms runs already"},
			{"D", "only the demo has a story"},

			{"w", "nothing is on the key w: ? lists the keys"},
			{"esc", "nothing is open: q quits"},
		} {
			r.press(c[0])
			r.sees(c[1])
		}
		r.press("g 1 enter")
		for _, c := range [][2]string{{",", "this is the first turn"}, {"l", "nothing was offered for this turn"}, {"enter", "nothing was offered"}} {
			r.press(c[0])
			r.sees(c[1])
		}
		r.press("* _ -")
		if r.quit != nil {
			t.Errorf("a key ended the program: %v", r.quit)
		}
	})
}

func TestGoTo(t *testing.T) {
	drive(t, config(t), 120, 36, func(r *robot) {
		r.press("g 1 0 enter")
		r.sees("turn 10/30")
		r.press("g 9 9 enter")
		r.sees("there is no turn 99: they are 1 to 30")
		r.press("esc g 9 : 3 0 enter")
		at := r.m.session.Turns[r.m.shown.turn].Time
		before := r.m.session.Turns[r.m.shown.turn-1].Time
		if want := time.Date(2026, 11, 29, 9, 30, 0, 0, time.UTC); at.Before(want) || !before.Before(want) {
			t.Errorf("9:30 goes to the turn at %v after that at %v", at, before)
		}
		r.press("g s o o n enter")
		r.sees("neither the number of a turn nor a time")
		r.press("esc g 2 3 : 5 9 enter")
		r.sees("no turn is as late as 23:59")
		r.press("esc g 1 2 enter")
		r.sees("turn 12/30", "heartbeat")
	})
}

func TestQuit(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("? q")
		if r.quit != nil {
			t.Fatal("q on a page ends the program")
		}
		r.press("q")
		if _, ok := r.quit.(tea.QuitMsg); !ok || r.m.err != nil {
			t.Errorf("q ends with %v, %v", r.quit, r.m.err)
		}
	})
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("ctrl+z")
		if _, ok := r.quit.(tea.SuspendMsg); !ok {
			t.Errorf("ctrl+z gives %v", r.quit)
		}
		r.press("b ctrl+c")
		if _, ok := r.quit.(tea.InterruptMsg); !ok {
			t.Errorf("ctrl+c gives %v", r.quit)
		}
	})
}

// The README names every key: of those that do the same at least the first.
func TestREADMENamesEveryKey(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(text)
	for _, s := range sections() {
		for _, b := range s.bindings {
			for _, key := range b.keys[:max(1, len(b.each))] {
				named := "`" + key + "`"
				switch key {
				case "left", "right", "up", "down":
					named = "| arrows"
				case "home", "end":
					named = "`Home` `End`"
				}
				if !strings.Contains(readme, named) {
					t.Errorf("README.md does not name the key %s: %s", key, b.help)
				}
			}
		}
	}
}

// The footer names the views of comparison: the first at 80 columns, all with marks at
// 120, and in the compare view what chooses a side and what explains.
func TestFooterNamesComparisons(t *testing.T) {
	for width, want := range map[int][2][]string{
		80:  {{"c compare"}, {"A B 1-7 side", "enter why", "M matrix"}},
		120: {{"c compare", "M matrix", "v chart", "m mark"}, {"A B 1-7 side", "enter why", "M matrix", "tab swap", "v chart"}},
		160: {{"c compare", "M matrix", "v chart", "m mark", "/ find"}, {"A B 1-7 side", "tab swap", "v chart", "b type a budget"}},
	} {
		drive(t, storyConfig(t), width, 24, func(r *robot) {
			atMark("1")(r)
			r.sees(append(want[0], "? help  q quit")...)
			r.press("c")
			r.sees(append(want[1], "? help  q back")...)
		})
	}
}
