package selector

import (
	"context"
	"slices"
	"sync"

	"pacms/selector/kernel"
)

// closest is how near each candidate is to what the last selection kept. The next
// one often keeps nearly the same, and only what differs is looked at: the greatest
// of some cosines is the same to the bit in whichever order they come.
type closest struct {
	mu   sync.Mutex
	kept []bool
	near []float32 // by candidate, the greatest cosine to a kept one, at least 0
}

// coverage is F(kept)/F(all) in the paper's objective, for any strategy; 1
// where nothing can be covered.
func (pb *problem) coverage(ctx context.Context, kept []bool) (float64, error) {
	o := &objective{weight: pb.clientRelevance()}
	total := o.total(pb.Prepared)
	if total == 0 {
		return 1, nil
	}
	c := &pb.held.closest
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.move(ctx, pb.Prepared, kept); err != nil {
		c.kept = nil
		return 0, err
	}
	sum := 0.0
	for i, w := range o.weight {
		sum += w * float64(c.near[i])
	}
	return min(1, sum/total), nil
}

// move makes c say how near candidates are to kept.
func (c *closest) move(ctx context.Context, p *Prepared, kept []bool) error {
	var in, out, all []int
	if len(c.kept) == 0 {
		c.kept, c.near = make([]bool, len(kept)), make([]float32, len(kept))
	}
	for i, is := range kept {
		switch {
		case is && !c.kept[i]:
			in = append(in, i)
		case !is && c.kept[i]:
			out = append(out, i)
		}
		if is {
			all = append(all, i)
		}
	}
	if len(in)+len(out) > len(all) { // less work from nothing
		clear(c.near)
		in, out = all, nil
	}
	c.kept = slices.Clone(kept)
	lost := make([]bool, len(kept)) // may have been nearest to one that went
	if err := p.eachRow(ctx, out, func(_ int, row []float32) {
		for i, v := range row {
			lost[i] = lost[i] || v == c.near[i]
		}
	}); err != nil {
		return err
	}
	if err := p.eachRow(ctx, in, func(_ int, row []float32) { kernel.Most(c.near, row) }); err != nil {
		return err
	}
	var again []int
	for i, is := range lost {
		if is {
			again = append(again, i)
		}
	}
	return p.eachRow(ctx, again, func(i int, row []float32) {
		c.near[i] = 0
		for _, j := range all {
			c.near[i] = max(c.near[i], row[j])
		}
	})
}
