// Package kernel holds the float32 arithmetic that everything else stands on.
package kernel

import "math"

// lanes is the number of partial sums of a dot product. They are added in a
// fixed tree, so that the result depends on the two vectors alone.
const lanes = 8

// Dot is the inner product of a and b, which must have one length. It is
// symmetric and bit-identical wherever the pair sits in memory.
func Dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s [lanes]float32
	i := 0
	for ; i+lanes <= len(a); i += lanes {
		x, y := a[i:i+lanes:i+lanes], b[i:i+lanes:i+lanes]
		s[0] += x[0] * y[0]
		s[1] += x[1] * y[1]
		s[2] += x[2] * y[2]
		s[3] += x[3] * y[3]
		s[4] += x[4] * y[4]
		s[5] += x[5] * y[5]
		s[6] += x[6] * y[6]
		s[7] += x[7] * y[7]
	}
	for ; i < len(a); i++ {
		s[0] += a[i] * b[i]
	}
	return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
}

// Unit returns v scaled to L2 norm 1, and true. A vector with a NaN or an
// infinite component, or of norm 0, gives the zero vector and false.
func Unit(v []float32) ([]float32, bool) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	u := make([]float32, len(v))
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return u, false
	}
	norm := math.Sqrt(sum)
	for i, x := range v {
		u[i] = float32(float64(x) / norm)
	}
	return u, true
}
