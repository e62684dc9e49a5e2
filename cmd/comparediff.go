package cmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/selector/share"
	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/poolfile"
	"pacms/session/token"
	"pacms/testdata"
)

// side is one of two selections as the command line names it.
type side struct {
	compare.Side
	// name is what was named, turn the number of its turn, 0 for a bare pool.
	name     string
	turn     int
	embedder string
	// basis is what a budget in percent is a share of, in tokens, and of what that are.
	basis   int
	basisOf string
	// budget is the budget as the command line or the configuration names it; the zero
	// value where they do not.
	budget selector.BudgetSpec
	// hash is that of its pool as it was read.
	hash string
	// story is set where it is a turn of the demo.
	story *testdata.Story
}

// captured is a turn of a session document, which says what was kept.
type captured struct {
	Schema    string
	Turn      int
	Turns     []captured
	Pool      json.RawMessage
	Selection *selector.Selection
	// Config is how it was selected, where it is a case.
	Config *share.Config
}

// diff holds two selections against each other.
func (c *comparison) diff(cmd *cobra.Command, std streams, names []string) error {
	ctx := cmd.Context()
	switch {
	case len(names) != 2:
		return usagef("--diff takes two turns or captures, not %d: write FILE@TURN for each, as in session.jsonl@60 session.jsonl@61", len(names))
	case c.turn != 0:
		return usagef("--turn is for a table: --diff takes the turn with the path, as in %s@%d", names[0], c.turn)
	case c.csv, c.md, c.html != "", c.failUnder != "", c.baseline != "", c.expect != "", c.allTurns:
		return usagef("--diff prints text or --json, and has no gates")
	case c.json && c.plain:
		return usagef("--json and --plain cannot be used together: name one of them")
	}
	p, err := c.configured(cmd)
	if err != nil {
		return err
	}
	var sides [2]*side
	for i, name := range names {
		if sides[i], err = c.side(ctx, cmd, p, name); err != nil {
			return err
		}
		if err := c.choose(cmd, p, sides[i], i); err != nil {
			return err
		}
	}
	closeA, err := sides[0].open(ctx, std, p)
	if err != nil {
		return err
	}
	defer closeA()
	closeB, err := sides[1].open(ctx, std, p)
	if err != nil {
		return err
	}
	defer closeB()
	notes := sides[0].pair(sides[1])
	d, err := compare.Compared(ctx, &sides[0].Side, &sides[1].Side)
	if err != nil {
		return fmt.Errorf("hold %s against %s: %w", names[0], names[1], err)
	}
	doc := newDiffDocument(d, sides)
	doc.Warnings = append(doc.Warnings, notes...)
	doc.Warnings = append(doc.Warnings, twoBudgets(sides)...)
	if c.json {
		return writeJSON(std.out, doc)
	}
	return doc.write(std.out)
}

// open makes the embedder of a side.
func (s *side) open(ctx context.Context, std streams, p *plan) (closing func(), err error) {
	named := *p
	named.embedder = s.embedder
	e, closing, err := named.open(ctx, std.err)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	s.Embedder = e
	return closing, nil
}

