package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/tui/paint"
)

// mostExact is among how many groups the best set can still be searched for.
const mostExact = 20

// askOptimum searches for the best set within the budget, if there are few enough to
// choose from.
func (m *Model) askOptimum() tea.Cmd {
	q := m.asked()
	switch {
	case q == nil || q.why == nil || !q.begun:
		m.say("still looking up what was decided")
		return nil
	case q.why.Certificate == "":
		m.say(m.shown.strategy.String() + " does not look for a best set")
		return nil
	case m.shown.freeGroups() > mostExact:
		m.say("too many sets: " + paint.Count(m.shown.freeGroups()) + " groups are free, " + paint.Count(mostExact) + " can be tried")
		return nil
	case q.optimum != "":
		return nil
	}
	q.optimum = "working: trying every set of " + paint.Plural(m.shown.freeGroups(), "group") + " …"
	m.fillPage()
	opt := m.options(q.picture.request)
	return m.part(q.ctx, func(ctx context.Context, p *picture, _ int) (func(*inquiry), error) {
		best, found, err := p.prepared.Optimum(ctx, opt)
		text := "there are too many sets to try"
		if found {
			text = best.Claim()
		}
		return func(q *inquiry) { q.optimum = text }, err
	})
}

// freeGroups is how many groups the strategy chose from.
func (p *picture) freeGroups() int {
	groups, n := make(map[string]bool), 0
	for i := range p.cells {
		switch p.sel.Code(i) {
		case selector.Selected, selector.Fill, selector.Fits, selector.Budget, selector.CoveredBy, selector.Irrelevant,
			selector.Rank, selector.DuplicateOf, selector.Diversity, selector.Older:
		default: // a rule or a person decided, or another member of the group
			continue
		}
		group := p.pool.Candidates[i].Group
		if group == "" || !groups[group] {
			n++
		}
		groups[group] = true
	}
	return n
}
