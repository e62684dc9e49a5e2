package tui

import (
	"strconv"
	"testing"
	"time"
)

func TestStory(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		r.sees("turn 1/30 ▶", "lastk would keep 0 of 0 items", "nothing was offered for this turn")
		r.sees("an agent's memory is limited", "watch turn 3", "the story stops by itself", "< > speed")
		r.wait(9 * 250 * time.Millisecond)
		r.sees("turn 1/30 ▶")
		r.wait(3 * 250 * time.Millisecond)
		r.sees("turn 3/30 ▶", "said now: “"+fact+"”", "turn 24 will need it")
		r.wait(10 * 250 * time.Millisecond)
		r.sees("turn 3/30 ▶")
		r.wait(3 * 250 * time.Millisecond)
		r.sees("▶", "#7  user  turn 3", "lastk keeps it")
		if r.m.pointed() != 7 {
			t.Errorf("the cursor is on #%d, not on the fact", r.m.pointed())
		}
		r.wait(14 * 250 * time.Millisecond)
		r.sees("▶", "lastk has dropped it")
		r.wait(time.Minute)
		r.sees("turn 24/30 ‖", "needed by this turn and dropped: 1", "◉", "“"+fact+"”", "1 pacms", "press 1 to see it come back", "DROPPED")
		r.press("3")
		r.sees("lastk runs already")
		r.press("1")
		r.sees("#7 is back from turn 3, 21 turns ago: pacms keeps it within the same", "since lastk", "(#7 …)", "still dropped by 3 lastk", "KEPT")
		r.seesNot("◉ ·")
		r.press("3")
		r.sees("needed by this turn and dropped: 1")
		r.press("D")
		r.sees("turn 1/30 ▶")
		r.wait(time.Minute)
		r.sees("turn 24/30 ‖")
	})
}

// Keys act while the story plays, and it still stops at its mark.
func TestStoryWithKeys(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		r.wait(time.Second)
		r.press("1")
		r.sees("pacms would keep", "▶")
		r.press("space")
		r.sees("‖", "paused")
		before := r.m.shown.number
		r.wait(time.Minute)
		if r.m.shown.number != before {
			t.Errorf("a paused story went from turn %d to %d", before, r.m.shown.number)
		}
		r.press("> space")
		r.sees("▶ 2×")
		r.wait(time.Minute)
		r.sees("turn 24/30 ‖", "#7 is back")
		r.press("space")
		r.wait(time.Minute)
		r.sees("turn 30/30 ‖", "the last turn")
	})
}

func TestStoryWithoutMotion(t *testing.T) {
	cfg := storyConfig(t)
	cfg.NoMotion = true
	drive(t, cfg, 80, 24, func(r *robot) { r.sees("turn 24/30 ‖", "needed by this turn and dropped: 1") })
}

// Whoever names a turn looks at that turn: the story does not play on from it.
func TestStoryOnNamedTurn(t *testing.T) {
	for _, noMotion := range []bool{false, true} {
		for _, number := range []int{20, 27} {
			cfg := storyConfig(t)
			cfg.Turn, cfg.Story.Start.Turn, cfg.NoMotion = number, number, noMotion
			drive(t, cfg, 80, 24, func(r *robot) {
				r.wait(time.Minute)
				r.sees("turn "+strconv.Itoa(number)+"/30 ‖", "lastk would keep")
				r.press("space")
				r.wait(200 * time.Millisecond)
				r.sees("▶")
			})
		}
	}
}
