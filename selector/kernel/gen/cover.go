package main

import (
	"fmt"

	//nolint:revive // avo's operations are meant to be read like assembler
	. "github.com/mmcloughlin/avo/build"
	//nolint:revive // likewise
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// greater is the predicate of a comparison that is false where a number is none.
const greater = 0x1e

// wide is what of an instruction set the functions on whole arrays need. Their
// arrays have a whole number of steps; what is left over is done in Go.
type wide interface {
	name() string
	// vector is a register of floats.
	vector() reg.VecVirtual
	// spread fills a register with one number.
	spread(x Mem) reg.VecVirtual
	// zero is a register of zeros.
	zero() reg.VecVirtual
	// exceed sets the bits of the lanes in which a is above b, from i on.
	exceed(a, b, i reg.Register) reg.GPVirtual
	// sum adds up 8 gains and tokens from i on whose ratio is above the one given.
	sum(gain, tokens, i reg.Register, ratio reg.VecVirtual, sums []reg.VecVirtual)
	// width is how many float64 a register has.
	width() int
	// store writes a register of float64.
	store(from reg.VecVirtual, to Mem)
	// most raises lanes numbers from i on to those of a row.
	most(dst, row, i reg.Register)
	// clear makes a register zero.
	clear(v reg.VecVirtual)
	// fuse adds to sum a number times the numbers of a panel from place on.
	fuse(value Mem, panel, place reg.Register, sum []reg.VecVirtual)
	// addTo adds a register of float32 to memory.
	addTo(v reg.VecVirtual, to Mem)
}

// falls is how many rows lower the gains at a time: as many streams come from memory,
// and each gain is read and written once for all of them. AVX2 has registers for four.
const falls = 4

// fall is a row with how much of it gains fall by.
type fall struct {
	row              reg.Register
	weight, old, now reg.VecVirtual
}

// lower lowers lanes gains from i on, fall after fall: see kernel.Lower.
func lower(set wide, gain, i reg.Register, falls []fall, none reg.VecVirtual) {
	for at := 0; at < lanes; at += set.width() {
		left, d := set.vector(), set.vector()
		VMOVUPD(double(gain, i, at), left)
		for _, f := range falls {
			VCVTPS2PD(element(f.row, i, at), d)
			VMULPD(f.weight, d, d)
			VMINPD(f.now, d, d)
			VSUBPD(f.old, d, d)
			VMAXPD(none, d, d)
			VSUBPD(d, left, left)
		}
		VMOVUPD(left, double(gain, i, at))
	}
}

// whole runs step at every i below n by lanes.
func whole(n reg.Register, step func(i reg.Register)) {
	i := GP64()
	XORQ(i, i)
	JMP(LabelRef("more"))
	Label("step")
	step(i)
	ADDQ(I8(lanes), i)
	Label("more")
	CMPQ(i, n)
	JLT(LabelRef("step"))
}

// double is the float64 at i+offset of an array.
func double(array, i reg.Register, offset int) Mem {
	return Mem{Base: array, Index: i, Scale: 8, Disp: 8 * offset}
}

func coverage(set wide) {
	function(set, "lower", fmt.Sprintf("func(gain []float64, rows *[%d][]float32, by *[%[1]d][3]float64)", falls),
		"lowers gain by max(0, min(weight·row, now)-old) of one row after the other, by being weight, old and now.")
	gain, n := base("gain"), length("gain")
	rows, by := Load(Param("rows"), GP64()), Load(Param("by"), GP64())
	all := make([]fall, falls)
	for k := range all {
		number := func(place int) reg.VecVirtual { return set.spread(Mem{Base: by, Disp: 8 * (3*k + place)}) }
		all[k] = fall{GP64(), number(0), number(1), number(2)}
		MOVQ(Mem{Base: rows, Disp: 24 * k}, all[k].row) // the first word of a slice
	}
	none := set.zero()
	whole(n, func(i reg.Register) { lower(set, gain, i, all, none) })
	end()

	function(set, "exceed", "func(bits []uint16, a, b []float32)", "sets bit k of bits[i] where a[16·i+k] is above b[16·i+k].")
	bits, a, b := base("bits"), base("a"), base("b")
	n = length("a")
	whole(n, func(i reg.Register) {
		mask := set.exceed(a, b, i)
		MOVW(mask.As16(), Mem{Base: bits})
		ADDQ(I8(2), bits)
	})
	end()

	function(set, "sums", "func(sum *[16]float64, gain, tokens []float64, ratio float64)",
		"adds up lane by lane the gains, and behind them the tokens, where gain is above ratio·tokens.")
	to := Load(Param("sum"), GP64())
	gain, tokens := base("gain"), base("tokens")
	n = length("gain")
	ratio := set.spread(stacked("ratio"))
	sums := make([]reg.VecVirtual, lanes/set.width())
	for k := range sums {
		sums[k] = set.zero()
	}
	whole(n, func(i reg.Register) { set.sum(gain, tokens, i, ratio, sums) })
	for k, s := range sums {
		set.store(s, Mem{Base: to, Disp: 8 * k * set.width()})
	}
	end()

	function(set, "most", "func(dst, row []float32)", "raises every number of dst to that of row.")
	dst, row := base("dst"), base("row")
	n = length("dst")
	whole(n, func(i reg.Register) { set.most(dst, row, i) })
	end()
}

func function(set wide, name, signature, does string) {
	TEXT(name+set.name(), NOSPLIT, signature)
	Pragma("noescape")
	Doc(fmt.Sprintf("%s%s %s", name, set.name(), does))
}

func base(param string) reg.Register { return Load(Param(param).Base(), GP64()) }

func length(param string) reg.Register { return Load(Param(param).Len(), GP64()) }

// stacked is where a parameter lies.
func stacked(param string) Mem {
	at, err := Param(param).Resolve()
	if err != nil {
		panic(err)
	}
	return at.Addr
}

func end() {
	VZEROUPPER()
	RET()
}

func (avx512) width() int { return 8 }

func (avx512) vector() reg.VecVirtual { return ZMM() }

func (avx512) spread(x Mem) reg.VecVirtual {
	z := ZMM()
	VBROADCASTSD(x, z)
	return z
}

func (avx512) zero() reg.VecVirtual {
	z := ZMM()
	VPXORQ(z, z, z)
	return z
}

func (avx512) exceed(a, b, i reg.Register) reg.GPVirtual {
	z, mask := ZMM(), GP32()
	VMOVUPS(element(a, i, 0), z)
	VCMPPS(U8(greater), element(b, i, 0), z, reg.K1)
	KMOVW(reg.K1, mask)
	return mask
}

func (avx512) sum(gain, tokens, i reg.Register, ratio reg.VecVirtual, sums []reg.VecVirtual) {
	for at := 0; at < lanes; at += 8 {
		g, t, least := ZMM(), ZMM(), ZMM()
		VMOVUPD(double(gain, i, at), g)
		VMOVUPD(double(tokens, i, at), t)
		VMULPD(ratio, t, least)
		VCMPPD(U8(greater), least, g, reg.K1)
		VADDPD(g, sums[0], reg.K1, sums[0])
		VADDPD(t, sums[1], reg.K1, sums[1])
	}
}

func (avx512) store(from reg.VecVirtual, to Mem) { VMOVUPD(from, to) }

func (avx512) most(dst, row, i reg.Register) {
	z := ZMM()
	VMOVUPS(element(dst, i, 0), z)
	VMAXPS(element(row, i, 0), z, z)
	VMOVUPS(z, element(dst, i, 0))
}

func (avx2) width() int { return 4 }

func (avx2) vector() reg.VecVirtual { return YMM() }

func (avx2) spread(x Mem) reg.VecVirtual {
	y := YMM()
	VBROADCASTSD(x, y)
	return y
}

func (avx2) zero() reg.VecVirtual {
	y := YMM()
	VXORPS(y, y, y)
	return y
}

func (avx2) exceed(a, b, i reg.Register) reg.GPVirtual {
	var half [2]reg.GPVirtual
	for h := range half {
		y := YMM()
		half[h] = GP32()
		VMOVUPS(element(a, i, 8*h), y)
		VCMPPS(U8(greater), element(b, i, 8*h), y, y)
		VMOVMSKPS(y, half[h])
	}
	SHLL(U8(8), half[1])
	ORL(half[1], half[0])
	return half[0]
}

func (avx2) sum(gain, tokens, i reg.Register, ratio reg.VecVirtual, sums []reg.VecVirtual) {
	for at := 0; at < lanes; at += 4 {
		g, t, above := YMM(), YMM(), YMM()
		VMOVUPD(double(gain, i, at), g)
		VMOVUPD(double(tokens, i, at), t)
		VMULPD(ratio, t, above)
		VCMPPD(U8(greater), above, g, above)
		VANDPD(above, g, g)
		VANDPD(above, t, t)
		half := at / 4 % 2
		VADDPD(g, sums[half], sums[half])
		VADDPD(t, sums[2+half], sums[2+half])
	}
}

func (avx2) store(from reg.VecVirtual, to Mem) { VMOVUPD(from, to) }

func (avx2) most(dst, row, i reg.Register) {
	for at := 0; at < lanes; at += 8 {
		y := YMM()
		VMOVUPS(element(dst, i, at), y)
		VMAXPS(element(row, i, at), y, y)
		VMOVUPS(y, element(dst, i, at))
	}
}
