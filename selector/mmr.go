package selector

import (
	"cmp"
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
	var next []bool
	c := pb.ranked(free, func(g int) drop {
		if next[g] {
			return drop{code: Budget}
		}
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
	next = pb.nextToTake(free, c.picked)
	c.score = func(g int) float64 { return r.score[g] }
	c.rank = placesIn(func() []int { return r.order })
	return c, nil
}

// nextToTake are the groups of an order that had their turn and no room: those that
// the walk passed over before it took the last one, and behind that those that need
// less than all between.
func (pb *problem) nextToTake(order, taken []int) []bool {
	next := make([]bool, len(pb.groups))
	behind := len(taken) == 0
	least := math.MaxInt
	for _, g := range order {
		next[g] = !behind || pb.groups[g].tokens < least
		if behind {
			least = min(least, pb.groups[g].tokens)
		}
		behind = behind || g == taken[len(taken)-1]
	}
	return next
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
func (m marginal) rank(ctx context.Context, pb *problem) (_ *ranking, err error) {
	pool := pb.eligible()
	r := &ranking{score: make([]float64, len(pb.groups))}
	near := make([]float32, len(pb.groups))
	for g := range near {
		near[g] = float32(math.Inf(-1))
	}
	columns, into := pb.columns(), make([]float32, len(pb.of))
	for len(pool) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		score := func(g int) float64 {
			if len(r.order) == 0 {
				return pb.best[g]
			}
			return m.lambda*pb.best[g] - (1-m.lambda)*float64(near[g])
		}
		best, bestScore := -1, math.Inf(-1)
		for k, g := range pool {
			if s := score(g); best < 0 || s > bestScore {
				best, bestScore = k, s
			}
		}
		g := pool[best]
		var similar []float32
		if pb.space.gram != nil {
			similar = pb.groupCos(g, into)
		} else if similar, err = columns.of(ctx, g, func() []int { return leading(pool, score) }); err != nil {
			return nil, err
		}
		pool = slices.Delete(pool, best, best+1)
		r.order, r.score[g] = append(r.order, g), bestScore
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

// leading lists the groups with the greatest scores, as many as are worth comparing
// at once.
func leading(pool []int, score func(g int) float64) []int {
	all := slices.Clone(pool)
	slices.SortFunc(all, func(a, b int) int { return cmp.Compare(score(b), score(a)) })
	return all[:min(rowsAtOnce, len(all))]
}
