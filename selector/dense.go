package selector

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"pacms/selector/kernel"
	"pacms/session/cores"
)

// dense is the affinity of the paper's objective: the cosine, clamped at 0, of a
// group the greatest of its members'.
type dense struct {
	p    *Prepared
	rows [][]float32 // by candidate, its affinity to each group; shared, not to be changed
}

func (d *dense) row(i int) ([]int32, []float32) { return nil, d.rows[i] }

func (d *dense) col(g int) ([]int32, []float32) {
	return nil, d.column(g, make([]float32, len(d.rows)))
}

// column is the affinity of each candidate to group g, perhaps in into.
func (d *dense) column(g int, into []float32) []float32 { return d.p.groupCos(g, into) }

// maxTable is how many affinities are laid out at most: 4 GiB of them.
const maxTable = 1 << 30

// dense lays the cosines out by candidate and group. Where every group has one
// member and the pool is a stretch of the space, they already lie like that.
func (p *Prepared) dense(ctx context.Context) (*dense, error) {
	d := &dense{p, make([][]float32, len(p.of))}
	if p.straight && len(p.groups) == len(p.of) {
		for i := range d.rows {
			d.rows[i] = p.simRow(i, nil)
		}
		return d, nil
	}
	if len(p.of)*len(p.groups) > maxTable {
		return nil, fmt.Errorf("%d items are too many for a strategy that compares each with each: topk and lastk take any number", len(p.of))
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cores.Workers(ctx))
	for from := 0; from < len(d.rows); from += stepsAtOnce {
		g.Go(func() error {
			scratch := make([]float32, len(p.of))
			for i := from; i < min(from+stepsAtOnce, len(d.rows)); i++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				row := make([]float32, len(p.groups)) // as they come: a deadline may end that early
				for j, v := range p.simRow(i, scratch) {
					if g := p.of[j]; v > row[g] {
						row[g] = v
					}
				}
				d.rows[i] = row
			}
			return nil
		})
	}
	return d, g.Wait()
}

// groupCos is the signed cosine of a group to every candidate, the greatest of its
// members', perhaps in into.
func (p *Prepared) groupCos(g int, into []float32) []float32 {
	members := p.groups[g].members
	if len(members) == 1 {
		return p.simRow(members[0], into)
	}
	copy(into, p.simRow(members[0], into))
	scratch := make([]float32, len(into))
	for _, m := range members[1:] {
		kernel.Most(into, p.simRow(m, scratch))
	}
	return into
}
