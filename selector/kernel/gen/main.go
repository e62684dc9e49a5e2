// Command gen writes the assembler of package kernel: for every instruction set
// the same computation in three shapes, one pair of vectors (dot), one against
// four (line) and several against four (block).
//
// A pair is computed in the same way wherever it stands, so that its value
// depends on the two vectors alone: component k of the product is added to lane
// k mod 16 by a fused multiply-add, what is left after the last full step of 16
// is padded with zeros, and the lanes are added in the tree of sums. All
// instruction sets have the same lanes and the same tree, and give the same bits.
// The functions on whole arrays, for gains and what is covered, are in cover.go, that
// for vectors of which most numbers are 0 in thin.go.
//
// It is a module of its own, so that the program does not depend on avo. Run it by
// go generate in the folder above.
package main

import (
	"fmt"

	//nolint:revive // avo's operations are meant to be read like assembler
	. "github.com/mmcloughlin/avo/build"
	//nolint:revive // likewise
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	// lanes is the number of partial sums of a pair, and of components in a step.
	lanes = 16
	// cols is the number of vectors on the right side of a tile: as many as the
	// results that one register of four takes.
	cols = 4
)

// isa is an instruction set. Its name ends the names of the functions.
type isa interface {
	wide
	// rows is how many there are in the largest tile.
	rows() int
	// accumulate adds up, in the lanes of every pair, n components from at on of
	// the vectors that begin at a and at b.
	accumulate(a, b []reg.Register, at, n reg.Register) fold
}

// fold adds lane l+8 of a pair to its lane l, for l < 8, and leaves that in to, one
// of Y0 to Y3. The pairs are numbered row by row.
type fold func(pair int, to reg.VecPhysical)

func main() {
	for _, set := range []isa{newAVX2(), avx512{}} {
		dot(set)
		tile(set, "line", 1)
		tile(set, "block", set.rows())
		coverage(set)
		thin(set)
	}
	chain()
	Generate()
}

// dot writes the function for one pair.
func dot(set isa) {
	TEXT("dot"+set.name(), NOSPLIT, "func(a, b []float32) float32")
	Pragma("noescape")
	Doc("dot" + set.name() + " is the inner product of a and b, which have one length.")
	a := Load(Param("a").Base(), GP64())
	b := Load(Param("b").Base(), GP64())
	n := Load(Param("a").Len(), GP64())
	at := GP64()
	XORQ(at, at)
	half := set.accumulate([]reg.Register{a}, []reg.Register{b}, at, n)
	sums(half, 0, 1)
	VZEROUPPER()
	Store(reg.X0, ReturnIndex(0))
	RET()
}

// tile writes the function for rows×cols pairs.
func tile(set isa, shape string, rows int) {
	TEXT(shape+set.name(), NOSPLIT, "func(dst, a, b [][]float32, col, at, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s%s is a tile of %d×%d pairs.", shape, set.name(), rows, cols))
	a, b := vectors("a", rows), vectors("b", cols)
	at := Load(Param("at"), GP64())
	n := Load(Param("n"), GP64())
	half := set.accumulate(a, b, at, n)
	dst := vectors("dst", rows)
	col := Load(Param("col"), GP64())
	for i, row := range dst {
		sums(half, i*cols, cols)
		VADDPS(element(row, col, 0), reg.X0, reg.X0)
		VMOVUPS(reg.X0, element(row, col, 0))
	}
	VZEROUPPER()
	RET()
}

// vectors loads where the first count slices of a [][]float32 begin.
func vectors(param string, count int) []reg.Register {
	const header = 24 // bytes of a slice
	slices := Load(Param(param).Base(), GP64())
	v := make([]reg.Register, count)
	for i := range v {
		p := GP64()
		MOVQ(Mem{Base: slices, Disp: i * header}, p)
		v[i] = p
	}
	return v
}

// loop runs step at every whole step of n components from at on, and tail, where
// some are left, with their number, 1 to 15. It moves at.
func loop(name string, at, n reg.Register, step func(), tail func(rest reg.GPVirtual)) {
	end, rest := GP64(), GP64()
	MOVQ(n, end)
	ANDQ(I8(-lanes), end)
	ADDQ(at, end)
	MOVQ(n, rest)
	ANDQ(I8(lanes-1), rest)
	JMP(LabelRef(name + "_more"))

	Label(name + "_step")
	step()
	ADDQ(I8(lanes), at)
	Label(name + "_more")
	CMPQ(at, end)
	JLT(LabelRef(name + "_step"))

	TESTQ(rest, rest)
	JZ(LabelRef(name + "_done"))
	tail(rest)
	Label(name + "_done")
}

// element is component i+offset of a vector.
func element(vector, i reg.Register, offset int) Mem {
	return Mem{Base: vector, Index: i, Scale: 4, Disp: 4 * offset}
}

func elements(vectors []reg.Register, i reg.Register, offset int) []Mem {
	m := make([]Mem, len(vectors))
	for k, v := range vectors {
		m[k] = element(v, i, offset)
	}
	return m
}

// products adds the products of what load gets from each of a and of b to the sums
// of the pairs. A row stays in its register for a step, a column in the last one.
func products(a, b []Mem, sum, temp []reg.VecPhysical, load func(from Mem, to reg.VecPhysical)) {
	for i, m := range a {
		load(m, temp[i])
	}
	col := temp[len(a)]
	for j, m := range b {
		load(m, col)
		for i := range a {
			VFMADD231PS(col, temp[i], sum[i*len(b)+j])
		}
	}
}

// sums leaves the sums of four pairs, from first on, in X0; where there are fewer,
// the last one is repeated. With t[l] for lane l plus lane l+8, a sum is
// ((t0+t1)+(t2+t3)) + ((t4+t5)+(t6+t7)).
func sums(half fold, first, pairs int) {
	for i, y := range []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3} {
		half(first+min(i, pairs-1), y)
	}
	VHADDPS(reg.Y1, reg.Y0, reg.Y0)
	VHADDPS(reg.Y3, reg.Y2, reg.Y2)
	VHADDPS(reg.Y2, reg.Y0, reg.Y0)
	VEXTRACTF128(U8(1), reg.Y0, reg.X1)
	VADDPS(reg.X1, reg.X0, reg.X0)
}
