package selector

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// mostExact is at how many free groups the exact optimum is still searched for.
const mostExact = 20

// Optimum is the best set within a budget in the objective of a strategy, found
// by trying all that may be better.
type Optimum struct {
	// Kept are the pool indices of the best set, ascending: what the strategy keeps
	// where nothing is better.
	Kept   []int `json:"kept_indices"`
	Tokens int   `json:"tokens"`
	// Value is F of the best set, Found of what the strategy keeps.
	Value float64 `json:"value"`
	Found float64 `json:"-"`
}

// Claim says how much higher the best set scores, in words that promise nothing
// about an answer.
func (o Optimum) Claim() string {
	const note = " (it says nothing about the answer)"
	if o.Value <= o.Found {
		return "no subset within this budget scores higher: all were tried" + note
	}
	if o.Found <= 0 {
		return "the best subset within this budget scores something, this one nothing" + note
	}
	return fmt.Sprintf("the best subset within this budget scores %.1f %% higher: all were tried%s",
		math.Ceil(1000*(o.Value/o.Found-1))/10, note)
}

// Optimum searches for the best set. It is false where the strategy maximises
// nothing or more than 20 groups are free to choose from.
func (p *Prepared) Optimum(ctx context.Context, opt Options) (Optimum, bool, error) {
	pb, c, err := p.decide(ctx, opt)
	if err != nil {
		return Optimum{}, false, err
	}
	if c.located == nil || len(pb.free) > mostExact {
		return Optimum{}, false, nil
	}
	x := branching{search: c.located.search, best: slices.Concat(c.picked, c.fill), value: c.located.objective}
	if err := x.all(ctx); err != nil {
		return Optimum{}, false, err
	}
	out := Optimum{Value: x.value, Found: c.located.objective}
	for _, g := range slices.Concat(pb.must, x.best) {
		out.Kept = append(out.Kept, pb.groups[g].members...)
		out.Tokens += pb.groups[g].tokens
	}
	slices.Sort(out.Kept)
	return out, true, nil
}

// branching is a search through all sets that its bound does not rule out.
type branching struct {
	*search
	best  []int // groups beside the required ones
	value float64
}

// all tries every set that may be better than the best so far.
func (x *branching) all(ctx context.Context) error {
	begin, err := x.start(ctx, x.must)
	if err != nil {
		return err
	}
	start := begin.cover
	order := slices.Clone(x.free)
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(perToken(start.gain[b], x.groups[b].tokens), perToken(start.gain[a], x.groups[a].tokens))
	})
	return x.from(ctx, start, order, nil, x.room)
}

// from tries every set that has what c covers, some of open beside taken, and
// fits into room. A branch is left where even the fractional knapsack of the
// gains of what is open, which by submodularity no set exceeds, is no better than
// the best set so far.
func (x *branching) from(ctx context.Context, c *cover, open, taken []int, room int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	value := c.value()
	better := func(v float64) bool { return v > x.value+x.zero() }
	if better(value) {
		x.value, x.best = value, slices.Clone(taken)
	}
	bound := value
	var items []item
	for _, g := range open {
		gain, tokens := c.gain[g], x.groups[g].tokens
		switch {
		case gain <= 0 || tokens > room:
		case tokens == 0:
			bound += gain
		default:
			items = append(items, item{gain / float64(tokens), tokens})
		}
	}
	if len(open) == 0 || !better(bound+knapsack(items, room)) {
		return nil
	}
	g, rest := open[0], open[1:]
	if tokens := x.groups[g].tokens; tokens <= room && c.gain[g] > 0 {
		with := c.clone()
		with.finish(g)
		if err := x.from(ctx, with, rest, append(slices.Clone(taken), g), room-tokens); err != nil {
			return err
		}
	}
	return x.from(ctx, c, rest, taken, room)
}
