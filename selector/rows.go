package selector

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"pacms/selector/kernel"
	"pacms/session/cores"
)

// contiguous reports whether the candidates are one stretch of the space's rows, in
// order, all of whose cosines are known.
func (p *Prepared) contiguous() bool {
	if p.space.gram == nil {
		return false
	}
	for i, r := range p.rows {
		if r != p.rows[0]+i {
			return false
		}
	}
	return true
}

// similarity is the cosine of two candidates.
func (p *Prepared) similarity(i, j int) float32 { return p.space.cos(p.rows[i], p.rows[j]) }

// simRow is the cosine of candidate i to every candidate, in into where it does not
// lie ready; into has a place for each. It is not to be changed.
func (p *Prepared) simRow(i int, into []float32) []float32 {
	r := p.rows[i]
	switch {
	case p.straight:
		return p.space.gram[r][p.rows[0]:][:len(p.rows)]
	case p.space.gram != nil:
		all := p.space.gram[r]
		for j, r := range p.rows {
			into[j] = all[r]
		}
	default:
		one := p.space.rows.Pick([]int{r})
		_ = one.Products(context.Background(), [][]float32{into}, p.vectors) // nothing stops it
		p.settle(i, into)
	}
	return into
}

// eachSimilar calls yield for every candidate with those whose cosine to it is above
// least, itself among them, ascending. What it is given is gone after it returns, and
// calls for different candidates run at once.
func (p *Prepared) eachSimilar(ctx context.Context, least float32, yield func(i int, similar []int32, cosines []float32)) error {
	n := len(p.of)
	bar := slices.Repeat([]float32{least}, n)
	if p.space.gram == nil {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		var similar []int32
		var cosines []float32
		return p.eachRow(ctx, all, func(i int, row []float32) {
			similar, cosines = kernel.Exceeding(similar[:0], row, bar), cosines[:0]
			for _, j := range similar {
				cosines = append(cosines, row[j])
			}
			yield(i, similar, cosines)
		})
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cores.Workers(ctx))
	for from := 0; from < n; from += stepsAtOnce {
		g.Go(func() error {
			into := make([]float32, n)
			var similar []int32
			var cosines []float32
			for i := from; i < min(from+stepsAtOnce, n); i++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				row := p.simRow(i, into)
				similar, cosines = kernel.Exceeding(similar[:0], row, bar), cosines[:0]
				for _, j := range similar {
					cosines = append(cosines, row[j])
				}
				yield(i, similar, cosines)
			}
			return nil
		})
	}
	return g.Wait()
}
