package main

import (
	//nolint:revive // avo's operations are meant to be read like assembler
	. "github.com/mmcloughlin/avo/build"
	//nolint:revive // likewise
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx2 has 16 registers of 8 numbers, so that the lanes of a pair are two halves.
// The halves of 3×4 pairs take 12 registers: enough to keep both multipliers busy
// (two products a cycle, ready after four or five), and the 7 loads hide behind
// the 12 products. Such a tile makes one pass over the vectors for the lower halves
// and one for the upper; smaller ones have room for both at once.
type avx2 struct {
	ones Mem // 16 words of ones and 16 of zeros: a mask is a window on them
}

func newAVX2() avx2 {
	ones := GLOBL("ones", RODATA|NOPTR)
	for i := range 2 * lanes {
		word := U32(0)
		if i < lanes {
			word = ^word
		}
		DATA(4*i, word)
	}
	return avx2{ones}
}

func (avx2) name() string { return "AVX2" }

func (avx2) rows() int { return 3 }

// registers returns those that hold sums and the others.
func (avx2) registers() (sum, temp []reg.VecPhysical) {
	return []reg.VecPhysical{
		reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9,
		reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
	}, []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3}
}

func (s avx2) accumulate(a, b []reg.Register, at, n reg.Register) fold {
	sum, _ := s.registers()
	pairs := len(a) * len(b)
	lower, upper := sum[:pairs], sum[len(sum)-pairs:]
	if 2*pairs <= len(sum) {
		s.pass("both", a, b, at, n, lower, upper)
		return func(pair int, to reg.VecPhysical) { VADDPS(upper[pair], lower[pair], to) }
	}
	again := GP64()
	MOVQ(at, again)
	s.pass("lower", a, b, at, n, lower, nil)
	kept := AllocLocal(32 * pairs)
	for pair, y := range lower {
		VMOVUPS(y, kept.Offset(32*pair))
	}
	s.pass("upper", a, b, again, n, nil, upper)
	return func(pair int, to reg.VecPhysical) { VADDPS(kept.Offset(32*pair), upper[pair], to) }
}

// pass adds up the halves that it is given registers for.
func (s avx2) pass(name string, a, b []reg.Register, at, n reg.Register, halves ...[]reg.VecPhysical) {
	_, temp := s.registers()
	each := func(load func(h int) func(from Mem, to reg.VecPhysical)) {
		for h, sum := range halves {
			if sum != nil {
				products(elements(a, at, 8*h), elements(b, at, 8*h), sum, temp, load(h))
			}
		}
	}
	for _, sum := range halves {
		for _, y := range sum {
			VXORPS(y, y, y)
		}
	}
	loop(name, at, n, func() {
		each(func(int) func(Mem, reg.VecPhysical) {
			return func(from Mem, to reg.VecPhysical) { VMOVUPS(from, to) }
		})
	}, func(rest reg.GPVirtual) {
		window := GP64()
		LEAQ(s.ones, window)
		NEGQ(rest)
		each(func(h int) func(Mem, reg.VecPhysical) {
			return func(from Mem, to reg.VecPhysical) {
				VMOVUPS(element(window, rest, lanes+8*h), to)
				VMASKMOVPS(from, to, to)
			}
		})
	})
}
