package cmd

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"pacms/selector"
	"pacms/session"
	"pacms/session/token"
	"pacms/themes"
)

// plan is what the flags, the environment and the configuration come to: how to
// select.
type plan struct {
	strategy selector.Strategy
	budget   selector.BudgetSpec
	// budgetSource is where the budget came from.
	budgetSource string
	// defaultLabel is what people are told of a budget that nobody chose.
	defaultLabel string
	// perTurn is true where a share is one of each turn's own pool.
	perTurn bool
	rules   selector.Rules
	tail    int
	debug   bool
	widen   bool
	mode    session.PoolMode
	ascii   bool
	theme   *themes.Theme // nil where the terminal is to say
	counter token.Counter
	// embedder is a name that checkEmbedder accepts.
	embedder string
	// pins and bans are those of a case.
	pins, bans []string
	// origin is where each setting came from, see configure.
	origin map[string]string
	// progress is told how far embedding has come; nil where nobody waits for it.
	progress func(done, total int)
}

// plan reads the environment and the configuration into f and checks it all.
func (f *flags) plan(fs *pflag.FlagSet) (*plan, error) {
	origin, err := configure(fs)
	if err != nil {
		return nil, err
	}
	if origin["budget"] == "" {
		origin["budget"] = sourceDefault
	}
	if fs.Changed("turn") && f.turn == 0 {
		return nil, usagef("--turn 0: turns are counted from 1")
	}
	p := &plan{
		origin: origin, budgetSource: origin["budget"], defaultLabel: sourceDefault, perTurn: f.budgetBasis == "turn", tail: f.tail, debug: f.debug,
		widen: !f.noWiden, mode: session.PoolMode(f.pool), embedder: f.embedder,
	}
	p.ascii = f.ascii
	if origin["ascii"] == "" {
		p.ascii = asciiLocale(os.Environ())
	}
	if p.strategy, err = selector.ParseStrategy(f.strategy); err != nil {
		return nil, usagef("%s: %w", p.blame("strategy"), err)
	}
	if p.budget, err = selector.ParseBudget(f.budget); err != nil {
		return nil, usagef("%s: %w", p.blame("budget"), err)
	}
	if p.rules, err = selector.ParseRules(f.rules); err != nil {
		return nil, usagef("%s: %w", p.blame("rules"), err)
	}
	if f.booth && origin["theme"] == "" {
		f.theme = "booth"
	}
	if err := checkEmbedder(p.blame("embedder"), f.embedder); err != nil {
		return nil, err
	}
	if p.theme, err = findTheme(p.blame("theme"), f.theme); err != nil {
		return nil, err
	}
	if f.tail < 0 {
		return nil, usagef("%s: there are no %d turns: it is 0 or more", p.blame("tail"), f.tail)
	}
	if p.counter, err = token.New(f.tokenizer); err != nil {
		return nil, fmt.Errorf("make the token counter: %w", err)
	}
	return p, nil
}

// blame names what set a setting.
func (p *plan) blame(name string) string { return blame(p.origin, name) }

// term is the budget of one pool; basis is what a share is one of. Nobody having
// chosen one, a pool that says what it has room for is taken at its word.
func (p *plan) term(pool *session.Pool, basis int) selector.Term {
	if p.budgetSource == sourceDefault && (pool.Budget != nil || pool.Window != nil) {
		return selector.Term{}
	}
	return selector.Term{Value: p.budget.Tokens(basis), Source: p.budgetSource}
}

// open makes the embedder, whose progress is told on w if it is slow. What went
// wrong with it is told there when it is closed.
func (p *plan) open(ctx context.Context, w *os.File) (e *embedding, closing func(), err error) {
	tell := progress(w, "texts have their vectors")
	if tell != nil && strings.HasPrefix(p.embedder, embedOllama) {
		waitFor(w, "Ollama") // until it says what it has, and while it loads its model
	}
	if e, err = openEmbedding(ctx, p.embedder); err != nil {
		if tell != nil {
			tell(0, 0)
		}
		return nil, nil, err
	}
	if e.client != nil {
		p.progress = tell
	}
	return e, func() {
		if p.progress != nil {
			p.progress(0, 0) // an error may have left the line
		}
		e.close(func(text string) { say(w, text) })
	}, nil
}

// options are those of one selection under a budget.
func (p *plan) options(budget selector.Term) selector.Options {
	return selector.Options{Strategy: p.strategy, Budget: budget, Rules: p.rules, Tail: p.tail, Pins: p.pins, Bans: p.bans, Debug: p.debug}
}

// asRecorded are the options of a selection that was captured as it is in record, as far
// as nobody set something else. There need not be a record.
func (p *plan) asRecorded(opt selector.Options, record *session.Record) selector.Options {
	if record == nil {
		return opt
	}
	if p.origin["budget"] == sourceDefault {
		opt.Budget = selector.Term{Value: record.Budget, Source: sourceRecorded}
	}
	if p.origin["strategy"] == "" {
		if s, err := selector.ParseStrategy(record.Strategy); err == nil { // a later pacms may have another
			opt.Strategy = s
		}
	}
	if p.origin["rules"] == "" {
		if rules, err := selector.ParseRules(cmp.Or(strings.Join(record.Rules, ","), "none")); err == nil {
			opt.Rules = rules
		}
	}
	return opt
}
