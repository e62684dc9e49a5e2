// Package kernel holds the float32 arithmetic that everything else stands on:
// inner products of vectors, and what a selection does with whole rows of them
// (cover.go), in assembler where the processor has the instructions for it and in
// Go elsewhere.
//
// Within a process an inner product depends on the two vectors alone: Dot, MatVec
// and Gram give the same bits for a pair, in either order and wherever the
// vectors sit in memory. It is within 1e-6·Σ|a·b| of the exact value for vectors
// of up to 10,000 numbers. The bits are the same on all processors with a fused
// multiply-add: amd64 with AVX2 or AVX-512, and arm64, where the Go compiler fuses.
// Others round every product and may differ in the last bits.
package kernel

import (
	"fmt"
	"math"
)

// lanes is the number of partial sums of an inner product: component k is added
// to number k mod lanes, and the sums are added in a fixed tree.
const lanes = 16

// section is how many components are summed up in the lanes. The sections of a
// longer vector are added one after the other, since the error of a partial sum
// grows with its terms; and a section of all the vectors at work fits the cache.
const section = 768

// kernel is one implementation of the arithmetic.
type kernel struct {
	name string
	// dot is the inner product of vectors of one length, up to a section.
	dot func(a, b []float32) float32
	// block is a tile of rows×cols pairs, line one of 1×cols.
	block, line tile
	rows, cols  int
	// chain is the sum of the products of the numbers of a and b, in their order.
	chain func(a, b []float32) float32
	// thin adds to each board numbers of tile what one section of a thin vector gives
	// with those of a panel.
	thin func(tile []float32, at [][]uint8, value [][]float32, ends [][]uint16, section int, panel []float32)
	array
}

// array is what works on whole arrays, of a multiple of lanes numbers each: see
// Lower, Exceeding, Above and Most.
type array struct {
	lower  func(gain []float64, rows *[falls][]float32, by *[falls][3]float64)
	exceed func(set []uint16, a, b []float32)
	sums   func(sum *[2 * doubles]float64, gain, tokens []float64, ratio float64)
	most   func(dst, row []float32)
}

// tile adds the inner product of a[i][at:at+n] and b[j][at:at+n] to dst[i][col+j].
type tile func(dst, a, b [][]float32, col, at, n int)

// active is the fastest kernel that the processor can run.
var active = kernels()[0]

// kernels lists what the processor can run, the fastest first.
func kernels() []kernel {
	return append(assembled(), plain())
}

// Dot is the inner product of a and b. It panics unless they have one length.
func Dot(a, b []float32) float32 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("kernel: inner product of %d and %d numbers", len(a), len(b)))
	}
	var sum float32
	for at := 0; at < len(a); at += section {
		end := min(at+section, len(a))
		sum += active.dot(a[at:end], b[at:end])
	}
	return sum
}

// MatVec sets dst[i] to Dot(rows[i], v). It panics unless dst has a place for
// every row and all rows are as long as v.
func MatVec(dst []float32, rows [][]float32, v []float32) {
	if len(dst) != len(rows) {
		panic(fmt.Sprintf("kernel: %d rows times a vector, into %d places", len(rows), len(dst)))
	}
	for i, row := range rows {
		if len(row) != len(v) {
			panic(fmt.Sprintf("kernel: row %d of %d numbers times a vector of %d", i, len(row), len(v)))
		}
	}
	active.multiply([][]float32{dst}, [][]float32{v}, rows)
}

// multiply sets dst[i][j] to the inner product of a[i] and b[j], all of one length.
func (k kernel) multiply(dst, a, b [][]float32) {
	for _, row := range dst {
		clear(row)
	}
	if len(b) == 0 {
		return
	}
	for at := 0; at < len(b[0]); at += section {
		n := min(section, len(b[0])-at)
		for i := 0; i < len(a); {
			rows, add := k.rows, k.block
			if len(a)-i < rows {
				rows, add = 1, k.line
			}
			j := 0
			for ; j+k.cols <= len(b); j += k.cols {
				add(dst[i:], a[i:], b[j:], j, at, n)
			}
			for ; j < len(b); j++ {
				for r := i; r < i+rows; r++ {
					dst[r][j] += k.dot(a[r][at:at+n], b[j][at:at+n])
				}
			}
			i += rows
		}
	}
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

// Name is what the arithmetic runs on here: avx512, avx2 or plain.
func Name() string { return active.name }
