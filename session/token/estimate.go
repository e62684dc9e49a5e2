package token

import (
	"slices"
	"unicode/utf8"
)

// chars4 is the common rule of thumb: a token for every four characters.
type chars4 struct{}

func (chars4) Name() string    { return "chars4" }
func (chars4) Estimated() bool { return true }

func (chars4) Count(p Parts) int {
	return ceilDiv(p.sum(utf8.RuneCountInString, ImageTokens*charsPerToken), charsPerToken)
}

// openclaw is the estimator that OpenClaw itself uses to decide when a session
// is to be compacted: UTF-16 units, with characters of the East Asian scripts
// weighted by the tokens that they usually take, four units a token.
type openclaw struct{}

func (openclaw) Name() string    { return "openclaw" }
func (openclaw) Estimated() bool { return true }

func (openclaw) Count(p Parts) int {
	return ceilDiv(p.sum(weightedUnits, ImageTokens*charsPerToken), charsPerToken)
}

// weightedUnits is the length of s in UTF-16 units plus the extra weight of its
// characters.
func weightedUnits(s string) int {
	n := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			n++
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		n++
		if r > 0xFFFF {
			n++ // a surrogate pair
		}
		n += extraUnits(r)
	}
	return n
}

// Extra UTF-16 units that make a character weigh what its tokens would: one
// token for a common character, two for a mark, three for a rare character or a
// supplementary mark, four for a supplementary character.
const (
	extraCommon     = 1*charsPerToken - 1
	extraMark       = 2*charsPerToken - 1
	extraRare       = 3*charsPerToken - 1
	extraThreeAbove = 3*charsPerToken - 2
	extraFourAbove  = 4*charsPerToken - 2
)

// weightRange is a range of code points, both ends included, with its extra weight.
type weightRange struct {
	first, last rune
	extra       int
}

// weightRanges is OpenClaw's table, in order of code points.
var weightRanges = []weightRange{
	{183, 183, extraCommon},
	{711, 711, extraMark},
	{713, 715, extraMark},
	{729, 729, extraMark},
	{746, 747, extraMark},
	{773, 773, extraMark},
	{803, 803, extraMark},
	{4352, 4607, extraRare},
	{11904, 12287, extraRare},
	{12288, 12703, extraCommon},
	{12704, 19967, extraRare},
	{19968, 40869, extraCommon},
	{40870, 42239, extraRare},
	{42752, 42759, extraRare},
	{43360, 43391, extraRare},
	{44032, 55215, extraCommon},
	{55216, 55295, extraRare},
	{63744, 64255, extraRare},
	{65040, 65103, extraMark},
	{65281, 65376, extraCommon},
	{65377, 65500, extraMark},
	{65504, 65510, extraMark},
	{94176, 94207, extraFourAbove},
	{110576, 110959, extraFourAbove},
	{119648, 119665, extraThreeAbove},
	{127488, 127743, extraFourAbove},
	{131072, 195103, extraFourAbove},
	{196608, 210047, extraFourAbove},
}

// extraUnits is the extra weight of a character.
func extraUnits(r rune) int {
	i, found := slices.BinarySearchFunc(weightRanges, r, func(w weightRange, r rune) int {
		switch {
		case w.last < r:
			return -1
		case w.first > r:
			return 1
		}
		return 0
	})
	if !found {
		return 0
	}
	return weightRanges[i].extra
}
