package embed

import "bytes"

// appendStem appends the lower-case word w, which is not empty, to dst without
// the commonest English endings, so that the forms of a word share a feature.
// Lengths are in bytes; words of other languages pass nearly untouched.
func appendStem(dst, w []byte) []byte {
	n := len(w)
	switch {
	case n > 4 && bytes.HasSuffix(w, []byte("ies")):
		return append(append(dst, w[:n-3]...), 'y')
	case n > 5 && bytes.HasSuffix(w, []byte("ing")):
		n -= 3
	case n > 4 && (bytes.HasSuffix(w, []byte("ed")) || bytes.HasSuffix(w, []byte("es"))):
		n -= 2
	case n > 3 && w[n-1] == 's' && w[n-2] != 's':
		n--
	case n > 4 && bytes.HasSuffix(w, []byte("ly")):
		n -= 2
	}
	if last := w[n-1]; n > 3 && last == w[n-2] && last != 'l' && last != 's' && last != 'e' {
		n--
	}
	if n > 3 && w[n-1] == 'e' {
		n--
	}
	return append(dst, w[:n]...)
}
