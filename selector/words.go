package selector

import (
	"strconv"
	"strings"
)

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

// percent writes a share from 0 to 1 as a whole number of percent. What is not
// quite all is never written as 100 %.
func percent(share float64) string {
	p := int(share*100 + 0.5)
	if p == 100 && share < 1-1e-9 {
		p = 99
	}
	return strconv.Itoa(p) + " %"
}

// number writes a gain with two significant digits.
func number(x float64) string {
	s := strconv.FormatFloat(x, 'g', 2, 64)
	if strings.ContainsRune(s, 'e') {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return s
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
