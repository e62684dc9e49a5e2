package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"pacms/tui/overlay"
	"pacms/tui/slider"
)

// Of the motions between two frames the newest acts, notches add up, and clicks
// and releases pass at once.
func TestFilter(t *testing.T) {
	var f filter
	pass := func(msg tea.Msg) tea.Msg { return f.pass(nil, msg) }
	motion := func(x int) tea.MouseMotionMsg { return tea.MouseMotionMsg{X: x, Button: tea.MouseLeft} }
	roll := func(b tea.MouseButton) tea.MouseWheelMsg { return tea.MouseWheelMsg{X: 4, Y: 9, Button: b} }

	if msg, ok := pass(motion(1)).(motionMsg); !ok || msg.motion.X != 1 {
		t.Errorf("the first motion gives %v", msg)
	}
	for x := 2; x < 50; x++ {
		if msg := pass(motion(x)); msg != nil {
			t.Errorf("a motion within a frame gives %v", msg)
		}
	}
	if msg, ok := pass(frameMsg{}).(motionMsg); !ok || msg.motion.X != 49 || msg.wheel != 0 {
		t.Errorf("the frame gives %v", msg)
	}
	if msg := pass(frameMsg{}); msg != nil {
		t.Errorf("a frame without motion gives %v", msg)
	}
	if msg, ok := pass(roll(tea.MouseWheelDown)).(motionMsg); !ok || msg.wheel != 1 || msg.x != 4 || msg.y != 9 {
		t.Errorf("the first notch gives %v", msg)
	}
	for _, b := range []tea.MouseButton{tea.MouseWheelDown, tea.MouseWheelDown, tea.MouseWheelUp, tea.MouseWheelDown, tea.MouseWheelLeft} {
		if msg := pass(roll(b)); msg != nil {
			t.Errorf("a notch within a frame gives %v", msg)
		}
	}
	pass(motion(60))
	if msg := pass(tea.MouseReleaseMsg{X: 61}); msg != (tea.MouseReleaseMsg{X: 61}) {
		t.Errorf("the release gives %v", msg)
	}
	if msg, ok := pass(frameMsg{}).(motionMsg); !ok || msg.wheel != 2 || msg.motion != nil {
		t.Errorf("the frame after a release gives %v: the release is newer than the motion", msg)
	}
	for _, msg := range []tea.Msg{keyPress("x"), tea.MouseClickMsg{X: 1}, tea.WindowSizeMsg{Width: 3}} {
		if got := pass(msg); got != msg {
			t.Errorf("%v becomes %v", msg, got)
		}
	}
}

func TestMouse(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		click := func(x, y int) {
			r.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}, tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
		}
		l := r.m.layout
		scale := slider.Scale{Basis: r.m.basis, Width: l.Bar.W - 2}

		click(40, l.Bar.Y)
		if want := scale.Tokens(39); r.m.shown.budget != want {
			t.Errorf("a click in the middle of the bar gives a budget of %d, want %d", r.m.shown.budget, want)
		}
		pills := r.m.pills()
		click(pills[2].from, 0)
		r.sees("lastk would keep")
		click(pills[2].to+1, 0)
		r.sees("rag would keep")
		i, ok := r.m.view.At(20, 0, 0)
		click(l.Grid.X+1+20, l.Grid.Y)
		if !ok || r.m.cursor != i {
			t.Errorf("a click on a cell puts the cursor on %d, want %d", r.m.cursor, i)
		}
		click(1, l.Timeline.Y)
		r.sees("turn 1/30")
		click(79, 23)
		click(40, 2)
		r.sees("turn 1/30")
	})
}

// A drag is compared with what it began with, however many pictures came between.
func TestDrag(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		y, from := r.m.layout.Bar.Y, r.m.shown
		r.send(tea.MouseClickMsg{X: 30, Y: y, Button: tea.MouseLeft})
		for x := 30; x > 4; x-- {
			r.send(motionMsg{motion: &tea.MouseMotionMsg{X: x, Y: y, Button: tea.MouseLeft}})
		}
		r.send(tea.MouseReleaseMsg{X: 4, Y: 20, Button: tea.MouseLeft})
		want := slider.Scale{Basis: r.m.basis, Width: 78}.Tokens(3)
		if r.m.shown.budget != want || r.m.dragging || r.m.working {
			t.Errorf("the drag ends at %d, want %d", r.m.shown.budget, want)
		}
		if r.m.before != from {
			t.Errorf("the drag is compared with a budget of %d, want %d", r.m.before.budget, from.budget)
		}
		left := 0
		for number, kept := range from.kept {
			if kept && !r.m.shown.kept[number] {
				left++
			}
		}
		if r.m.shown.left != left {
			t.Errorf("%d left, want %d", r.m.shown.left, left)
		}
	})
}

func TestWheel(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("home")
		r.send(motionMsg{x: 10, y: 8, wheel: 1})
		if row := r.m.view.Row(r.m.cursor); row != 1 {
			t.Errorf("a notch goes to row %d", row)
		}
		budget := r.m.shown.budget
		r.send(motionMsg{x: 10, y: r.m.layout.Bar.Y, wheel: -2})
		if r.m.shown.budget != budget+r.m.basis*2/100 {
			t.Errorf("two notches on the bar go from %d to %d", budget, r.m.shown.budget)
		}
		r.press("enter")
		r.m.page.Lines = append(r.m.page.Lines, make([]overlay.Line, 40)...)
		r.send(motionMsg{x: 10, y: 8, wheel: 2})
		if r.m.page.Offset != 6 {
			t.Errorf("two notches scroll a page to line %d", r.m.page.Offset)
		}
		r.press("?")
		at := r.m.page.pick.at
		r.send(motionMsg{x: 10, y: 8, wheel: 2})
		if r.m.page.pick.at != at+2 {
			t.Errorf("two notches go from row %d of a list to %d", at, r.m.page.pick.at)
		}
	})
}

// A burst of motions is drawn at most once a frame, and not once a motion.
func TestDragBurstIsGathered(t *testing.T) {
	var f filter
	passed := 0
	for i := range 300 {
		if f.pass(nil, tea.MouseMotionMsg{X: i}) != nil {
			passed++
		}
		if i%30 == 29 && f.pass(nil, frameMsg{}) != nil {
			passed++
		}
	}
	if passed > 11 {
		t.Errorf("%d of 300 motions in 10 frames passed", passed)
	}
}
