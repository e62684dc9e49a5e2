package selector

import (
	"context"
	"fmt"
	"slices"
)

// sameWords is the containment from which two texts are near-duplicates.
const sameWords = 0.8

var dedup = method{
	name: "dedup", params: []param{{"cosine", ""}},
	make: func(p params) (chooser, error) {
		if p["cosine"] == "" {
			return distinct{}, nil
		}
		c, err := p.number("cosine", 1)
		return distinct{c}, err
	},
}

// distinct is topk over one member of each family of near-duplicates, the
// newest.
type distinct struct {
	cosine float64 // from which two candidates are alike; 0: the embedder's
}

func (d distinct) choose(ctx context.Context, pb *problem) (*choice, error) {
	limit := d.cosine
	if limit == 0 {
		limit = pb.duplicate
	}
	stands, err := pb.families(ctx, limit)
	if err != nil {
		return nil, err
	}
	offered := slices.DeleteFunc(slices.Clone(pb.free), func(g int) bool { _, is := stands[g]; return is })
	return pb.ranked(pb.byCosine(offered), func(g int) drop {
		if newest, ok := stands[g]; ok {
			return drop{code: DuplicateOf, by: []int{pb.groups[newest].last()}}
		}
		return drop{code: Budget}
	}), nil
}

// families returns, for each free group that is a near-duplicate of a newer
// one, that newer one. A family gathers around its newest member, so that each
// of the others is alike to the one that stands for it.
func (pb *problem) families(ctx context.Context, limit float64) (map[int]int, error) {
	alike, err := cached(pb.Prepared, fmt.Sprint("alike ", limit), func() ([]map[int]bool, error) { return pb.alike(ctx, limit) })
	if err != nil {
		return nil, err
	}
	pool := append(slices.Clone(pb.must), pb.free...)
	stands := make(map[int]int)
	head := make([]bool, len(pb.groups))
	for _, g := range pb.byAge(pool) {
		newest := -1
		for j := range alike[pb.groups[g].first()] {
			h := pb.of[j]
			if head[h] && (newest < 0 || pb.groups[h].last() > pb.groups[newest].last()) && pb.repeats(g, h, alike) {
				newest = h
			}
		}
		switch {
		case newest < 0:
			head[g] = true
		case !pb.isMust(g):
			stands[g] = newest
		}
	}
	return stands, nil
}

// repeats reports whether every member of group a is a near-duplicate of some
// member of group b.
func (pb *problem) repeats(a, b int, alike []map[int]bool) bool {
	for _, i := range pb.groups[a].members {
		if !slices.ContainsFunc(pb.groups[b].members, func(j int) bool { return alike[i][j] }) {
			return false
		}
	}
	return true
}

// alike says of each candidate which others are its near-duplicates, by cosine
// or by the words they share.
func (p *Prepared) alike(ctx context.Context, limit float64) ([]map[int]bool, error) {
	near := make([]map[int]bool, len(p.of))
	for i := range near {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		near[i] = make(map[int]bool)
		for j, c := range p.simRow(i) {
			if i != j && float64(c) >= limit {
				near[i][j] = true
			}
		}
	}
	p.eachContained(sameWords, func(i, j int, _ float64) { near[i][j], near[j][i] = true, true })
	return near, nil
}
