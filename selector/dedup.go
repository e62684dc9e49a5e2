package selector

import (
	"context"
	"fmt"
	"math"
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
	alike, err := pb.held.alike.get(ctx, fmt.Sprint(limit), func() ([][]int32, error) { return pb.alike(ctx, limit) })
	if err != nil {
		return nil, err
	}
	pool := append(slices.Clone(pb.must), pb.free...)
	stands := make(map[int]int)
	head := make([]bool, len(pb.groups))
	for _, g := range pb.byAge(pool) {
		newest := -1
		for _, j := range alike[pb.groups[g].first()] {
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
func (pb *problem) repeats(a, b int, alike [][]int32) bool {
	for _, i := range pb.groups[a].members {
		if !slices.ContainsFunc(pb.groups[b].members, func(j int) bool {
			_, is := slices.BinarySearch(alike[i], int32(j))
			return is
		}) {
			return false
		}
	}
	return true
}

// alike lists for each candidate its near-duplicates, ascending: by cosine or by
// the words they share.
func (p *Prepared) alike(ctx context.Context, limit float64) ([][]int32, error) {
	near := make([][]int32, len(p.of))
	under := float32(limit) // the greatest number below limit
	for float64(under) >= limit {
		under = math.Nextafter32(under, -2)
	}
	if err := p.eachSimilar(ctx, under, func(i int, similar []int32, _ []float32) {
		near[i] = slices.DeleteFunc(slices.Clone(similar), func(j int32) bool { return int(j) == i })
	}); err != nil {
		return nil, err
	}
	if err := p.eachContained(ctx, sameWords, func(i, j int, _ float64) {
		near[i], near[j] = append(near[i], int32(j)), append(near[j], int32(i))
	}); err != nil {
		return nil, err
	}
	for i := range near {
		if i%embedBatch == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		slices.Sort(near[i])
		near[i] = slices.Compact(near[i])
	}
	return near, nil
}
