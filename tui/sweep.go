package tui

import (
	"context"
	"fmt"
	"maps"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/tui/choices"
	"pacms/tui/timeline"
)

// sweepBatch is how many turns are selected for between two reports of a sweep.
const sweepBatch = 8

// swept is what the timeline shows of a turn under one strategy and budget.
type swept struct {
	kept int // tokens
	// needs is set where the turn seems to need something, and misses says for
	// each strategy whether it would drop that.
	needs  bool
	misses []bool
	// unmet is how many marks of the turn are not met.
	unmet int
	// recorded is set where each turn has the strategy that it was captured with, and
	// own where that drops it; live where what is kept is what the agent had.
	recorded, own, live bool
}

// missesBy reports whether the running strategy, at a place in m.strategies, drops
// something that the turn needs. -1 is one that is not numbered.
func (s swept) missesBy(running int) bool {
	if s.recorded {
		return s.own
	}
	return running >= 0 && running < len(s.misses) && s.misses[running]
}

// sweepMsg carries what a sweep found since its last report.
type sweepMsg struct {
	generation int
	found      map[int]swept // by index in Session.Turns
	rest       []int
	err        error
}

// sweep is the work on the timeline: one selection for each of its columns, done
// while nothing else is wanted.
type sweep struct {
	generation int
	key        sweepKey
	last       sweepKey // of the sweep that was begun last
	whole      bool     // that one is over all columns
	// found is what the timeline shows; next replaces it once it is complete, so
	// that the timeline does not fall dark with every change.
	found, next map[int]swept
	stop        context.CancelFunc
}

// sweepKey is what a sweep depends on.
type sweepKey struct {
	strategy string
	// budget is that of all turns, or noBudget where each has its own.
	budget  int
	choices *choices.Choices
	width   int
}

const noBudget = -1

// sweepAll starts the sweep for the picture on screen, unless it is done or on
// its way.
func (m *Model) sweepAll() tea.Cmd {
	key := m.sweepKey(m.shown.request)
	if m.sweep.key == key {
		return nil
	}
	m.stopSweep()
	m.sweep.key = key
	known := m.sweepKnown()
	m.sweep.last, m.sweep.next = key, make(map[int]swept)
	maps.Copy(m.sweep.next, known)
	if m.sweep.found == nil {
		m.sweep.found = m.sweep.next
	}
	columns := timeline.Columns{N: len(m.turns), Width: m.sparkWidth()}
	turns := make([]int, 0, min(columns.N, columns.Width))
	for i, turn := range m.turns {
		if _, is := known[turn]; is {
			continue
		}
		// Of the turns that share a column the last is shown, and one with marks is
		// gone to in any case.
		if i == len(m.turns)-1 || columns.Of(i+1) != columns.Of(i) || m.expected.MarksIn(m.session.Turns[turn].Number) != nil {
			turns = append(turns, turn)
		}
	}
	return m.sweepSome(turns)
}

// sweepKey is what the sweep for a picture depends on.
func (m *Model) sweepKey(r request) sweepKey {
	key := sweepKey{r.strategy.String(), noBudget, r.choices, m.layout.Width}
	if m.capturesBy() {
		key.strategy = "" // each turn's own
	}
	if m.moved {
		key.budget = r.budget
	}
	return key
}

// swept takes over what a sweep found, and lets it go on.
func (m *Model) swept(msg sweepMsg) tea.Cmd {
	if msg.generation != m.sweep.generation || msg.err != nil {
		return nil
	}
	maps.Copy(m.sweep.next, msg.found)
	if _, here := msg.found[m.shown.turn]; here {
		m.sweep.note(m.shown) // marks may have come since it was begun
	}
	if len(msg.rest) == 0 {
		m.sweep.found = m.sweep.next
		if m.sweep.whole {
			m.live.swept = m.basis
		}
	}
	m.panes.swept++
	return m.sweepSome(msg.rest)
}

// note takes over from a picture whether the marks of its turn are met, so that they
// need no sweep of their own.
func (s *sweep) note(p *picture) {
	for _, found := range []map[int]swept{s.found, s.next} {
		if found == nil {
			continue
		}
		turn, known := found[p.turn]
		if !known {
			turn.kept = p.sel.Tokens.Kept
		}
		turn.unmet = p.unmet
		found[p.turn] = turn
	}
}

// stopSweep gives up the sweep on its way.
func (m *Model) stopSweep() {
	if m.sweep.stop != nil {
		m.sweep.stop()
	}
	m.sweep.stop, m.sweep.key = nil, sweepKey{}
	m.sweep.generation++
}

// sweepSome selects for the first of turns and reports.
func (m *Model) sweepSome(turns []int) tea.Cmd {
	if len(turns) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.sweep.stop = cancel
	batch, rest := turns[:min(sweepBatch, len(turns))], turns[min(sweepBatch, len(turns)):]
	work := make([]func(context.Context) (swept, error), len(batch))
	for i, turn := range batch {
		work[i] = m.sweepTurn(turn)
	}
	generation := m.sweep.generation
	enter := m.aside.enter
	return func() tea.Msg {
		defer cancel()
		ctx, leave := enter(ctx)
		defer leave()
		msg := sweepMsg{generation: generation, found: make(map[int]swept, len(batch)), rest: rest}
		for i, do := range work {
			s, err := do(ctx)
			if err != nil {
				msg.err = err
				return msg
			}
			msg.found[batch[i]] = s
		}
		return msg
	}
}

// sweepTurn makes the work for one turn; it is made for commands and touches no
// state.
func (m *Model) sweepTurn(turn int) func(context.Context) (swept, error) {
	prepare, hindsight, marks := m.prepare(turn), m.hindsight, m.expected.MarksIn(m.session.Turns[turn].Number)
	record, recorded := m.recordOf(turn), m.capturesBy()
	budget, _ := m.budgetOf(turn)
	by := m.shown.strategy
	if recorded {
		by = m.strategyOf(turn)
	}
	own := m.options(request{turn, by, budget, m.shown.choices})
	others := make([]selector.Options, len(m.strategies))
	for k, s := range m.strategies {
		others[k] = m.options(request{turn, s, budget, m.shown.choices})
	}
	return func(ctx context.Context) (swept, error) {
		p, err := prepare(ctx, nil)
		if err != nil {
			return swept{}, err
		}
		sel, err := p.Select(ctx, own)
		if err != nil {
			return swept{}, fmt.Errorf("tui: select for the timeline: %w", err)
		}
		s := swept{kept: sel.Tokens.Kept, unmet: unmet(marks, p.Pool, sel.Keeps)}
		needs := hindsight.Needs(turn, p.Pool)
		if len(needs) == 0 {
			return s, nil
		}
		s.live = record.Is(sel.Kept)
		s.recorded, s.own = recorded, len(selector.Missed(needs, sel.Keeps)) > 0
		s.needs, s.misses = true, make([]bool, len(others))
		for k, opt := range others {
			sel, err := p.Select(ctx, opt)
			if err != nil {
				return swept{}, fmt.Errorf("tui: select for the timeline: %w", err)
			}
			s.misses[k] = len(selector.Missed(needs, sel.Keeps)) > 0
		}
		return s, nil
	}
}
