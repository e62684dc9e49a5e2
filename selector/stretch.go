package selector

import (
	"context"
	"fmt"
)

// stretch holds the cosines of one pool out of a space that is too large to keep all
// of them: those of the pool that was made ready last. The next pool of a session has
// most of its texts. One call at a time may be under way; what it gave stays valid.
type stretch struct {
	place map[int]int // row of the space → row of gram
	gram  [][]float32
}

// over is a view of the rows of one pool alone, with all their cosines, and where the
// candidates are in it. Where there are more than limit distinct rows it is the space
// as it is.
func (s *stretch) over(ctx context.Context, all view, rows []int, limit int) (view, []int, error) {
	place := make(map[int]int)
	own := make([]int, len(rows))
	var v view
	var from, known, fresh []int // rows of the space, by place, and places
	for i, r := range rows {
		at, ok := place[r]
		if !ok {
			at = len(from)
			place[r] = at
			from, v.ok, v.grams = append(from, r), append(v.ok, all.ok[r]), append(v.grams, all.grams[r])
			if _, ok := s.place[r]; ok {
				known = append(known, at)
			} else {
				fresh = append(fresh, at)
			}
		}
		own[i] = at
	}
	n := len(from)
	if n > limit {
		return all, rows, nil
	}
	v.rows = all.rows.Pick(from)
	before := make([]int, n)
	for r, at := range place {
		before[at] = s.place[r]
	}
	v.gram = make([][]float32, n)
	for _, i := range known {
		if err := ctx.Err(); err != nil {
			return v, nil, err
		}
		v.gram[i] = make([]float32, n)
		old := s.gram[before[i]]
		for _, j := range known {
			v.gram[i][j] = old[before[j]]
		}
	}
	newest := make([][]float32, len(fresh))
	for k, i := range fresh {
		v.gram[i] = make([]float32, n)
		newest[k] = v.gram[i]
	}
	if err := v.rows.Pick(fresh).Products(ctx, newest, v.rows); err != nil {
		return v, nil, fmt.Errorf("selector: cosines of %d new texts: %w", len(fresh), err)
	}
	for _, i := range fresh {
		if err := ctx.Err(); err != nil {
			return v, nil, err
		}
		for j, c := range v.gram[i] {
			if c >= nearOne {
				v.gram[i][j] = v.exactly(c, i, j)
			}
			v.gram[j][i] = v.gram[i][j]
		}
	}
	s.place, s.gram = place, v.gram
	return v, own, nil
}
