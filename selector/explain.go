package selector

import (
	"cmp"
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
	final  *cover
	room   int       // tokens left in the end
	when   []float64 // gain of each kept group when it was chosen
	alone  []float64 // F of each group alone: what it would add to nothing
	last   float64   // what the last one chosen added per 1,000 tokens, as a share of F of everything
	choice *choice

	// second is what each client has from the kept group that covers it next to
	// best; nil: not computed yet.
	second []float64
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
// nothing to an empty set; budget, it does not fit into what is left, and it would
// add more per token than the last one chosen or is not mostly covered; rank, it
// would fit, but the best set found does not include it.
func (e *explanation) drop(g int) drop {
	adds := e.final.gain[g]
	switch {
	case e.alone[g] <= e.zero():
		return drop{code: Irrelevant}
	case e.squeezed(g):
		return drop{code: Budget}
	case adds <= e.zero(), e.covered(g) >= mostlyCovered:
		return drop{code: CoveredBy, newer: e.newer(g)}
	case e.groups[g].tokens > e.room:
		return drop{code: Budget}
	}
	return drop{code: Rank}
}

// squeezed reports whether a dropped group would add more per token than the last
// one chosen, and had no room.
func (e *explanation) squeezed(g int) bool {
	return e.groups[g].tokens > e.room && e.final.gain[g] > e.zero() && e.perThousand(g) > e.last
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

// part is a kept group's part in covering another.
type part struct {
	keeper int     // the kept group
	share  float64 // of what the other would add
	only   float64 // the part of share that no other kept group covers
}

// parts says which kept groups cover what group g would add to an empty set,
// the greatest first. For a dropped group the shares add up to covered.
func (e *explanation) parts(g int) []part {
	value := e.alone[g]
	if value <= e.zero() {
		return nil
	}
	second := e.secondBest()
	place := make(map[int]int)
	var parts []part
	clients, values := e.o.col(g)
	for k, v := range values {
		i := at(clients, k)
		keeper, would := e.final.keeper[i], e.o.weight[i]*float64(v)
		if would <= 0 || keeper < 0 {
			continue
		}
		p, ok := place[keeper]
		if !ok {
			p = len(parts)
			place[keeper] = p
			parts = append(parts, part{keeper: keeper})
		}
		covered := min(would, e.final.best[i])
		parts[p].share += covered / value
		parts[p].only += (covered - min(would, second[i])) / value
	}
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(b.share, a.share), a.keeper-b.keeper)
	})
	return parts
}

// secondBest is, for each client, the greatest weighted affinity to a kept group
// other than its keeper.
func (e *explanation) secondBest() []float64 {
	if e.second != nil {
		return e.second
	}
	e.second = make([]float64, len(e.o.weight))
	for _, g := range slices.Concat(e.must, e.choice.picked, e.choice.fill) {
		clients, values := e.o.col(g)
		for k, v := range values {
			if i := at(clients, k); e.final.keeper[i] != g {
				e.second[i] = max(e.second[i], e.o.weight[i]*float64(v))
			}
		}
	}
	return e.second
}

// covers lists the dropped candidates whose worth the kept group g gives, at
// least half of it and no other kept group more, the best covered first.
func (e *explanation) covers(g int, kept []bool) []worth {
	var list []worth
	for i, keeper := range e.final.keeper {
		if keeper != g || kept[i] || e.o.weight[i] <= 0 {
			continue
		}
		if share := e.final.best[i] / e.o.weight[i]; share >= mostlyCovered {
			list = append(list, worth{i, share})
		}
	}
	slices.SortStableFunc(list, func(a, b worth) int { return cmp.Compare(b.share, a.share) })
	return list
}

// worth is the share of a candidate's worth that a kept group gives.
type worth struct {
	candidate int
	share     float64
}

// score is the gain per token that the group has alone.
func (e *explanation) score(g int) float64 {
	return e.alone[g] / float64(max(1, e.groups[g].tokens))
}

// decides is the member of a group that covers most by itself; the members'
// own weight tells, since each is its own best client.
func (e *explanation) decides(g int) int { return e.bestMember(g, e.o.weight) }
