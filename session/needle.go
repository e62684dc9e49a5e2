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
type Needle struct {
	folded string
	// whole is set where it matches whole words only.
	whole bool
}

// NewNeedle returns the needle for a text, or an error where nothing of it is
// visible.
func NewNeedle(text string) (Needle, error) {
	n := Needle{folded: strings.TrimSpace(fold(text, nil))}
	if n.folded == "" {
		return n, errors.New("there is nothing to find in a text without a visible character")
	}
	return n, nil
}

// Words are needles that match the words of the needle, as whole words; nil where it
// is one word.
func (n Needle) Words() []Needle {
	words := strings.Fields(n.folded)
	if len(words) < 2 {
		return nil
	}
	needles := make([]Needle, len(words))
	for k, word := range words {
		needles[k] = Needle{folded: word, whole: true}
	}
	return needles
}

// Find counts how often the needle is in text without overlapping itself, and
// gives the bytes of text from which the first of them comes.
func (n Needle) Find(text string) (count int, first Span) {
	folded := fold(text, nil)
	at := Span{From: -1}
	for from := 0; ; {
		k := strings.Index(folded[from:], n.folded)
		if k < 0 {
			break
		}
		from += k
		end := from + len(n.folded)
		if n.whole && (joined(folded[:from], n.folded) || joined(n.folded, folded[end:])) {
			_, size := utf8.DecodeRuneInString(folded[from:])
			from += size
			continue
		}
		if count == 0 {
			at = Span{From: from, To: end}
		}
		count++
		from = end
	}
	if count == 0 {
		return 0, Span{}
	}
	return count, original(text, at)
}

// joined reports whether what two texts end and begin with is one word.
func joined(a, b string) bool {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	return inWord(last) && inWord(first)
}

// inWord reports whether a word goes on with r in writing that has blanks between
// words.
func inWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
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
