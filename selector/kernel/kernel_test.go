package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// use makes k the kernel in use until the test ends.
func use(t testing.TB, k kernel) {
	t.Helper()
	before := active
	active = k
	t.Cleanup(func() { active = before })
}

// everyKernel runs a test with every kernel that the processor can run.
func everyKernel(t *testing.T, test func(t *testing.T)) {
	for _, k := range kernels() {
		t.Run(k.name, func(t *testing.T) {
			use(t, k)
			test(t)
		})
	}
}

// surrounded is a copy of v at some place in memory, with NaNs on both sides.
func surrounded(v []float32, before int) []float32 {
	nan := []float32{float32(math.NaN())}
	return slices.Concat(slices.Repeat(nan, before), v, slices.Repeat(nan, lanes))[before:][:len(v)]
}

// check compares a product of a and b with the one in float64.
func check(a, b []float32, got float32) error {
	want, size, finite := 0.0, 0.0, 0.0
	for i := range a {
		term := float64(a[i]) * float64(b[i])
		want += term
		size += math.Abs(term)
		if math.Abs(term) <= math.MaxFloat64 {
			finite += math.Abs(term)
		}
	}
	if finite > math.MaxFloat32/2 {
		return nil // what is too large for float32 depends on the order
	}
	// Products below the smallest number are lost, however large the others are.
	lost := float64(len(a)) * math.SmallestNonzeroFloat32
	off := math.Abs(float64(got) - want)
	switch {
	case math.IsNaN(want) && math.IsNaN(float64(got)), math.IsInf(want, 0) && float64(got) == want:
	case off <= 1e-6*size+lost && !math.IsInf(off, 0):
	default:
		return fmt.Errorf("product of %d numbers is %v, want %v; off by %v·Σ|ab|", len(a), got, want, off/size)
	}
	return nil
}

// lengths are short for all edges of a step, and long for several sections.
func lengths() *rapid.Generator[int] {
	return rapid.OneOf(rapid.IntRange(0, 70), rapid.IntRange(section-20, section+20), rapid.IntRange(71, 4*section))
}

// vectors draws vectors of length d: of usual numbers, of one number over and over,
// which rounds in one direction, or of everything that a float32 can be.
func vectors(t *rapid.T, count, d int) [][]float32 {
	special := rapid.SampledFrom([]float32{
		0, float32(math.Copysign(0, -1)), math.SmallestNonzeroFloat32, 1e-40, -1e-30,
		1e18, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
	})
	usual := rapid.Float32Range(-10, 10)
	kind := rapid.SampledFrom([]string{"usual", "constant", "special"}).Draw(t, "kind")
	v := make([][]float32, count)
	for i := range v {
		switch kind {
		case "usual":
			v[i] = randomVector(rapid.Uint64().Draw(t, "seed"), d)
		case "constant":
			v[i] = slices.Repeat([]float32{usual.Draw(t, "constant")}, d)
		default:
			v[i] = randomVector(rapid.Uint64().Draw(t, "seed"), d)
			for range min(d, 3) {
				v[i][rapid.IntRange(0, d-1).Draw(t, "at")] = special.Draw(t, "special")
			}
		}
		v[i] = surrounded(v[i], rapid.IntRange(0, lanes).Draw(t, "before"))
	}
	return v
}

// same tells whether two numbers have the same bits; which NaN it is does not count.
func same(x, y float32) bool {
	return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y
}

func TestDotIsCloseToFloat64(t *testing.T) {
	everyKernel(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			v := vectors(t, 2, lengths().Draw(t, "d"))
			if err := check(v[0], v[1], Dot(v[0], v[1])); err != nil {
				t.Fatal(err)
			}
		})
	})
}

