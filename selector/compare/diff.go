package compare

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/session/token"
)

// Side is one of two selections that are held against each other.
type Side struct {
	Pool *session.Pool
	// Options are those of the selection.
	Options selector.Options
	NoWiden bool
	// Embedder makes the vectors, unless the pool brings them. Counter counted the
	// pool.
	Embedder embed.Embedder
	Counter  token.Counter
	// Recorded are the ids of what was kept by the build that made the record; nil
	// where there is none, and what this build keeps is looked at.
	Recorded []string
}

// bare reports whether numbers stand in the pool for its texts.
func (s *Side) bare() bool { return s.Pool.Similarity != nil }

// Identify gives the candidates of the side whose pool has numbers in the place of texts, and
// with them names that say nothing, the ids and groups of the other side's candidates of
// the same numbers. It reports whether it did so: not where both have texts or none has,
// nor where a candidate of the same number is another one.
func Identify(a, b *Side) bool {
	bare, full := a, b
	if full.bare() {
		bare, full = full, bare
	}
	if !bare.bare() || full.bare() {
		return false
	}
	numbered := make(map[int]*session.Candidate, len(full.Pool.Candidates))
	for i := range full.Pool.Candidates {
		if c := &full.Pool.Candidates[i]; c.Number > 0 {
			numbered[c.Number] = c
		}
	}
	pool, ids := *bare.Pool, make(map[string]string)
	pool.Candidates = slices.Clone(pool.Candidates)
	for i := range pool.Candidates {
		c := &pool.Candidates[i]
		of := numbered[c.Number]
		if of == nil {
			continue
		}
		if of.Kind != c.Kind || (of.Group == "") != (c.Group == "") || (of.Internal == "") != (c.Internal == "") {
			return false
		}
		ids[c.ID] = of.ID
		c.ID, c.Group, c.Internal = of.ID, of.Group, of.Internal
	}
	if len(ids) == 0 {
		return false
	}
	bare.Pool, bare.Recorded = &pool, renamed(bare.Recorded, ids)
	bare.Options.Pins, bare.Options.Bans = renamed(bare.Options.Pins, ids), renamed(bare.Options.Bans, ids)
	return true
}

// renamed are ids with the new names of those that have one; nil stays nil.
func renamed(old []string, names map[string]string) []string {
	list := slices.Clone(old)
	for i, id := range list {
		if name, ok := names[id]; ok {
			list[i] = name
		}
	}
	return list
}

// errOwnQuestion is why the question of another side cannot be tried.
var errOwnQuestion = errors.New("a pool without texts has the numbers of its own question alone")

// Factor is something in which two selections can differ.
type Factor string

// The factors, in the order in which they are tried as a cause.
const (
	// FactorVersion is that another build made a record, and this one keeps
	// something else of the same.
	FactorVersion  Factor = "version"
	FactorQuery    Factor = "query"
	FactorBudget   Factor = "budget"
	FactorPool     Factor = "pool"
	FactorCounter  Factor = "counter"
	FactorEmbedder Factor = "embedder"
	FactorStrategy Factor = "strategy"
	FactorRules    Factor = "rules"
	// FactorSeveral is no factor but the cause where only several together do it.
	FactorSeveral Factor = "several"
)

// swapped are the factors that a run can take from the other side.
var swapped = []Factor{FactorQuery, FactorBudget, FactorPool, FactorCounter, FactorEmbedder, FactorStrategy, FactorRules}

// Change is a candidate that one side keeps and the other does not.
type Change struct {
	// Candidate and Index are those of the side that keeps it.
	Candidate session.Candidate
	Index     int
	Cause     Factor
	// Absent is true where the other side was not offered it.
	Absent bool
}

// Effect is what one factor does by itself.
type Effect struct {
	Factor Factor
	// Alone is how many of the changes come about if of A this factor alone is
	// taken from B; of the version, how many this build does not make.
	Alone int
	// Untried says why that could not be run; empty where it was.
	Untried string
}

