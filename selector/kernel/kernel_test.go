package kernel

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func vectors(t *rapid.T) (a, b []float32) {
	n := rapid.IntRange(0, 70).Draw(t, "n")
	component := rapid.Float32Range(-10, 10)
	return rapid.SliceOfN(component, n, n).Draw(t, "a"), rapid.SliceOfN(component, n, n).Draw(t, "b")
}

func TestDotIsSymmetricAndCloseToFloat64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := vectors(t)
		want, size := 0.0, 0.0
		for i := range a {
			want += float64(a[i]) * float64(b[i])
			size += math.Abs(float64(a[i]) * float64(b[i]))
		}
		got := Dot(a, b)
		if got != Dot(b, a) {
			t.Fatalf("not symmetric: %v and %v", got, Dot(b, a))
		}
		if math.Abs(float64(got)-want) > 1e-6*size {
			t.Fatalf("got %v, want %v", got, want)
		}
		shifted := append(make([]float32, 3), a...)[3:]
		if got != Dot(shifted, b) {
			t.Fatal("depends on where the vector sits")
		}
	})
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
		a, _ := vectors(t)
		u, ok := Unit(a)
		if !ok {
			return
		}
		if norm := Dot(u, u); math.Abs(float64(norm)-1) > 1e-5 {
			t.Fatalf("norm² of Unit(%v) is %v", a, norm)
		}
	})
}

func BenchmarkDot768(b *testing.B) {
	x, y := make([]float32, 768), make([]float32, 768)
	for i := range x {
		x[i], y[i] = float32(i), float32(i%7)
	}
	b.SetBytes(768 * 4 * 2)
	for b.Loop() {
		Dot(x, y)
	}
}
