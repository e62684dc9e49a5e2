package selector

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pacms/selector/embed"
	"pacms/session"
)

const (
	// maxHolders is in how many candidates a quoted token may occur and still
	// point at one of them.
	maxHolders = 3
	// minCode and minWord are the least lengths, in bytes, of a token with
	// digits or joints in it and of a plain word.
	minCode, minWord = 3, 7
	// minNumber is the number of digits from which a bare number is as telling
	// as an identifier: 5433 is, 250 may be a price, a train or a delay.
	minNumber = 4
	// enough is the weight that the tokens which a candidate shares with an
	// answer must have together: one telling token, or two that may be chance.
	enough = 2
)

// quoted finds what an answer seems to have taken from the pool: numbers,
// identifiers and rare words of the answer that are neither in the question nor
// in what tools said during the run that led to the answer, and that at most a
// few candidates say. It is an estimate and a cautious one: the agent that
// answered may have had the token from elsewhere, and an answer in other words
// quotes nothing.
func quoted(p *session.Pool, l Later, traces []trace) []Need {
	known := []string{p.Query}
	for i := range l.Run {
		if l.Run[i].Kind == session.Tool {
			known = append(known, l.Run[i].Text)
		}
	}
	return pointers(Quoted, l.Answer, known, traces)
}

// pointers are the tokens of a text by which it points at a few candidates, and
// that are not known from other texts. They come in the order of the text; tokens
// that the same candidates hold are one need.
func pointers(sign Sign, text string, known []string, traces []trace) []Need {
	index := make(map[string]int)
	var quotes []Need
	eachToken(text, func(tok string) {
		if _, seen := index[tok]; seen || !distinctive(tok) {
			return
		}
		index[tok] = len(quotes)
		quotes = append(quotes, Need{Sign: sign, Text: tok})
	})
	for _, text := range known {
		if len(index) == 0 {
			return nil
		}
		eachToken(text, func(tok string) { delete(index, tok) })
	}
	if len(index) == 0 {
		return nil
	}
	for i := range traces {
		for _, tok := range traces[i].tokens {
			if k, ok := index[tok]; ok && len(quotes[k].Holders) <= maxHolders {
				quotes[k].Holders = append(quotes[k].Holders, i)
			}
		}
	}
	// A plain word points at something only where one candidate has it.
	quotes = slices.DeleteFunc(quotes, func(q Need) bool {
		return len(q.Holders) > maxHolders || !code(q.Text) && len(q.Holders) > 1
	})
	weight := make(map[int]int)
	for _, q := range quotes {
		for _, i := range q.Holders {
			weight[i] += telling(q.Text)
		}
	}
	var found []Need
	for _, q := range quotes {
		q.Holders = slices.DeleteFunc(q.Holders, func(i int) bool { return weight[i] < enough })
		same := func(f Need) bool { return slices.Equal(f.Holders, q.Holders) }
		if len(q.Holders) > 0 && !slices.ContainsFunc(found, same) {
			found = append(found, q)
		}
	}
	return found
}

// telling is the weight of a token: 2 where it can hardly be chance.
func telling(tok string) int {
	bare := strings.TrimFunc(tok, unicode.IsDigit) == ""
	if code(tok) && (!bare || len(tok) >= minNumber) {
		return 2
	}
	return 1
}

// eachToken calls f with every word of s in lower case: letters and digits,
// joined by the marks that join an identifier, a path or a number.
func eachToken(s string, f func(string)) {
	s = strings.ToLower(s)
	for at := 0; at < len(s); {
		kind, size := classAt(s, at)
		if kind != inWord {
			at += size
			continue
		}
		start, end := at, at
		for ; at < len(s); at += size {
			if kind, size = classAt(s, at); kind == apart {
				break
			}
			if kind == inWord {
				end = at + size
			}
		}
		f(s[start:end])
	}
}

// class is what a character is in a token.
type class uint8

const (
	apart  class = iota // in none
	joint               // in its middle
	inWord              // a letter or a digit
)

// ascii are the classes of the characters of one byte.
var ascii = func() (classes [utf8.RuneSelf]class) {
	for r := range classes {
		switch {
		case wordRune(rune(r)):
			classes[r] = inWord
		case strings.ContainsRune("_-./:", rune(r)):
			classes[r] = joint
		}
	}
	return classes
}()

// classAt is the class of the character of s that begins at a place, and its size.
func classAt(s string, at int) (class, int) {
	if b := s[at]; b < utf8.RuneSelf {
		return ascii[b], 1
	}
	r, size := utf8.DecodeRuneInString(s[at:])
	if wordRune(r) {
		return inWord, size
	}
	return apart, size
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// code reports whether a token is a number or an identifier and no plain word.
func code(tok string) bool {
	for i := range len(tok) {
		switch b := tok[i]; {
		case '0' <= b && b <= '9', b == '_', b == '/', b == '.', b == ':':
			return true
		case b >= utf8.RuneSelf:
			return strings.ContainsFunc(tok, unicode.IsDigit) || strings.ContainsAny(tok, "_/.:")
		}
	}
	return false
}

// distinctive reports whether a token may point at what says it: a number, an
// identifier, or a word of some length that is not an everyday one.
func distinctive(tok string) bool {
	if code(tok) {
		return len(tok) >= minCode
	}
	return len(tok) >= minWord && !embed.Everyday(tok)
}
