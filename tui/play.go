package tui

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"
)

// paceWaiting is how much of a turn's time passes between two looks at whether a
// late picture has come.
const paceWaiting = 0.125

const (
	// turnEvery is how long a turn stays on screen at normal speed.
	turnEvery = 700 * time.Millisecond
	// Speeds are powers of two of the normal one.
	slowest, fastest = -2, 4
)

// player plays a session turn by turn.
type player struct {
	on bool
	// generation tells the ticks of this run of playing from those of an earlier one.
	generation int
	// speed is a power of two.
	speed int
	// every is how long a turn stays on screen at normal speed.
	every time.Duration
}

// tickMsg is the end of a turn's time on screen.
type tickMsg struct{ generation int }

func (p *player) stop() {
	p.on = false
	p.generation++
}

func (p *player) start() tea.Cmd {
	p.on = true
	p.generation++
	return p.tick()
}

func (p *player) tick() tea.Cmd { return p.tickAfter(1) }

// tickAfter is tick after as many times the usual.
func (p *player) tickAfter(times float64) tea.Cmd {
	every := p.every
	if every <= 0 {
		every = turnEvery
	}
	if p.speed >= 0 {
		every >>= p.speed
	} else {
		every <<= -p.speed
	}
	generation := p.generation
	return tea.Tick(time.Duration(float64(every)*times), func(time.Time) tea.Msg { return tickMsg{generation} })
}

// speedName is the speed as a factor, "" for the normal one.
func (p *player) speedName() string {
	switch {
	case p.speed > 0:
		return strconv.Itoa(1<<p.speed) + "×"
	case p.speed < 0:
		return "1/" + strconv.Itoa(1<<-p.speed) + "×"
	default:
		return ""
	}
}

// ticked goes on to the next turn once the present one is on screen.
func (m *Model) ticked(msg tickMsg) tea.Cmd {
	if !m.play.on || msg.generation != m.play.generation {
		return nil
	}
	if m.working && m.failure == nil {
		return m.play.tickAfter(paceWaiting)
	}
	if more := m.dwell(); more > 0 {
		return m.play.tickAfter(float64(more))
	}
	next := m.neighbour(1)
	if next < 0 {
		m.play.stop()
		m.say("the last turn: space plays from the first")
		return nil
	}
	return tea.Batch(m.goTo(next), m.play.tick())
}

func togglePlay(m *Model, _ string) tea.Cmd {
	if m.play.on {
		m.play.stop()
		m.say("paused: space goes on")
		return nil
	}
	if m.neighbour(1) < 0 {
		return tea.Batch(m.goTo(m.turns[0]), m.play.start())
	}
	return m.play.start()
}

func changeSpeed(m *Model, key string) tea.Cmd {
	by := 1
	if key == "<" {
		by = -1
	}
	speed := min(max(m.play.speed+by, slowest), fastest)
	if speed == m.play.speed {
		m.say("no faster and no slower than this")
		return nil
	}
	m.play.speed = speed
	name := m.play.speedName()
	if name == "" {
		name = "normal speed"
	}
	m.say("playing at " + name)
	return nil
}
