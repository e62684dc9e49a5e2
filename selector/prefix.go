package selector

import (
	"fmt"

	"pacms/session"
)

// StablePrefix is how many leading kept tokens of now are the same as before, in
// the order of the pools: what a provider's prompt cache could reuse of them, if
// all that the host puts in front of them stays the same too. The kept indices
// are ascending.
func StablePrefix(before, now *session.Pool, keptBefore, keptNow []int) (tokens int) {
	for k, i := range keptNow[:min(len(keptNow), len(keptBefore))] {
		was, is := &before.Candidates[keptBefore[k]], &now.Candidates[i]
		if was.ID != is.ID || was.Tokens != is.Tokens || was.Content() != is.Content() {
			break
		}
		tokens += is.Tokens
	}
	return tokens
}

// PrefixSentence says of a number of kept tokens how many of them, from the first on,
// are the same as in a turn.
func PrefixSentence(same, kept, turn int) string {
	if same == 0 {
		return fmt.Sprintf("what is kept begins otherwise than in turn %d: a provider's prompt cache could reuse nothing of it", turn)
	}
	return fmt.Sprintf("the first %s of %s kept %s are as in turn %d: what a provider's prompt cache could reuse",
		session.Grouped(same), session.Grouped(kept), plural(kept, "token"), turn)
}
