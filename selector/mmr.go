package selector

import (
	"context"
	"math"
	"slices"
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
	pool := append(slices.Clone(pb.must), pb.free...)
	slices.Sort(pool)
	order, score, err := m.rank(ctx, pb, pool)
	if err != nil {
		return nil, err
	}
	free := slices.DeleteFunc(slices.Clone(order), pb.isMust)
	var plain map[int]bool
	c := pb.ranked(free, func(g int) drop {
		if plain == nil { // what similarity alone would have taken
			plain = make(map[int]bool)
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
	c.score = func(g int) float64 { return score[g] }
	c.rank = placesIn(func() []int { return order })
	return c, nil
}

// rank orders the groups of pool and returns the score each had when it was
// taken. The greatest similarity to what was taken is kept per group, so that a
// full ranking costs one pass per group.
func (m marginal) rank(ctx context.Context, pb *problem, pool []int) (order []int, score map[int]float64, err error) {
	score = make(map[int]float64, len(pool))
	cosine, near := make([]float64, len(pool)), make([]float64, len(pool))
	for k, g := range pool {
		cosine[k], near[k] = pb.cosine(g), math.Inf(-1)
	}
	taken := make([]bool, len(pool))
	for range pool {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		best, bestScore := -1, math.Inf(-1)
		for k := range pool {
			if taken[k] {
				continue
			}
			s := cosine[k]
			if len(order) > 0 {
				s = m.lambda*cosine[k] - (1-m.lambda)*near[k]
			}
			if best < 0 || s > bestScore {
				best, bestScore = k, s
			}
		}
		taken[best] = true
		order, score[pool[best]] = append(order, pool[best]), bestScore
		_, similar := pb.groupCos(pool[best])
		for k, g := range pool {
			if !taken[k] {
				for _, m := range pb.groups[g].members {
					near[k] = max(near[k], float64(similar[m]))
				}
			}
		}
	}
	return order, score, nil
}
