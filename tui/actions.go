package tui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pacms/selector"
	"pacms/tui/paint"
	"pacms/tui/safe"
	"pacms/tui/slider"
)

// say puts a sentence into the status line until the next key.
func (m *Model) say(what string) { m.status = what }

// sayWith is say with a hint behind it, where that has room.
func (m *Model) sayWith(what, hint string) {
	if ansi.StringWidth(what+hint) <= m.layout.Width-2 {
		what += hint
	}
	m.say(what)
}

// ask wants another picture. The changes in it are those against the picture on
// screen, or during a drag against the one it began with.
func (m *Model) ask(r request) tea.Cmd {
	if m.shown != nil && r.equal(m.shown.request) {
		m.want, m.failure = r, nil
		m.giveUp()
		return nil
	}
	if !m.dragging {
		m.before = m.shown
	}
	return m.show(r)
}

// show wants another picture, compared with what m.before holds.
func (m *Model) show(r request) tea.Cmd {
	if m.sweep.key != m.sweepKey(r) {
		m.stopSweep()
	}
	m.comparing.Stop()
	m.want, m.failure = r, nil
	m.stopSearch()
	return m.produce()
}

// giveUp ends the work on a picture that nobody wants any more.
func (m *Model) giveUp() {
	if m.working {
		m.producing.Stop()
		m.working = false
		m.generation++
	}
}

// goTo wants the turn at an index.
func (m *Model) goTo(turn int) tea.Cmd {
	m.live.turned(m, turn)
	r := m.want
	r.turn, r.strategy = turn, m.strategyOf(turn)
	r.budget, _ = m.budgetOf(turn)
	return m.ask(r)
}

// goAt wants the turn at an index with the cursor on the candidate with a number; 0:
// on the one that it is on.
func (m *Model) goAt(turn, number int) tea.Cmd {
	m.aim = number
	cmd := m.goTo(turn)
	if m.working || m.shown == nil {
		return cmd
	}
	m.aim = 0 // it is on screen already
	if i := m.shown.find(number); i >= 0 {
		return tea.Batch(cmd, m.point(i))
	}
	return cmd
}

// setBudget wants a budget that a person chose.
func (m *Model) setBudget(tokens int, source string) tea.Cmd {
	m.moved, m.budgetSource = true, source
	r := m.want
	r.budget = tokens
	return m.ask(r)
}

// neighbour is the index of the turn before (-1) or after (1) the wanted one
// among those that can be on screen, -1 if there is none.
func (m *Model) neighbour(dir int) int {
	at, found := slices.BinarySearch(m.turns, m.want.turn)
	switch {
	case dir < 0:
		at--
	case found:
		at++
	}
	if at < 0 || at >= len(m.turns) {
		return -1
	}
	return m.turns[at]
}

func stepTurn(dir int) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		m.play.stop()
		return m.goTo(m.neighbour(dir))
	}
}

// markedTurn goes to the nearest turn before or after that misses something, a mark
// among it, or that a compaction or a reset stands before.
func markedTurn(m *Model, key string) tea.Cmd {
	dir, where := 1, "after"
	if key == "{" {
		dir, where = -1, "before"
	}
	at, _ := slices.BinarySearch(m.turns, m.want.turn)
	running := m.running()
	for i := at + dir; i >= 0 && i < len(m.turns); i += dir {
		turn := m.turns[i]
		s := m.sweep.found[turn]
		if s.unmet > 0 || s.needs && s.missesBy(running) || m.session.Turns[turn].Boundary != nil {
			m.play.stop()
			return m.goTo(turn)
		}
	}
	m.say("no turn " + where + " this one is marked")
	return nil
}

// running is the place of the running strategy in m.strategies.
func (m *Model) running() int {
	return slices.IndexFunc(m.strategies, func(s selector.Strategy) bool { return s.String() == m.want.strategy.String() })
}

func toggleInternals(m *Model, _ string) tea.Cmd {
	m.internals = !m.internals
	m.listTurns(m.internals)
	m.stopSweep()
	if m.internals {
		m.say("the host's own turns are shown: " + paint.Count(m.internalTurns()))
	} else {
		m.say("the host's own turns are folded: " + paint.Count(m.internalTurns()))
	}
	if _, found := slices.BinarySearch(m.turns, m.want.turn); !found {
		if turn := m.neighbour(-1); turn >= 0 {
			return m.goTo(turn)
		}
		return m.goTo(m.turns[0])
	}
	return m.settled()
}

func seekBudget(m *Model, key string) tea.Cmd {
	dir := 1
	if key == "-" {
		dir = -1
	}
	if m.stopSeek != nil || m.working || m.contesting() {
		m.seeking += dir // goes on from where the present search ends
		return nil
	}
	return m.seek(dir)
}

