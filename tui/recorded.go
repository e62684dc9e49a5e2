package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/session"
)

// recordOf is what was selected when a turn was captured, nil where it was not.
func (m *Model) recordOf(turn int) *session.Record { return m.session.Turns[turn].Record }

// capturesBy reports whether turns are selected for by the strategies that they were
// captured with: nobody picked another.
func (m *Model) capturesBy() bool {
	return m.cfg.StrategyRecorded && !m.picked &&
		slices.ContainsFunc(m.session.Turns, func(t session.Turn) bool { return t.Record != nil })
}

// strategyOf is the strategy of a turn: what a person picked last, else what it was
// captured with, else what the screen opened with.
func (m *Model) strategyOf(turn int) selector.Strategy {
	if !m.capturesBy() {
		return m.want.strategy
	}
	if r := m.recordOf(turn); r != nil {
		if s, err := selector.ParseStrategy(r.Strategy); err == nil { // this build may not have it
			return s
		}
	}
	return m.cfg.Strategy
}

// rulesOf are the rules of a turn.
func (m *Model) rulesOf(turn int) selector.Rules {
	if r := m.recordOf(turn); r != nil && m.cfg.RulesRecorded {
		if rules, err := selector.ParseRules(cmp.Or(strings.Join(r.Rules, ","), "none")); err == nil {
			return rules
		}
	}
	return m.cfg.Rules
}

// hostBudgetOf is the budget that the host is known to have for a turn, 0 unknown.
func (m *Model) hostBudgetOf(turn int) int {
	if r := m.recordOf(turn); r != nil {
		return r.Budget
	}
	return m.cfg.HostBudget
}

// captured reports whether a picture shows what the agent had when its turn was
// captured.
func (m *Model) captured(p *picture) bool { return m.recordOf(p.turn).Is(p.sel.Kept) }

// hostBudget wants the budget that the host has; in a capture that is the one of each
// turn.
func hostBudget(m *Model, _ string) tea.Cmd {
	if m.recordOf(m.want.turn) == nil {
		return m.setBudget(m.cfg.HostBudget, "host")
	}
	m.moved, m.cfg.BudgetRecorded = false, true
	r := m.want
	r.budget, _ = m.budgetOf(r.turn)
	return m.ask(r)
}

func noHostBudget(m *Model) string {
	if why := noSession(m); why != "" {
		return why
	}
	if m.hostBudgetOf(m.want.turn) <= 0 {
		return "the host's budget is not in this session: b types one"
	}
	return ""
}
