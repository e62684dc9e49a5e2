package kernel

import (
	"context"
	"errors"
	"slices"
	"testing"
)

func square(n int) [][]float32 {
	return places(n, n)
}

func places(n, width int) [][]float32 {
	dst := make([][]float32, n)
	for i := range dst {
		dst[i] = make([]float32, width)
	}
	return dst
}

// Every piece and every edge of one gives what Dot gives, and nothing beside the
// places is touched.
func TestGram(t *testing.T) {
	everyKernel(t, func(t *testing.T) {
		for _, n := range []int{0, 1, 5, panel - 1, panel, panel + 1, chunk + 3, 2*chunk + panel + 1} {
			for _, from := range []int{0, 1, n / 2, n - 1, n} {
				if from < 0 || from > n {
					continue
				}
				rows := randomRows(n, 19)
				const guard = 12345
				dst := make([][]float32, n-from)
				for i := range dst {
					dst[i] = slices.Repeat([]float32{guard}, n+lanes)[:n]
				}
				if err := Gram(t.Context(), dst, rows, from); err != nil {
					t.Fatal(err)
				}
				for i, row := range dst {
					for j, got := range row {
						if want := Dot(rows[from+i], rows[j]); !same(got, want) {
							t.Fatalf("n=%d from=%d: %d·%d is %v, want %v", n, from, from+i, j, got, want)
						}
					}
					for _, x := range row[n : n+lanes] {
						if x != guard {
							t.Fatalf("n=%d from=%d: wrote behind row %d", n, from, i)
						}
					}
				}
			}
		}
	})
}

func TestProducts(t *testing.T) {
	everyKernel(t, func(t *testing.T) {
		for _, n := range []int{0, 1, panel + 3} {
			for _, m := range []int{0, 1, chunk + 5} {
				all := randomRows(n+m, 19)
				dst := places(n, m)
				if err := Products(t.Context(), dst, all[:n], all[n:]); err != nil {
					t.Fatal(err)
				}
				for i, row := range dst {
					for j, got := range row {
						if want := Dot(all[i], all[n+j]); !same(got, want) {
							t.Fatalf("%d×%d: %d·%d is %v, want %v", n, m, i, j, got, want)
						}
					}
				}
			}
		}
	})
}

func TestProductsRefuse(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range map[string]error{
		"a place too few":       Products(t.Context(), square(2), randomRows(3, 2), randomRows(2, 2)),
		"a short place":         Products(t.Context(), places(3, 2), randomRows(3, 2), randomRows(4, 2)),
		"vectors of two widths": Products(t.Context(), square(1), [][]float32{{1}}, [][]float32{{1, 2}}),
		"a canceled context":    Products(canceled, square(2), randomRows(2, 2), randomRows(2, 2)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestGramRefuses(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx       context.Context
		dst, rows [][]float32
		from      int
	}{
		"a place too few":       {t.Context(), square(2), randomRows(3, 2), 0},
		"a negative row":        {t.Context(), square(2), randomRows(1, 2), -1},
		"a short place":         {t.Context(), places(3, 2), randomRows(3, 2), 0},
		"vectors of two widths": {t.Context(), square(2), [][]float32{{1}, {1, 2}}, 0},
		"a canceled context":    {canceled, square(2), randomRows(2, 2), 0},
	} {
		t.Run(name, func(t *testing.T) {
			if err := Gram(c.ctx, c.dst, c.rows, c.from); err == nil {
				t.Error("no error")
			} else if errors.Is(err, context.Canceled) != (c.ctx == canceled) {
				t.Error(err)
			}
		})
	}
}

// endsAfter is a context that ends when it has been asked some times.
type endsAfter struct {
	context.Context
	times int
}

func (c *endsAfter) Err() error {
	c.times--
	if c.times < 0 {
		return context.Canceled
	}
	return nil
}

func TestGramStopsBetweenPieces(t *testing.T) {
	const n = 3 * chunk
	rows, dst := randomRows(n, 3), square(n)
	err := lower(&endsAfter{t.Context(), 2}, dst, rows, 0, n-panel, n)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	row := dst[n-1]
	if slices.Contains(row[:2*chunk], 0) {
		t.Error("the pieces before the end are not there")
	}
	if !slices.Equal(row[2*chunk:], make([]float32, chunk)) {
		t.Error("went on")
	}
}
