package selector

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// base is an objective with what every selection under it begins with. It depends
// on neither the budget nor what is required, and is safe for concurrent use.
type base struct {
	o     *objective
	total float64 // F of everything
	// twins lists, ascending, the groups that a group covers fully and that cover
	// it: the newest is preferred where nothing else tells them apart. nil: none.
	twins func(g int) []int32

	none   memo[*cover]
	alone  []float64    // F of each group alone, once a cover was asked for
	starts memo[*start] // by what is required
	placed memo[[]int]
}

// keptBases and keptStarts are how many objectives, and how many required sets of
// each, are kept: for the smoothings, pins and bans that are being compared.
const (
	keptBases  = 4
	keptStarts = 2
)

func (pb *problem) newBase(o *objective) *base {
	b := &base{o: o, total: o.total(pb.Prepared)}
	b.starts.most = keptStarts
	return b
}

// baseKey tells apart what a base of the given name depends on: the smoothing and
// what was not set aside.
func (pb *problem) baseKey(name string) string {
	key := make([]byte, 0, len(name)+9+len(pb.client)/8+1)
	key = append(append(key, name...), 0)
	key = binary.LittleEndian.AppendUint64(key, math.Float64bits(pb.opt.Strategy.smooth))
	bits := byte(0)
	for i, is := range pb.client {
		if is {
			bits |= 1 << (i % 8)
		}
		if i%8 == 7 || i == len(pb.client)-1 {
			key, bits = append(key, bits), 0
		}
	}
	return string(key)
}

// first is the cover of nothing.
func (b *base) first(ctx context.Context) (*cover, error) {
	return b.none.get(ctx, "", func() (*cover, error) {
		c, err := b.o.newCover(ctx)
		if err == nil {
			b.alone = c.gain
		}
		return c, err
	})
}

// start is where the greedies of one required set begin. It is shared.
type start struct {
	cover       *cover // what is required; not to be changed
	ratio, gain trail
}

// start is the start of the required groups.
func (b *base) start(ctx context.Context, must []int) (*start, error) {
	empty, err := b.first(ctx)
	if err != nil {
		return nil, err
	}
	return b.starts.get(ctx, fmt.Sprint(must), func() (*start, error) {
		c := empty
		if len(must) > 0 {
			c = empty.clone()
		}
		for _, g := range must {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := c.add(ctx, g); err != nil {
				return nil, err
			}
		}
		return &start{cover: c}, nil
	})
}

// order is the order in which one gain-per-token greedy from nothing would take all
// groups that were not set aside if there were no budget; those that add nothing
// come last, by relevance. It depends on neither the budget nor what is required.
// Where no cosines are kept it is the order by what each adds to nothing, per token.
func (s *search) order(ctx context.Context) ([]int, error) {
	return s.placed.get(ctx, "", func() ([]int, error) {
		all := s.everyGroup()
		s := s.search(s.base, all)
		empty, err := s.first(ctx)
		if err != nil {
			return nil, err
		}
		if empty.far != nil { // a run to the end would take too long
			slices.SortStableFunc(all, func(a, b int) int {
				return cmp.Compare(perToken(s.alone[b], s.groups[b].tokens), perToken(s.alone[a], s.groups[a].tokens))
			})
			return all, nil
		}
		c, order := empty, []int(nil)
		if len(s.must) == 0 { // the runs that are done began like this one
			st, err := s.start(ctx, nil)
			if err != nil {
				return nil, err
			}
			c, order = st.ratio.longest(empty)
		}
		c = c.clone()
		for _, g := range order {
			s.open[g] = false
		}
		next := newQueue(perToken, s.zero(), s.groups, slices.DeleteFunc(slices.Clone(all), func(g int) bool { return !s.open[g] }), c.gain)
		for {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			g := s.newest(next.top(c.gain, everything, math.MaxInt), c.gain)
			if g < 0 {
				break
			}
			order = append(order, g)
			s.open[g] = false
			if err := c.add(ctx, g); err != nil {
				return nil, err
			}
		}
		rest := slices.DeleteFunc(all, func(g int) bool { return !s.open[g] })
		return append(order, s.byCosine(rest)...), nil
	})
}
