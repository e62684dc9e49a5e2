package token

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// maxSpaceRun is the length in bytes above which a run of white space is
// counted in pieces, each cut costing a token more at most. The time that the
// encodings' pattern needs grows with the square of a run of blanks and line
// ends: minutes for a megabyte.
const maxSpaceRun = 256

// bpe counts with one of OpenAI's byte pair encodings.
type bpe struct {
	name  string
	codec func() *codec.Codec
}

func newBPE(name string, load func() *codec.Codec) *bpe {
	return &bpe{name: name, codec: sync.OnceValue(load)}
}

func (b *bpe) Name() string    { return b.name }
func (b *bpe) Estimated() bool { return false }

func (b *bpe) Count(p Parts) int { return p.sum(b.tokens, ImageTokens) }

// tokens is the number of tokens of s.
func (b *bpe) tokens(s string) int {
	n := 0
	for s != "" {
		piece := s[:cutSpaceRun(s)]
		s = s[len(piece):]
		k, err := b.codec().Count(piece)
		if err != nil { // the pattern gave up: a bound is better than nothing
			k = ceilDiv(len(piece), charsPerToken)
		}
		n += k
	}
	return n
}

// cutSpaceRun is the index at which s has to be cut so that its first part has
// no run of white space longer than maxSpaceRun; len(s) where it has none.
func cutSpaceRun(s string) int {
	run := 0
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if !unicode.IsSpace(r) {
			run = 0
		} else if run += size; run > maxSpaceRun {
			return i
		}
		i += size
	}
	return len(s)
}
