package embed

import "strings"

// stopWords are the words that say nothing about what a text is about. A longer
// list measured worse.
var stopWords = func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(`
		a about after all also am an and any are as at be because been before being
		but by can could d did do does doing don down for from further get got had has
		have having he her here hers him his how i if in into is it its just ll m me
		more most my no nor not now o of off on once only or other our out over own re
		s same she should so some such t than that the their them then there these they
		this those through to too under until up ve very was we were what when where
		which while who whom why will with would you your aren couldn didn doesn hadn
		hasn haven isn shouldn wasn weren won wouldn ours theirs yours`) {
		words[w] = true
	}
	return words
}()
