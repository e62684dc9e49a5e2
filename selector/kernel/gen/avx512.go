package main

import (
	//nolint:revive // avo's operations are meant to be read like assembler
	. "github.com/mmcloughlin/avo/build"
	//nolint:revive // likewise
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx512 has 32 registers of 16 numbers: the lanes of a pair are one register. Of
// 6×4 pairs they take 24, and the 10 loads of a step hide behind its 24 products.
type avx512 struct{}

func (avx512) name() string { return "AVX512" }

func (avx512) rows() int { return 6 }

func (avx512) accumulate(a, b []reg.Register, at, n reg.Register) fold {
	temp := []reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6}
	sum := []reg.VecPhysical{
		reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
		reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
	}[:len(a)*len(b)]
	for _, z := range sum {
		VPXORD(z, z, z)
	}
	ma, mb := elements(a, at, 0), elements(b, at, 0)
	loop("all", at, n, func() {
		products(ma, mb, sum, temp, func(from Mem, to reg.VecPhysical) { VMOVUPS(from, to) })
	}, func(rest reg.GPVirtual) {
		mask := GP32()
		MOVL(U32(1<<lanes-1), mask)
		BZHIL(rest.As32(), mask, mask) // the lowest rest bits stay
		KMOVW(mask, reg.K1)
		products(ma, mb, sum, temp, func(from Mem, to reg.VecPhysical) { VMOVUPS_Z(from, reg.K1, to) })
	})
	return func(pair int, to reg.VecPhysical) {
		// The upper half of the sum, of which nothing is used, costs nothing.
		wide := to.AsZ()
		VEXTRACTF64X4(U8(1), sum[pair], to)
		VADDPS(sum[pair], wide, wide)
	}
}
