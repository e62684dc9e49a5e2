package selector

import (
	"context"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"pacms/selector/kernel"
	"pacms/session/cores"
)

// affinity says how well each group covers each candidate, from 0 to 1. row and
// col are the same numbers by candidate and by group; an index slice of nil
// means all, in order. Values of 0 or less cover nothing.
type affinity interface {
	row(candidate int) (groups []int32, values []float32)
	col(group int) (candidates []int32, values []float32)
}

// objective is a facility location: F(S) = Σ_i weight_i · max_{G∈S} affinity_iG,
// monotone and submodular. A candidate of weight 0 is no client.
type objective struct {
	weight []float64
	groups int
	affinity
}

// total is F of everything: each client covers itself fully.
func (o *objective) total(p *Prepared) float64 {
	sum := 0.0
	for i, w := range o.weight {
		if w > 0 && p.space.ok[p.rows[i]] {
			sum += w
		}
	}
	return sum
}

// value is F of a set of groups, summed in index order.
func (o *objective) value(ctx context.Context, groups set) (float64, error) {
	best := make([]float64, len(o.weight))
	raise := func(clients []int32, values []float32) {
		for k, v := range values {
			i := at(clients, k)
			best[i] = max(best[i], o.weight[i]*float64(v))
		}
	}
	var far []int // whose affinities have to be computed
	a, isFar := o.affinity.(remote)
	for g := range o.groups {
		switch {
		case !groups.has(g):
		case isFar:
			far = append(far, g)
		default:
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			raise(o.col(g))
		}
	}
	if isFar {
		if err := a.p.eachColumn(ctx, far, func(_ int, column []float32) { raise(nil, column) }); err != nil {
			return 0, err
		}
	}
	return sumOf(best), nil
}

func sumOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

// cover is a set of groups with what it covers.
type cover struct {
	o *objective
	// best is the weighted affinity that each client has to the set, keeper the
	// group that gives it (-1: none).
	best   []float64
	keeper []int
	// gain is what each group would add, for all groups.
	gain []float64
	// sum is F of the set, as it grew; value adds it up in index order.
	sum float64
	// lost is by how much all gains together have fallen; +∞ where nobody counts.
	lost float64

	// bar is by candidate an affinity up to which a group gives it no more than it
	// has; nil where affinities are sparse.
	bar   []float32
	found []int32 // scratch

	*table // where the affinity is dense
	*far   // where it is computed when it is asked for
}

// table is what a cover of a dense affinity needs besides.
type table struct {
	rows [][]float32 // by candidate, its affinity to each group
	col  func(g int, into []float32) []float32
	// What follows is scratch.
	into  []float32
	falls []kernel.Fall
}

// stepsAtOnce is how many rows of a dense affinity, some 20 KB each, are read
// between two looks at the context.
const stepsAtOnce = 256

