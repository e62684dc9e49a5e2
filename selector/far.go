package selector

import (
	"context"
	"math"
	"slices"
	"sync"

	"pacms/selector/kernel"
)

// Above denseLimit no matrix of cosines is kept: rows of it are computed when they
// are asked for, so many at a time that the vectors are read once for all of them.

// rowsAtOnce is how many rows of cosines are computed together.
const rowsAtOnce = 64

// eachRow calls yield with the cosines of some candidates to every candidate, in
// order. What it is given is gone after it returns.
func (p *Prepared) eachRow(ctx context.Context, ids []int, yield func(i int, row []float32)) error {
	n := len(p.of)
	if p.space.gram != nil {
		into := make([]float32, n)
		for _, i := range ids {
			if err := ctx.Err(); err != nil {
				return err
			}
			yield(i, p.simRow(i, into))
		}
		return nil
	}
	back := make([]float32, min(rowsAtOnce, len(ids))*n)
	for from := 0; from < len(ids); from += rowsAtOnce {
		part := ids[from:min(from+rowsAtOnce, len(ids))]
		rows := make([][]float32, len(part))
		for k := range part {
			rows[k] = back[k*n : (k+1)*n]
		}
		if err := p.vectors.Pick(part).Products(ctx, rows, p.vectors); err != nil {
			return err
		}
		for k, i := range part {
			if err := ctx.Err(); err != nil {
				return err
			}
			p.settle(i, rows[k])
			yield(i, rows[k])
		}
	}
	return nil
}

// settle makes products of candidate i cosines: exactly 1 to itself and to copies.
func (p *Prepared) settle(i int, row []float32) {
	r := p.rows[i]
	for j, c := range row {
		if c >= nearOne {
			row[j] = p.space.exactly(c, r, p.rows[j])
		}
	}
}

// remote is the affinity of the paper's objective where no cosines are kept.
type remote struct{ p *Prepared }

func (a remote) row(i int) ([]int32, []float32) {
	out := make([]float32, len(a.p.groups))
	for j, v := range a.p.simRow(i, make([]float32, len(a.p.of))) {
		g := a.p.of[j]
		out[g] = max(out[g], v)
	}
	return nil, out
}

func (a remote) col(g int) ([]int32, []float32) {
	return nil, a.p.groupCos(g, make([]float32, len(a.p.of)))
}

// eachColumn calls yield with the cosines of some groups to every candidate, the
// greatest of their members', in order. What it is given is gone after it returns.
func (p *Prepared) eachColumn(ctx context.Context, groups []int, yield func(g int, column []float32)) error {
	var members []int
	for _, g := range groups {
		members = append(members, p.groups[g].members...)
	}
	var column []float32
	return p.eachRow(ctx, members, func(i int, row []float32) {
		g := p.of[i]
		if len(p.groups[g].members) == 1 {
			yield(g, row)
			return
		}
		if i == p.groups[g].first() {
			column = slices.Clone(row)
		} else {
			kernel.Most(column, row)
		}
		if i == p.groups[g].last() {
			yield(g, column)
		}
	})
}

// farGains computes the gains of all groups for the present set. It calls yield,
// unless that is nil, with the affinities of each.
func (c *cover) farGains(ctx context.Context, yield func(g int, column []float32)) error {
	groups := make([]int, len(c.gain))
	for g := range groups {
		groups[g] = g
	}
	return c.p.eachColumn(ctx, groups, func(g int, column []float32) {
		c.gain[g], c.fresh[g] = c.gainOf(column), c.size
		if yield != nil {
			yield(g, column)
		}
	})
}

// settleFar computes what explanations read of a cover that is complete: the gains
// of all groups, and for each client the second best of the kept ones.
func (s *search) settleFar(ctx context.Context, c *cover, kept []int) ([]float64, error) {
	c.columns = nil // as large as a small matrix, and of no more use
	kept = slices.Concat(s.must, kept)
	in := make([]bool, len(c.gain))
	for _, g := range kept {
		in[g] = true
	}
	second := make([]float64, len(c.best))
	each := func(yield func(g int, column []float32)) error { return c.farGains(ctx, yield) }
	if c.exact() {
		each = func(yield func(g int, column []float32)) error { return c.p.eachColumn(ctx, kept, yield) }
	}
	err := each(func(g int, column []float32) {
		if !in[g] {
			return
		}
		c.gain[g] = 0
		for i, v := range column {
			if w := c.o.weight[i] * float64(v); c.keeper[i] != g && w > second[i] {
				second[i] = w
			}
		}
	})
	return second, err
}