// Diff is how two selections differ.
type Diff struct {
	// A and B are the selections as this build makes them.
	A, B *selector.Selection
	// Entered are kept by B alone, Left by A alone, in the order of their pools.
	Entered, Left []Change
	// Unchanged is how many both keep.
	Unchanged int
	// Effects are those of the factors in which the sides differ.
	Effects []Effect
}

// Compared finds how b differs from a, and for each change the cause: a is run
// again with one factor of b at a time, and the first that makes of the candidate
// what b makes of it is the cause. Where none does, b is run with one factor of a
// at a time, and the first that undoes the change is it. What one side was not
// offered differs by the pool.
func Compared(ctx context.Context, a, b *Side) (*Diff, error) {
	d := &diff{sides: [2]*Side{a, b}}
	var err error
	for i, side := range d.sides {
		if d.questions[i], err = side.question(ctx); err != nil {
			return nil, err
		}
	}
	out := &Diff{}
	if out.A, err = d.run(ctx, world{}); err != nil {
		return nil, err
	}
	if out.B, err = d.run(ctx, all()); err != nil {
		return nil, err
	}
	now := [2][]string{out.A.Kept, out.B.Kept}
	for i, side := range d.sides {
		d.kept[i], d.offered[i] = now[i], idsOf(side.Pool)
		if side.Recorded != nil {
			d.kept[i] = side.Recorded
		}
	}
	if err := d.tries(ctx, now); err != nil {
		return nil, err
	}
	out.Entered, out.Unchanged = d.changes(1)
	out.Left, _ = d.changes(0)
	out.Effects = d.effects(slices.Concat(out.Entered, out.Left))
	return out, nil
}

// world says of each factor from which side it is: false is A.
type world map[Factor]bool

func all() world {
	w := world{}
	for _, f := range swapped {
		w[f] = true
	}
	return w
}

// diff is a comparison under way.
type diff struct {
	sides     [2]*Side
	questions [2]question
	kept      [2][]string // what counts as kept: as recorded, or as it is now
	offered   [2][]string
	tried     []try
}

// question is what a side asks, as it is embedded.
type question struct {
	text   string
	vector []float32
}

// try is one factor with what is kept if A has that of B, and B that of A; nil
// where it cannot be run.
type try struct {
	factor Factor
	kept   [2][]string
	why    string
}

func (s *Side) question(ctx context.Context) (question, error) {
	p, err := s.prepare(ctx, s.Pool, s.Embedder, selector.PrepareOptions{NoWiden: s.NoWiden})
	if err != nil {
		return question{}, err
	}
	return question{p.Question(), s.Pool.QueryEmbedding}, nil
}

func (s *Side) prepare(ctx context.Context, pool *session.Pool, e embed.Embedder, opt selector.PrepareOptions) (*selector.Prepared, error) {
	p, err := selector.NewEngine(e, s.Counter.Name()).Prepare(ctx, pool, opt)
	if err != nil {
		return nil, fmt.Errorf("compare: prepare the pool: %w", err)
	}
	return p, nil
}

