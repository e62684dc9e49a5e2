package selector

import (
	"context"
	"slices"
)

var pacms = method{name: "pacms", make: func(params) (chooser, error) { return paper{}, nil }}

// paper is the strategy of the PACMS paper: F(S) = Σ_i max_{j∈S} w_ij with
// w_ij = rel(i)·max(0, cos(i, j)), maximised under the budget.
type paper struct{}

func (p paper) choose(ctx context.Context, pb *problem) (*choice, error) {
	s, err := p.search(ctx, pb)
	if err != nil {
		return nil, err
	}
	return s.locate(ctx, false)
}

func (paper) search(_ context.Context, pb *problem) (*search, error) {
	o := pb.paperObjective()
	return &search{problem: pb, o: o, total: o.total(pb.Prepared)}, nil
}

// paperObjective is the paper's F over the candidates that were not set aside.
func (pb *problem) paperObjective() *objective {
	o := &objective{weight: make([]float64, len(pb.of)), groups: len(pb.groups), affinity: pb.paperAffinity()}
	for i, is := range pb.client {
		if is {
			o.weight[i] = pb.relevance[i]
		}
	}
	return o
}

// locate maximises a facility location and explains the result. With fill what
// is left of the budget is taken in the order of topk.
func (s *search) locate(ctx context.Context, fill bool) (*choice, error) {
	pb := s.problem
	out, err := s.best(ctx)
	if err != nil {
		return nil, err
	}
	final := out.start.clone()
	when := make([]float64, len(pb.groups)) // gain when chosen
	for _, g := range pb.must {
		when[g] = final.fresh(g)
	}
	room := pb.room
	for _, g := range out.groups {
		when[g] = final.fresh(g)
		final.add(g)
		room -= pb.groups[g].tokens
	}
	c := &choice{picked: out.groups, capped: out.capped, fills: fill}
	if fill {
		rest := slices.DeleteFunc(pb.byCosine(pb.free), func(g int) bool { return slices.Contains(out.groups, g) })
		for _, g := range rest {
			if t := pb.groups[g].tokens; pb.slack.fits(t, room) {
				when[g] = final.fresh(g)
				final.add(g)
				c.fill = append(c.fill, g)
				room -= t
			}
		}
	}
	e := &explanation{search: s, final: final, room: room, when: when, alone: out.alone}
	e.choice = c
	c.drop, c.gain, c.score, c.decides, c.chosen = e.drop, e.gain, e.score, e.decides, e.chosen
	c.rank = placesIn(func() []int { return s.unbounded() })
	value := final.value()
	c.located = &located{objective: value, bound: max(out.bound, value), explanation: e}
	if n := len(out.groups); n > 0 {
		c.located.last = e.perThousand(out.groups[n-1])
	}
	if !fill {
		c.located.bound = out.bound
	}
	return c, nil
}

// unbounded is the order in which one gain-per-token greedy from nothing would
// take all groups if there were no budget; those that add nothing come last, by
// relevance. It does not depend on the budget.
func (s *search) unbounded() []int {
	all := s.everyGroup()
	open := slices.Clone(all)
	c := s.o.newCover()
	var order []int
	for {
		g := s.largest(c, open, perToken)
		if g < 0 {
			break
		}
		c.add(g)
		order = append(order, g)
		open = slices.DeleteFunc(open, func(h int) bool { return h == g })
	}
	return append(order, s.byCosine(open)...)
}
