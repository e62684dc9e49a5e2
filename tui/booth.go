package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	// boothIdle is how long nobody touches a stand before it counts as left.
	boothIdle = time.Minute
	// boothHold is how long a stopped picture is shown for people to read.
	boothHold = 10 * time.Second
	// boothLook is how often a stand that plays looks whether it has stopped.
	boothLook = time.Second
)

// booth is a stand at which one visitor follows another. While it is alone it
// tells the story again and again.
type booth struct {
	alone bool
	// touched is when someone last pressed a key or a button, pictured when the
	// picture on screen last changed.
	touched, pictured time.Time
	// generation tells the ticks of this visit from those of an earlier one.
	generation int
}

// boothMsg is the time to look after the stand.
type boothMsg struct{ generation int }

// tick looks after the stand in d.
func (b *booth) tick(d time.Duration) tea.Cmd {
	generation := b.generation
	return tea.Tick(d, func(time.Time) tea.Msg { return boothMsg{generation} })
}

// stand reports whether this is a stand, and ready for visitors.
func (m *Model) stand() bool { return m.cfg.Booth && m.cfg.Story != nil && m.session != nil }

// attract makes the stand as new for the next visitor, and has it tell its story
// meanwhile. Without motion it waits at the story's mark.
func (m *Model) attract() tea.Cmd {
	m.booth.generation++
	m.booth.alone = !m.cfg.NoMotion
	m.booth.touched = time.Now()
	m.lanes, m.zoom, m.search, m.hits = false, zoomAuto, nil, nil
	m.stopEverywhere()
	m.everywhere.text = ""
	m.lineup.all = false
	m.flipping.on = false
	m.endFlips()
	m.endContest()
	m.dragging, m.top, m.cursor, m.play.speed = false, 0, 0, 0
	if m.internals {
		m.internals = false
		m.listTurns(m.internals)
		m.stopSweep()
	}
	wait := boothLook
	if m.cfg.NoMotion {
		wait = boothIdle
	}
	return tea.Batch(m.restart(), m.booth.tick(wait))
}

// attended goes on with the stand: where it is alone it takes the story's next
// step, otherwise it looks whether the visitor has gone.
func (m *Model) attended(msg boothMsg) tea.Cmd {
	if !m.stand() || msg.generation != m.booth.generation {
		return nil
	}
	if m.play.on {
		m.booth.touched = time.Now() // whoever started it watches it
		return m.booth.tick(boothLook)
	}
	since, limit := m.booth.touched, boothIdle
	if m.booth.alone {
		since, limit = m.booth.pictured, boothHold
	}
	if left := limit - time.Since(since); left > 0 || m.working {
		return m.booth.tick(max(left, boothLook))
	}
	if m.booth.alone && m.story == storyMarked && m.running() != 0 {
		m.booth.pictured = time.Now() // should the picture fail to come
		return tea.Batch(m.run(m.strategies[0]), m.booth.tick(boothHold))
	}
	return m.attract()
}

// visited is told of every message. Where a visitor came to a stand that was
// alone, or pressed what would end it for those who come after, the message is
// answered here.
func (m *Model) visited(msg tea.Msg) (cmd tea.Cmd, answered bool) {
	if !m.stand() {
		return nil, false
	}
	key := ""
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		key = msg.String()
	case tea.PasteMsg, tea.MouseClickMsg, tea.MouseReleaseMsg, motionMsg:
	default:
		return nil, false
	}
	m.booth.touched = time.Now()
	switch {
	case key == "ctrl+c":
		return nil, false
	case m.booth.alone:
		if _, released := msg.(tea.MouseReleaseMsg); released {
			return nil, true // of a button that was pressed before
		}
		return m.takeOver(msg, key), true
	case key == "ctrl+z":
		m.say("a stand is not suspended: ctrl+c ends it")
		return nil, true
	}
	return nil, false
}

// takeOver leaves the stand to a visitor, and does what the key or the button is
// for that the visitor touched. What would end the visit at once only begins it.
func (m *Model) takeOver(msg tea.Msg, key string) tea.Cmd {
	m.booth.alone = false
	m.booth.generation++
	paused := m.play.on && key == "space"
	m.play.stop()
	m.status = ""
	var act tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if !paused && key != "q" && key != "esc" && key != "ctrl+z" {
			act = m.key(msg)
		}
	case tea.MouseClickMsg, motionMsg:
		act = m.mouse(msg)
	}
	if m.status == "" && m.prompt == nil && m.page == nil {
		m.say("it is yours: ? lists the keys, D tells the story")
	}
	return tea.Batch(m.booth.tick(boothIdle), act)
}
