package selector

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// The rankers order the free groups and walk the order, taking what fits.

var (
	topk  = method{name: "topk", make: func(params) (chooser, error) { return nearest{}, nil }}
	lastk = method{name: "lastk", blind: true, make: func(params) (chooser, error) { return recent{}, nil }}
	rag   = method{
		name: "rag", capped: true, params: []param{{"k", "10"}},
		make: func(p params) (chooser, error) {
			k, err := p.number("k", math.MaxInt32)
			if err == nil && k != math.Trunc(k) {
				err = fmt.Errorf("k=%s: k is a whole number", p["k"])
			}
			p["k"] = strconv.Itoa(int(k))
			return retrieve{int(k)}, err
		},
	}
)

// walk takes the groups of order that fit, one after the other.
func (pb *problem) walk(order []int) []int {
	var taken []int
	room := pb.room
	for _, g := range order {
		if t := pb.groups[g].tokens; pb.slack.fits(t, room) {
			taken = append(taken, g)
			room -= t
		}
	}
	return taken
}

// bestMember is the member of g with the greatest value, the first among equals.
func (pb *problem) bestMember(g int, value []float64) int { return bestMember(&pb.groups[g], value) }

// cosine is the signed cosine of a group to the query: its best member's.
func (pb *problem) cosine(g int) float64 { return pb.best[g] }

// byCosine orders groups by their cosine to the query, the greatest first.
func (pb *problem) byCosine(groups []int) []int { return pb.only(pb.byBest(), groups) }

// byAge orders groups by age, the newest first.
func (pb *problem) byAge(groups []int) []int { return pb.only(pb.Prepared.byAge(), groups) }

// everyGroup lists all groups that were not set aside, too large ones included.
func (pb *problem) everyGroup() []int {
	var all []int
	for g := range pb.groups {
		if pb.client[pb.groups[g].first()] {
			all = append(all, g)
		}
	}
	return all
}

// placesIn returns the rank that a group has in an order, from 1; 0: none.
func placesIn(order func() []int) func(g int) int {
	var place map[int]int
	return func(g int) int {
		if place == nil {
			ranked := order()
			place = make(map[int]int, len(ranked))
			for i, g := range ranked {
				place[g] = i + 1
			}
		}
		return place[g]
	}
}

func allFor(code Code) func(int) drop { return func(int) drop { return drop{code: code} } }

// nearest is topk: the most similar to the query first.
type nearest struct{}

func (nearest) choose(_ context.Context, pb *problem) (*choice, error) {
	return pb.ranked(pb.byCosine(pb.free), allFor(Budget)), nil
}

// ranked is a choice that ranks by the cosine to the query and walks an order.
func (pb *problem) ranked(order []int, why func(int) drop) *choice {
	return &choice{
		picked: pb.walk(order), walked: order, drop: why, score: pb.cosine,
		decides: func(g int) int { return pb.bestMember(g, pb.signed) },
		rank:    placesIn(func() []int { return pb.byCosine(pb.everyGroup()) }),
	}
}

// recent is lastk: the newest first.
type recent struct{}

func (recent) choose(_ context.Context, pb *problem) (*choice, error) {
	order := pb.byAge(pb.free)
	picked := pb.walk(order)
	oldest := len(pb.of)
	for _, g := range picked {
		oldest = min(oldest, pb.groups[g].last())
	}
	return &choice{
		picked: picked, walked: order,
		// Where the walk went on past a large one, that one had no room; age
		// alone did not decide.
		drop: func(g int) drop {
			if pb.groups[g].last() > oldest {
				return drop{code: Budget}
			}
			return drop{code: Older}
		},
		chosen:  func(int, int) string { return "among the newest that fit" },
		score:   func(g int) float64 { return float64(pb.groups[g].last()) },
		decides: func(g int) int { return pb.groups[g].last() },
		rank:    placesIn(func() []int { return pb.byAge(pb.everyGroup()) }),
	}, nil
}

// retrieve is rag: the k nearest, however much budget is left.
type retrieve struct{ k int }

func (r retrieve) choose(_ context.Context, pb *problem) (*choice, error) {
	order := pb.byCosine(pb.free)
	within := order[:min(r.k, len(order))]
	return pb.ranked(within, func(g int) drop {
		if slices.Contains(within, g) {
			return drop{code: Budget}
		}
		return drop{code: Rank}
	}), nil
}
