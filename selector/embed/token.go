package embed

import (
	"unicode"
	"unicode/utf8"
)

// tokenKind says what a token is, and so which features it has.
type tokenKind uint8

const (
	word       tokenKind = iota // a word, or one part of a cut identifier
	identifier                  // a whole identifier that was cut into words
	unigram                     // one character of a script without spaces
	bigram                      // two neighbouring characters of such a script
)

// token is a piece of a text. Its text is valid only until the next one.
type token struct {
	kind tokenKind
	// text is in lower case.
	text []byte
	// proper is true for a word that is capitalised where no sentence starts.
	proper bool
}

// tokenizer cuts a text into tokens. Its buffers are kept from text to text.
type tokenizer struct {
	run   []rune
	lower []byte
}

// each calls emit for every token of text from left to right.
func (t *tokenizer) each(text string, emit func(token)) {
	before := noRune
	for pos := 0; pos < len(text); {
		r, size := next(text, pos)
		switch {
		case unsegmented(r):
			pos = t.takeRun(text, pos, unsegmented)
			t.characters(emit)
			before = t.run[len(t.run)-1]
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			pos = t.takeRun(text, pos, inWord)
			after := noRune
			if pos < len(text) {
				after, _ = next(text, pos)
			}
			t.words(properName(t.run, before, after), emit)
			before = t.run[len(t.run)-1]
		default:
			pos += size
			if r != ' ' && r != '"' && r != '(' {
				before = r
			}
		}
	}
}

// symbols calls emit with a unigram for everything in text that is visible. It
// stands in for each where that finds nothing, as in a text of emoji.
func (t *tokenizer) symbols(text string, emit func(token)) {
	for pos := 0; pos < len(text); {
		r, size := next(text, pos)
		pos += size
		if !unicode.IsSpace(r) && !unicode.IsControl(r) {
			t.lower = utf8.AppendRune(t.lower[:0], r)
			emit(token{kind: unigram, text: t.lower})
		}
	}
}

// takeRun puts the maximal run of code points from pos on for which in holds
// into t.run, and returns where it ends.
func (t *tokenizer) takeRun(text string, pos int, in func(rune) bool) int {
	t.run = t.run[:0]
	for pos < len(text) {
		r, size := next(text, pos)
		if !in(r) {
			break
		}
		t.run = append(t.run, r)
		pos += size
	}
	return pos
}

// characters emits the unigrams and bigrams of t.run.
func (t *tokenizer) characters(emit func(token)) {
	for k, r := range t.run {
		t.lower = utf8.AppendRune(t.lower[:0], r)
		emit(token{kind: unigram, text: t.lower})
		if k+1 < len(t.run) {
			t.lower = utf8.AppendRune(t.lower, t.run[k+1])
			emit(token{kind: bigram, text: t.lower})
		}
	}
}

// words emits t.run as a word, or where it is an identifier its parts as words
// and then the whole.
func (t *tokenizer) words(proper bool, emit func(token)) {
	t.lower = t.lower[:0]
	from := 0
	for k, r := range t.run {
		if k > 0 && cutBefore(t.run, k) {
			emit(token{kind: word, text: t.lower[from:]})
			from = len(t.lower)
		}
		t.lower = utf8.AppendRune(t.lower, unicode.ToLower(r))
	}
	if from == 0 {
		emit(token{kind: word, text: t.lower, proper: proper})
		return
	}
	emit(token{kind: word, text: t.lower[from:]})
	emit(token{kind: identifier, text: t.lower})
}

// noRune stands for the code point before or after a text.
const noRune rune = -1

// next decodes the code point of text at pos, with full-width ASCII folded to
// ASCII. A byte that is not UTF-8 is U+FFFD.
func next(text string, pos int) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(text[pos:])
	if r >= 0xFF01 && r <= 0xFF5E {
		r -= 0xFEE0
	}
	return r, size
}

// unsegmented reports whether r is of a script that puts no spaces between words.
func unsegmented(r rune) bool {
	const firstThai = 0x0E00 // nothing below is, and most text is below
	return r >= firstThai && (r == 'ー' || unicode.In(r,
		unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// inWord reports whether a word goes on over r.
func inWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)) && !unsegmented(r)
}

// cutBefore reports whether an identifier is cut before its code point k > 0.
func cutBefore(run []rune, k int) bool {
	a, b := run[k-1], run[k]
	switch {
	case unicode.IsDigit(a) != unicode.IsDigit(b):
		return true
	case !unicode.IsUpper(b):
		return false
	}
	return unicode.IsLower(a) ||
		unicode.IsUpper(a) && k+1 < len(run) && unicode.IsLower(run[k+1])
}

// properName reports whether the word in run looks like a name: capitalised
// where no sentence or list item starts, or the speaker at the start of a text.
// before is the nearest earlier code point that is not a space, a quotation mark
// or an open parenthesis; after is the one right behind the word.
func properName(run []rune, before, after rune) bool {
	if len(run) <= 2 || !unicode.IsUpper(run[0]) || !unicode.IsLower(run[1]) {
		return false
	}
	switch before {
	case noRune:
		return after == ':'
	case '.', '!', '?', ':', '\n', '\t', '-', '*', '#', '>':
		return false
	}
	return true
}
