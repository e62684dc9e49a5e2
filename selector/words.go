package selector

import (
	"fmt"
	"math"
	"strconv"

	"pacms/session"
)

// leastPercent is the least number of percent that is written as a number.
const leastPercent = 0.001

// leastFigure is the least number that figure writes as one.
const leastFigure = 1e-6

// inTokens writes a number of tokens: 1,204 tokens.
func inTokens(n int) string { return session.Grouped(n) + " " + plural(n, "token") }

// percent writes a share from 0 to 1 as a whole number of percent. What is not
// quite all is never written as 100 %.
func percent(share float64) string {
	p := int(share*100 + 0.5)
	if p == 100 && share < 1-1e-9 {
		p = 99
	}
	return strconv.Itoa(p) + " %"
}

// fine writes a share in percent with two significant digits: 4.2 %, 0.013 %.
func fine(share float64) string {
	p := share * 100
	if p >= 10 {
		return session.Grouped(int(math.Round(p))) + " %"
	}
	if p < leastPercent {
		return "less than 0.001 %"
	}
	digits := 1
	for limit := 1.0; p < limit; limit /= 10 {
		digits++
	}
	return strconv.FormatFloat(p, 'f', digits, 64) + " %"
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// figure writes a number that has no unit with three significant digits, so that
// another can be worked out from it, a large one as a whole number: 0.0170, 1.25, 340.
func figure(x float64) string {
	switch {
	case x == 0:
		return "0"
	case math.Abs(x) >= 99.95:
		return session.Grouped(int(math.Round(x)))
	case math.Abs(x) >= 9.995:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case math.Abs(x) < leastFigure:
		return "less than 0.000001"
	}
	digits := 2
	for limit := 1.0; math.Abs(x) < limit; limit /= 10 {
		digits++
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

// higher says by how much the best subset may score higher than one with the
// certificate c: at most 1/c times as high. The percentage is rounded up, to
// stay true.
func higher(c float64) string {
	const noise = 1e-9 // what adding in another order may change
	more := 1/c - 1
	if more < noise {
		return "higher"
	}
	return fmt.Sprintf("more than %.1f %% higher", math.Ceil(1000*more)/10)
}

// ordinal writes a place: 1st, 2nd, 3rd, 11th, 1,204th.
func ordinal(n int) string {
	ending := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return session.Grouped(n) + ending
}

// wasOrWere is the verb for n things.
func wasOrWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}