// found takes over the budget that a search came to.
func (m *Model) found(msg changeMsg) tea.Cmd {
	if msg.generation != m.seeks {
		return nil
	}
	m.stopSeek = nil
	switch {
	case msg.err != nil:
		m.say(safe.Error(msg.err))
	case !msg.found && msg.dir > 0:
		m.say("more budget changes nothing: all that can be kept is kept")
	case !msg.found:
		m.say("less budget changes nothing: only what is required is kept")
	default:
		m.sought = true
		return m.setBudget(msg.budget, "slider")
	}
	m.seeking = 0
	return nil
}

// searchOn starts the next search where keys asked for more than one.
func (m *Model) searchOn() tea.Cmd {
	switch {
	case m.contesting(): // goes on once that is there
	case m.seeking > 0:
		m.seeking--
		return m.seek(1)
	case m.seeking < 0:
		m.seeking++
		return m.seek(-1)
	}
	return nil
}

// stopSearch gives up a search that another wish has overtaken.
func (m *Model) stopSearch() {
	if m.stopSeek != nil {
		m.stopSeek()
		m.stopSeek = nil
		m.seeks++
		m.seeking = 0
	}
}

func stepBudget(m *Model, key string) tea.Cmd {
	percent := 1
	if key == "_" {
		percent = -1
	}
	m.seeking = 0
	to := slider.Scale{Basis: m.basis}.Step(m.want.budget, percent)
	if to == m.want.budget {
		m.say("the budget is at the end of the bar: b types any other")
		return nil
	}
	return m.setBudget(to, "slider")
}

func pickStrategy(m *Model, key string) tea.Cmd {
	number, err := strconv.Atoi(key)
	if err != nil || number < 1 || number > len(m.strategies) {
		m.say("there is no strategy " + key + ": they are 1 to " + strconv.Itoa(len(m.strategies)))
		return nil
	}
	return m.run(m.strategies[number-1])
}

// run wants another strategy.
func (m *Model) run(s selector.Strategy) tea.Cmd {
	r := m.want
	if r.strategy.String() == s.String() {
		m.say(s.String() + " runs already")
		return nil
	}
	m.picked = true
	r.strategy = s
	return m.ask(r)
}

func moveCursor(dx, dy int) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd { return m.point(m.view.Move(m.cursor, dx, dy)) }
}

func jumpCursor(m *Model, key string) tea.Cmd {
	if key == "home" {
		return m.point(m.view.Move(m.cursor, -len(m.shown.cells), 0))
	}
	return m.point(m.view.Move(m.cursor, len(m.shown.cells), 0))
}

func jumpHalf(m *Model, key string) tea.Cmd {
	lines := max(m.layout.Grid.H/2, 1)
	if key == "ctrl+u" {
		lines = -lines
	}
	return m.point(m.view.Move(m.cursor, 0, lines))
}

// point puts the cursor on the candidate at a pool index.
func (m *Model) point(i int) tea.Cmd {
	m.cursor = i
	m.top = m.view.Scroll(i, m.top, m.layout.Grid.H)
	if m.verdict != nil && m.verdict.Index != i {
		m.verdict = nil
	}
	return m.explain()
}

func toggleLanes(m *Model, _ string) tea.Cmd {
	if m.zoomed() == zoomStrip {
		m.say("the strip has lanes already: z shows cells")
		return nil
	}
	m.lanes = !m.lanes
	if m.lanes {
		m.say("lanes by kind, in the order of the strategy's ranks")
	} else {
		m.say("by time, oldest first")
	}
	m.relayout()
	return m.ranks()
}

// ranks asks for the picture on screen with ranks where they are wanted.
func (m *Model) ranks() tea.Cmd {
	if m.wantsRanks() && !m.shown.ranked {
		return m.show(m.want)
	}
	return nil
}

func leave(m *Model, key string) tea.Cmd {
	if key == "esc" && m.search != nil {
		m.search, m.hits = nil, nil
		m.say("all items again")
		return nil
	}
	if key == "esc" && m.flipping.on {
		return toggleFlips(m, key)
	}
	if key == "esc" && m.layout.Wide && m.beside != besideItem {
		return m.closeBeside()
	}
	switch {
	case key == "esc" && m.stand():
		m.say("nothing is open: q makes the stand ready for the next visitor")
		return nil
	case key == "esc":
		m.say("nothing is open: q quits")
		return nil
	case m.stand():
		return m.attract()
	}
	return m.end()
}

// end quits, and stops all work.
func (m *Model) end() tea.Cmd {
	m.quit()
	return tea.Quit
}

func interrupt(m *Model, _ string) tea.Cmd {
	m.quit()
	return tea.Interrupt
}
