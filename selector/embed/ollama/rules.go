package ollama

import (
	"strings"
	"unicode"
)

const (
	// maxChars is the length of a text as it is sent, in code points: 2,048
	// tokens of the default model are rarely fewer than three characters each.
	maxChars      = 6000
	charsPerToken = 3
	// maxRun is how long a run without a space may be. The word splitter of
	// Ollama takes minutes for a single word of 100,000 characters.
	maxRun = 64
)

// textRules names what rules.clean does. It is part of the key under which
// vectors are stored: a change of the cleaning makes other vectors and takes
// another name.
const textRules = "text-1"

// rules say how texts are made ready for a model.
type rules struct {
	document, query string  // prefixes
	lower           bool    // whether capitals have to be lowered
	limit           int     // length of a text, in code points
	noise           float64 // cosine of unrelated texts, 0 unknown
}

// nomicNoise is the cosine of unrelated texts under nomic-embed-text. It was
// not measured here: published experience has them at 0.40 to 0.55, and this is
// the middle.
const nomicNoise = 0.48

// rulesFor returns the rules of a model by its architecture, its names and its
// context in tokens, 0 unknown.
func rulesFor(architecture string, names []string, context int) rules {
	r := rules{limit: maxChars}
	if context > 0 {
		r.limit = min(maxChars, charsPerToken*context)
	}
	// Releases before 0.30 take words with capitals for unknown ones here; the
	// vocabulary has none.
	r.lower = architecture == "nomic-bert"
	for _, n := range names {
		// By name, for other makers' models share the architecture.
		if strings.Contains(strings.ToLower(n), "nomic") {
			r.document, r.query = "search_document: ", "search_query: "
			if r.lower {
				r.noise = nomicNoise
			}
		}
	}
	return r
}

// clean makes a text ready to be sent: without space around it, in lower case
// where the model needs that, with a space in runs that have none, cut to the
// limit. What is not UTF-8 becomes U+FFFD.
func (r rules) clean(text string) string {
	text = strings.TrimFunc(text, silent)
	var b strings.Builder
	b.Grow(min(len(text), r.limit))
	length, run := 0, 0
	for _, c := range text {
		switch {
		case unicode.IsSpace(c):
			run = 0
		case run < maxRun:
			run++
		default:
			if length+1 < r.limit {
				b.WriteByte(' ')
			}
			length, run = length+1, 1
		}
		if length >= r.limit {
			break
		}
		if r.lower {
			c = unicode.ToLower(c)
		}
		b.WriteRune(c)
		length++
	}
	return b.String()
}

// blank reports whether text has nothing to read.
func blank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !silent(r) }) < 0
}

// silent reports whether r is a space, or a control or format character.
func silent(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf) }

// half is the first half of text, rounded up, in code points.
func half(text string) string {
	r := []rune(text)
	return string(r[:(len(r)+1)/2])
}
