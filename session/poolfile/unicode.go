package poolfile

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// trimMark drops a byte order mark, and refuses a text that is UTF-16 or UTF-32.
func trimMark(data []byte) ([]byte, error) {
	wide := func(encoding string) error {
		return &Error{Path: "$", Problem: "the text is " + encoding + "-endian); convert it to UTF-8"}
	}
	switch {
	case hasAnyPrefix(data, "\xff\xfe\x00\x00", "{\x00\x00\x00"):
		return nil, wide("UTF-32 (little")
	case hasAnyPrefix(data, "\x00\x00\xfe\xff", "\x00\x00\x00{"):
		return nil, wide("UTF-32 (big")
	case hasAnyPrefix(data, "\xff\xfe", "{\x00"):
		return nil, wide("UTF-16 (little")
	case hasAnyPrefix(data, "\xfe\xff", "\x00{"):
		return nil, wide("UTF-16 (big")
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil
}

func hasAnyPrefix(data []byte, prefixes ...string) bool {
	for _, p := range prefixes {
		if bytes.HasPrefix(data, []byte(p)) {
			return true
		}
	}
	return false
}

// repairUnicode replaces what is not UTF-8 in a JSON document by U+FFFD, and
// counts that together with the escapes of half a surrogate pair, for which the
// JSON decoder does the same without a word.
func repairUnicode(data []byte) ([]byte, int) {
	broken := halfPairs(data)
	if utf8.Valid(data) {
		return data, broken
	}
	fixed := make([]byte, 0, len(data)+len(data)/8)
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			broken++
		}
		fixed = utf8.AppendRune(fixed, r)
		data = data[size:]
	}
	return fixed, broken
}

// halfPairs counts the \u escapes of a surrogate without its partner.
func halfPairs(data []byte) int {
	halves := 0
	for {
		at := bytes.IndexByte(data, '\\')
		if at < 0 || at+1 >= len(data) {
			return halves
		}
		data = data[at:]
		r, ok := escaped(data)
		switch {
		case !ok:
			data = data[2:]
		case !utf16.IsSurrogate(r):
			data = data[6:]
		default:
			data = data[6:]
			if low, ok := escaped(data); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
				data = data[6:]
			} else {
				halves++
			}
		}
	}
}

// escaped is the UTF-16 unit of the \u escape at the start of data.
func escaped(data []byte) (rune, bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(data[2:6]), 16, 16)
	return rune(unit), err == nil
}