func TestEveryLength(t *testing.T) {
	everyKernel(t, func(t *testing.T) {
		for d := range 71 {
			v := randomRows(14, d)
			got := make([]float32, len(v))
			MatVec(got, v, v[0])
			for i := range v {
				if err := check(v[i], v[0], got[i]); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// A pair has one value, whatever computes it.
func TestSameBitsFromEveryFunction(t *testing.T) {
	everyKernel(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(0, 20).Draw(t, "n")
			v := vectors(t, n, lengths().Draw(t, "d"))
			gram := square(n)
			if err := Gram(t.Context(), gram, v, 0); err != nil {
				t.Fatal(err)
			}
			for i := range v {
				row := make([]float32, n)
				MatVec(row, v, v[i])
				for j := range v {
					dot := Dot(v[i], v[j])
					if !same(dot, Dot(v[j], v[i])) || !same(dot, row[j]) || !same(dot, gram[i][j]) {
						t.Fatalf("%d·%d is %v by Dot, %v turned round, %v by MatVec, %v by Gram",
							i, j, dot, Dot(v[j], v[i]), row[j], gram[i][j])
					}
					moved := surrounded(v[i], rapid.IntRange(0, lanes).Draw(t, "moved"))
					if !same(dot, Dot(moved, v[j])) {
						t.Fatal("depends on where the vector sits")
					}
				}
			}
		})
	})
}

// fused is x·y + sum, rounded once.
func fused(x, y, sum float32) float32 {
	product, term := float64(x)*float64(y), float64(sum) // both exact
	total := product + term
	if math.IsNaN(total) || math.IsInf(total, 0) {
		return float32(total)
	}
	// The total rounded to odd instead of to even leaves the only rounding to the
	// conversion (Boldo and Melquiond 2008); what it lost is Knuth's two-sum.
	part := total - product
	lost := (product - (total - part)) + (term - part)
	if bits := math.Float64bits(total); lost != 0 && bits%2 == 0 {
		if (lost > 0) == (total > 0) {
			return float32(math.Float64frombits(bits + 1))
		}
		return float32(math.Float64frombits(bits - 1))
	}
	return float32(total)
}

// fusedDot is what every kernel with a fused multiply-add computes.
func fusedDot(a, b []float32) float32 {
	var sum float32
	for at := 0; at < len(a); at += section {
		var s [lanes]float32
		for k := at; k < min(at+section, len(a)); k++ {
			s[(k-at)%lanes] = fused(a[k], b[k], s[(k-at)%lanes])
		}
		var t [lanes / 2]float32
		for l := range t {
			t[l] = s[l] + s[l+lanes/2]
		}
		sum += ((t[0] + t[1]) + (t[2] + t[3])) + ((t[4] + t[5]) + (t[6] + t[7]))
	}
	return sum
}

func TestSameBitsOnEveryProcessor(t *testing.T) {
	fusing := assembled()
	if runtime.GOARCH == "arm64" {
		fusing = kernels()
	}
	for _, k := range fusing {
		t.Run(k.name, func(t *testing.T) {
			use(t, k)
			rapid.Check(t, func(t *rapid.T) {
				v := vectors(t, 2, lengths().Draw(t, "d"))
				if got, want := Dot(v[0], v[1]), fusedDot(v[0], v[1]); !same(got, want) {
					t.Fatalf("%v, want %v", got, want)
				}
			})
		})
	}
}

// FuzzDot takes the bits of two vectors, so that all kinds of numbers come up.
func FuzzDot(f *testing.F) {
	f.Add([]byte{})
	f.Add(binary.LittleEndian.AppendUint64(nil, 0x7f8000003f800000)) // ∞·1
	f.Add(slices.Repeat([]byte{0, 0, 128, 63}, 2*35))
	f.Fuzz(func(t *testing.T, bits []byte) {
		d := min(len(bits)/8, 4*section)
		a, b := make([]float32, d), make([]float32, d)
		for i := range d {
			a[i] = math.Float32frombits(binary.LittleEndian.Uint32(bits[8*i:]))
			b[i] = math.Float32frombits(binary.LittleEndian.Uint32(bits[8*i+4:]))
		}
		for _, k := range kernels() {
			use(t, k)
			got := Dot(a, b)
			if err := check(a, b, got); err != nil {
				t.Errorf("%s: %v", k.name, err)
			}
			if turned := Dot(b, a); !same(got, turned) {
				t.Errorf("%s: %v, turned round %v", k.name, got, turned)
			}
		}
	})
}

func TestLengthsThatDoNotMatch(t *testing.T) {
	for name, f := range map[string]func(){
		"Dot":           func() { Dot(make([]float32, 2), make([]float32, 3)) },
		"MatVec places": func() { MatVec(make([]float32, 2), [][]float32{{1}}, []float32{1}) },
		"MatVec rows":   func() { MatVec(make([]float32, 2), [][]float32{{1}, {1, 2}}, []float32{1}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

func TestUnit(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, v := range [][]float32{{}, {0, 0}, {1, inf}, {nan, 1}} {
		u, ok := Unit(v)
		if ok {
			t.Errorf("Unit(%v) is usable", v)
		}
		for _, x := range u {
			if x != 0 {
				t.Errorf("Unit(%v) = %v, want zeros", v, u)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float32Range(-10, 10), 0, 70).Draw(t, "v")
		u, ok := Unit(v)
		if !ok {
			return
		}
		if norm := Dot(u, u); math.Abs(float64(norm)-1) > 1e-5 {
			t.Fatalf("norm² of Unit(%v) is %v", v, norm)
		}
	})
}
