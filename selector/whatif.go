package selector

import (
	"context"
	"fmt"
	"slices"
)

// leastWorth is the share of F of everything up to which what is kept counts as
// worth nothing, so that no share of it can be lost.
const leastWorth = 1e-6

const (
	// mostRemovals is how many removals of another are tried, mostWithout how many
	// that help are given.
	mostRemovals = 24
	mostWithout  = 2
)

// Effect is what comes of keeping one candidate, or dropping it, by force.
type Effect struct {
	// In and Out are the pool indices that come and go, ascending; the forced one
	// and its group are among them.
	In, Out []int
	// Loss is the share of the objective that is lost, in the objective and under
	// the rules as they were before: the strategy's own, or coverage where it has
	// none. Negative: gained. It is 0 where nothing that was kept was worth anything.
	Loss float64
	// Over is by how many tokens what is kept then exceeds the budget, 0 where it
	// does not: what is required or pinned is kept whatever it takes. Loss then
	// compares sets under different budgets.
	Over int
}

// WouldKeep is one change after which a candidate fares otherwise: a dropped one
// is kept, a kept one is dropped. It was run before it was said. One of the
// fields Returns, Without, Strategy, Pin, Ban, Unpin and Unban is set.
type WouldKeep struct {
	// Returns are the budgets at which it is kept (for a kept one: at which it is
	// dropped); nil: the change is another one. It has no interval where a strategy
	// that takes so many items and no more keeps a candidate at no budget.
	Returns *ReturnsAt
	// Without is the id of another candidate: ban that.
	Without string
	// Strategy is another strategy, as ParseStrategy reads it.
	Strategy string
	// Pin is true where a pin of it is the change, Ban where a ban of it is.
	Pin, Ban bool
	// Unpin is true where the change takes back the pins of its group, Unban where
	// it takes back their bans.
	Unpin, Unban bool
	// Effect is what the change does; nil for budgets.
	Effect *Effect
}

// decision is one way to choose and what came of it.
type decision struct {
	pb   *problem
	kept set
	// value is what groups are worth before anything is changed, before what those are
	// that are kept, least what counts as being worth something: cosines are exact to
	// some 10⁻⁷.
	value         valuing
	before, least float64
}

func (p *Prepared) decision(ctx context.Context, opt Options) (*decision, *choice, error) {
	pb, c, err := p.decide(ctx, opt)
	if err != nil {
		return nil, nil, err
	}
	value, all, err := pb.valued(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("selector: %s: %w", opt.Strategy, err)
	}
	kept := pb.groupsKept(c)
	before, err := value(ctx, kept)
	if err != nil {
		return nil, nil, fmt.Errorf("selector: %s: %w", opt.Strategy, err)
	}
	return &decision{pb, kept, value, before, leastWorth * all}, c, nil
}

// keptBy is what another way to choose keeps.
func (p *Prepared) keptBy(ctx context.Context, opt Options) (set, error) {
	pb, c, err := p.decide(ctx, opt)
	if err != nil {
		return nil, err
	}
	return pb.groupsKept(c), nil
}

// to is the effect of keeping other groups.
func (d *decision) to(ctx context.Context, kept set) (Effect, error) {
	var e Effect
	for i, g := range d.pb.of {
		switch was, is := d.kept.has(g), kept.has(g); {
		case is && !was:
			e.In = append(e.In, i)
		case was && !is:
			e.Out = append(e.Out, i)
		}
	}
	if d.before > d.least {
		value, err := d.value(ctx, kept)
		if err != nil {
			return e, err
		}
		e.Loss = 1 - value/d.before
	}
	tokens := 0
	for g := range d.pb.groups {
		if kept.has(g) {
			tokens += d.pb.groups[g].tokens
		}
	}
	e.Over = max(0, tokens-d.pb.budget)
	return e, nil
}

// pinned is opt with a pin of candidate i and no ban of it.
func (p *Prepared) pinned(opt Options, i int) Options {
	id := p.Pool.Candidates[i].ID
	opt.Pins = append(slices.Clone(opt.Pins), id)
	opt.Bans = slices.DeleteFunc(slices.Clone(opt.Bans), func(b string) bool { return b == id })
	return opt
}

