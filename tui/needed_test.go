package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"pacms/session"
)

// n goes to what the turn needs and has not before it walks the changes.
func TestWalkToNeeded(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		r.wait(time.Minute)
		r.press("end")
		r.sees("n goes to it")
		r.press("n")
		r.sees("needed and dropped: 1 of 1", "#7 user")
		r.seesNot("n goes to it")
		r.press("n")
		r.sees("change 1 of")
		r.press("n")
		r.sees("change 2 of")
	})
}

// What the story says at its end is true of any budget.
func TestStoryWithOtherBudget(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		r.wait(time.Minute)
		r.press("b")
		r.sees("budget: 310")
		r.press("9 0 0 enter")
		r.sees("budget 900", "#7 is back from turn 3: lastk keeps it at 900; 310 was not enough", "since budget 310")
		r.press("b 2 0 0 enter 1")
		r.sees("#7 is back from turn 3: pacms keeps it within 200")
	})
}

// A long question is cut where it should be: its end, the mark behind it and the
// key for the answer are seen at every width.
func TestGoldenLongQuestion(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			cfg := storyConfig(t)
			cfg.NoMotion = true
			cfg.Load = func(context.Context, Progress) (*session.Session, error) {
				s := madeUp()
				for i := range s.Turns {
					s.Turns[i].Query += strings.Repeat(" and what else", 10)
				}
				return s, nil
			}
			drive(t, cfg, size[0], size[1], func(r *robot) {
				r.sees("…”  a answer", "staging db port is 5433")
				golden.RequireEqual(t, r.screen())
			})
		})
	}
}