// newCover returns the empty set. Its gains cost one pass over the affinities.
func (o *objective) newCover(ctx context.Context) (*cover, error) {
	c := &cover{o: o, best: make([]float64, len(o.weight)), keeper: make([]int, len(o.weight)), gain: make([]float64, o.groups)}
	for i := range c.keeper {
		c.keeper[i] = -1
	}
	switch a := o.affinity.(type) {
	case *dense:
		c.table = &table{rows: a.rows, col: a.column}
		c.raiseBars()
		return c, c.firstGains(ctx)
	case remote:
		c.far = &far{p: a.p, fresh: make([]int, o.groups)}
		c.raiseBars()
		return c, c.farGains(ctx, nil)
	}
	for i, w := range o.weight {
		if w <= 0 {
			continue
		}
		groups, values := o.row(i)
		for k, v := range values {
			if v > 0 {
				c.gain[at(groups, k)] += w * float64(v)
			}
		}
		if i%stepsAtOnce == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return c, nil
}

// raiseBars sets the bars of clients that have nothing yet. Nobody counts by how
// much gains fall that are not lowered one by one.
func (c *cover) raiseBars() {
	c.bar, c.lost = make([]float32, len(c.best)), math.Inf(1)
	for i, w := range c.o.weight {
		c.bar[i] = barOf(0, w)
	}
}

// firstGains sums up what each group gives to clients that have nothing yet, on
// all processors, each some of the groups.
func (c *cover) firstGains(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cores.Workers(ctx))
	c.falls = make([]kernel.Fall, 0, len(c.o.weight))
	for i, w := range c.o.weight {
		if w > 0 {
			c.falls = append(c.falls, kernel.Fall{Row: c.rows[i], Weight: w, Now: math.Inf(1)})
		}
	}
	width := len(c.gain)/cores.Workers(ctx) + 1
	for from := 0; from < len(c.gain); from += width {
		g.Go(func() error {
			gain := c.gain[from:min(from+width, len(c.gain))]
			for falls := range slices.Chunk(c.falls, stepsAtOnce) {
				if err := ctx.Err(); err != nil {
					return err
				}
				kernel.Lower(gain, from, falls)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for k := range c.gain {
		c.gain[k] = -c.gain[k]
	}
	return nil
}

func (c *cover) clone() *cover { return c.cloneInto(&cover{}) }

// cloneInto makes a clone in the memory of a cover that is of no use any more.
func (c *cover) cloneInto(old *cover) *cover {
	d := *c
	d.best, d.keeper, d.gain = cloneInto(old.best, c.best), cloneInto(old.keeper, c.keeper), cloneInto(old.gain, c.gain)
	d.bar, d.found = cloneInto(old.bar, c.bar), nil
	if c.table != nil {
		d.table = &table{rows: c.rows, col: c.col}
	}
	if c.far != nil {
		d.far = &far{p: c.p, fresh: slices.Clone(c.fresh), size: c.size, near: c.near}
	}
	return &d
}

func cloneInto[T any](memory, from []T) []T { return append(memory[:0], from...) }

// add puts group g into the set and lowers the gain of every group by what g
// now covers in its place: exactly, not lazily, since every prefix of a run
// needs the gains of all groups for its bound. Where ctx is cancelled it returns
// that, and the cover is of no use any more; a deadline does not stop it.
func (c *cover) add(ctx context.Context, g int) error {
	switch {
	case c.table != nil:
		return c.addDense(ctx, g)
	case c.far == nil:
		c.addSparse(g, c.o.affinity)
	case c.near != nil:
		c.addSparse(g, c.near)
	default:
		return c.addFar(ctx, g)
	}
	return nil
}

// addSparse is add for the pairs that pairs has.
func (c *cover) addSparse(g int, pairs affinity) {
	clients, values := pairs.col(g)
	for k, v := range values {
		i := at(clients, k)
		w := c.o.weight[i]
		now := w * float64(v)
		old := c.best[i]
		if w <= 0 || now <= old {
			continue
		}
		c.best[i], c.keeper[i] = now, g
		if c.bar != nil {
			c.bar[i] = barOf(now, w)
		}
		c.sum += now - old
		groups, row := pairs.row(i)
		for k, v := range row {
			if would := w * float64(v); would > old {
				d := min(would, now) - old
				c.gain[at(groups, k)] -= d
				c.lost += d
			}
		}
	}
	c.lost += max(0, c.gain[g])
	c.gain[g] = 0
}

// finish is add for the few groups that complete an answer: it cannot be stopped.
func (c *cover) finish(g int) { _ = c.add(context.Background(), g) }

// addDense is add for a dense affinity: it finds the clients that have more now,
// and then lowers the gains by their rows.
func (c *cover) addDense(ctx context.Context, g int) error {
	c.into = slices.Grow(c.into[:0], len(c.bar))[:len(c.bar)]
	values := c.col(g, c.into)
	c.found = kernel.Exceeding(c.found[:0], values, c.bar)
	c.falls = c.falls[:0]
	for _, found := range c.found {
		i := int(found)
		w := c.o.weight[i]
		now, old := w*float64(values[i]), c.best[i]
		if now <= old {
			continue
		}
		c.best[i], c.keeper[i], c.bar[i] = now, g, barOf(now, w)
		c.sum += now - old
		c.falls = append(c.falls, kernel.Fall{Row: c.rows[i], Weight: w, Old: old, Now: now})
	}
	for k := 0; k < len(c.falls); k += stepsAtOnce {
		if k > 0 {
			if err := unwanted(ctx); err != nil {
				return err
			}
		}
		kernel.Lower(c.gain, 0, c.falls[k:min(k+stepsAtOnce, len(c.falls))])
	}
	c.gain[g] = 0
	return nil
}

// barOf is an affinity such that none up to it gives a client of weight w more than
// it has. It is a little low: what is above is compared exactly.
func barOf(has, w float64) float32 {
	if w <= 0 {
		return math.MaxFloat32
	}
	return float32(has / w * (1 - 1e-6))
}

// value is F of the set, summed in index order.
func (c *cover) value() float64 { return sumOf(c.best) }

func at(index []int32, k int) int {
	if index == nil {
		return k
	}
	return int(index[k])
}
