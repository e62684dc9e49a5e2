package selector

import (
	"strings"
	"unicode/utf8"

	"pacms/session"
)

// leastContent is the number of content words below which a question says too
// little by itself.
const leastContent = 2

// contentless are words that carry no topic: function words, and what people
// say to agree, refuse or go on.
var contentless = wordSet(`
a about after again all also am an and any are as at be been but by can could did do does doing done for from
get go going got had has have he her here him his how i if in into is it its just let lets like me more my no
not now of off on one or our out over please re s she should so some still t than that the their them then
there these they this those to too up us very was we were what when where which who why will with would you
your yes yeah yep nope ok okay sure thanks thank right great good nice fine continue proceed next again
`)

func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// contentWords counts the words of text that name a topic. In a script without
// spaces two characters count as a word.
func contentWords(text string) int {
	n, bare := 0, 0
	for w := range words(text) {
		r, size := utf8.DecodeRuneInString(w)
		switch {
		case size == len(w) && unsegmented(r):
			bare++
		case size == len(w), contentless[w]:
		default:
			n++
		}
	}
	return n + bare/2
}

// widen returns the query of a recorded turn with the user and the assistant
// message before it where the query says too little, and the ids it used.
func widen(pool *session.Pool) (query string, used []string) {
	if contentWords(pool.Query) >= leastContent {
		return pool.Query, nil
	}
	var user, assistant string
	for i := len(pool.Candidates) - 1; i >= 0 && user == ""; i-- {
		c := &pool.Candidates[i]
		if c.Internal != "" || strings.TrimSpace(c.Text) == "" {
			continue
		}
		switch {
		case c.Kind == session.Assistant && assistant == "":
			assistant, used = c.Text, append(used, c.ID)
		case c.Kind == session.User:
			user, used = c.Text, append(used, c.ID)
		}
	}
	if len(used) == 0 {
		return pool.Query, nil
	}
	return strings.Join([]string{user, assistant, pool.Query}, "\n"), used
}
