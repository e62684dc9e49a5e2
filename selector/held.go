package selector

import "sync"

// held is what selections from one pool leave for those that follow: what depends
// on neither the budget nor on pins is computed once. It never changes an answer.
type held struct {
	dense   memo[*dense]
	phi     memo[*sparse]   // by preset
	bases   memo[*base]     // by objective
	alike   memo[[][]int32] // by the cosine from which two are alike
	mmr     memo[*ranking]  // by what is ranked
	closest closest
	// samplers are by everything that is asked for but the budget: where the cursor
	// moves on, most runs of the item before serve the next one, too.
	samplers memo[*sampler]

	mu      sync.Mutex // guards what follows
	signals map[float64]*signals
	byAge   []int
}
