package kernel

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sparseVector has about one of so many numbers that is not 0.
func sparseVector(seed uint64, d, every int) []float32 {
	r := rand.New(rand.NewPCG(seed, 1))
	v := make([]float32, d)
	for k := range v {
		if r.IntN(every) == 0 {
			v[k] = float32(r.NormFloat64())
		}
	}
	return v
}

func sparseRows(n, d, every int) [][]float32 {
	rows := make([][]float32, n)
	for i := range rows {
		rows[i] = sparseVector(uint64(i), d, every)
	}
	return rows
}

// rowsOf packs vectors, thin or whole.
func rowsOf(t fatal, isThin bool, vectors [][]float32) Rows {
	t.Helper()
	r, _, err := NewRows(isThin).Append(vectors...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

type fatal interface {
	Helper()
	Fatal(args ...any)
}

// A pair of thin rows has one value, whatever computes it, close to the exact one.
func TestThinRowsHaveOneValueForAPair(t *testing.T) {
	everyKernel(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(0, 12).Draw(t, "n")
			d := rapid.OneOf(rapid.IntRange(0, 70), rapid.IntRange(thinSection-2, thinSection+2), rapid.IntRange(71, 2400)).Draw(t, "d")
			vectors := make([][]float32, n)
			for i := range vectors {
				vectors[i] = sparseVector(rapid.Uint64().Draw(t, "seed"), d, rapid.SampledFrom([]int{1, 3, 20, 500}).Draw(t, "every"))
			}
			r := rowsOf(t, true, vectors)
			gram, own := square(n), square(n)
			all := make([]int, n)
			for i := range all {
				all[i] = i
			}
			if err := r.Gram(context.Background(), gram, 0); err != nil {
				t.Fatal(err)
			}
			if err := r.Products(context.Background(), own, r.Pick(all)); err != nil {
				t.Fatal(err)
			}
			for i := range n {
				u, _ := Unit(vectors[i])
				row := make([]float32, n)
				r.MatVec(row, u)
				for j := range n {
					w, _ := Unit(vectors[j])
					dot := r.Dot(i, j)
					if err := check(u, w, dot); err != nil {
						t.Fatal(err)
					}
					if !same(dot, r.Dot(j, i)) || !same(dot, row[j]) || !same(dot, gram[i][j]) || !same(dot, own[i][j]) {
						t.Fatalf("%d·%d is %v by Dot, %v turned round, %v by MatVec, %v by Gram, %v by Products",
							i, j, dot, r.Dot(j, i), row[j], gram[i][j], own[i][j])
					}
					if r.Same(i, j) != slices.Equal(u, w) {
						t.Fatalf("%d and %d are the same: %v", i, j, r.Same(i, j))
					}
				}
			}
		})
	})
}

// fusedThin is what every kernel with a fused multiply-add computes of a thin pair.
func fusedThin(a, b []float32) float32 {
	var sum float32
	for at := 0; at < len(a); at += thinSection {
		var part float32
		for k := at; k < min(at+thinSection, len(a)); k++ {
			part = fused(a[k], b[k], part)
		}
		sum += part
	}
	return sum
}

func TestThinRowsHaveTheSameBitsOnEveryProcessor(t *testing.T) {
	fusing := assembled()
	if runtime.GOARCH == "arm64" {
		fusing = kernels()
	}
	for _, k := range fusing {
		t.Run(k.name, func(t *testing.T) {
			use(t, k)
			rapid.Check(t, func(t *rapid.T) {
				d := rapid.IntRange(1, 600).Draw(t, "d")
				v := [][]float32{sparseVector(rapid.Uint64().Draw(t, "a"), d, 2), sparseVector(rapid.Uint64().Draw(t, "b"), d, 3)}
				a, _ := Unit(v[0])
				b, _ := Unit(v[1])
				if got, want := rowsOf(t, true, v).Dot(0, 1), fusedThin(a, b); !same(got, want) {
					t.Fatalf("%v, want %v", got, want)
				}
			})
		})
	}
}

