package tui

import (
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/session"
	"pacms/testdata"
	"pacms/tui/choices"
	"pacms/tui/grid"
	"pacms/tui/paint"
)

// storyState is how far the demo's story has come.
type storyState uint8

const (
	storyNone   storyState = iota // no story
	storyPlays                    // on the way to the mark
	storyMarked                   // at the mark, the needed candidate is dropped
	storyTold                     // it has come back
)

func restartStory(m *Model, _ string) tea.Cmd { return m.restart() }

// restart begins the story: its strategy, its budget, its first turn, and plays.
func (m *Model) restart() tea.Cmd {
	s := m.cfg.Story
	start, err := storyStart(s, m.basis)
	if err != nil {
		m.err = err
		return m.end()
	}
	m.moved, m.budgetSource = true, m.cfg.BudgetSource
	start.turn = m.turns[0]
	if i := m.turnByNumber(s.Start.Turn); i >= 0 && slices.Contains(m.turns, i) {
		start.turn = i
	}
	m.story = storyPlays
	m.play.every = time.Duration(s.Start.Pace) * time.Millisecond
	start.choices, m.expected, m.history = new(choices.Choices), new(choices.Choices), history{}
	m.dwelt, m.followed, m.lost = 0, false, false
	m.before, m.status, m.page, m.prompt = nil, "", nil, nil
	if m.cfg.NoMotion && m.cfg.Turn != 0 {
		return m.show(start)
	}
	if m.cfg.NoMotion {
		if i := m.turnByNumber(s.Mark.Turn); i >= 0 {
			start.turn = i
		}
		return m.show(start)
	}
	return tea.Batch(m.show(start), m.play.start())
}

// storyStart is the strategy and the budget that the story opens with.
func storyStart(s *testdata.Story, basis int) (request, error) {
	strategy, err := selector.ParseStrategy(s.Start.Strategy)
	if err != nil {
		return request{}, err
	}
	budget, err := selector.ParseBudget(s.Start.Budget)
	if err != nil {
		return request{}, err
	}
	return request{strategy: strategy, budget: budget.Tokens(basis)}, nil
}

// tell follows the story with each new picture: it stops at the mark, and knows
// when the needed candidate has come back.
func (m *Model) tell() {
	s := m.cfg.Story
	if s == nil || m.story == storyNone {
		return
	}
	needed := m.shown.indexOf(s.Mark.Needed)
	if needed < 0 {
		return
	}
	if m.story == storyPlays && !m.followed {
		m.cursor, m.followed = needed, true
	}
	if !m.atMark() {
		return
	}
	was := m.story
	m.story = storyMarked
	if m.shown.sel.Keeps(needed) && m.shown.sel.Code(needed) != selector.Pinned {
		m.story = storyTold
	}
	if was == storyPlays {
		m.play.stop()
	}
	if was != m.story {
		m.cursor = needed
	}
}

// atMark reports whether the turn on screen is the story's mark.
func (m *Model) atMark() bool {
	s := m.cfg.Story
	return s != nil && m.shown != nil && m.shown.number == s.Mark.Turn
}

// storyTelling reports whether the box tells how far the story has come.
func (m *Model) storyTelling() bool {
	return m.story == storyPlays && m.shown.number < m.cfg.Story.Mark.Turn && (m.play.on || len(m.shown.missed) == 0)
}

// storySoFar says what the program shows, what the story is about to need, and
// what has become of it.
func (m *Model) storySoFar(b *paint.Block) {
	t, s := m.table, m.cfg.Story
	b.Put(t.Accent, " "+s.Intro)
	b.End()
	i, later := m.shown.indexOf(s.Mark.Needed), "turn "+strconv.Itoa(s.Mark.Turn)+" will need it"
	switch {
	case i >= 0:
		m.needLine(b, i)
		b.Put(t.Text, "   "+m.shown.strategy.String())
		if m.shown.sel.Keeps(i) {
			b.Put(t.Strong, " keeps it")
		} else {
			b.Put(t.Accent, " has dropped it")
		}
		b.Put(t.Muted, " · "+later)
	case m.shown.number == m.storySaid():
		b.Put(t.Text, "   said now: ")
		b.Quote(t.Strong, s.Mark.Fact, b.Room()-1)
		b.End()
		b.Put(t.Muted, "   "+later)
	default:
		b.Put(t.Text, "   "+s.Watch)
		b.End()
		b.Put(t.Muted, "   the story stops by itself where it is needed, at turn "+strconv.Itoa(s.Mark.Turn))
	}
	b.End()
}

// storySaid is the number of the turn in which the story's fact is said, 0 if it
// is not in the session.
func (m *Model) storySaid() int {
	i := slices.IndexFunc(m.session.Candidates, func(c session.Candidate) bool { return c.ID == m.cfg.Story.Mark.Needed })
	if i < 0 {
		return 0
	}
	return m.session.Candidates[i].Turn
}

// How much longer than others the turns stay on screen that the story turns on,
// in paces.
const (
	paceOpening = 9
	paceSaid    = 11
	paceDropped = 7
)

// dwell is for how many more paces the story stays on the turn on screen.
func (m *Model) dwell() int {
	if m.story != storyPlays || m.shown == nil || m.dwelt == m.shown.number {
		return 0
	}
	m.dwelt = m.shown.number
	i := m.shown.indexOf(m.cfg.Story.Mark.Needed)
	switch {
	case m.shown.number == m.storySaid():
		return paceSaid
	case m.shown.turn == m.turns[0]:
		return paceOpening
	case i >= 0 && m.shown.cells[i].Change == grid.Left && !m.lost:
		m.lost = true // once: a large answer may push it out again and again
		return paceDropped
	default:
		return 0
	}
}

// storyOutcome is the sentence on the needed candidate, at pool index i. The
// story's own speaks of its budget; with another one that is said instead.
func (m *Model) storyOutcome(i int) string {
	s, p := m.cfg.Story, m.shown
	said, budget := p.pool.Candidates[i].Turn, paint.Tokens(p.budget)
	start, err := storyStart(s, m.basis)
	if err == nil && p.budget == start.budget {
		return s.Outcome(testdata.Outcome{Item: p.numbers[i], Said: said, Strategy: p.strategy.String(), Budget: budget})
	}
	back := m.outcomeInShort(i)
	if err == nil && p.strategy.String() == start.strategy.String() && p.budget > start.budget {
		return back + "keeps it at " + budget + "; " + paint.Tokens(start.budget) + " was not enough"
	}
	return back + "keeps it within " + budget
}

// outcomeInShort is the beginning of that sentence: who has what again.
func (m *Model) outcomeInShort(i int) string {
	p := m.shown
	return "#" + strconv.Itoa(p.numbers[i]) + " is back from turn " + strconv.Itoa(p.pool.Candidates[i].Turn) + ": " + p.strategy.String() + " "
}
