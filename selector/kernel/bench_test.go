package kernel

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

// randomRows are n vectors of d numbers, the same in every run.
func randomRows(n, d int) [][]float32 {
	rows := make([][]float32, n)
	for i := range rows {
		rows[i] = randomVector(uint64(i), d)
	}
	return rows
}

func randomVector(seed uint64, d int) []float32 {
	r := rand.New(rand.NewPCG(seed, 0))
	v := make([]float32, d)
	for k := range v {
		v[k] = float32(r.NormFloat64())
	}
	return v
}

// oneSum is the loop that the kernels are measured against: one running sum.
func oneSum(a, b []float32) float32 {
	var sum float32
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// fastest keeps the shortest time, which other work on the machine disturbed least.
type fastest time.Duration

func (f *fastest) time(work func()) {
	start := time.Now()
	work()
	if took := fastest(time.Since(start)); *f == 0 || took < *f {
		*f = took
	}
}

// BenchmarkGram computes the Gram matrix of 1,000 vectors of 768 numbers on one
// processor. x-plain is how many times as long oneSum takes for the same pairs. It
// is measured in turns with the kernel, on so many pairs that both take about as
// long and are disturbed as much.
func BenchmarkGram(b *testing.B) {
	const n, d = 1000, 768
	const pairs = n * (n + 1) / 2
	const sample = pairs / 25
	rows, dst := randomRows(n, d), square(n)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			use(b, k)
			var gram, loop fastest
			for b.Loop() {
				gram.time(func() {
					if err := Gram(b.Context(), dst, rows, 0); err != nil {
						b.Fatal(err)
					}
				})
				loop.time(func() {
					for i := range sample {
						dst[0][0] = oneSum(rows[i%n], rows[i/n])
					}
				})
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(gram)/1e6, "ms")
			b.ReportMetric(float64(loop)*pairs/sample/float64(gram), "x-plain")
		})
	}
}

func BenchmarkMatVec(b *testing.B) {
	rows, dst := randomRows(1000, 768), make([]float32, 1000)
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			use(b, k)
			for b.Loop() {
				MatVec(dst, rows, rows[0])
			}
		})
	}
}

func BenchmarkDot(b *testing.B) {
	rows := randomRows(2, 768)
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			use(b, k)
			for b.Loop() {
				Dot(rows[0], rows[1])
			}
		})
	}
}
