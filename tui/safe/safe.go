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
		case r < 0xa0 && r > 0x7f, direction(r):
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// direction reports whether r changes the direction of the text around it.
func direction(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 ||
		r == 0x200e || r == 0x200f || r == 0x061c
}

// invisible reports whether r has no glyph of its own, and terminals give it
// widths that differ. Joiners stay, which make one sign of several.
func invisible(r rune) bool {
	switch r {
	case 0x00ad, 0x034f, 0x115f, 0x1160, 0x180e, 0x200b, 0x2060, 0x3164, 0xfeff, 0xffa0:
		return true
	}
	return r >= 0x2061 && r <= 0x2064 || r >= 0xe0000 && r <= 0xe007f // tags
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
