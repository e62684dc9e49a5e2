package selector

import (
	"context"
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
	return pb.ranked(pb.walk(pb.byCosine(offered)), func(g int) drop {
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
	pool := append(slices.Clone(pb.must), pb.free...)
	pool = pb.byAge(pool)
	stands := make(map[int]int)
	var heads []int
	for _, g := range pool {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at := slices.IndexFunc(heads, func(h int) bool { return pb.repeats(g, h, limit) })
		switch {
		case at < 0:
			heads = append(heads, g)
		case !pb.isMust(g):
			stands[g] = heads[at]
		}
	}
	return stands, nil
}

// repeats reports whether every member of group a is a near-duplicate of some
// member of group b.
func (pb *problem) repeats(a, b int, limit float64) bool {
	for _, i := range pb.groups[a].members {
		if !slices.ContainsFunc(pb.groups[b].members, func(j int) bool {
			return pb.cos(i, j) >= limit || pb.contained(i, j) >= sameWords
		}) {
			return false
		}
	}
	return true
}
