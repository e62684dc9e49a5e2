package tui

import (
	"context"
	"strings"
	"testing"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
)

// recordAll makes captures of the turns of a session: each with a budget of its own,
// by one strategy after the other.
func recordAll(s *session.Session, budgetOf func(turn int) int, strategies ...string) {
	engine := selector.NewEngine(embed.NewBuiltin(), s.Tokenizer)
	rules, err := selector.ParseRules("default")
	if err != nil {
		panic(err)
	}
	for i := range s.Turns {
		t := &s.Turns[i]
		pool := s.Pool(i, session.PoolWindow)
		if pool == nil {
			continue
		}
		name := strategies[i%len(strategies)]
		strategy, err := selector.ParseStrategy(name)
		if err != nil {
			panic(err)
		}
		prepared, err := engine.Prepare(context.Background(), pool, selector.PrepareOptions{})
		if err != nil {
			panic(err)
		}
		budget := budgetOf(t.Number)
		made, err := prepared.Select(context.Background(), selector.Options{
			Strategy: strategy, Rules: rules, Tail: 1, Budget: selector.Term{Value: budget, Source: "request"},
		})
		if err != nil {
			panic(err)
		}
		t.Record = &session.Record{Capture: int64(i + 1), Strategy: name, Rules: rules.Names(), Budget: budget, Kept: made.Kept}
	}
}

// A capture keeps the budget and the strategy of each turn until a person sets
// something else, and = goes back to its budget. Only what the agent had is said to
// be that.
func TestCaptured(t *testing.T) {
	t.Parallel()
	captured := view{with: replay(func(cfg *Config, s *session.Session) {
		recordAll(s, func(turn int) int { return 200 + 10*turn }, "pacms", "lastk")
		cfg.BudgetRecorded, cfg.StrategyRecorded, cfg.RulesRecorded = true, true, true
		cfg.Turn = 27
	}), do: pressed("")}
	captured.open(t, looks()["dark"], 120, 36, func(r *robot) { goesThroughCaptures(t, r) })
}

func goesThroughCaptures(t *testing.T, r *robot) {
	t.Helper()
	is := func(when string, budget int, source, strategy string, captured bool) {
		t.Helper()
		m := r.m
		tokens, from := m.budgetOf(m.shown.turn)
		if tokens != budget || from != source || m.shown.strategy.String() != strategy || m.captured(m.shown) != captured {
			t.Errorf("%s: budget %d %s, %s, captured %v; not %d %s, %s, %v", when,
				tokens, from, m.shown.strategy, m.captured(m.shown), budget, source, strategy, captured)
		}
		said := r.screen()
		if saw := strings.Contains(said, "The agent saw "); saw != captured {
			t.Errorf("%s: the screen says that the agent saw it: %v\n%s", when, saw, said)
		}
		for _, n := range m.shown.needs {
			if n.Estimate() == captured {
				t.Errorf("%s: a need is an estimate: %v", when, n.Estimate())
			}
		}
	}
	is("opened", 470, "as recorded", "pacms", true)
	r.press(".")
	is("next turn", 480, "as recorded", "lastk", true)
	r.press("b 2 0 0 0 enter")
	if r.m.captured(r.m.shown) || !r.m.moved {
		t.Errorf("another budget, %d (moved: %v), is still said to be what was captured, of %d items", r.m.shown.budget, r.m.moved, len(r.m.shown.cells))
	}
	r.press(",")
	if r.m.shown.strategy.String() != "pacms" || r.m.shown.budget <= 480 {
		t.Errorf("the budget that a person set goes on: %d by %s", r.m.shown.budget, r.m.shown.strategy)
	}
	r.press("=")
	is("= again", 470, "as recorded", "pacms", true)
	r.press("3")
	if r.m.captured(r.m.shown) {
		t.Error("another strategy is still said to be what was captured")
	}
	picked := r.m.shown.strategy.String()
	r.press(".")
	if got := r.m.shown.strategy.String(); got != picked || r.m.shown.budget != 480 {
		t.Errorf("the strategy that a person picked does not go on: %s under %d", got, r.m.shown.budget)
	}
}
