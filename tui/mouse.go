package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pacms/tui/slider"
	"pacms/tui/timeline"
)

// fps is how often a second the screen is drawn at most. A key waits for the next of
// these moments, on average half of the time between two.
const fps = 120

// frame is how long motions of the mouse are gathered before one acts.
const frame = time.Second / fps

type (
	// frameMsg ends a frame: what the filter has gathered may act.
	frameMsg struct{}
	// motionMsg is the newest motion of a frame with the sum of its notches.
	motionMsg struct {
		motion *tea.MouseMotionMsg
		x, y   int
		wheel  int
	}
)

// filter gathers the mouse's motions and notches between two frames, so that
// however many come, one acts: the newest motion and the sum of the notches. A
// click or a release passes at once. It is for tea.WithFilter.
type filter struct {
	waiting bool // a frame is on its way
	motion  *tea.MouseMotionMsg
	wheel   int
	x, y    int
}

// pass lets a message through, keeps it back or changes it.
func (f *filter) pass(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg := msg.(type) {
	case tea.MouseMotionMsg:
		f.motion = &msg
	case tea.MouseWheelMsg:
		f.x, f.y = msg.X, msg.Y
		switch msg.Button {
		case tea.MouseWheelUp:
			f.wheel--
		case tea.MouseWheelDown:
			f.wheel++
		default:
			return nil
		}
	case tea.MouseReleaseMsg:
		f.motion = nil // the release is newer
		return msg
	case frameMsg:
		f.waiting = false
	default:
		return msg
	}
	if f.waiting || f.motion == nil && f.wheel == 0 {
		return nil
	}
	gathered := motionMsg{motion: f.motion, wheel: f.wheel, x: f.x, y: f.y}
	f.motion, f.wheel, f.waiting = nil, 0, true
	return gathered
}

// mouse acts on a message of the mouse.
func (m *Model) mouse(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case motionMsg:
		next := tea.Tick(frame, func(time.Time) tea.Msg { return frameMsg{} })
		var moved, rolled tea.Cmd
		if msg.motion != nil {
			moved = m.drag(msg.motion.X)
		}
		if msg.wheel != 0 {
			rolled = m.roll(msg.x, msg.y, msg.wheel)
		}
		return tea.Batch(moved, rolled, next)
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			m.status = ""
			return m.click(msg.X, msg.Y)
		}
	case tea.MouseReleaseMsg:
		if !m.dragging {
			return nil
		}
		cmd := m.drag(msg.X)
		m.dragging = false
		return tea.Batch(cmd, m.settled())
	}
	return nil
}

// click acts on what lies at a cell of the screen.
func (m *Model) click(x, y int) tea.Cmd {
	l := m.layout
	switch {
	case m.page != nil && m.page.pick != nil && !l.Small:
		return m.clickPick(y)
	case m.page != nil && m.page.kind == pageChart && !l.Small:
		return m.clickChart(x)
	case m.page != nil && m.page.kind == pageMatrix && !l.Small:
		return m.clickMatrix(y)
	case m.page != nil && m.page.kind == pageCompare && m.shown != nil && !l.Small:
		return m.clickCompare(x, y)
	case m.page != nil || m.shown == nil || l.Small:
		return nil
	case l.Bar.contains(x, y):
		m.before, m.dragging = m.shown, true
		return m.drag(x)
	case l.Title.contains(x, y):
		for i, p := range m.pills() {
			if x >= p.from && x < p.to {
				return m.run(m.strategies[i])
			}
		}
	case l.Grid.contains(x, y):
		if i, ok := m.view.At(x-l.Grid.X-1, y-l.Grid.Y, m.top); ok {
			return m.point(i)
		}
	case l.Timeline.contains(x, y):
		columns := timeline.Columns{N: len(m.turns), Width: m.sparkWidth()}
		if i, ok := columns.At(x - l.Timeline.X - 1); ok {
			m.play.stop()
			return m.goTo(m.turns[i])
		}
	}
	return nil
}

// drag moves the handle of the budget to a column of the screen.
func (m *Model) drag(x int) tea.Cmd {
	if !m.dragging || m.shown == nil {
		return nil
	}
	if m.page != nil && m.page.kind == pageChart {
		return m.dragChart(x)
	}
	bar := m.layout.Bar
	scale := slider.Scale{Basis: m.basis, Width: bar.W - 2}
	return m.setBudget(scale.Tokens(x-bar.X-1), "slider")
}

// roll acts on notches of the wheel: it scrolls the open page, moves the budget
// on the bar and on the chart, and the cursor elsewhere.
func (m *Model) roll(x, y, notches int) tea.Cmd {
	switch {
	case m.page != nil && m.page.pick != nil:
		m.stepPick(notches)
	case m.page != nil && m.page.kind == pageChart:
		return m.setBudget(slider.Scale{Basis: m.basis}.Step(m.want.budget, -notches), "slider")
	case m.page != nil && m.page.kind == pageCompare && m.shown != nil:
		return m.rollCompare(y, notches)
	case m.page != nil:
		m.page.Scroll(3*notches, m.pageHeight())
	case m.shown == nil || len(m.shown.cells) == 0:
	case m.layout.Bar.contains(x, y):
		return m.setBudget(slider.Scale{Basis: m.basis}.Step(m.want.budget, -notches), "slider")
	default:
		return m.point(m.view.Move(m.cursor, 0, notches))
	}
	return nil
}
