package embed

import (
	_ "embed" // for the list
	"strings"
	"sync"
)

// stopList has the words, one a line, that say nothing about what a text is
// about. A longer list measured worse.
//
//go:embed data/builtin-stopwords.txt
var stopList string

// loadStopWords gives stopList as a set, made at the first use.
var loadStopWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(stopList) {
		words[w] = true
	}
	return words
})
