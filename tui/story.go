package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/session"
	"pacms/testdata"
	"pacms/tui/choices"
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
	start.choices, m.history = new(choices.Choices), history{}
	m.before, m.status, m.page, m.prompt = nil, "", nil, nil
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
	if s == nil || m.story == storyNone || m.session.Turns[m.shown.turn].Number != s.Mark.Turn {
		return
	}
	needed := slices.IndexFunc(m.shown.pool.Candidates, func(c session.Candidate) bool { return c.ID == s.Mark.Needed })
	if needed < 0 {
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

// storyOutcome is the sentence on the needed candidate, at pool index i.
func (m *Model) storyOutcome(i int) string {
	return m.cfg.Story.Outcome(testdata.Outcome{
		Item: m.shown.numbers[i], Said: m.shown.pool.Candidates[i].Turn,
		Strategy: m.shown.strategy.String(), Budget: paint.Tokens(m.shown.budget),
	})
}
