package main

import (
	//nolint:revive // avo's operations are meant to be read like assembler
	. "github.com/mmcloughlin/avo/build"
	//nolint:revive // likewise
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// board is how many columns a panel has: see kernel.board.
const board = 64

// thin writes the function that multiplies vectors of which only the numbers are
// held that are not 0. A number of a row meets a whole row of the panel, so that a
// pair is added up in the order of its components and needs no sum over lanes.
func thin(set wide) {
	function(set, "thin", "func(tile []float32, at [][]uint8, value [][]float32, ends [][]uint16, section int, panel []float32)",
		"adds to every 64 numbers of tile what a section of one vector gives with panel.")
	tile, panel := base("tile"), base("panel")
	at, value, ends, n := base("at"), base("value"), base("ends"), length("at")
	section := Load(Param("section"), GP64())
	step := 2 * set.width() // how many numbers a register has
	sum := make([]reg.VecVirtual, board/step)
	for k := range sum {
		sum[k] = set.zero()
	}
	JMP(LabelRef("more"))

	Label("row")
	entry, last, places, values := GP64(), GP64(), GP64(), GP64()
	MOVQ(Mem{Base: ends}, places)
	MOVWQZX(Mem{Base: places, Index: section, Scale: 2}, entry)
	MOVWQZX(Mem{Base: places, Index: section, Scale: 2, Disp: 2}, last)
	CMPQ(entry, last)
	JGE(LabelRef("next"))
	MOVQ(Mem{Base: at}, places)
	MOVQ(Mem{Base: value}, values)
	for _, s := range sum {
		set.clear(s)
	}
	Label("number")
	place := GP64()
	MOVBQZX(Mem{Base: places, Index: entry, Scale: 1}, place)
	SHLQ(U8(8), place) // a row of the panel has 256 bytes
	set.fuse(element(values, entry, 0), panel, place, sum)
	INCQ(entry)
	CMPQ(entry, last)
	JLT(LabelRef("number"))
	for k, s := range sum {
		set.addTo(s, Mem{Base: tile, Disp: 4 * step * k})
	}
	Label("next")
	for _, slices := range []reg.Register{at, value, ends} {
		ADDQ(I8(24), slices)
	}
	ADDQ(I32(4*board), tile)
	DECQ(n)
	Label("more")
	TESTQ(n, n)
	JG(LabelRef("row"))
	end()
}

// chain writes the function for the numbers that two vectors both have.
func chain() {
	TEXT("chainFMA", NOSPLIT, "func(a, b []float32) float32")
	Pragma("noescape")
	Doc("chainFMA is the sum of a[i]·b[i] in their order, each product rounded once with the sum before.")
	a, b, n := base("a"), base("b"), length("a")
	sum := XMM()
	VXORPS(sum, sum, sum)
	i := GP64()
	XORQ(i, i)
	JMP(LabelRef("more"))
	Label("step")
	x := XMM()
	VMOVSS(element(a, i, 0), x)
	VFMADD231SS(element(b, i, 0), x, sum)
	INCQ(i)
	Label("more")
	CMPQ(i, n)
	JLT(LabelRef("step"))
	Store(sum, ReturnIndex(0))
	RET()
}

func (avx512) clear(v reg.VecVirtual) { VPXORQ(v, v, v) }

func (avx512) fuse(value Mem, panel, place reg.Register, sum []reg.VecVirtual) {
	z := ZMM()
	VBROADCASTSS(value, z)
	for k, s := range sum {
		VFMADD231PS(Mem{Base: panel, Index: place, Scale: 1, Disp: 64 * k}, z, s)
	}
}

func (avx512) addTo(v reg.VecVirtual, to Mem) {
	VADDPS(to, v, v)
	VMOVUPS(v, to)
}

func (avx2) clear(v reg.VecVirtual) { VXORPS(v, v, v) }

func (avx2) fuse(value Mem, panel, place reg.Register, sum []reg.VecVirtual) {
	y := YMM()
	VBROADCASTSS(value, y)
	for k, s := range sum {
		VFMADD231PS(Mem{Base: panel, Index: place, Scale: 1, Disp: 32 * k}, y, s)
	}
}

func (avx2) addTo(v reg.VecVirtual, to Mem) {
	VADDPS(to, v, v)
	VMOVUPS(v, to)
}
