package tui

import (
	"strings"
	"testing"
)

// From 120 columns on the answer and the conversation stand beside the grid, and
// follow the cursor; on a smaller screen they are pages.
func TestBeside(t *testing.T) {
	drive(t, storyConfig(t), 120, 36, func(r *robot) {
		r.press("space g 2 4 enter 3")
		r.candidate(7)
		r.press("t")
		r.sees("THE CONVERSATION", "#7 user · turn 3", fact, "#8 assistant", "ASKED", "oldest first")
		r.press("l l l l l l")
		r.sees("#13 user")
		r.press("a")
		r.sees("THE RECORDED ANSWER", "It is 5433 for the database on staging.")
		r.press("a")
		r.sees("recorded at turn 24")
		r.press("q .")
		r.sees("THE RECORDED ANSWER", "turn 25/30")
		r.press("esc")
		r.seesNot("THE RECORDED ANSWER")
		r.sees("── #13 user")
	})
	drive(t, config(t), 100, 30, func(r *robot) {
		r.candidate(40)
		r.press("t")
		r.sees("conversation  for turn 28", "#40 ", "lines ")
		if strings.Contains(r.screen(), "ASKED") {
			t.Error("the conversation is no page")
		}
		r.press("q a")
		r.sees("recorded at turn 28")
	})
}
