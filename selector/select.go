package selector

import (
	"context"
	"fmt"
	"slices"
	"time"

	"pacms/session"
)

// DefaultTail is how many newest complete turns the tail rule requires.
const DefaultTail = 1

// Options are what a caller may choose for one selection. Strategy is required.
type Options struct {
	Strategy Strategy
	// Budget in tokens and where it came from ("flag", "slider", …). With an
	// empty Source the pool's own budget counts, else 45 % of the pool.
	Budget Term
	Rules  Rules
	// Tail is how many newest complete turns the tail rule requires.
	Tail int
	// Pins and Bans are candidate ids; one that the pool lacks is ignored.
	Pins, Bans []string
	// Debug fills Selection.Candidates.
	Debug bool
}

// Select runs one strategy under one budget. The same pool and the same options
// give the same selection, but for its timing.
func (p *Prepared) Select(ctx context.Context, opt Options) (*Selection, error) {
	s, _, err := p.run(ctx, opt)
	return s, err
}

// run selects, and says how far the budget may move without a different outcome.
func (p *Prepared) run(ctx context.Context, opt Options) (*Selection, *slack, error) {
	start := time.Now()
	pb, c, err := p.inTime(ctx, opt)
	if err != nil {
		return nil, nil, err
	}
	s, err := pb.selection(ctx, c)
	if err != nil {
		return nil, nil, fmt.Errorf("selector: %s: %w", opt.Strategy, err)
	}
	if opt.Debug {
		s.Candidates = make([]Verdict, len(p.of))
		for i := range s.Candidates {
			if err := unwanted(ctx); err != nil {
				return nil, nil, err
			}
			s.Candidates[i] = s.detailed(i)
		}
	}
	s.MS = Timing{Embed: p.embedMS, Select: float64(time.Since(start).Microseconds()) / 1000}
	return s, pb.slack, nil
}

// decide applies the rules and runs the strategy to its end, and leaves out all
// that a selection says besides.
func (p *Prepared) decide(ctx context.Context, opt Options) (*problem, *choice, error) {
	pb, c, err := p.inTime(ctx, opt)
	if err == nil && c.partial {
		return nil, nil, fmt.Errorf("selector: %s: %w", opt.Strategy, context.DeadlineExceeded)
	}
	return pb, c, err
}

// inTime is decide, but at a deadline its choice is partial.
func (p *Prepared) inTime(ctx context.Context, opt Options) (*problem, *choice, error) {
	pb, err := p.problem(opt)
	if err != nil {
		return nil, nil, fmt.Errorf("selector: %w", err)
	}
	c, err := pb.choose(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("selector: %s: %w", opt.Strategy, err)
	}
	return pb, c, nil
}

// choose is the order of work from the required groups on: they alone where they
// do not fit, everything where that fits, else the strategy.
func (pb *problem) choose(ctx context.Context) (*choice, error) {
	if err := unwanted(ctx); err != nil {
		return nil, err
	}
	fitting := pb.slack.fits(pb.budget-pb.room, pb.budget)
	pb.outer = *pb.slack
	if !fitting {
		return &choice{drop: allFor(Budget)}, nil
	}
	strategy := pb.opt.Strategy
	if pb.unasked() && !pb.unread {
		pb.say("query_empty", "there is no question to select for; the newest are kept instead", nil, 0)
	}
	strategy.chooser = pb.chooser()
	if strategy.capped {
		pb.outer = *pb.slack
		c, err := strategy.choose(ctx, pb)
		if err == nil && pb.unread {
			c.partial = true
		}
		return c, err
	}
	free := 0
	for _, g := range pb.free {
		free += pb.groups[g].tokens
	}
	fits := pb.slack.fits(free, pb.room)
	pb.outer = *pb.slack
	if fits {
		return pb.everything(ctx, strategy)
	}
	return pb.orSimilar(ctx, strategy)
}

// orSimilar is the choice of a strategy. Where the deadline comes before there is one,
// the most similar are taken.
func (pb *problem) orSimilar(ctx context.Context, s Strategy) (*choice, error) {
	c, err := s.choose(ctx, pb)
	if err == nil {
		c.partial = c.partial || pb.unread && !s.blind
	}
	if err == nil || !late(err) {
		return c, err
	}
	if c, err = (nearest{}).choose(ctx, pb); err == nil {
		c.partial = true
	}
	return c, err
}

