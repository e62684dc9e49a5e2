package selector

import (
	"context"
	"math/bits"
	"slices"

	"pacms/selector/kernel"
)

// neighbours are the pairs of a client and a group that still count where no cosines
// are kept: after the first choices, few groups give a client more than it has, and
// what a client has only grows. What they hold is exact; other pairs add nothing.
type neighbours struct {
	bar  []float32 // by candidate, the affinity up to which no group is in rows
	rows []line    // by candidate, the groups above its bar
	cols []line    // by group, the same by candidate
}

func (l *neighbours) row(i int) ([]int32, []float32) { return l.rows[i].index, l.rows[i].value }
func (l *neighbours) col(g int) ([]int32, []float32) { return l.cols[g].index, l.cols[g].value }

const (
	// firstNeighbours is how many groups a run chooses before its pairs are looked for.
	// Of pairs whose cosines are independent one in 65 is left then.
	firstNeighbours = 64
	// mostNeighbours is how many pairs are held at most for each candidate, on average:
	// 4 kB. Where more are left, they are looked for again when twice as much is chosen.
	mostNeighbours = 256
)

// closesIn reports whether pairs are looked for after so many choices. It depends on
// nothing else, so that it never shows where a run began.
func (p *Prepared) closesIn(chosen int) bool {
	return chosen >= p.closeAt && chosen%p.closeAt == 0 && bits.OnesCount(uint(chosen/p.closeAt)) == 1
}

// hold reports whether the pairs are all that counts for the set of c, too.
func (l *neighbours) hold(c *cover) bool {
	for i, bar := range l.bar {
		if c.bar[i] < bar {
			return false
		}
	}
	return true
}

// findNeighbours looks through all pairs. It returns nil where too many are left.
func (c *cover) findNeighbours(ctx context.Context) (*neighbours, error) {
	n := len(c.bar)
	l := &neighbours{slices.Clone(c.bar), make([]line, n), make([]line, len(c.gain))}
	all := make([]int, len(c.gain))
	for g := range all {
		all[g] = g
	}
	count := make([]int, n)
	total := 0
	enough, stop := context.WithCancel(ctx)
	defer stop()
	err := c.p.eachColumn(enough, all, func(g int, column []float32) {
		c.found = kernel.Exceeding(c.found[:0], column, c.bar)
		if total += len(c.found); total > n*mostNeighbours {
			stop()
			return
		}
		l.cols[g] = line{slices.Clone(c.found), make([]float32, len(c.found))}
		for k, i := range c.found {
			l.cols[g].value[k] = column[i]
			count[i]++
		}
	})
	if ctx.Err() == nil && total > n*mostNeighbours {
		return nil, nil //nolint:nilnil // that there are too many is no error
	}
	if err != nil {
		return nil, err
	}
	index, value := make([]int32, total), make([]float32, total)
	for i, k := range count {
		l.rows[i] = line{index[:0:k], value[:0:k]}
		index, value = index[k:], value[k:]
	}
	for g := range l.cols {
		if g%stepsAtOnce == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for k, i := range l.cols[g].index {
			l.rows[i].set(g, l.cols[g].value[k])
		}
	}
	return l, nil
}

// closeIn goes on with the pairs alone that still count, once a run has chosen enough:
// from then on all gains are those of the present set.
func (r *greedy) closeIn(ctx context.Context, c *cover) error {
	if c.exact() || !r.closesIn(len(r.groups)) {
		return nil
	}
	l := r.trail.neighbours(c)
	if l == nil {
		var err error
		if l, err = c.findNeighbours(ctx); err != nil || l == nil {
			return err
		}
		r.trail.keep(l)
	}
	c.near, c.columns, c.fresh = l, nil, nil
	for g := range c.gain {
		sum := 0.0
		for k, i := range l.cols[g].index {
			sum += max(0, c.o.weight[i]*float64(l.cols[g].value[k])-c.best[i])
		}
		c.gain[g] = min(c.gain[g], sum)
	}
	return nil
}

// neighbours are those that a run left on the trail, where they hold for c.
func (t *trail) neighbours(c *cover) *neighbours {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.near == nil || !t.near.hold(c) {
		return nil
	}
	return t.near
}

// keep leaves pairs on the trail for later runs.
func (t *trail) keep(l *neighbours) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.near = l
}
