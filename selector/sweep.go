package selector

import (
	"context"
	"sync"
)

// Sweep is what one strategy keeps over budgets from 0 to the whole pool.
type Sweep struct {
	Strategy string
	// Points are ascending by budget; at the last one everything fits.
	Points []Point
}

// Point is one budget of a sweep: what a selection under that budget is.
type Point struct {
	Budget int // in tokens
	Items  int // kept
	Tokens int // of what is kept
	// Flips is the number of items that are kept here or at the point before, but
	// not at both; 0 at the first point.
	Flips int
	// Value is F of what is kept: in the strategy's own objective, or in that of
	// pacms where it has none. It is 0 without a question.
	Value float64
	// Coverage is the share of the pool's value for the question, in the objective
	// of pacms, as Selection.Coverage.
	Coverage float64

	kept set
}

// Keeps reports whether the candidate at pool index i is kept at this budget.
func (p Point) Keeps(i int) bool { return p.kept.has(i) }

// Sweep runs a strategy at steps+1 budgets, evenly spread from 0 to where
// everything fits, whatever the budget of opt is; at fewer where the pool has
// fewer tokens. It tells each, unless that is nil, how many runs are done.
func (p *Prepared) Sweep(ctx context.Context, opt Options, steps int, each func(done, total int)) (*Sweep, error) {
	budgets := spread(p.whole(), steps)
	s := &Sweep{Strategy: opt.Strategy.String(), Points: make([]Point, len(budgets))}
	var mu sync.Mutex // guards done
	done := 0
	err := together(ctx, len(budgets), func(ctx context.Context, k int) error {
		pb, c, err := p.decide(ctx, opt.at(budgets[k]))
		if err != nil {
			return err
		}
		if s.Points[k], err = pb.point(ctx, c, budgets[k]); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		if each != nil {
			each(done, len(budgets))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for k := 1; k < len(s.Points); k++ {
		s.Points[k].Flips = s.Points[k].kept.differ(s.Points[k-1].kept)
	}
	return s, nil
}

// point sums up a choice under a budget.
func (pb *problem) point(ctx context.Context, c *choice, budget int) (out Point, err error) {
	out = Point{Budget: budget, kept: newSet(len(pb.of))}
	groups := pb.groupsKept(c)
	keeps := make([]bool, len(pb.of))
	for i, g := range pb.of {
		if groups.has(g) {
			keeps[i] = true
			out.kept.add(i)
			out.Items++
			out.Tokens += pb.Pool.Candidates[i].Tokens
		}
	}
	if out.Coverage, err = pb.coverage(ctx, keeps); err != nil {
		return out, err
	}
	if c.located != nil {
		out.Value = c.located.objective
		return out, nil
	}
	value, _, err := pb.valued(ctx)
	if err != nil {
		return out, err
	}
	out.Value, err = value(ctx, groups)
	return out, err
}

// valuing says what a set of groups is worth.
type valuing func(ctx context.Context, groups set) (float64, error)

// valued returns what a set of groups, and everything, is worth in the objective by
// which people are told of the strategy: its own, or that of pacms.
func (pb *problem) valued(ctx context.Context) (value valuing, all float64, err error) {
	locate, ok := pb.chooser().(locator)
	if !ok {
		locate = paper{}
	}
	s, err := locate.search(ctx, pb)
	if err != nil {
		return nil, 0, err
	}
	return s.o.value, s.total, nil
}

// Smallest is the least budget of the sweep at which a share of the value of
// everything is kept, and false where nothing is worth anything. At a larger
// budget it may be less again: what a strategy keeps does not only grow.
func (s *Sweep) Smallest(share float64) (budget int, ok bool) {
	if len(s.Points) == 0 {
		return 0, false
	}
	all := s.Points[len(s.Points)-1].Value
	if all <= 0 {
		return 0, false
	}
	for _, p := range s.Points {
		if p.Value >= share*all {
			return p.Budget, true
		}
	}
	return 0, false
}