// unasked reports whether the strategy reads a question and there is none.
func (pb *problem) unasked() bool { return !pb.opt.Strategy.blind && !pb.asked }

// chooser is what chooses: the strategy, or the newest first for want of a
// question.
func (pb *problem) chooser() chooser {
	if pb.unasked() {
		return recent{}
	}
	return pb.opt.Strategy.chooser
}

// selection puts a choice into the order of the pool and gives every candidate
// its verdict.
func (pb *problem) selection(ctx context.Context, c *choice) (*Selection, error) {
	n := len(pb.of)
	s := &Selection{
		Schema: SelectionSchema, Strategy: pb.opt.Strategy.String(),
		EffectiveBudget: pb.budget, BudgetTerms: pb.terms, QuerySource: pb.QuerySource,
		Kept: []string{}, KeptIndices: []int{}, Order: []int{},
		Embedder: pb.embedder, Tokenizer: pb.tokenizer, Rules: append([]string{}, pb.opt.Rules.Names()...),
		kept: make([]bool, n), codes: make([]Code, n),
	}
	s.Budget = pb.budget
	if t, ok := pb.terms["budget"]; ok {
		s.Budget = t.Value
	}
	s.Tokens.Pool = pb.Pool.Tokens()
	s.Tokens.Pending = pb.terms["pending"].Value
	for _, groups := range [][]int{pb.must, c.picked, c.fill} {
		for _, g := range groups {
			for _, m := range pb.groups[g].members {
				s.kept[m] = true
				s.Order = append(s.Order, m)
			}
			s.Tokens.Kept += pb.groups[g].tokens
		}
	}
	for _, g := range pb.must {
		s.Tokens.Required += pb.groups[g].tokens
	}
	s.Tokens.Dropped = s.Tokens.Pool - s.Tokens.Kept
	for i, kept := range s.kept {
		if kept {
			s.Kept, s.KeptIndices = append(s.Kept, pb.Pool.Candidates[i].ID), append(s.KeptIndices, i)
		}
	}
	s.OverBudget = s.Tokens.Required > pb.budget
	s.Partial = c.partial
	switch {
	case c.partial && pb.unread:
		pb.say("partial", "time was up before the texts were compared; the newest are kept instead", nil, 0)
	case c.partial:
		pb.say("partial", "time was up before the choice was complete; this is the best that was found until then", nil, 0)
	}
	if l := c.located; l != nil {
		certificate := 1.0
		if l.bound > 0 {
			certificate = min(1, l.objective/l.bound)
		}
		s.Objective, s.UpperBound, s.Certificate = &l.objective, &l.bound, &certificate
	}
	if err := pb.cover(ctx, s, c); err != nil {
		return nil, err
	}
	r := newReasons(pb, c, s)
	for i := range s.codes {
		s.codes[i] = r.code(i)
	}
	s.why = r
	s.Warnings = append([]session.Warning{}, pb.allWarnings(s, r)...)
	return s, nil
}

// cover sets how much a selection covers. A deadline does not stop that.
func (pb *problem) cover(ctx context.Context, s *Selection, c *choice) (err error) {
	if l := c.located; l != nil && l.papers {
		s.Coverage = 1
		if l.total > 0 {
			s.Coverage = min(1, l.objective/l.total)
		}
		return nil
	}
	s.Coverage, err = pb.coverage(ctx, s.kept)
	if late(err) {
		s.Coverage, err = pb.coverage(Beyond(ctx), s.kept)
	}
	return err
}

// everything keeps all free groups, in the order of the strategy.
func (pb *problem) everything(ctx context.Context, s Strategy) (*choice, error) {
	c, err := pb.orSimilar(ctx, s)
	if err != nil {
		return nil, err
	}
	in := make([]bool, len(pb.groups))
	for _, g := range slices.Concat(c.picked, c.fill) {
		in[g] = true
	}
	for _, g := range pb.free {
		if !in[g] {
			c.picked = append(c.picked, g)
			if c.located != nil {
				c.located.papers = false
			}
		}
		pb.fate[g] = fate{code: Fits, member: -1}
	}
	c.partial = false // there is nothing better
	return c, nil
}
