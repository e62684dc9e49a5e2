package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/tui/choices"
	versus "pacms/tui/compare"
	"pacms/tui/safe"
)

// Place is what a side of the compare view is taken from; what is empty is that of
// the session on screen.
type Place struct {
	// Path is another session, Counter what counts tokens, Embedder what compares
	// texts, by the names that the command line knows them by.
	Path, Counter, Embedder string
}

// contender is one side of the compare view as a person has set it. What is not set
// follows the screen.
type contender struct {
	strategy selector.Strategy
	// more is how many tokens its budget has more than that of the bar.
	more  int
	rules *selector.Rules
	place Place
	// number is the number of the turn that it showed when the turn at place base of
	// those on screen was there; 0: the one on screen, or of another session the one
	// with the same number, else the last.
	number, base int
}

// sideNames are what the sides are called.
var sideNames = [2]string{"A", "B"}

// contest is the compare view: two sides that are held against each other.
type contest struct {
	sides [2]contender
	// set is where a person has chosen a side.
	set bool

	generation int
	work       selector.Newest
	working    bool
	pending    contestKey // of what is on its way
	tried      contestKey // of what is shown, or has failed
	shown      *duel
	failed     error

	cursor, top int
	moved       bool // the cursor was moved since the view was opened
	layout      versus.Layout
	// both is the reasoning of both sides on an item, nil while it is not known.
	both *bothWhys
}

// contestKey is what a comparison depends on.
type contestKey struct {
	sides   string
	turn    int
	budget  int
	choices *choices.Choices
}

// key says all of a side.
func (c contender) key() string {
	rules := "screen"
	if c.rules != nil {
		rules = strings.Join(c.rules.Names(), ",")
	}
	return strings.Join([]string{
		c.strategy.String(), strconv.Itoa(c.more), rules, c.place.Path, c.place.Counter, c.place.Embedder, strconv.Itoa(c.number), strconv.Itoa(c.base),
	}, "\x00")
}

func (m *Model) contestKey() contestKey {
	c := m.contest
	return contestKey{c.sides[0].key() + "\x01" + c.sides[1].key(), m.want.turn, m.want.budget, m.want.choices}
}

// rival is the strategy that others are compared with at first: what hosts do.
const rival = "lastk"

// usualSides are the rival and the present strategy, or the first one where the
// rival is present.
func (m *Model) usualSides() [2]contender {
	at := func(name string) selector.Strategy {
		k := slices.IndexFunc(m.strategies, func(s selector.Strategy) bool { return s.Name() == name })
		return m.strategies[max(k, 0)]
	}
	a, b := at(rival), m.want.strategy
	if b.Name() == rival {
		a, b = b, m.strategies[0]
	}
	return [2]contender{{strategy: a}, {strategy: b}}
}

// openCompare opens the compare view on the item under the cursor, with the sides
// that a person chose there last.
func openCompare(m *Model, _ string) tea.Cmd {
	if m.contest == nil {
		m.contest = new(contest)
	}
	c := m.contest
	if !c.set {
		c.sides = m.usualSides()
	}
	id := ""
	if m.cursor < len(m.shown.cells) {
		id = m.shown.pool.Candidates[m.cursor].ID
	}
	c.moved = false
	m.open(pageCompare)
	if d := c.shown; d != nil && id != "" {
		c.cursor = max(d.indexOf(id), 0)
		c.scroll()
	}
	return nil // Update begins the work
}

// comparePage is the compare view where it is open, also below another page.
func (m *Model) comparePage() *page {
	for p := m.page; p != nil; p = p.under {
		if p.kind == pageCompare {
			return p
		}
	}
	return nil
}

// back closes the open page, and shows the one below it.
func (m *Model) back() {
	m.page = m.page.under
	if m.page != nil {
		m.fillPage()
	}
}

// leaveCompare closes the compare view; the cursor of the main screen goes to its
// item.
func (m *Model) leaveCompare() tea.Cmd {
	m.page = nil
	if id := m.contest.id(); id != "" && m.shown != nil {
		if i := m.shown.indexOf(id); i >= 0 {
			return m.point(i)
		}
	}
	return nil
}

// id is that of the item under the cursor, "" without one.
func (c *contest) id() string {
	if c.shown == nil || c.cursor >= len(c.shown.items) {
		return ""
	}
	return c.shown.candidate(c.cursor).ID
}

// contesting reports whether the open compare view waits for a comparison.
func (m *Model) contesting() bool {
	return m.comparePage() != nil && (m.contest.working || m.contest.shown == nil && m.contest.failed == nil)
}

// endContest forgets the compare view.
func (m *Model) endContest() {
	if m.contest != nil {
		m.contest.work.Stop()
		m.contest = nil
	}
}

// contend starts the comparison that the open view wants, unless it is shown or on
// its way; without the view it gives up what is.
func (m *Model) contend() tea.Cmd {
	c := m.contest
	switch {
	case c == nil:
		return nil
	case m.comparePage() == nil:
		if c.working {
			c.giveUp()
		}
		return nil
	}
	key := m.contestKey()
	if c.working {
		if with := key; with.sides == c.pending.sides && with.turn == c.pending.turn && with.choices == c.pending.choices {
			return nil // what comes of it is seen on the way, and the newest follows
		}
		c.giveUp()
	}
	if key == c.tried {
		return nil
	}
	c.generation++
	c.working, c.pending = true, key
	ctx, done := c.work.Next(m.ctx)
	work := m.contestWork(c.generation)
	return func() tea.Msg {
		defer done()
		return work(ctx)
	}
}

// giveUp ends the work on its way.
func (c *contest) giveUp() {
	c.work.Stop()
	c.working = false
	c.generation++
}

// contested takes over a comparison.
func (m *Model) contested(msg duelMsg) tea.Cmd {
	c := m.contest
	for _, o := range msg.opened { // what was read is kept, whoever asked for it
		if o != nil && o.place != (Place{}) && m.reopened[o.place] == nil {
			m.reopened[o.place] = o
		}
	}
	if c == nil || msg.generation != c.generation {
		return nil
	}
	c.working, c.tried, c.failed = false, c.pending, msg.err
	if msg.err != nil {
		m.say(safe.Error(msg.err))
		m.refill()
		return nil
	}
	d, id := msg.duel, c.id()
	if c.shown == nil && m.cursor < len(m.shown.cells) {
		id = m.shown.pool.Candidates[m.cursor].ID
	}
	for _, s := range d.sides {
		if s.opened != nil {
			s.opened.prepared.put(s.turn, s.prepared)
		} else {
			m.prepared.put(s.turn, s.prepared)
		}
	}
	c.shown, c.both = d, nil
	c.cursor = d.indexOf(id)
	if c.cursor < 0 {
		c.cursor = max(len(d.items)-1, 0)
	}
	m.refill()
	var next tea.Cmd
	if !m.working {
		next = m.searchOn()
	}
	return tea.Batch(next, m.askBoth())
}
