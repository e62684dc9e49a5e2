package selector

import (
	"cmp"
	"slices"
	"sync"
)

// signals is how like the candidates and groups of a pool are to the query, under
// one smoothing.
type signals struct {
	relevance []float64 // max(0, cosine to the query), smoothed if asked
	signed    []float64 // the cosine to the query, smoothed if asked
	best      []float64 // by group, the greatest of its members' signed
	// byBest is all groups by best, the greatest first.
	byBest func() []int
}

func (p *Prepared) signalsOf(smoothing float64) *signals {
	p.held.mu.Lock()
	defer p.held.mu.Unlock()
	if s, ok := p.held.signals[smoothing]; ok {
		return s
	}
	s := &signals{signed: p.query, relevance: make([]float64, len(p.query)), best: make([]float64, len(p.groups))}
	for i, c := range p.query {
		s.relevance[i] = max(0, c)
	}
	if smoothing > 0 {
		s.signed, s.relevance = smoothed(s.signed, smoothing), smoothed(s.relevance, smoothing)
	}
	for g := range p.groups {
		s.best[g] = s.signed[bestMember(&p.groups[g], s.signed)]
	}
	s.byBest = sync.OnceValue(func() []int {
		order := make([]int, len(p.groups))
		for g := range order {
			order[g] = g
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.best[b], s.best[a]) })
		return order
	})
	if p.held.signals == nil {
		p.held.signals = make(map[float64]*signals)
	}
	p.held.signals[smoothing] = s
	return s
}

// bestMember is the member of g with the greatest value, the first among equals.
func bestMember(g *group, value []float64) int {
	best := g.members[0]
	for _, m := range g.members[1:] {
		if value[m] > value[best] {
			best = m
		}
	}
	return best
}

// byAge is all groups, the newest first.
func (p *Prepared) byAge() []int {
	p.held.mu.Lock()
	defer p.held.mu.Unlock()
	if p.held.byAge == nil {
		p.held.byAge = make([]int, len(p.groups))
		for g := range p.held.byAge {
			p.held.byAge[g] = g
		}
		slices.SortFunc(p.held.byAge, func(a, b int) int { return p.groups[b].last() - p.groups[a].last() })
	}
	return p.held.byAge
}

// only is what of an order is in groups.
func (p *Prepared) only(order, groups []int) []int {
	in := make([]bool, len(p.groups))
	for _, g := range groups {
		in[g] = true
	}
	some := make([]int, 0, len(groups))
	for _, g := range order {
		if in[g] {
			some = append(some, g)
		}
	}
	return some
}

// smoothed adds to each candidate a share of the better of its neighbours.
func smoothed(rel []float64, lambda float64) []float64 {
	out := slices.Clone(rel)
	for i := range rel {
		switch {
		case len(rel) == 1:
		case i == 0:
			out[i] += lambda * rel[1]
		case i == len(rel)-1:
			out[i] += lambda * rel[i-1]
		default:
			out[i] += lambda * max(rel[i-1], rel[i+1])
		}
	}
	return out
}
