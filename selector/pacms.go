package selector

import (
	"context"
	"fmt"
)

const paperName = "pacms"

var pacms = method{name: paperName, make: func(params) (chooser, error) { return paper{}, nil }}

// paper is the strategy of the PACMS paper: F(S) = Σ_i max_{j∈S} w_ij with
// w_ij = rel(i)·max(0, cos(i, j)), maximised under the budget.
type paper struct{}

func (p paper) choose(ctx context.Context, pb *problem) (*choice, error) {
	s, err := p.search(ctx, pb)
	if err != nil {
		return nil, err
	}
	c, err := s.locate(ctx, false)
	if err == nil {
		c.located.papers = true
	}
	return c, err
}

func (paper) search(ctx context.Context, pb *problem) (*search, error) {
	b, err := pb.paper(ctx)
	if err != nil {
		return nil, err
	}
	return pb.search(b, pb.free), nil
}

// paper is the paper's F over the candidates that were not set aside.
func (pb *problem) paper(ctx context.Context) (*base, error) {
	return pb.held.bases.get(ctx, pb.baseKey(paperName), func() (*base, error) {
		if pb.space.gram == nil {
			return pb.newBase(&objective{weight: pb.clientRelevance(), groups: len(pb.groups), affinity: remote{pb.Prepared}}), nil
		}
		d, err := pb.held.dense.get(ctx, "", func() (*dense, error) { return pb.dense(ctx) })
		if err != nil {
			return nil, err
		}
		return pb.newBase(&objective{weight: pb.clientRelevance(), groups: len(pb.groups), affinity: d}), nil
	})
}

// clientRelevance is the relevance of each client, 0 for the others.
func (pb *problem) clientRelevance() []float64 {
	weight := make([]float64, len(pb.of))
	for i, is := range pb.client {
		if is {
			weight[i] = pb.relevance[i]
		}
	}
	return weight
}

// locate maximises a facility location and explains the result. With fill what
// is left of the budget is taken in the order of topk.
func (s *search) locate(ctx context.Context, fill bool) (*choice, error) {
	pb := s.problem
	out, err := s.best(ctx)
	if err != nil {
		return nil, err
	}
	if out.partial && len(out.groups) == 0 {
		return nil, fmt.Errorf("nothing was chosen yet: %w", context.DeadlineExceeded)
	}
	final, when := out.cover, make([]float64, len(pb.groups)) // gain when chosen
	room := pb.room
	for k, g := range out.groups {
		when[g] = out.when[k]
		room -= pb.groups[g].tokens
		s.open[g] = false
	}
	c := &choice{picked: out.groups, capped: out.capped, fills: fill, partial: out.partial}
	if fill {
		for _, g := range pb.byCosine(pb.free) {
			if t := pb.groups[g].tokens; s.open[g] && pb.slack.fits(t, room) {
				when[g] = max(0, final.gain[g])
				final.finish(g)
				c.fill = append(c.fill, g)
				room -= t
			}
		}
	}
	var second []float64
	if final.far != nil {
		if second, err = s.settleFar(ctx, final, out.groups); err != nil && !late(err) {
			return nil, err
		}
		c.partial = c.partial || err != nil
	}
	e := &explanation{search: s, second: second, final: final, room: room, when: when, alone: s.alone}
	e.choice = c
	c.drop, c.gain, c.score, c.decides, c.chosen = e.drop, e.gain, e.score, e.decides, e.chosen
	c.ready = func(ctx context.Context) error {
		_, err := s.order(ctx)
		return err
	}
	c.isReady = func() bool { return s.placed.has("") }
	c.rank = placesIn(func() []int {
		order, _ := s.order(context.Background()) // nothing else stops it
		return order
	})
	value := final.value()
	c.located = &located{objective: value, bound: max(out.bound, value), explanation: e}
	if n := len(out.groups); n > 0 {
		e.last = e.perThousand(out.groups[n-1])
	}
	if !fill {
		c.located.bound = out.bound
	}
	return c, nil
}