// side reads what a name stands for: a capture, or a turn of a session or of a file
// of pools, PATH@TURN, and without a number the last that a person asked.
func (c *comparison) side(ctx context.Context, cmd *cobra.Command, p *plan, name string) (*side, error) {
	path, number := name, 0
	if at := strings.LastIndex(name, "@"); at > 0 {
		if _, err := os.Stat(name); err != nil {
			n, err := strconv.Atoi(name[at+1:])
			if err != nil || n < 1 {
				return nil, usagef("%q: after the @ stands the number of a turn", name)
			}
			path, number = name[:at], n
		}
	}
	s := &side{name: name, embedder: p.embedder}
	s.Counter, s.NoWiden = p.counter, !p.widen
	s.Options = selector.Options{Rules: p.rules, Tail: p.tail}
	if path != demoName {
		switch found, err := readCapture(path, number); {
		case err != nil:
			return nil, err
		case found != nil:
			return s, s.take(cmd, found)
		}
	}
	src, err := c.source(p, path)
	if err != nil {
		return nil, err
	}
	s.story = src.story
	recorded, err := src.load(ctx, openclaw.Options{Counter: p.counter, Session: c.session})
	if err != nil {
		return nil, err
	}
	i, err := turnToShow(recorded, number, nil)
	if err != nil {
		return nil, err
	}
	s.turn = recorded.Turns[i].Number
	if s.Pool = recorded.Pool(i, p.mode); s.Pool == nil {
		return nil, usagef("%s: turn %d is on a branch that was left: nothing was offered for it", name, s.turn)
	}
	s.basis, s.basisOf = recorded.LargestPool(p.mode), "the largest pool of "+path
	if p.perTurn {
		s.basis, s.basisOf = s.Pool.Tokens(), "the pool of "+name
	}
	s.Options.Budget = p.term(s.Pool, s.basis)
	return s, nil
}

// readCapture reads a turn of a session document, one document or a turn a line;
// nil where the file is none. Without a number there has to be one turn in it.
func readCapture(path string, number int) (*captured, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, nil //nolint:nilerr // who opens it as a session says what is wrong
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil //nolint:nilerr // who opens it as a session says what is wrong
	}
	defer f.Close()
	var turns []captured
	for d := json.NewDecoder(f); ; {
		var doc captured
		if err := d.Decode(&doc); err != nil {
			if errors.Is(err, io.EOF) && len(turns) > 0 {
				break
			}
			return nil, nil //nolint:nilerr // it is no capture, but perhaps something else
		}
		switch {
		case doc.Schema == sessionSchema:
			turns = append(turns, doc.Turns...)
		case doc.Pool != nil && doc.Selection != nil:
			turns = append(turns, doc)
		default:
			return nil, nil
		}
	}
	turns = slices.DeleteFunc(turns, func(t captured) bool { return t.Pool == nil || number != 0 && t.Turn != number })
	switch len(turns) {
	case 1:
		return &turns[0], nil
	case 0:
		return nil, usagef("%s has no turn %d with a pool", path, number)
	}
	return nil, usagef("%s has several turns: name one, as in %s@%d", path, path, turns[0].Turn)
}

// take fills in what a capture says. What it does not say is as the flags have it.
func (s *side) take(cmd *cobra.Command, c *captured) error {
	sel := c.Selection
	var err error
	if s.Options.Strategy, err = selector.ParseStrategy(sel.Strategy); err != nil {
		return usagef("%s: %w", s.name, err)
	}
	if s.Counter, err = token.New(sel.Tokenizer); err != nil {
		return usagef("%s: %w", s.name, err)
	}
	if !cmd.Flags().Changed("rules") {
		rules := cmp.Or(strings.Join(sel.Rules, ","), "none")
		if s.Options.Rules, err = selector.ParseRules(rules); err != nil {
			return usagef("%s: %w", s.name, err)
		}
	}
	if s.Pool, err = poolfile.Decode(bytes.NewReader(c.Pool), s.Counter); err != nil {
		return usagef("the pool in %s cannot be used: %w", s.name, err)
	}
	s.turn, s.basis, s.basisOf = c.Turn, s.Pool.Tokens(), "the pool of "+s.name
	if !s.Pool.FromSession { // the selection shows it of a capture whose pool does not say it yet
		s.Pool.FromSession = sel.QuerySource == "turn" || sel.QuerySource == "widened"
	}
	s.NoWiden = sel.QuerySource != "widened"
	if t, ok := sel.BudgetTerms["budget"]; ok {
		s.Options.Budget = selector.Term{Value: t.Value, Source: "record"}
	}
	if c.Config != nil {
		s.takeConfig(cmd, c.Config)
	}
	switch {
	case s.Pool.Similarity != nil || s.Pool.QueryEmbedding != nil:
		s.embedder = embedBuiltin // it is not asked: the pool brings its numbers
	case sel.Embedder != "request":
		s.embedder = sel.Embedder
	default:
		return usagef("%s was selected by vectors that it does not hold: it cannot be run again", s.name)
	}
	if !cmd.Flags().Changed("embedder") {
		s.Recorded = append([]string{}, sel.Kept...)
	} else {
		s.embedder = cmd.Flag("embedder").Value.String()
	}
	return nil
}

