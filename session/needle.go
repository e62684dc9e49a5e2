package session

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Needle is a text to be looked for. Letters match in upper and lower case,
// composed and decomposed; blanks, tabs and line breaks in a row match one blank;
// what has no glyph of its own matches nothing.
type Needle struct{ folded string }

// NewNeedle returns the needle for a text, or an error where nothing of it is
// visible.
func NewNeedle(text string) (Needle, error) {
	n := Needle{strings.TrimSpace(fold(text, nil))}
	if n.folded == "" {
		return n, errors.New("there is nothing to find in a text without a visible character")
	}
	return n, nil
}

// Find counts how often the needle is in text without overlapping itself, and
// gives the bytes of text from which the first of them comes.
func (n Needle) Find(text string) (count int, first Span) {
	folded := fold(text, nil)
	if count = strings.Count(folded, n.folded); count == 0 {
		return 0, Span{}
	}
	at := strings.Index(folded, n.folded)
	return count, original(text, Span{From: at, To: at + len(n.folded)})
}

// original is the bytes of text that a span of its folded form comes from.
func original(text string, folded Span) Span {
	out := Span{From: -1, To: len(text)}
	fold(text, func(at, made int) bool {
		if made <= folded.From {
			out.From = at
		}
		out.To = at
		return made < folded.To
	})
	return out
}

// fold is the form of a text in which it is compared. With told, it says before
// each character of the text at which byte that starts and how many bytes were made
// of those before, and once more at the end; false ends it.
func fold(text string, told func(at, made int) bool) string {
	out := make([]byte, 0, len(text))
	for at := 0; at < len(text); {
		if told != nil && !told(at, len(out)) {
			return string(out)
		}
		if c := text[at]; c < utf8.RuneSelf && (at+1 == len(text) || text[at+1] < utf8.RuneSelf) {
			out = foldRune(out, rune(c))
			at++
			continue
		}
		size := norm.NFC.NextBoundaryInString(text[at:], true)
		for _, r := range norm.NFC.String(text[at : at+size]) {
			out = foldRune(out, r)
		}
		at += size
	}
	if told != nil {
		told(len(text), len(out))
	}
	return string(out)
}

// foldRune appends the form in which a character is compared.
func foldRune(out []byte, r rune) []byte {
	switch {
	case 'a' <= r && r <= 'z':
		return append(out, byte(r))
	case 'A' <= r && r <= 'Z':
		return append(out, byte(r)|0x20)
	case unicode.IsSpace(r):
		if n := len(out); n > 0 && out[n-1] == ' ' {
			return out
		}
		return append(out, ' ')
	case r < utf8.RuneSelf:
		return append(out, byte(r))
	case unicode.Is(unicode.Cf, r):
		return out
	}
	// The smallest of the characters that differ in case alone stands for all; a
	// small letter of ASCII where it is one of them, for the Kelvin sign is a k.
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return utf8.AppendRune(out, unicode.ToLower(least))
}
