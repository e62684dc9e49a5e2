package selector

import (
	"slices"
	"strings"

	"pacms/session"
)

// sayAgain is the share of the content words of a sentence that a message must
// have to say it again.
const sayAgain = 0.5

// restated finds what the person says again in the next message, and what neither
// the question nor the run said: a sentence of a candidate of which half the
// content words are there, with a number, identifier or rare words that point at
// it, and with a word of the question or the answer, for else it is about
// something new.
func restated(p *session.Pool, l Later, traces []trace) []Need {
	known := []string{p.Query, l.Answer}
	for i := range l.Run {
		known = append(known, l.Run[i].Content())
	}
	pointing := pointers(Restated, l.Next, known, traces)
	if len(pointing) == 0 {
		return nil
	}
	said, about := wordsOf(l.Next), wordsOf(p.Query+"\n"+l.Answer)
	var needs []Need
	for _, n := range pointing {
		n.Holders = slices.DeleteFunc(n.Holders, func(i int) bool { return !saidAgain(p.Candidates[i].Text, n.Text, said, about) })
		same := func(o Need) bool { return slices.Equal(o.Holders, n.Holders) }
		if len(n.Holders) > 0 && !slices.ContainsFunc(needs, same) {
			needs = append(needs, n)
		}
	}
	return needs
}

// wordsOf are the words of a text that are not without content.
func wordsOf(text string) map[string]bool {
	set := make(map[string]bool)
	for w := range words(text) {
		if !contentless[w] {
			set[w] = true
		}
	}
	return set
}

// saidAgain reports whether a sentence of text that has a token is among the words
// that were said, with one of those that the turn was about.
func saidAgain(text, token string, said, about map[string]bool) bool {
	for sentence := range sentences(text) {
		if !strings.Contains(strings.ToLower(sentence), token) {
			continue
		}
		all := wordsOf(sentence)
		again, related := 0, false
		for w := range all {
			if said[w] {
				again++
				related = related || about[w]
			}
		}
		if related && float64(again) >= sayAgain*float64(len(all)) {
			return true
		}
	}
	return false
}

// sentences yields the lines of text, each cut behind the marks that end a
// sentence.
func sentences(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			for line != "" {
				end := len(line)
				for _, mark := range []string{". ", "! ", "? ", "; "} {
					if at := strings.Index(line, mark); at >= 0 {
						end = min(end, at+len(mark))
					}
				}
				if !yield(line[:end]) {
					return
				}
				line = line[end:]
			}
		}
	}
}