// takeConfig is what a case says besides, and another capture does not.
func (s *side) takeConfig(cmd *cobra.Command, c *share.Config) {
	o := &s.Options
	s.NoWiden, s.Pool.FromSession = c.NoWiden, c.FromSession
	o.Pins, o.Bans = c.Pins, c.Bans
	if !cmd.Flags().Changed("tail") {
		o.Tail = c.Tail
	}
	o.Budget = selector.Term{}
	if c.Budget != nil {
		o.Budget = *c.Budget
	}
}

// choose applies what the command line says of strategies and budgets: one for both,
// or one for each side. What is said so is no record any more.
func (c *comparison) choose(cmd *cobra.Command, p *plan, s *side, i int) error {
	if s.Options.Strategy.String() == "" || cmd.Flags().Changed("strategies") {
		list := c.strategies
		if !cmd.Flags().Changed("strategies") {
			list = s.defaults().strategy
		}
		strategies, err := parseStrategies(list)
		if err != nil {
			return usagef("--strategies: %w", err)
		}
		if len(strategies) > 2 {
			return usagef("--strategies: --diff takes one, or one for each side, but there are %d", len(strategies))
		}
		s.Options.Strategy, s.Recorded = strategies[min(i, len(strategies)-1)], nil
	}
	list := c.budgets
	if p.budgetSource == sourceDefault {
		if s.story == nil {
			return nil // what the pool or the record says, or else the usual share
		}
		list = s.defaults().budget
	}
	budgets := strings.Split(list, ",")
	if len(budgets) > 2 {
		return usagef("%s: --diff takes one, or one for each side, but there are %d", p.blame("budget"), len(budgets))
	}
	b, err := selector.ParseBudget(budgets[min(i, len(budgets)-1)])
	if err != nil {
		return usagef("%s: %w", p.blame("budget"), err)
	}
	s.Options.Budget, s.Recorded, s.budget = selector.Term{Value: b.Tokens(s.basis), Source: p.budgetSource}, nil, b
	return nil
}

// defaults are what a side is selected with where nobody says anything.
func (s *side) defaults() defaults {
	if s.story != nil {
		return storyDefaults(s.story)
	}
	return usual()
}

// pair has the candidates of a side without texts stand for those of the same numbers on
// the other, and says where that cannot be done.
func (s *side) pair(other *side) []session.Warning {
	for _, o := range []*side{s, other} {
		o.hash = o.Pool.Hash()
	}
	if (s.Pool.Similarity == nil) == (other.Pool.Similarity == nil) || compare.Identify(&s.Side, &other.Side) {
		return nil
	}
	return []session.Warning{{
		Code:    "not_paired",
		Message: "one side has no texts, and the numbers of its items are not those of the other: the items of both count as different ones",
	}}
}

// twoBudgets says that one share which was named for both sides is another number of
// tokens for each: a capture knows its own pool alone, a session its largest.
func twoBudgets(sides [2]*side) []session.Warning {
	a, b := sides[0], sides[1]
	if !a.budget.IsShare() || a.budget != b.budget || a.Options.Budget.Value == b.Options.Budget.Value {
		return nil
	}
	return []session.Warning{{Code: "two_budgets", Message: fmt.Sprintf("%s is %s for A, of %s, and %s for B, of %s: a budget in tokens is the same for both",
		a.budget, tokens(a.Options.Budget.Value), a.basisOf, tokens(b.Options.Budget.Value), b.basisOf)}}
}
