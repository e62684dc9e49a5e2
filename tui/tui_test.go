package tui

import (
	"testing"
	"time"
)

func TestStory(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		r.sees("turn 1/30 ▶", "lastk would keep 0 of 0 items")
		r.wait(30 * time.Second)
		t.Log(r.screen())
		r.sees("turn 24/30 ‖", "needed by this turn and dropped: 1", "press 1 to see it come back")
		r.press("1")
		t.Log(r.screen())
	})
}
