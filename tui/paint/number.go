package paint

import "strconv"

// Tokens writes a number of tokens short: 812, 4.1k, 38.2k, 128k, 1.2M.
func Tokens(n int) string {
	var b [24]byte
	return string(AppendTokens(b[:0], n))
}

// AppendTokens appends what Tokens writes.
func AppendTokens(b []byte, n int) []byte {
	switch {
	case n < 0:
		return AppendTokens(append(b, '-'), -n)
	case n < 1_000:
		return strconv.AppendInt(b, int64(n), 10)
	case n < 99_950:
		return append(appendTenths(b, n, 1_000), 'k')
	case n < 999_500:
		return append(strconv.AppendInt(b, int64(n+500)/1_000, 10), 'k')
	default:
		return append(appendTenths(b, n, 1_000_000), 'M')
	}
}

// appendTenths appends n/unit with one decimal.
func appendTenths(b []byte, n, unit int) []byte {
	t := (n*10 + unit/2) / unit
	b = strconv.AppendInt(b, int64(t/10), 10)
	return append(b, '.', byte('0'+t%10))
}

// Count writes a number in full with a comma between thousands.
func Count(n int) string {
	var b [32]byte
	return string(AppendCount(b[:0], n))
}

// AppendCount appends what Count writes.
func AppendCount(b []byte, n int) []byte {
	if n < 0 {
		return AppendCount(append(b, '-'), -n)
	}
	if n < 1_000 {
		return strconv.AppendInt(b, int64(n), 10)
	}
	b = append(AppendCount(b, n/1_000), ',')
	n %= 1_000
	return append(b, byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10))
}

// Plural is the number and the word, with an s where it is not one.
func Plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return Count(n) + " " + word + "s"
}
