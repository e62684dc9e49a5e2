package selector

import "slices"

// affinity says how well each group covers each candidate, from 0 to 1. row and
// col are the same numbers by candidate and by group; an index slice of nil
// means all, in order. Values of 0 or less cover nothing.
type affinity interface {
	row(candidate int) (groups []int32, values []float32)
	col(group int) (candidates []int32, values []float32)
}

// dense is the affinity max over the members of the group of the cosine.
type dense struct {
	p    *Prepared
	wide bool // some group has several members
}

func (p *Prepared) dense() dense { return dense{p, len(p.groups) < len(p.of)} }

func (d dense) row(i int) ([]int32, []float32) {
	row := d.p.simRow(i)
	if !d.wide {
		return nil, row
	}
	out := make([]float32, len(d.p.groups))
	for g := range d.p.groups {
		best := float32(0)
		for _, m := range d.p.groups[g].members {
			best = max(best, row[m])
		}
		out[g] = best
	}
	return nil, out
}

func (d dense) col(g int) ([]int32, []float32) {
	members := d.p.groups[g].members
	if len(members) == 1 {
		return nil, d.p.simRow(members[0])
	}
	out := slices.Clone(d.p.simRow(members[0]))
	for _, m := range members[1:] {
		for i, v := range d.p.simRow(m) {
			out[i] = max(out[i], v)
		}
	}
	return nil, out
}

// folded keeps the rows of a dense affinity whose groups have several members,
// so that a row is folded once and not each time it is read.
type folded struct {
	dense
	rows [][]float32
}

func (f folded) row(i int) ([]int32, []float32) { return nil, f.rows[i] }

// paperAffinity is the affinity of the paper's objective: the cosine, clamped
// at 0.
func (p *Prepared) paperAffinity() affinity {
	d := p.dense()
	if !d.wide || p.sims == nil {
		return d
	}
	// Folding cannot fail.
	f, _ := cached(p, "folded", func() (affinity, error) {
		f := folded{d, make([][]float32, len(p.of))}
		for i := range f.rows {
			_, f.rows[i] = d.row(i)
		}
		return f, nil
	})
	return f
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

// cover is a set of groups with what it covers.
type cover struct {
	o *objective
	// best is the weighted affinity that each client has to the set, keeper the
	// group that gives it (-1: none).
	best   []float64
	keeper []int
	// gain is what each group would add, for all groups.
	gain []float64
}

// newCover returns the empty set. Its gains cost one pass over the affinities.
func (o *objective) newCover() *cover {
	c := &cover{
		o: o, best: make([]float64, len(o.weight)), keeper: make([]int, len(o.weight)),
		gain: make([]float64, o.groups),
	}
	for i, w := range o.weight {
		c.keeper[i] = -1
		if w <= 0 {
			continue
		}
		groups, values := o.row(i)
		for k, v := range values {
			if v > 0 {
				c.gain[at(groups, k)] += w * float64(v)
			}
		}
	}
	return c
}

func (c *cover) clone() *cover {
	d := *c
	d.best, d.keeper, d.gain = slices.Clone(c.best), slices.Clone(c.keeper), slices.Clone(c.gain)
	return &d
}

// add puts group g into the set and lowers the gain of every group by what g
// now covers in its place: exactly, not lazily, since every prefix of a run
// needs the gains of all groups for its bound.
func (c *cover) add(g int) {
	clients, values := c.o.col(g)
	for k, v := range values {
		i := at(clients, k)
		w := c.o.weight[i]
		now := w * float64(v)
		old := c.best[i]
		if w <= 0 || now <= old {
			continue
		}
		c.best[i], c.keeper[i] = now, g
		groups, row := c.o.row(i)
		for k, v := range row {
			if would := w * float64(v); would > old {
				c.gain[at(groups, k)] -= min(would, now) - old
			}
		}
	}
	c.gain[g] = 0
}

// fresh is what group g would add, computed from the set as it is.
func (c *cover) fresh(g int) float64 {
	sum := 0.0
	clients, values := c.o.col(g)
	for k, v := range values {
		i := at(clients, k)
		if d := c.o.weight[i]*float64(v) - c.best[i]; d > 0 {
			sum += d
		}
	}
	return sum
}

// value is F of the set, summed in index order.
func (c *cover) value() float64 {
	sum := 0.0
	for _, b := range c.best {
		sum += b
	}
	return sum
}

func at(index []int32, k int) int {
	if index == nil {
		return k
	}
	return int(index[k])
}

// groupCos is the signed cosine of a group to every candidate: the greatest of
// its members'.
func (p *Prepared) groupCos(g int) ([]int32, []float32) { return p.dense().col(g) }
