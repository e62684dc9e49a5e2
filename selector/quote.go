package selector

import (
	"slices"
	"strings"
	"unicode"

	"pacms/session"
)

const (
	// maxHolders is in how many candidates a quoted token may occur and still
	// point at one of them.
	maxHolders = 3
	// minCode and minWord are the least lengths, in bytes, of a token with
	// digits or joints in it and of a plain word.
	minCode, minWord = 3, 7
	// wordsNeeded is how many rare plain words must come from one candidate; one
	// alone is chance.
	wordsNeeded = 2
)

// Quote is something in an answer that only a few candidates say.
type Quote struct {
	// Text is the token, in lower case.
	Text string
	// Holders are the pool indices of the candidates that say it, ascending.
	Holders []int
}

// Quoted finds what an answer seems to have taken from the pool: numbers,
// identifiers and rare words of the answer that are neither in the question nor
// in what tools said during the run that led to the answer, and that at most a
// few candidates say. Run are the messages of that run. It is an estimate and a
// cautious one: the agent that answered may have had the token from elsewhere,
// and an answer in other words quotes nothing. Quotes come in the order of the
// answer.
func Quoted(p *session.Pool, answer string, run []session.Candidate) []Quote {
	index := make(map[string]int)
	var quotes []Quote
	eachToken(answer, func(tok string) {
		if _, seen := index[tok]; seen || !distinctive(tok) {
			return
		}
		index[tok] = len(quotes)
		quotes = append(quotes, Quote{Text: tok})
	})
	drop := func(tok string) { delete(index, tok) }
	eachToken(p.Query, drop)
	for i := range run {
		if run[i].Kind == session.Tool {
			eachToken(run[i].Text, drop)
		}
	}
	if len(index) == 0 {
		return nil
	}
	for i := range p.Candidates {
		eachToken(p.Candidates[i].Content(), func(tok string) {
			k, ok := index[tok]
			if !ok {
				return
			}
			if h := quotes[k].Holders; len(h) <= maxHolders && (len(h) == 0 || h[len(h)-1] != i) {
				quotes[k].Holders = append(quotes[k].Holders, i)
			}
		})
	}
	quotes = slices.DeleteFunc(quotes, func(q Quote) bool {
		return len(q.Holders) == 0 || len(q.Holders) > maxHolders || !code(q.Text) && len(q.Holders) > 1
	})
	words := make(map[int]int)
	for _, q := range quotes {
		if !code(q.Text) {
			words[q.Holders[0]]++
		}
	}
	return slices.DeleteFunc(quotes, func(q Quote) bool { return !code(q.Text) && words[q.Holders[0]] < wordsNeeded })
}

// Missed gives the pool indices, ascending, of the candidates that hold a quote
// of which no holder is kept.
func Missed(quotes []Quote, keeps func(i int) bool) []int {
	var missed []int
	for _, q := range quotes {
		if !slices.ContainsFunc(q.Holders, keeps) {
			missed = append(missed, q.Holders...)
		}
	}
	slices.Sort(missed)
	return slices.Compact(missed)
}

// eachToken calls f with every word of s in lower case: letters and digits,
// joined by the marks that join an identifier, a path or a number.
func eachToken(s string, f func(string)) {
	s = strings.ToLower(s)
	for len(s) > 0 {
		start := strings.IndexFunc(s, wordRune)
		if start < 0 {
			return
		}
		s = s[start:]
		end := strings.IndexFunc(s, func(r rune) bool { return !wordRune(r) && !strings.ContainsRune("_-./:", r) })
		if end < 0 {
			end = len(s)
		}
		f(strings.TrimRight(s[:end], "_-./:"))
		s = s[end:]
	}
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// code reports whether a token is a number or an identifier and no plain word.
func code(tok string) bool {
	return strings.ContainsFunc(tok, unicode.IsDigit) || strings.ContainsAny(tok, "_/.:")
}

func distinctive(tok string) bool {
	if code(tok) {
		return len(tok) >= minCode
	}
	return len(tok) >= minWord
}