// run selects in a world.
func (d *diff) run(ctx context.Context, w world) (*selector.Selection, error) {
	of := func(f Factor) *Side {
		if w[f] {
			return d.sides[1]
		}
		return d.sides[0]
	}
	from := of(FactorPool)
	pool := *from.Pool
	if of(FactorCounter) != from {
		by := of(FactorCounter)
		pool.Candidates = recounted(from.Pool, by, by.Counter.Name() != from.Counter.Name())
	}
	asks := of(FactorQuery)
	if asks != from && (asks.bare() || from.bare()) {
		if d.differ(FactorQuery) {
			return nil, errOwnQuestion
		}
		asks = from
	}
	q := d.questions[slices.Index(d.sides[:], asks)]
	pool.Query, pool.QueryEmbedding = q.text, q.vector
	l := of(FactorBudget).Pool
	pool.Budget, pool.Window, pool.Reserve, pool.System, pool.Tools, pool.Pending = l.Budget, l.Window, l.Reserve, l.System, l.Tools, l.Pending
	rules := of(FactorRules).Options
	p, err := from.prepare(ctx, &pool, of(FactorEmbedder).Embedder, selector.PrepareOptions{QueryExplicit: true})
	if err != nil {
		return nil, err
	}
	s, err := p.Select(ctx, selector.Options{
		Strategy: of(FactorStrategy).Options.Strategy, Budget: of(FactorBudget).Options.Budget,
		Rules: rules.Rules, Tail: rules.Tail, Pins: rules.Pins, Bans: rules.Bans,
	})
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	return s, nil
}

// recounted are the candidates of a pool with the tokens that another side's counter
// gives: that side's own where it was offered the same; what it was not is counted
// anew, as far as its text says, where the counter is another one.
func recounted(pool *session.Pool, by *Side, recount bool) []session.Candidate {
	known := make(map[string]*session.Candidate, len(by.Pool.Candidates))
	for i := range by.Pool.Candidates {
		known[by.Pool.Candidates[i].ID] = &by.Pool.Candidates[i]
	}
	list := slices.Clone(pool.Candidates)
	for i := range list {
		c := &list[i]
		without := pool.Similarity != nil || by.bare()
		if k := known[c.ID]; k != nil && (without || k.Content() == c.Content()) {
			c.Tokens = k.Tokens
			continue
		}
		if !recount || without {
			continue
		}
		parts := token.Parts{Text: c.Text, Images: c.Images}
		for _, call := range c.Calls {
			parts.Calls = append(parts.Calls, token.Call{Name: call.Name, Args: string(call.Args)})
		}
		c.Tokens = by.Counter.Count(parts)
	}
	return list
}

// differ reports whether the sides differ in a factor.
func (d *diff) differ(f Factor) bool {
	a, b := d.sides[0], d.sides[1]
	switch f {
	case FactorQuery:
		if a.bare() || b.bare() {
			return a.Pool.Turn != b.Pool.Turn
		}
		return d.questions[0].text != d.questions[1].text || !slices.Equal(d.questions[0].vector, d.questions[1].vector)
	case FactorBudget:
		return limitsOf(a) != limitsOf(b)
	case FactorPool:
		return !slices.EqualFunc(a.Pool.Candidates, b.Pool.Candidates, d.sameButCost)
	case FactorCounter:
		return a.Counter.Name() != b.Counter.Name() || d.recosted() > 0
	case FactorEmbedder:
		return a.Embedder.Name() != b.Embedder.Name()
	case FactorStrategy:
		return a.Options.Strategy.String() != b.Options.Strategy.String()
	case FactorRules:
		return !slices.Equal(a.Options.Rules.Names(), b.Options.Rules.Names()) || a.Options.Tail != b.Options.Tail ||
			!slices.Equal(a.Options.Pins, b.Options.Pins) || !slices.Equal(a.Options.Bans, b.Options.Bans)
	case FactorVersion, FactorSeveral:
	}
	return false
}

// recosted counts the candidates that are the same on both sides and cost something
// else.
func (d *diff) recosted() int {
	tokens := make(map[string]*session.Candidate)
	for i := range d.sides[0].Pool.Candidates {
		c := &d.sides[0].Pool.Candidates[i]
		tokens[c.ID] = c
	}
	n := 0
	for i := range d.sides[1].Pool.Candidates {
		c := &d.sides[1].Pool.Candidates[i]
		if o := tokens[c.ID]; o != nil && d.sameButCost(*o, *c) && o.Tokens != c.Tokens {
			n++
		}
	}
	return n
}

