package selector

import "strconv"

// leastPercent is the least number of percent that is written as a number.
const leastPercent = 0.001

// thousands writes a count with commas: 1,204.
func thousands(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return sign + s
}

// inTokens writes a number of tokens: 1,204 tokens.
func inTokens(n int) string { return thousands(n) + " " + plural(n, "token") }

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
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
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
