package kernel

import (
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"pacms/session/cores"
)

// The work is cut into pieces of panel rows against chunk rows. A section of both
// (144 and 288 KB) fits a second-level cache, where a tile passes along the chunk.
// Between two pieces, a millisecond in Go and a tenth of that in assembler for
// vectors of 768 numbers, the context is looked at. Both are multiples of every
// tile, so that edges are few.
const (
	panel = 48
	chunk = 96
)

// Gram sets dst[i][j] to Dot(rows[from+i], rows[j]) for every row from from on and
// every j, on all processors. Of two pairs (i, j) and (j, i) only one is computed,
// except near the diagonal. With from = 0 that is the Gram matrix, otherwise what
// new rows add to it. An error tells that the rows or the places of dst are not of
// one length, or is ctx's.
func Gram(ctx context.Context, dst, rows [][]float32, from int) error {
	if from < 0 || from+len(dst) != len(rows) {
		return fmt.Errorf("kernel: products of the rows from %d on, of %d, into %d places", from, len(rows), len(dst))
	}
	for i, row := range rows {
		if len(row) != len(rows[0]) {
			return fmt.Errorf("kernel: vector %d has %d numbers, the first %d", i, len(row), len(rows[0]))
		}
	}
	for i, row := range dst {
		if len(row) != len(rows) {
			return fmt.Errorf("kernel: place %d is for %d products, want %d", i, len(row), len(rows))
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cores.Workers(ctx))
	// The longest first, so that the processors end together.
	for hi := len(rows); hi > from; hi -= panel {
		g.Go(func() error { return lower(ctx, dst, rows, from, max(from, hi-panel), hi) })
	}
	return g.Wait()
}

// lower computes the rows lo to hi up to the column hi and copies what is below
// the diagonal to above it.
func lower(ctx context.Context, dst, rows [][]float32, from, lo, hi int) error {
	piece := make([][]float32, hi-lo)
	for first := 0; first < hi; first += chunk {
		if err := breathe(ctx); err != nil {
			return err
		}
		last := min(first+chunk, hi)
		for i := range piece {
			piece[i] = dst[lo-from+i][first:last]
		}
		active.multiply(piece, rows[lo:hi], rows[first:last])
		for j := max(first, from); j < min(last, lo); j++ {
			for i, row := range piece {
				dst[j-from][lo+i] = row[j-first]
			}
		}
	}
	return nil
}

// Products sets dst[i][j] to Dot(a[i], b[j]), on all processors. An error tells that
// the rows or the places of dst are not of one length, or is ctx's.
func Products(ctx context.Context, dst, a, b [][]float32) error {
	if len(dst) != len(a) {
		return fmt.Errorf("kernel: products of %d rows, into %d places", len(a), len(dst))
	}
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	for _, rows := range [][][]float32{a, b} {
		for i, row := range rows {
			if len(row) != len(a[0]) {
				return fmt.Errorf("kernel: vector %d has %d numbers, the first %d", i, len(row), len(a[0]))
			}
		}
	}
	for i, row := range dst {
		if len(row) != len(b) {
			return fmt.Errorf("kernel: place %d is for %d products, want %d", i, len(row), len(b))
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cores.Workers(ctx))
	for first := 0; first < len(b); first += chunk {
		g.Go(func() error {
			last := min(first+chunk, len(b))
			for lo := 0; lo < len(a); lo += panel {
				if err := breathe(ctx); err != nil {
					return err
				}
				hi := min(lo+panel, len(a))
				piece := make([][]float32, hi-lo)
				for i := range piece {
					piece[i] = dst[lo+i][first:last]
				}
				active.multiply(piece, a[lo:hi], b[first:last])
			}
			return nil
		})
	}
	return g.Wait()
}

// breathe lets what else waits in this program run, and gives ctx's error. Work that
// has all processors is otherwise interrupted only every 10 ms, and assembler never:
// a screen beside it would miss frames.
func breathe(ctx context.Context) error {
	runtime.Gosched()
	return ctx.Err()
}