// banned is opt with a ban of candidate i and no pin of its group, which would
// win over it.
func (p *Prepared) banned(opt Options, i int) Options {
	opt.Bans = append(slices.Clone(opt.Bans), p.Pool.Candidates[i].ID)
	opt.Pins = p.withoutGroup(opt.Pins, i)
	return opt
}

// withoutGroup are ids without those of the group of candidate i.
func (p *Prepared) withoutGroup(ids []string, i int) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return slices.ContainsFunc(p.groups[p.of[i]].members, func(m int) bool { return p.Pool.Candidates[m].ID == id })
	})
}

// ForceIn is what a pin of the candidate at pool index i does.
func (p *Prepared) ForceIn(ctx context.Context, opt Options, i int) (Effect, error) {
	return p.force(ctx, opt, p.pinned(opt, i))
}

// ForceOut is what a ban of the candidate at pool index i does. Its pins are taken
// away first; what a rule or the request requires stays nevertheless.
func (p *Prepared) ForceOut(ctx context.Context, opt Options, i int) (Effect, error) {
	return p.force(ctx, opt, p.banned(opt, i))
}

func (p *Prepared) force(ctx context.Context, before, after Options) (Effect, error) {
	d, _, err := p.decision(ctx, before)
	if err != nil {
		return Effect{}, err
	}
	kept, err := p.keptBy(ctx, after)
	if err != nil {
		return Effect{}, err
	}
	return d.to(ctx, kept)
}

// WouldBeKept lists changes after which the dropped candidate at pool index i is
// kept: budgets, the removal of another, another strategy of others, its bans taken
// back, a pin. It is nil for a kept one.
func (p *Prepared) WouldBeKept(ctx context.Context, opt Options, i int, others []Strategy) ([]WouldKeep, error) {
	d, c, err := p.decision(ctx, opt)
	if err != nil {
		return nil, err
	}
	g := p.of[i]
	if d.kept.has(g) {
		return nil, nil
	}
	var changes []WouldKeep
	returns, err := p.ReturnsAt(ctx, opt, i)
	if err != nil {
		return nil, err
	}
	if len(returns.Intervals) > 0 || d.pb.fate[g].code == "" {
		changes = append(changes, WouldKeep{Returns: &returns})
	}
	removals, err := p.removals(ctx, opt, d, c, g)
	if err != nil {
		return nil, err
	}
	changes = append(changes, removals...)
	switches, err := p.switches(ctx, opt, d, others, func(kept set) bool { return kept.has(g) })
	if err != nil {
		return nil, err
	}
	changes = append(changes, switches...)
	if free := p.withoutGroup(opt.Bans, i); len(free) < len(opt.Bans) {
		unbanned := opt
		unbanned.Bans = free
		kept, err := p.keptBy(ctx, unbanned)
		if err != nil {
			return nil, err
		}
		if kept.has(g) {
			e, err := d.to(ctx, kept)
			if err != nil {
				return nil, err
			}
			changes = append(changes, WouldKeep{Unban: true, Effect: &e})
		}
	}
	kept, err := p.keptBy(ctx, p.pinned(opt, i))
	if err != nil {
		return nil, err
	}
	if kept.has(g) {
		e, err := d.to(ctx, kept)
		if err != nil {
			return nil, err
		}
		changes = append(changes, WouldKeep{Pin: true, Effect: &e})
	}
	return changes, nil
}