// Every edge of a tile, of a stretch and of a sheet gives what Dot gives, and nothing
// beside the places is touched. What is there before stays.
func TestGramOfThinRows(t *testing.T) {
	everyKernel(t, func(t *testing.T) {
		for _, n := range []int{0, 1, board - 1, board + 1, tileRows, 2*tileRows + board + 3} {
			for _, from := range []int{0, 1, n / 2, n - 1, n} {
				if from < 0 || from > n {
					continue
				}
				r := rowsOf(t, true, sparseRows(n, 300, 7))
				const guard = 12345
				dst := make([][]float32, n-from)
				for i := range dst {
					dst[i] = slices.Repeat([]float32{guard}, n+lanes)[:n]
				}
				if err := r.Gram(t.Context(), dst, from); err != nil {
					t.Fatal(err)
				}
				for i, row := range dst {
					for j, got := range row {
						if want := r.Dot(from+i, j); !same(got, want) {
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

func TestProductsOfManyThinRows(t *testing.T) {
	const n, m = board + 5, stretchRows + tileRows + 3
	all := rowsOf(t, true, sparseRows(n+m, 150, 9))
	ids := make([]int, n+m)
	for i := range ids {
		ids[i] = (i*7 + 3) % len(ids)
	}
	dst := places(n, m)
	if err := all.Pick(ids[:n]).Products(t.Context(), dst, all.Pick(ids[n:])); err != nil {
		t.Fatal(err)
	}
	for i, row := range dst {
		for j, got := range row {
			if want := all.Dot(ids[i], ids[n+j]); !same(got, want) {
				t.Fatalf("%d·%d is %v, want %v", i, j, got, want)
			}
		}
	}
}

// Rows held thin and whole hold the same, up to the order of sums.
func TestThinRowsHoldWhatWholeOnesDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 400).Draw(t, "d")
		v := vectors(t, 3, d)
		v = append(v, make([]float32, d), sparseVector(rapid.Uint64().Draw(t, "sparse"), d, 9))
		thin, thinUsable, err := NewRows(true).Append(v[:2]...)
		if err != nil {
			t.Fatal(err)
		}
		before := thin
		thin, more, err := thin.Append(v[2:]...)
		if err != nil {
			t.Fatal(err)
		}
		whole, usable, err := NewRows(false).Append(v...)
		if err != nil {
			t.Fatal(err)
		}
		if got := append(thinUsable, more...); !slices.Equal(got, usable) {
			t.Fatalf("usable %v, held whole %v", got, usable)
		}
		if before.Len() != 2 || thin.Len() != len(v) || thin.Length() != d {
			t.Fatalf("%d rows before and %d after, of %d numbers", before.Len(), thin.Len(), thin.Length())
		}
		for i := range v {
			a, b := make([]float64, d), make([]float64, d)
			thin.AddTo(a, i)
			whole.AddTo(b, i)
			if !slices.Equal(a, b) {
				t.Fatalf("row %d is %v, held whole %v", i, a, b)
			}
			for j := range v {
				if x, y := thin.Dot(i, j), whole.Dot(i, j); math.Abs(float64(x-y)) > 1e-5 {
					t.Fatalf("%d·%d is %v, held whole %v", i, j, x, y)
				}
			}
		}
	})
}

func TestRowsRefuse(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, isThin := range []bool{true, false} {
		r := rowsOf(t, isThin, sparseRows(3, 40, 2))
		if _, _, err := r.Append(make([]float32, 39)); err == nil || !strings.Contains(err.Error(), "39 numbers beside others of 40") {
			t.Errorf("a shorter vector: %v", err)
		}
		for name, err := range map[string]error{
			"a place too few for Gram":     r.Gram(t.Context(), square(2), 0),
			"a short place for Gram":       r.Gram(t.Context(), places(3, 2), 0),
			"a place too few for Products": r.Products(t.Context(), places(2, 3), r),
			"a short place for Products":   r.Products(t.Context(), places(3, 2), r),
		} {
			if err == nil {
				t.Errorf("%s, thin %v: no error", name, isThin)
			}
		}
		if err := r.Gram(canceled, square(3), 0); !errors.Is(err, context.Canceled) {
			t.Errorf("canceled Gram: %v", err)
		}
		if err := r.Products(canceled, square(3), r); !errors.Is(err, context.Canceled) {
			t.Errorf("canceled Products: %v", err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			r.MatVec(make([]float32, 3), make([]float32, 41))
		}()
	}
	if long := rowsOf(t, true, [][]float32{make([]float32, mostThin+1)}); long.isThin {
		t.Error("a vector of more numbers than can be counted is held thin")
	}
}

// BenchmarkGramOfThinRows computes the cosines of 2,000 vectors of 2,148 numbers on one
// processor, by how many of them are not 0. x-whole is how many times as long the rows
// take that are held whole.
func BenchmarkGramOfThinRows(b *testing.B) {
	const n, d = 2000, 2148
	dst := square(n)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, every := range []int{16, 8, 4, 2, 1} {
		vectors := sparseRows(n, d, every)
		b.Run(map[int]string{16: "6%", 8: "12%", 4: "25%", 2: "50%", 1: "100%"}[every], func(b *testing.B) {
			thin, whole := rowsOf(b, true, vectors), rowsOf(b, false, vectors)
			var ours, theirs fastest
			for b.Loop() {
				for _, side := range []struct {
					rows Rows
					took *fastest
				}{{thin, &ours}, {whole, &theirs}} {
					side.took.time(func() {
						if err := side.rows.Gram(b.Context(), dst, 0); err != nil {
							b.Fatal(err)
						}
					})
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(ours)/1e6, "ms")
			b.ReportMetric(float64(theirs)/float64(ours), "x-whole")
		})
	}
}
