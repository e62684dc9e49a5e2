package tui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"pacms/tui/paint"
	"pacms/tui/slider"
)

// compareKeys are the keys of the main screen that act in the compare view as they do
// there, on both sides.
var compareKeys = []string{",", "[", "pgup", ".", "]", "pgdown", "{", "}", "g", "-", "+", "_", "*", "=", "b", "a", "i", "u", "ctrl+r", "ctrl+z", "ctrl+c"}

// readCompare is a key while the compare view is open.
func (m *Model) readCompare(key string) tea.Cmd {
	c := m.contest
	switch key {
	case "q", "esc", "c":
		return m.leaveCompare()
	case "?":
		return openHelp(m, key)
	case "tab":
		c.sides[0], c.sides[1] = c.sides[1], c.sides[0]
		c.set = true
		m.say("A and B have changed places")
		return nil
	case "A", "B":
		return m.chooseSide(map[string]int{"A": 0, "B": 1}[key])
	case "n", "N":
		return m.nextDifference(map[string]int{"n": 1, "N": -1}[key])
	case "enter":
		return m.openBoth()
	}
	if len(key) == 1 && key[0] >= '1' && key[0] <= '9' {
		return m.runSide(key)
	}
	if move, ok := map[string][2]int{
		"left": {-1, 0}, "h": {-1, 0}, "right": {1, 0}, "l": {1, 0}, "up": {0, -1}, "k": {0, -1}, "down": {0, 1}, "j": {0, 1},
		"ctrl+u": {0, -m.halfGrid()}, "ctrl+d": {0, m.halfGrid()}, "home": {-m.itemCount(), 0}, "end": {m.itemCount(), 0},
	}[key]; ok {
		if c.shown != nil && len(c.shown.items) > 0 {
			m.pointAt(c.layout.Move(c.cursor, move[0], move[1], len(c.shown.items)))
		}
		return m.askBoth()
	}
	if slices.Contains(compareKeys, key) || m.keymap.opens(key) {
		return m.press(key)
	}
	m.say("q goes back to the main screen, where this key may act")
	return nil
}

// opens reports whether a key opens another view.
func (k *keymap) opens(key string) bool {
	b := k.byKey[key]
	return b != nil && b.view
}

func (m *Model) halfGrid() int { return max(m.contest.layout.Grid/2, 1) }

// itemCount is how many items are compared.
func (m *Model) itemCount() int {
	if m.contest.shown == nil {
		return 0
	}
	return len(m.contest.shown.items)
}

// pointAt puts the cursor of the view on an item.
func (m *Model) pointAt(i int) {
	m.contest.cursor, m.contest.moved = i, true
	m.contest.scroll()
}

// scroll keeps the cursor in sight.
func (c *contest) scroll() {
	if c.shown != nil && len(c.shown.items) > 0 && c.layout.Per > 0 {
		c.top = c.layout.Scroll(c.cursor, c.top, len(c.shown.items))
	}
}

// nextDifference goes to the next or the previous item that one side alone keeps.
func (m *Model) nextDifference(dir int) tea.Cmd {
	d := m.contest.shown
	switch {
	case d == nil:
		m.say("still comparing")
		return nil
	case len(d.differences) == 0:
		m.say("both keep the same: A and B choose other sides, tab swaps them")
		return nil
	}
	at, found := slices.BinarySearch(d.differences, m.contest.cursor)
	switch {
	case dir < 0:
		at--
	case found:
		at++
	}
	at = (at + len(d.differences)) % len(d.differences)
	m.pointAt(d.differences[at])
	m.sayWith("difference "+paint.Count(at+1)+" of "+paint.Count(len(d.differences)), ": "+m.compareNote())
	return m.askBoth()
}

// runSide runs the strategy of a digit on side B.
func (m *Model) runSide(key string) tea.Cmd {
	number, _ := strconv.Atoi(key)
	if number < 1 || number > len(m.strategies) {
		m.say("there is no strategy " + key + ": they are 1 to " + strconv.Itoa(len(m.strategies)))
		return nil
	}
	side := m.contest.sides[1]
	side.strategy = m.strategies[number-1]
	m.setSide(1, side)
	return nil
}

// setSide sets a side; Update begins the work.
func (m *Model) setSide(k int, c contender) {
	m.contest.sides[k], m.contest.set = c, true
}

// clickCompare acts on what lies at a cell of the screen in the compare view.
func (m *Model) clickCompare(x, y int) tea.Cmd {
	c := m.contest
	if y == c.layout.Bar {
		m.before, m.dragging = m.shown, true
		return m.drag(x)
	}
	if c.shown == nil {
		return nil
	}
	if i, ok := m.compareView().At(x, y); ok {
		m.pointAt(i)
		return m.askBoth()
	}
	return nil
}

// rollCompare acts on notches of the wheel in the compare view.
func (m *Model) rollCompare(y, notches int) tea.Cmd {
	c := m.contest
	switch {
	case y == c.layout.Bar:
		return m.setBudget(slider.Scale{Basis: m.basis}.Step(m.want.budget, -notches), "slider")
	case c.shown != nil && len(c.shown.items) > 0:
		m.pointAt(c.layout.Move(c.cursor, 0, notches, len(c.shown.items)))
		return m.askBoth()
	}
	return nil
}

// compareHints are the keys that act in the compare view, the most useful first.
func (m *Model) compareHints() []hint {
	return []hint{
		{"- +", "budget"},
		{", .", "turn"},
		{"n", "next"},
		{"A B " + m.digits(), "side"},
		{"enter", "why"},
		{"M", "matrix"},
		{"tab", "swap"},
		{"v", "chart"},
		{"← → ↑ ↓", "item"},
		{"b", "type a budget"},
		{"_ *", "1 %"},
		{"g", "go to turn"},
	}
}

// digits are the keys of the strategies.
func (m *Model) digits() string { return "1-" + strconv.Itoa(len(m.strategies)) }

// compareHelp are the keys of the compare view, for the list of keys.
func compareHelp() [][2]string {
	return [][2]string{
		{"A B", "choose a side: strategy, budget, rules, counter, embedder, another turn or file"},
		{"1-9", "the strategy of B"},
		{"tab", "A and B change places"},
		{"n N", "the next item that one of them alone keeps, the previous one"},
		{"- + , .", "budget and turn, and likewise the bar and b: of both"},
		{"enter", "why each of them keeps or drops the item"},
	}
}
