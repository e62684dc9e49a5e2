package selector

import (
	"context"
	"hash/maphash"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"
)

// gramWords is the number of words in a gram, minGrams the number of grams
// below which a text is too short for containment to say anything.
const (
	gramWords = 3
	minGrams  = 5
)

// gramSeed makes hashes of grams comparable within one process. Only equality
// of hashes is used, so that results do not depend on it.
var gramSeed = maphash.MakeSeed()

// wordGrams returns the sorted distinct hashes of the word 3-grams of text. A
// word is a lower-cased run of letters and digits; a character of a script
// written without spaces is a word of its own.
func wordGrams(text string) []uint64 {
	var grams []uint64
	var last [gramWords]string // the newest word stands at the end
	var h maphash.Hash
	h.SetSeed(gramSeed)
	seen := 0
	for word := range words(text) {
		copy(last[:], last[1:])
		last[gramWords-1] = word
		if seen++; seen < gramWords {
			continue
		}
		h.Reset()
		for _, w := range last {
			// Hash writes never fail; the separator keeps "ab c" and "a bc" apart.
			_, _ = h.WriteString(w)
			_ = h.WriteByte(0)
		}
		if len(grams) == cap(grams) && len(grams) >= gramsKept {
			// A long text says most things again: what is there twice goes before more
			// room is made.
			if grams = distinctGrams(grams); len(grams) > cap(grams)/2 {
				grams = slices.Grow(grams, cap(grams))
			}
		}
		grams = append(grams, h.Sum64())
	}
	if grams = distinctGrams(grams); len(grams) < cap(grams)/2 {
		grams = slices.Clone(grams) // they are kept as long as the session
	}
	return grams
}

// gramsKept is how many grams of a text are gathered before it is looked which are
// there twice.
const gramsKept = 1 << 12

func distinctGrams(grams []uint64) []uint64 {
	slices.Sort(grams)
	return slices.Compact(grams)
}

// words yields the words of text one after another: of a long text they would
// take many times its memory together.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := -1
		// flush yields the word that ends at end, if there is one.
		flush := func(end int) bool {
			if start < 0 {
				return true
			}
			word := strings.ToLower(text[start:end])
			start = -1
			return yield(word)
		}
		for i, r := range text {
			switch {
			case unsegmented(r):
				if !flush(i) || !yield(string(r)) {
					return
				}
			case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
				if start < 0 {
					start = i
				}
			default:
				if !flush(i) {
					return
				}
			}
		}
		flush(len(text))
	}
}

// unsegmented reports whether r belongs to a script written without spaces.
func unsegmented(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// containments calls yield for every pair i < j of places in ids, which must be
// distinct rows, whose containment is at least least: the grams that both texts
// have over those of the smaller one, which must have minGrams of them. It looks
// only at pairs that share a gram.
func containments(ctx context.Context, grams [][]uint64, ids []int, least float64, yield func(i, j int, k float64)) error {
	where := make(map[uint64][]int32)
	count := make([]int32, len(ids))
	var touched []int32
	looked := 0
	for j, id := range ids {
		if len(grams[id]) < minGrams {
			continue
		}
		touched = touched[:0]
		for _, g := range grams[id] {
			if looked++; looked%gramsAtOnce == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			for _, i := range where[g] {
				if count[i] == 0 {
					touched = append(touched, i)
				}
				count[i]++
			}
			where[g] = append(where[g], int32(j))
		}
		slices.Sort(touched)
		for _, i := range touched {
			k := float64(count[i]) / float64(min(len(grams[id]), len(grams[ids[i]])))
			if k >= least {
				yield(int(i), j, k)
			}
			count[i] = 0
		}
	}
	return nil
}

// gramsAtOnce is how many grams are looked up between two looks at the context.
const gramsAtOnce = 1000

// sharedShare is the containment of two candidates that the pool brings: as the texts
// gave it, where the pool says how many grams they have.
func (p *Prepared) sharedShare(i, j int) float64 {
	k := float64(p.shared[i][j])
	if p.counts == nil {
		return k
	}
	fewer := float64(min(p.counts[i], p.counts[j]))
	if fewer == 0 {
		return 0
	}
	return math.Round(k*fewer) / fewer
}

// eachContained calls yield for every pair of candidates with different texts
// whose containment is at least least.
func (p *Prepared) eachContained(ctx context.Context, least float64, yield func(i, j int, k float64)) error {
	if p.shared != nil {
		for i := range p.shared {
			if err := ctx.Err(); err != nil {
				return err
			}
			for j := range i {
				if k := p.sharedShare(i, j); k >= least {
					yield(j, i, k)
				}
			}
		}
		return nil
	}
	// Candidates with one text are one row of the space.
	places := make(map[int][]int)
	var distinct []int
	for i, r := range p.rows {
		if places[r] == nil {
			distinct = append(distinct, r)
		}
		places[r] = append(places[r], i)
	}
	return containments(ctx, p.space.grams, distinct, least, func(a, b int, k float64) {
		for _, i := range places[distinct[a]] {
			for _, j := range places[distinct[b]] {
				yield(i, j, k)
			}
		}
	})
}
