package kernel

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// arrays are what the functions on whole arrays work on.
type arrays struct {
	gain, tokens       []float64
	row, other         []float32
	weight, old, ratio float64
	now                float64
}

func randomArrays(seed uint64, n int) arrays {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	a := arrays{weight: r.Float64(), old: r.Float64(), ratio: r.Float64()}
	a.now = a.old + r.Float64()
	if r.IntN(4) == 0 {
		a.old, a.now = 0, math.Inf(1)
	}
	for range n {
		a.gain, a.tokens = append(a.gain, r.NormFloat64()), append(a.tokens, float64(r.IntN(3)))
		a.row, a.other = append(a.row, float32(2*r.NormFloat64())), append(a.other, float32(r.NormFloat64()))
		if r.IntN(4) == 0 {
			a.other[len(a.other)-1] = a.row[len(a.row)-1]
		}
	}
	return a
}

// reference does what all the functions say, one place after the other.
func (a arrays) reference() (gain []float64, exceeding []int32, sum, taken float64, most []float32) {
	gain, most = slices.Clone(a.gain), slices.Clone(a.other)
	var part, tokens [8]float64
	for k := range a.gain {
		gain[k] -= max(0, min(a.weight*float64(a.row[k]), a.now)-a.old)
		if a.row[k] > a.other[k] {
			exceeding = append(exceeding, int32(k))
			most[k] = a.row[k]
		}
		if a.gain[k] > a.ratio*a.tokens[k] {
			part[k%8] += a.gain[k]
			tokens[k%8] += a.tokens[k]
		}
	}
	for k := range 4 {
		part[k] += part[k+4]
		tokens[k] += tokens[k+4]
	}
	return gain, exceeding, (part[0] + part[1]) + (part[2] + part[3]), (tokens[0] + tokens[1]) + (tokens[2] + tokens[3]), most
}

func (a arrays) check(t interface {
	Helper()
	Fatalf(format string, args ...any)
},
) {
	t.Helper()
	wantGain, wantExceeding, wantSum, wantTaken, wantMost := a.reference()
	gain := slices.Clone(a.gain)
	Lower(gain, 0, []Fall{{a.row, a.weight, a.old, a.now}})
	if !slices.Equal(gain, wantGain) {
		t.Fatalf("Lower by %v from %v to %v: %v becomes %v, want %v", a.weight, a.old, a.now, a.gain, gain, wantGain)
	}
	if got := Exceeding(nil, a.row, a.other); !slices.Equal(got, wantExceeding) {
		t.Fatalf("%v is above %v at %v, want %v", a.row, a.other, got, wantExceeding)
	}
	if sum, taken := Above(a.gain, a.tokens, a.ratio); sum != wantSum || taken != wantTaken {
		t.Fatalf("above %v: %v and %v, want %v and %v", a.ratio, sum, taken, wantSum, wantTaken)
	}
	most := slices.Clone(a.other)
	Most(most, a.row)
	if !slices.Equal(most, wantMost) {
		t.Fatalf("most of %v and %v is %v, want %v", a.other, a.row, most, wantMost)
	}
}

// Every kernel gives the bits of the plain loop, at every length.
func TestArrays(t *testing.T) {
	everyKernel(t, func(t *testing.T) {
		for n := range 70 {
			randomArrays(uint64(n), n).check(t)
		}
		rapid.Check(t, func(t *rapid.T) {
			randomArrays(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 3000).Draw(t, "n")).check(t)
		})
	})
}

// Some falls together, whatever their number, are those falls one after the other.
func TestLowerBySome(t *testing.T) {
	everyKernel(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
			n, from, extra := rapid.IntRange(0, 100).Draw(t, "n"), rapid.IntRange(0, 40).Draw(t, "from"), r.IntN(3)
			gain := randomArrays(r.Uint64(), n).gain
			want := slices.Clone(gain)
			var all []Fall
			for range rapid.IntRange(0, 11).Draw(t, "falls") {
				a := randomArrays(r.Uint64(), from+n+extra)
				all = append(all, Fall{a.row, a.weight, a.old, a.now})
				for k := range want {
					want[k] -= max(0, min(a.weight*float64(a.row[from+k]), a.now)-a.old)
				}
			}
			Lower(gain, from, all)
			if !slices.Equal(gain, want) {
				t.Fatalf("%v, want %v", gain, want)
			}
		})
	})
}

// FuzzArrays takes the bits of the numbers, so that all kinds of them come up.
func FuzzArrays(f *testing.F) {
	f.Add([]byte{}, 1.0, 0.0, 1.0, 1.0)
	f.Add(slices.Repeat([]byte{0, 0, 128, 63, 0, 0, 0, 63}, 37), 0.5, 0.25, math.Inf(1), 0.0)
	f.Fuzz(func(t *testing.T, data []byte, weight, old, now, ratio float64) {
		finite := func(x float64) bool { return !math.IsNaN(x) && math.Abs(x) < 1e200 }
		if !finite(weight) || !finite(old) || !finite(ratio) || math.IsNaN(now) || now < old {
			return
		}
		a := arrays{weight: weight, old: old, now: now, ratio: ratio}
		for ; len(data) >= 8; data = data[8:] {
			x := math.Float32frombits(binary.LittleEndian.Uint32(data))
			y := math.Float32frombits(binary.LittleEndian.Uint32(data[4:]))
			if !finite(float64(x)) || !finite(float64(y)) {
				return
			}
			a.gain, a.tokens = append(a.gain, float64(x)), append(a.tokens, float64(y))
			a.row, a.other = append(a.row, y), append(a.other, x)
		}
		for _, k := range kernels() {
			use(t, k)
			a.check(t)
		}
	})
}

func TestArraysOfTwoLengths(t *testing.T) {
	for name, f := range map[string]func(){
		"Lower":     func() { Lower(make([]float64, 2), 2, []Fall{{Row: make([]float32, 3)}}) },
		"Exceeding": func() { Exceeding(nil, make([]float32, 2), make([]float32, 3)) },
		"Above":     func() { Above(make([]float64, 2), make([]float64, 3), 1) },
		"Most":      func() { Most(make([]float32, 2), make([]float32, 3)) },
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

// BenchmarkLower lowers by rows that come from memory: more than caches hold.
func BenchmarkLower(b *testing.B) {
	a := randomArrays(1, 5000)
	all := make([]Fall, 4096)
	for k := range all {
		all[k] = Fall{slices.Clone(a.row), a.weight, 0.5, 0.6}
	}
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			use(b, k)
			b.SetBytes(int64(4 * len(a.row) * len(all)))
			for b.Loop() {
				Lower(a.gain, 0, all)
			}
		})
	}
}

func BenchmarkExceeding(b *testing.B) {
	a := randomArrays(1, 5000)
	for i := range a.other {
		a.other[i] = 5
	}
	found := make([]int32, 0, len(a.row))
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			use(b, k)
			for b.Loop() {
				Exceeding(found, a.row, a.other)
			}
		})
	}
}

func BenchmarkAbove(b *testing.B) {
	a := randomArrays(1, 5000)
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			use(b, k)
			for b.Loop() {
				Above(a.gain, a.tokens, a.ratio)
			}
		})
	}
}
