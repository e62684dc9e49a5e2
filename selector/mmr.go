package selector

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pacms/selector/kernel"
)

var mmr = method{
	name: "mmr", params: []param{{"lambda", "0.5"}},
	make: func(p params) (chooser, error) {
		lambda, err := p.number("lambda", 1)
		return marginal{lambda}, err
	},
}

// marginal is maximal marginal relevance (Carbonell and Goldstein 1998) as
// LangChain ranks by it: first the most similar to the query, then the one with
// the greatest λ·cos(query) − (1−λ)·max cos(ranked before).
type marginal struct{ lambda float64 }

func (m marginal) choose(ctx context.Context, pb *problem) (*choice, error) {
	r, err := pb.held.mmr.get(ctx, fmt.Sprint(m.lambda, pb.opt.Strategy.smooth, pb.eligible()), func() (*ranking, error) { return m.rank(ctx, pb) })
	if err != nil {
		return nil, err
	}
	free := slices.DeleteFunc(slices.Clone(r.order), pb.isMust)
	var plain []bool
	c := pb.ranked(free, func(g int) drop {
		if plain == nil { // what similarity alone would have taken
			plain = make([]bool, len(pb.groups))
			quiet := *pb
			quiet.slack = &slack{}
			for _, h := range quiet.walk(pb.byCosine(pb.free)) {
				plain[h] = true
			}
		}
		if plain[g] {
			return drop{code: Diversity}
		}
		return drop{code: Budget}
	})
	c.score = func(g int) float64 { return r.score[g] }
	c.rank = placesIn(func() []int { return r.order })
	return c, nil
}

// ranking is groups in order, with the score that each had when it was taken.
type ranking struct {
	order []int
	score []float64 // by group
}

// eligible lists the required and the free groups, ascending.
func (pb *problem) eligible() []int {
	all := slices.Concat(pb.must, pb.free)
	slices.Sort(all)
	return all
}

// rank orders the groups that may be kept. The greatest similarity to what was taken
// is kept by group, so that a full ranking costs one pass per group.
func (m marginal) rank(ctx context.Context, pb *problem) (*ranking, error) {
	pool := pb.eligible()
	r := &ranking{score: make([]float64, len(pb.groups))}
	near := make([]float32, len(pb.groups))
	for g := range near {
		near[g] = float32(math.Inf(-1))
	}
	into := make([]float32, len(pb.of))
	for len(pool) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		best, bestScore := -1, math.Inf(-1)
		for k, g := range pool {
			s := pb.best[g]
			if len(r.order) > 0 {
				s = m.lambda*s - (1-m.lambda)*float64(near[g])
			}
			if best < 0 || s > bestScore {
				best, bestScore = k, s
			}
		}
		g := pool[best]
		pool = slices.Delete(pool, best, best+1)
		r.order, r.score[g] = append(r.order, g), bestScore
		similar := pb.groupCos(g, into)
		if len(pb.groups) == len(pb.of) {
			kernel.Most(near, similar)
			continue
		}
		for i, v := range similar {
			near[pb.of[i]] = max(near[pb.of[i]], v)
		}
	}
	return r, nil
}
