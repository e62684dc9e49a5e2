package selector

import (
	"fmt"
	"slices"
)

// mostlyCovered is the covered share of what a candidate would add from which
// that, and not the lack of room, is given as the reason.
const mostlyCovered = 0.5

// restates is the affinity to its keeper from which a newer candidate is taken
// to say the same thing again, perhaps corrected.
const restates = 0.5

// explanation answers for one facility location why a group was kept or dropped.
type explanation struct {
	*search
	final *cover
	room  int       // tokens left in the end
	when  []float64 // gain of each kept group when it was chosen
	alone []float64 // F of each group alone: what it would add to nothing
}

// gain is what a kept group added when it was chosen, and what another would
// add now.
func (e *explanation) gain(g int) float64 {
	if e.when[g] > 0 {
		return e.when[g]
	}
	return max(0, e.final.gain[g])
}

// perThousand is the gain of a group per 1,000 tokens, as a share of F of
// everything.
func (e *explanation) perThousand(g int) float64 {
	if e.total == 0 {
		return 0
	}
	return 1000 * e.gain(g) / float64(max(1, e.groups[g].tokens)) / e.total
}

// chosen says what a group added when it was chosen.
func (e *explanation) chosen(g, place int) string {
	if e.total == 0 {
		return fmt.Sprintf("number %d", place)
	}
	return fmt.Sprintf("number %d, it added %s of all there is to cover", place, fine(e.when[g]/e.total))
}

// covered is the share of what group g would add that the kept ones cover.
func (e *explanation) covered(g int) float64 {
	if e.alone[g] <= e.zero() {
		return 0
	}
	return 1 - e.gain(g)/e.alone[g]
}

// drop says why a free group was not picked. The codes are true in this sense:
// covered_by, without the kept ones it would add more; irrelevant, it adds
// nothing to an empty set; budget, it does not fit into what is left; rank, it
// would fit, but the best set found does not include it.
func (e *explanation) drop(g int) drop {
	adds := e.final.gain[g]
	switch {
	case e.alone[g] <= e.zero():
		return drop{code: Irrelevant}
	case adds <= e.zero(), e.covered(g) >= mostlyCovered:
		return drop{code: CoveredBy, newer: e.newer(g)}
	case e.groups[g].tokens > e.room:
		return drop{code: Budget}
	}
	return drop{code: Rank}
}

// newer reports whether a group restates an older one that covers it.
func (e *explanation) newer(g int) bool {
	for _, i := range e.groups[g].members {
		k := e.final.keeper[i]
		if k >= 0 && e.groups[k].last() < i && e.final.best[i] >= restates*e.o.weight[i] && e.o.weight[i] > 0 {
			return true
		}
	}
	return false
}

// shares says which kept groups cover what group g would add, each with its
// share of it, the greatest first. They add up to covered. Each group is named
// by its newest member.
func (e *explanation) shares(g int) []Share {
	value := e.alone[g]
	if value <= e.zero() {
		return nil
	}
	by := make(map[int]float64)
	clients, values := e.o.col(g)
	for k, v := range values {
		i := at(clients, k)
		if would := e.o.weight[i] * float64(v); would > 0 && e.final.keeper[i] >= 0 {
			by[e.final.keeper[i]] += min(would, e.final.best[i])
		}
	}
	var shares []Share
	order := make([]int, 0, len(by))
	for keeper := range by {
		order = append(order, keeper)
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case by[a] > by[b]:
			return -1
		case by[a] < by[b]:
			return 1
		}
		return a - b
	})
	for _, keeper := range order {
		id := e.Pool.Candidates[e.decides(keeper)].ID
		shares = append(shares, Share{ID: id, Share: by[keeper] / value})
	}
	return shares
}

// score is the gain per token that the group has alone.
func (e *explanation) score(g int) float64 {
	return e.alone[g] / float64(max(1, e.groups[g].tokens))
}

// decides is the member of a group that covers most by itself; the members'
// own weight tells, since each is its own best client.
func (e *explanation) decides(g int) int { return e.bestMember(g, e.o.weight) }
