// Package safe neutralises text that comes from a session, a file name or a
// model before it reaches a terminal or a log: no escape sequence, control
// character or direction override in it can act, and nothing is left whose width
// terminals do not agree on.
package safe

import (
	"strings"
	"unicode/utf8"
)

// TabWidth is the number of spaces that stand in for a tab.
const TabWidth = 4

// Text neutralises s and keeps its line breaks.
func Text(s string) string { return clean(s, "\n") }

// Line neutralises s and makes it one line: line breaks become single spaces.
func Line(s string) string { return clean(s, " ") }

func clean(s, newline string) string {
	if harmless(s, newline == "\n") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n <= 1:
			b.WriteRune(utf8.RuneError)
		case reaches(r):
			b.WriteString(s[i : i+n])
		case r == '\r' && strings.HasPrefix(s[i+1:], "\n"):
			// the line feed that follows says it all
		case r == '\n', r == '\u2028', r == '\u2029':
			b.WriteString(newline)
		case invisible(r):
			// dropped: terminals do not agree on whether it takes a cell
		case r == '\t':
			b.WriteString(strings.Repeat(" ", TabWidth))
		case r < 0x20:
			b.WriteRune(0x2400 + r) // ␀ … ␛ … ␟
		case r == 0x7f:
			b.WriteRune('␡')
		default:
			b.WriteRune(utf8.RuneError)
		}
		i += n
	}
	return b.String()
}

func harmless(s string, newlines bool) bool {
	for i := range len(s) {
		c := s[i]
		if c == '\n' && newlines {
			continue
		}
		if c < 0x20 || c >= 0x7f {
			return false
		}
	}
	return true
}
