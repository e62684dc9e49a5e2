package paint

import "strconv"

// Tokens writes a number of tokens short: 812, 4.1k, 38.2k, 128k, 1.2M.
func Tokens(n int) string {
	switch {
	case n < 0:
		return "-" + Tokens(-n)
	case n < 1_000:
		return strconv.Itoa(n)
	case n < 99_950:
		return tenths(n, 1_000) + "k"
	case n < 999_500:
		return strconv.Itoa((n+500)/1_000) + "k"
	default:
		return tenths(n, 1_000_000) + "M"
	}
}

// tenths is n/unit with one decimal.
func tenths(n, unit int) string {
	t := (n*10 + unit/2) / unit
	return strconv.Itoa(t/10) + "." + strconv.Itoa(t%10)
}

// Count writes a number in full with a comma between thousands.
func Count(n int) string {
	s := strconv.Itoa(n)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural is the number and the word, with an s where it is not one.
func Plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return Count(n) + " " + word + "s"
}
