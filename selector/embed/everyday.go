package embed

import "strings"

// mostEveryday is how many of the commonest words of English count as everyday words.
const mostEveryday = 10_000

// Everyday reports whether a word in lower case is one of the 10,000 commonest of
// English, a function word among them, or is such words joined by hyphens: that two
// texts share it is likely to be chance. Of another language it knows no word.
func Everyday(word string) bool {
	ranks := loadRanks()
	for part := range strings.SplitSeq(word, "-") {
		rank, known := ranks[part]
		if !known || rank > mostEveryday {
			return false
		}
	}
	return true
}