// WouldBeDropped lists changes after which the kept candidate at pool index i is
// dropped: budgets, another strategy of others, its pins taken back, a ban. It is
// nil for a dropped one.
func (p *Prepared) WouldBeDropped(ctx context.Context, opt Options, i int, others []Strategy) ([]WouldKeep, error) {
	d, _, err := p.decision(ctx, opt)
	if err != nil {
		return nil, err
	}
	g := p.of[i]
	if !d.kept.has(g) {
		return nil, nil
	}
	var changes []WouldKeep
	returns, err := p.ReturnsAt(ctx, opt, i)
	if err != nil {
		return nil, err
	}
	if gone := returns.Otherwise(); len(gone.Intervals) > 0 {
		changes = append(changes, WouldKeep{Returns: &gone})
	}
	switches, err := p.switches(ctx, opt, d, others, func(kept set) bool { return !kept.has(g) })
	if err != nil {
		return nil, err
	}
	changes = append(changes, switches...)
	if free := p.withoutGroup(opt.Pins, i); len(free) < len(opt.Pins) {
		unpinned := opt
		unpinned.Pins = free
		kept, err := p.keptBy(ctx, unpinned)
		if err != nil {
			return nil, err
		}
		if !kept.has(g) {
			e, err := d.to(ctx, kept)
			if err != nil {
				return nil, err
			}
			changes = append(changes, WouldKeep{Unpin: true, Effect: &e})
		}
	}
	kept, err := p.keptBy(ctx, p.banned(opt, i))
	if err != nil {
		return nil, err
	}
	if !kept.has(g) {
		e, err := d.to(ctx, kept)
		if err != nil {
			return nil, err
		}
		changes = append(changes, WouldKeep{Ban: true, Effect: &e})
	}
	return changes, nil
}

// removals tries bans of others that may stand in the way of group g.
func (p *Prepared) removals(ctx context.Context, opt Options, d *decision, c *choice, g int) ([]WouldKeep, error) {
	var changes []WouldKeep
	for _, other := range d.inTheWay(c, g) {
		kept, err := p.keptBy(ctx, p.banned(opt, other))
		if err != nil {
			return nil, err
		}
		if !kept.has(g) {
			continue
		}
		e, err := d.to(ctx, kept)
		if err != nil {
			return nil, err
		}
		changes = append(changes, WouldKeep{Without: p.Pool.Candidates[other].ID, Effect: &e})
		if len(changes) == mostWithout {
			break
		}
	}
	return changes, nil
}

// inTheWay lists candidates, one of a group, whose removal may bring back group g:
// those that a rule or the strategy names as saying the same, the keepers with the
// greatest share, then the others that were chosen, the last one first. Each is the
// one by which the reasons call its group.
func (d *decision) inTheWay(c *choice, g int) []int {
	pb := d.pb
	var others []int
	add := func(i int) {
		if !pb.isMust(pb.of[i]) && len(others) < mostRemovals && !slices.ContainsFunc(others, func(o int) bool { return pb.of[o] == pb.of[i] }) {
			others = append(others, i)
		}
	}
	speaker := func(h int) int {
		if c.decides == nil {
			return pb.groups[h].first()
		}
		return c.decides(h)
	}
	named, weighed := pb.fate[g].by, pb.fate[g].code == ""
	if weighed {
		named = c.drop(g).by
	}
	for _, i := range named {
		add(i)
	}
	if !weighed { // nothing that was chosen instead is in its way
		return others
	}
	if c.located != nil {
		for _, part := range c.located.parts(g) {
			add(speaker(part.keeper))
		}
	}
	for _, chosen := range [][]int{c.fill, c.picked} {
		for _, h := range slices.Backward(chosen) {
			add(speaker(h))
		}
	}
	return others
}

// switches tries other strategies under the same budget.
func (p *Prepared) switches(ctx context.Context, opt Options, d *decision, others []Strategy, wanted func(kept set) bool) ([]WouldKeep, error) {
	var changes []WouldKeep
	for _, other := range others {
		if other.String() == opt.Strategy.String() {
			continue
		}
		opt.Strategy = other
		kept, err := p.keptBy(ctx, opt)
		if err != nil {
			return nil, err
		}
		if wanted(kept) {
			e, err := d.to(ctx, kept)
			if err != nil {
				return nil, err
			}
			changes = append(changes, WouldKeep{Strategy: other.String(), Effect: &e})
		}
	}
	return changes, nil
}