// limits are all that a budget is made of.
type limits struct {
	budget                                int
	named                                 bool
	recorded, window, reserve, sys, tools int
	pending                               int
}

func limitsOf(s *Side) limits {
	value := func(n *int) int {
		if n == nil {
			return -1
		}
		return *n
	}
	l := limits{
		s.Options.Budget.Value, s.Options.Budget.Source != "", value(s.Pool.Budget), value(s.Pool.Window), value(s.Pool.Reserve),
		value(s.Pool.System), value(s.Pool.Tools), 0,
	}
	for _, m := range s.Pool.Pending {
		l.pending += m.Tokens
	}
	return l
}

// sameButCost reports whether a candidate is the same in both pools, its cost aside, as
// far as that can be told where one of them has no texts.
func (d *diff) sameButCost(a, b session.Candidate) bool {
	return a.ID == b.ID && a.Kind == b.Kind && a.Required == b.Required && a.Group == b.Group && a.Internal == b.Internal &&
		(d.sides[0].bare() || d.sides[1].bare() || a.Content() == b.Content() && slices.Equal(a.Embedding, b.Embedding))
}

// tries runs both sides with one factor of the other at a time; now is what they
// keep as they are.
func (d *diff) tries(ctx context.Context, now [2][]string) error {
	if !slices.Equal(now[0], d.kept[0]) || !slices.Equal(now[1], d.kept[1]) {
		d.tried = append(d.tried, try{factor: FactorVersion, kept: now})
	}
	for _, f := range swapped {
		if !d.differ(f) {
			continue
		}
		t := try{factor: f}
		for i := range d.sides {
			w := world{}
			if i == 1 {
				w = all()
			}
			w[f] = i == 0
			s, err := d.run(ctx, w)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil: // vectors of one pool say nothing of another
				t.why = err.Error()
			default:
				t.kept[i] = s.Kept
			}
		}
		d.tried = append(d.tried, t)
	}
	return nil
}

// changes are the candidates that side i keeps and the other does not, and how many
// both keep.
func (d *diff) changes(i int) (list []Change, both int) {
	for at := range d.sides[i].Pool.Candidates {
		c := &d.sides[i].Pool.Candidates[at]
		switch {
		case !slices.Contains(d.kept[i], c.ID):
		case slices.Contains(d.kept[1-i], c.ID):
			both++
		default:
			ch := Change{Candidate: *c, Index: at, Absent: !slices.Contains(d.offered[1-i], c.ID)}
			ch.Cause = d.cause(c.ID, i == 1, ch.Absent)
			list = append(list, ch)
		}
	}
	return list, both
}

// cause is what changed the fate of a candidate; entered says that B keeps it.
func (d *diff) cause(id string, entered, absent bool) Factor {
	if absent {
		return FactorPool
	}
	for i, becomes := range []bool{entered, !entered} { // of A with a factor of B, of B with one of A
		for _, t := range d.tried {
			if t.kept[i] != nil && slices.Contains(t.kept[i], id) == becomes {
				return t.factor
			}
		}
	}
	return FactorSeveral
}

// effects count the changes that each factor makes by itself.
func (d *diff) effects(changes []Change) []Effect {
	var list []Effect
	for _, t := range d.tried {
		e := Effect{Factor: t.factor, Untried: t.why}
		for i := range changes {
			id := changes[i].Candidate.ID
			entered := slices.Contains(d.kept[1], id)
			makes := t.kept[0] != nil && slices.Contains(t.kept[0], id) == entered
			// The build that made a record cannot be run: what this one does not do.
			undoes := t.factor == FactorVersion && slices.Contains(t.kept[1], id) != entered
			if makes || undoes {
				e.Alone++
			}
		}
		list = append(list, e)
	}
	return list
}

func idsOf(p *session.Pool) []string {
	ids := make([]string, len(p.Candidates))
	for i := range p.Candidates {
		ids[i] = p.Candidates[i].ID
	}
	return ids
}
