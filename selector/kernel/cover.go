package kernel

import (
	"fmt"
	"math/bits"
)

// Fall is by how much gains fall where what somebody has grows from Old to Now: gain k
// by what Weight·Row[k] would give beyond Old, at most Now.
type Fall struct {
	Row              []float32
	Weight, Old, Now float64
}

// falls is how many rows are read side by side. One alone leaves the memory waiting:
// where rows lie far apart, four take a third of the time.
const falls = 4

// Lower takes from every gain[k], one fall after the other, what Row[from+k] gives:
// max(0, min(Weight·Row[from+k], Now) − Old), in float64. It panics where a row is
// shorter. Numbers must be finite, but Now may be +∞.
func Lower(gain []float64, from int, all []Fall) {
	whole := len(gain) &^ (lanes - 1)
	for ; len(all) > 0; all = all[min(falls, len(all)):] {
		// What is missing takes nothing, of a row that is read anyway.
		var by [falls][3]float64
		var rows [falls][]float32
		now := all[:min(falls, len(all))]
		for k := range rows {
			rows[k] = now[min(k, len(now)-1)].Row[from : from+len(gain)][:whole]
		}
		for k := range now {
			by[k] = [3]float64{now[k].Weight, now[k].Old, now[k].Now}
		}
		active.lower(gain[:whole], &rows, &by)
		for k := range now {
			f := &now[k]
			plainLower(gain[whole:], f.Row[from+whole:from+len(gain)], f.Weight, f.Old, f.Now)
		}
	}
}

// Exceeding appends to found the places, ascending, at which a is above b. It
// panics unless both have one length.
func Exceeding(found []int32, a, b []float32) []int32 {
	const part = 64 * lanes
	var set [part / lanes]uint16
	whole := wholeSteps(len(a), len(b))
	for at := 0; at < whole; at += part {
		end := min(at+part, whole)
		active.exceed(set[:(end-at)/lanes], a[at:end], b[at:end])
		for k, word := range set[:(end-at)/lanes] {
			for ; word != 0; word &= word - 1 {
				found = append(found, int32(at+k*lanes+bits.TrailingZeros16(word)))
			}
		}
	}
	for k := whole; k < len(a); k++ {
		if a[k] > b[k] {
			found = append(found, int32(k))
		}
	}
	return found
}

// Above is the sum of the gains, and that of the tokens, where gain is above
// ratio·tokens. Every kernel adds in the same order. It panics unless both have one
// length.
func Above(gain, tokens []float64, ratio float64) (gains, taken float64) {
	var sum [2 * doubles]float64
	whole := wholeSteps(len(gain), len(tokens))
	active.sums(&sum, gain[:whole], tokens[:whole], ratio)
	addAbove(&sum, gain[whole:], tokens[whole:], ratio)
	return tree(sum[:doubles]), tree(sum[doubles:])
}

// Most raises every number of dst to that of row. It panics unless both have one
// length.
func Most(dst, row []float32) {
	whole := wholeSteps(len(dst), len(row))
	active.most(dst[:whole], row[:whole])
	plainMost(dst[whole:], row[whole:])
}

// wholeSteps is how many of n numbers the kernels in assembler take.
func wholeSteps(n, other int) int {
	if n != other {
		panic(fmt.Sprintf("kernel: arrays of %d and %d numbers", n, other))
	}
	return n &^ (lanes - 1)
}

// doubles is the number of partial sums in float64: place k is added to number k
// mod doubles.
const doubles = 8

func tree(s []float64) float64 {
	return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]))
}

func plainFalls(gain []float64, rows *[falls][]float32, by *[falls][3]float64) {
	for k, row := range rows {
		plainLower(gain, row, by[k][0], by[k][1], by[k][2])
	}
}

// plainLower converts before it subtracts, so that no compiler fuses the two.
func plainLower(gain []float64, row []float32, weight, old, now float64) {
	for k, v := range row {
		if d := min(float64(weight*float64(v)), now) - old; d > 0 {
			gain[k] -= d
		}
	}
}

func plainExceed(set []uint16, a, b []float32) {
	for i := range set {
		word := uint16(0)
		for k := range lanes {
			if a[i*lanes+k] > b[i*lanes+k] {
				word |= 1 << k
			}
		}
		set[i] = word
	}
}

func plainSums(sum *[2 * doubles]float64, gain, tokens []float64, ratio float64) {
	*sum = [2 * doubles]float64{}
	addAbove(sum, gain, tokens, ratio)
}

func addAbove(sum *[2 * doubles]float64, gain, tokens []float64, ratio float64) {
	for k, g := range gain {
		if t := tokens[k]; g > float64(ratio*t) {
			sum[k%doubles] += g
			sum[doubles+k%doubles] += t
		}
	}
}

func plainMost(dst, row []float32) {
	for k, v := range row {
		if v > dst[k] {
			dst[k] = v
		}
	}
}