// gainOf is what a group with these affinities adds.
func (c *cover) gainOf(column []float32) float64 {
	c.found = kernel.Exceeding(c.found[:0], column, c.bar)
	sum := 0.0
	for _, i := range c.found {
		sum += max(0, c.o.weight[i]*float64(column[i])-c.best[i])
	}
	return sum
}

// far is what a cover needs where affinities are computed when they are asked for.
// Its gains are those of an earlier, smaller set, and so not too low, except where
// fresh says that they are of the present one, and with near all are.
type far struct {
	p       *Prepared
	fresh   []int // by group, the size of the set for which its gain was computed
	size    int   // how many groups were added
	columns *columns
	near    *neighbours // nil: too many pairs still count
}

// exact reports whether all gains are those of the present set.
func (c *cover) exact() bool { return c.far == nil || c.near != nil }

// columnBytes is how much memory the columns take that are kept.
const columnBytes = 48 << 20

// columns gives the cosines of groups to every candidate, and keeps the last ones
// where they have to be computed. It is safe for concurrent use.
type columns struct {
	p    *Prepared
	most int // how many are kept

	mu    sync.Mutex
	kept  map[int][]float32
	asked []int
}

func (p *Prepared) columns() *columns {
	most := max(2*rowsAtOnce, columnBytes/4/max(1, len(p.of)))
	return &columns{p: p, most: most, kept: make(map[int][]float32)}
}

// of is the column of group g. Where it is not kept, some of those that others lists
// are computed along.
func (c *columns) of(ctx context.Context, g int, others func() []int) ([]float32, error) {
	own := c.among(g)
	if own != nil {
		return own, nil
	}
	want := []int{g}
	for _, h := range others() {
		if h != g && len(want) < rowsAtOnce && c.among(h) == nil {
			want = append(want, h)
		}
	}
	err := c.p.eachColumn(ctx, want, func(h int, column []float32) {
		column = slices.Clone(column)
		if h == g {
			own = column
		}
		c.keep(h, column)
	})
	return own, err
}

// among is the column of a group among those that are kept, or nil.
func (c *columns) among(g int) []float32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[g]
}

func (c *columns) keep(g int, column []float32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept[g] == nil {
		c.asked = append(c.asked, g)
	}
	c.kept[g] = column
	if len(c.asked) > c.most {
		delete(c.kept, c.asked[0])
		c.asked = c.asked[1:]
	}
}

// refresh computes the gain of group g for the present set, and reports whether it
// was not.
func (c *cover) refresh(ctx context.Context, g int, others func() []int) (bool, error) {
	if c.exact() || c.fresh[g] == c.size {
		return false, nil
	}
	column, err := c.columns.of(ctx, g, others)
	if err != nil {
		return false, err
	}
	c.gain[g], c.fresh[g] = min(c.gain[g], c.gainOf(column)), c.size
	return true, nil
}

// addFar is add where affinities are computed when they are asked for.
func (c *cover) addFar(ctx context.Context, g int) error {
	if c.columns == nil {
		c.columns = c.p.columns()
	}
	column, err := c.columns.of(ctx, g, func() []int { return nil })
	if err != nil {
		return err
	}
	c.found = kernel.Exceeding(c.found[:0], column, c.bar)
	for _, i := range c.found {
		w := c.o.weight[i]
		now, old := w*float64(column[i]), c.best[i]
		if now > old {
			c.best[i], c.keeper[i], c.bar[i] = now, g, barOf(now, w)
			c.sum += now - old
		}
	}
	c.size++
	c.gain[g], c.fresh[g] = 0, math.MaxInt
	return nil
}
