package selector

import "strings"

const (
	// minBlob is the length in bytes from which a base64 string is taken for
	// data: far above hashes, keys and tokens that people talk about.
	minBlob = 256
	// minBlobLine is the length from which a line of base64 may go on in the
	// next one; programs break it after 64 or 76 characters.
	minBlobLine = 60
	// dataURI stands before base64 that says of itself that it is.
	dataURI = ";base64,"
)

// withoutBlobs returns text with a space for each base64 string in it. What such
// a string says is not in its letters: compared by them, two images would be
// alike or not by chance. The text is returned as it is where it has none.
func withoutBlobs(text string) string {
	start, end := nextBlob(text, 0)
	if start == end {
		return text
	}
	var b strings.Builder
	from := 0
	for start < end {
		b.WriteString(text[from:start])
		b.WriteByte(' ')
		from = end
		start, end = nextBlob(text, from)
	}
	b.WriteString(text[from:])
	return b.String()
}

// nextBlob finds the next base64 string in text from a place on that is not
// inside one. Both results are equal where there is none.
func nextBlob(text string, from int) (start, end int) {
	// Every run of minBlobLine bytes has one of the bytes that are looked at.
	for at := from; at+minBlobLine <= len(text); {
		probe := at + minBlobLine - 1
		if !base64Byte(text[probe]) {
			at = probe + 1
			continue
		}
		start = probe
		for start > at && base64Byte(text[start-1]) {
			start--
		}
		end = blobLines(text, start)
		if end-start >= minBlob && (strings.HasSuffix(text[:start], dataURI) || mixed(text[start:end])) {
			return start, end
		}
		at = end + 1
	}
	return len(text), len(text)
}

// blobLines is where the base64 that begins at start ends, over all its lines.
func blobLines(text string, start int) int {
	end := runEnd(text, start)
	for line := start; end-line >= minBlobLine; {
		next := end + lineBreak(text[end:])
		stop := runEnd(text, next)
		whole := stop == len(text) || lineBreak(text[stop:]) > 0 || strings.IndexByte("\"'`)", text[stop]) >= 0
		if next == end || stop == next || !whole {
			break
		}
		line, end = next, stop
	}
	return end
}

// runEnd is the first place from start on that is no byte of base64.
func runEnd(text string, start int) int {
	for start < len(text) && base64Byte(text[start]) {
		start++
	}
	return start
}

// lineBreak is the length of the line break that text begins with, be it
// escaped as in the arguments of a call; 0 where there is none.
func lineBreak(text string) int {
	for _, mark := range []string{"\n", "\r\n", `\n`, `\r\n`} {
		if strings.HasPrefix(text, mark) {
			return len(mark)
		}
	}
	return 0
}

// base64Byte reports whether c is of the alphabet of base64, either of the two.
func base64Byte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '+' || c == '/' || c == '-' || c == '_' || c == '='
}

// mixed reports whether a run has capitals, small letters and digits, as base64
// of any data has and a long path or a line of a table has not.
func mixed(run string) bool {
	var upper, lower, digit bool
	for i := range len(run) {
		c := run[i]
		upper = upper || 'A' <= c && c <= 'Z'
		lower = lower || 'a' <= c && c <= 'z'
		digit = digit || '0' <= c && c <= '9'
		if upper && lower && digit {
			return true
		}
	}
	return false
}
