package tui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pacms/selector/compare"
	"pacms/tui/choices"
	"pacms/tui/matrix"
	"pacms/tui/paint"
)

// tally is the table over all turns, as far as it is known.
type tally struct {
	generation int
	key        tallyKey
	stop       context.CancelFunc // of what is on its way; nil where nothing is
	failed     bool

	outcome func(ctx context.Context, turn int) (*compare.Outcome, error)
	sum     func(cells []compare.Cell, all bool) []compare.Row

	tallied
}

// tallied is what is known of a tally.
type tallied struct {
	done int // turns that were compared
	rest []int
	last *compare.Outcome // of the last of those
	// cells are those of the turns that were compared, in their order, and rows sum
	// them up.
	cells []compare.Cell
	rows  []compare.Row
}

// tallyKey is what a tally depends on.
type tallyKey struct {
	strategy string
	// budget is that of all turns, or noBudget where each has its own.
	budget  int
	choices *choices.Choices
}

// same reports whether the tally of both is the same.
func (k tallyKey) same(o tallyKey) bool {
	return k.choices != nil && k.strategy == o.strategy && k.budget == o.budget && k.choices.SameSelection(o.choices)
}

// tallyMsg carries what is known once some more turns were compared.
type tallyMsg struct {
	generation int
	tallied    tallied
	err        error
}

// stopTally gives up what is on its way; what is known stays.
func (m *Model) stopTally() {
	t := &m.lineup.tally
	if t.stop != nil {
		t.stop()
		t.stop = nil
		t.generation++
	}
}

// tallyTurns goes on with the table over all turns, where that is to be seen.
func (m *Model) tallyTurns() tea.Cmd {
	t, r := &m.lineup.tally, m.shown.request
	if !m.lineup.all {
		m.stopTally()
		return nil
	}
	key := tallyKey{r.strategy.String(), noBudget, r.choices}
	if m.moved {
		key.budget = r.budget
	}
	if !t.key.same(key) {
		m.stopTally()
		turns := m.comparedTurns()
		*t = tally{
			generation: t.generation, key: key, tallied: tallied{rest: turns},
			outcome: m.outcomes(r, turns), sum: m.rowsOf(m.setup(r)),
		}
		m.fillPage()
	}
	if t.stop != nil || t.failed || len(t.rest) == 0 {
		return nil
	}
	return m.tallySome()
}

// tallyWhile is how long turns are compared between two reports.
const tallyWhile = 100 * time.Millisecond

// tallySome compares in the first of the turns that are left, and reports.
func (m *Model) tallySome() tea.Cmd {
	t := &m.lineup.tally
	ctx, cancel := context.WithCancel(m.ctx)
	t.stop = cancel
	generation, known, outcome, sum := t.generation, t.tallied, t.outcome, t.sum
	enter := m.aside.enter
	return func() tea.Msg {
		defer cancel()
		ctx, leave := enter(ctx)
		defer leave()
		known.cells = slices.Clone(known.cells) // those on screen stay as they are
		for begin := time.Now(); len(known.rest) > 0 && time.Since(begin) < tallyWhile; {
			o, err := outcome(ctx, known.rest[0])
			if err != nil {
				return tallyMsg{generation: generation, err: err}
			}
			if known.last != nil {
				o.Follow(known.last)
			}
			for _, c := range o.Cells {
				c.Kept = nil // many ids, which nobody looks at
				known.cells = append(known.cells, c)
			}
			known.last, known.rest = o, known.rest[1:]
			known.done++
		}
		known.rows = sum(known.cells, false)
		return tallyMsg{generation: generation, tallied: known}
	}
}

// tallyCame takes over what is known by now, and goes on.
func (m *Model) tallyCame(msg tallyMsg) tea.Cmd {
	t := &m.lineup.tally
	if msg.generation != t.generation || errors.Is(msg.err, context.Canceled) {
		return nil
	}
	t.stop = nil
	if msg.err != nil {
		t.failed, m.failure = true, msg.err
		m.refill()
		return nil
	}
	t.tallied = msg.tallied
	m.refill()
	if !m.tabulated() || m.page.kind != pageMatrix {
		return nil
	}
	return m.tallyTurns()
}

// viewTally fills the view with the table over all turns.
func (m *Model) viewTally(v *matrix.View, width int) {
	t := &m.lineup.tally
	v.Rows = make([]matrix.Row, len(t.rows))
	for i, r := range t.rows {
		v.Rows[i] = matrix.Row{Row: r, Marks: t.marks(r.Strategy)}
	}
	of := t.done + len(t.rest)
	switch {
	case t.failed:
		v.Working = "given up after " + paint.Count(t.done) + " of " + paint.Plural(of, "turn")
	case len(t.rest) > 0:
		v.Working = "so far " + paint.Count(t.done) + " of " + paint.Plural(of, "turn") + " …"
	}
	if len(t.rows) == 0 {
		return
	}
	r := &t.rows[0]
	v.Over = "means over " + paint.Count(r.Counted) + " contested of " + paint.Plural(r.Turns, "turn")
	if t.key.budget != noBudget {
		v.Over += ", budget " + paint.Count(t.key.budget)
	}
	v.Over += "; misses and quoted are sums"
	if r.Counted == 0 && len(t.rest) == 0 {
		v.Notes = append(v.Notes, "Everything fits within the budget in every turn: there is nothing to tell them apart by.")
	}
	v.Map = "turns in order: " + m.glyphs.Had + " has what it needs  " + m.glyphs.Miss + " likely misses" + perColumn(v.PerColumn(width), "turns")
}

// marks are what a strategy does in each turn that was compared.
func (t *tally) marks(strategy string) []matrix.Mark {
	var marks []matrix.Mark
	for i := range t.cells {
		c := &t.cells[i]
		if c.Strategy != strategy {
			continue
		}
		mark := matrix.Mark{}
		switch {
		case c.Missed > 0:
			mark.State = matrix.Missed
		case c.Needs > 0:
			mark.State = matrix.Had
		}
		marks = append(marks, mark)
	}
	return marks
}
