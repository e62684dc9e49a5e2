package cmd

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/session/token"
	"pacms/testdata"
	"pacms/themes"
)

// plan is what the flags, the environment and the configuration come to: how to
// select.
type plan struct {
	strategy selector.Strategy
	budget   selector.BudgetSpec
	// budgetSource is where the budget came from.
	budgetSource string
	// perTurn is true where a share is one of each turn's own pool.
	perTurn  bool
	rules    selector.Rules
	tail     int
	debug    bool
	widen    bool
	mode     session.PoolMode
	ascii    bool
	theme    *themes.Theme // nil where the terminal is to say
	counter  token.Counter
	embedder embed.Embedder
}

// plan reads the environment and the configuration into f and checks it all.
// Where nobody chose a strategy or a budget, the story does, if there is one.
func (f *flags) plan(fs *pflag.FlagSet, story *testdata.Story) (*plan, error) {
	origin, err := configure(fs)
	if err != nil {
		return nil, err
	}
	strategy, budget := f.strategy, f.budget
	if story != nil && origin["strategy"] == "" {
		strategy = story.Start.Strategy
	}
	if origin["budget"] == "" {
		origin["budget"] = sourceDefault
		budget = defaultBudget
		if story != nil {
			budget = story.Start.Budget
		}
	}
	p := &plan{
		budgetSource: origin["budget"], perTurn: f.budgetBasis == "turn", tail: f.tail, debug: f.debug,
		widen: !f.noWiden, mode: session.PoolMode(f.pool), embedder: embed.NewBuiltin(),
	}
	p.ascii = f.ascii
	if origin["ascii"] == "" {
		p.ascii = asciiLocale(os.Environ())
	}
	if p.strategy, err = selector.ParseStrategy(strategy); err != nil {
		return nil, usagef("--strategy: %w", err)
	}
	if p.budget, err = selector.ParseBudget(budget); err != nil {
		return nil, usagef("--budget: %w", err)
	}
	if p.rules, err = selector.ParseRules(f.rules); err != nil {
		return nil, usagef("--rules: %w", err)
	}
	if p.theme, err = findTheme(f.theme); err != nil {
		return nil, err
	}
	if f.tail < 0 {
		return nil, usagef("--tail: there are no %d turns: it is 0 or more", f.tail)
	}
	if p.counter, err = token.New(f.tokenizer); err != nil {
		return nil, fmt.Errorf("make the token counter: %w", err)
	}
	return p, nil
}

// term is the budget of one pool; basis is what a share is one of. Nobody having
// chosen one, a pool that says what it has room for is taken at its word.
func (p *plan) term(pool *session.Pool, basis int) selector.Term {
	if p.budgetSource == sourceDefault && (pool.Budget != nil || pool.Window != nil) {
		return selector.Term{}
	}
	return selector.Term{Value: p.budget.Tokens(basis), Source: p.budgetSource}
}

// options are those of one selection under a budget.
func (p *plan) options(budget selector.Term) selector.Options {
	return selector.Options{Strategy: p.strategy, Budget: budget, Rules: p.rules, Tail: p.tail, Debug: p.debug}
}
