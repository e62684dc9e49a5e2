package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/tui/why"
)

// inquiry is what is being found out about one candidate of one picture while its
// page is open. Its parts come in when they are ready.
type inquiry struct {
	generation int
	picture    *picture
	index      int             // of the candidate, in the pool
	ctx        context.Context // of the work on it
	stop       context.CancelFunc

	// why is the reasoning; nil while it is looked up.
	why *selector.Why
	// begun is set once the work that takes time is on its way.
	begun bool
	// tried is set once would, what turns the verdict, is known.
	tried bool
	would []selector.WouldKeep
	// prefix says what of the selection a prompt cache could reuse.
	prefix string
	// optimum says what the search for the best set is at, or has found; "" until it
	// was asked for.
	optimum string
	// later is what this turn and later ones turned out to need of it, each under
	// the word for when.
	later []why.Step
	// failed is why a part could not be found out.
	failed error
}

// foundOutMsg carries a part of an inquiry.
type foundOutMsg struct {
	generation int
	take       func(*inquiry)
	err        error
}

// asked is the inquiry into the candidate under the cursor, nil without one.
func (m *Model) asked() *inquiry {
	q := m.inquiry
	if q == nil || q.picture != m.shown || q.index != m.cursor {
		return nil
	}
	return q
}

// inquire starts what the open page does not know yet of the candidate under the
// cursor: first the reasoning, and once the picture stands what takes time.
func (m *Model) inquire() tea.Cmd {
	if m.page == nil || m.page.kind != pageWhy || m.shown == nil || len(m.shown.cells) == 0 {
		return nil
	}
	if q := m.asked(); q != nil {
		if q.why == nil || q.begun || m.working || m.dragging {
			return nil
		}
		q.begun = true
		return m.findOut(q)
	}
	m.endInquiry()
	m.inquiries++
	ctx, cancel := context.WithCancel(m.ctx)
	m.inquiry = &inquiry{generation: m.inquiries, picture: m.shown, index: m.cursor, ctx: ctx, stop: cancel}
	if w := m.shown.why; w != nil && w.Verdict.Index == m.cursor {
		m.inquiry.why = w
		m.fillPage()
		return tea.Batch(m.follow(), m.inquire())
	}
	return tea.Batch(m.part(ctx, func(_ context.Context, p *picture, i int) (func(*inquiry), error) {
		w := p.sel.Why(i)
		return func(q *inquiry) { q.why = &w }, nil
	}), m.follow())
}

// endInquiry gives up what was being found out.
func (m *Model) endInquiry() {
	if m.inquiry != nil {
		m.inquiry.stop()
		m.inquiry = nil
	}
}

// part makes the command for one part of the present inquiry; find touches no state.
func (m *Model) part(ctx context.Context, find func(ctx context.Context, p *picture, i int) (func(*inquiry), error)) tea.Cmd {
	q := m.inquiry
	generation, p, i := q.generation, q.picture, q.index
	return func() tea.Msg {
		take, err := find(ctx, p, i)
		return foundOutMsg{generation, take, err}
	}
}

// foundOut takes over a part.
func (m *Model) foundOut(msg foundOutMsg) tea.Cmd {
	q := m.inquiry
	if q == nil || msg.generation != q.generation || errors.Is(msg.err, context.Canceled) {
		return nil
	}
	if msg.err != nil {
		q.failed = msg.err
		m.say(msg.err.Error())
	} else {
		msg.take(q)
	}
	m.refill()
	return m.inquire()
}

// findOut starts what takes time: what would turn the verdict, what a prompt cache
// could reuse, and what came of it later.
func (m *Model) findOut(q *inquiry) tea.Cmd {
	ctx := q.ctx
	opt, others := m.options(q.picture.request), m.otherStrategies(q.picture.strategy)
	return tea.Batch(
		m.part(ctx, func(ctx context.Context, p *picture, i int) (func(*inquiry), error) {
			turn := p.prepared.WouldBeKept
			if p.sel.Keeps(i) {
				turn = p.prepared.WouldBeDropped
			}
			would, err := turn(ctx, opt, i, others)
			return func(q *inquiry) { q.would, q.tried = would, true }, err
		}),
		m.part(ctx, m.reusable(q.picture)),
		m.part(ctx, m.neededLater(q.picture)),
	)
}

// otherStrategies are all but one.
func (m *Model) otherStrategies(but selector.Strategy) []selector.Strategy {
	return slices.DeleteFunc(slices.Clone(m.strategies), func(s selector.Strategy) bool { return s.String() == but.String() })
}

// reusable finds how much of what is kept begins as it did in the turn before, under
// the same strategy and budget.
func (m *Model) reusable(p *picture) func(context.Context, *picture, int) (func(*inquiry), error) {
	at, _ := slices.BinarySearch(m.turns, p.turn)
	if at == 0 {
		return func(context.Context, *picture, int) (func(*inquiry), error) { return func(*inquiry) {}, nil }
	}
	turn := m.turns[at-1]
	number := m.session.Turns[turn].Number
	budget, _ := m.budgetOf(turn)
	prepare, opt := m.prepare(turn), m.options(request{turn, p.strategy, budget, p.choices})
	return func(ctx context.Context, p *picture, _ int) (func(*inquiry), error) {
		before, err := prepare(ctx, nil)
		if err != nil {
			return nil, err
		}
		sel, err := before.Select(ctx, opt)
		if err != nil {
			return nil, fmt.Errorf("tui: select for the turn before: %w", err)
		}
		if p.sel.Tokens.Kept == 0 {
			return func(*inquiry) {}, nil
		}
		same := selector.StablePrefix(before.Pool, p.pool, sel.KeptIndices, p.sel.KeptIndices)
		text := selector.PrefixSentence(same, p.sel.Tokens.Kept, number)
		return func(q *inquiry) { q.prefix = text }, nil
	}
}

// mostLater is how many needs of one candidate the page tells of.
const mostLater = 3

// neededLater finds the turns from the one on screen on that turned out to need the
// candidate, and whether they have it under the same strategy and budget.
func (m *Model) neededLater(p *picture) func(context.Context, *picture, int) (func(*inquiry), error) {
	walk, hindsight, live := m.walkTurns(p.request), m.hindsight, m.captured(p)
	return func(ctx context.Context, p *picture, i int) (func(*inquiry), error) {
		found, err := walk.Consequences(ctx, hindsight, p.pool.Candidates[i].ID, p.turn, mostLater)
		if err != nil {
			return nil, fmt.Errorf("tui: look for what came of it: %w", err)
		}
		later := make([]why.Step, len(found))
		for k, c := range found {
			later[k] = why.Step{Label: "LATER", Text: c.Sentence(p.number, live)}
			if c.Turn == p.number {
				later[k].Label = "NOW"
			}
		}
		return func(q *inquiry) { q.later = later }, nil
	}
}
