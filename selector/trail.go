package selector

import (
	"math"
	"slices"
	"sync"

	"pacms/selector/kernel"
)

// trail is the beginning of a greedy as it goes while all that it wants fits: the
// same for every budget that has room for it. Runs leave on it what they computed,
// and later ones begin where nothing that a budget changes has happened yet. It is
// safe for concurrent use, and never changes what a run comes to.
type trail struct {
	mu     sync.Mutex
	chosen []int
	when   []float64 // the gain of each when it was chosen
	sums   []float64 // F of every prefix, from the empty one on
	reach  []float64 // up to every prefix, the most that it has with one more group
	stops  []stop    // ascending
	near   *neighbours
}

// stop is a prefix of a trail whose cover is kept.
type stop struct {
	length int
	tokens int // of what was chosen
	cover  *cover
}

// stopAt reports whether the cover of a prefix is kept: of the first ones, which
// change most, more than of the later.
func stopAt(length int) bool {
	step := 8
	for next := 64; length >= next && step < 256; next *= 2 {
		step *= 2
	}
	return length > 0 && length%step == 0
}

// leave records the prefix that c is the cover of, whose last choice is the last of
// chosen. Open has the groups that some budget may choose, by what they add.
func (t *trail) leave(c *cover, open *queue, chosen []int, when []float64, tokens int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(chosen)
	if n < len(t.sums) {
		return
	}
	most := c.sum
	if g := open.top(c.gain, everything); g >= 0 {
		most += c.gain[g]
	}
	if n > 0 {
		t.chosen, t.when = append(t.chosen, chosen[n-1]), append(t.when, when[n-1])
		most = max(most, t.reach[n-1])
	}
	t.sums, t.reach = append(t.sums, c.sum), append(t.reach, most)
	if stopAt(n) {
		t.stops = append(t.stops, stop{n, tokens, c.clone()})
	}
}

// longest is the last stop of the trail with what was chosen until then; start and
// nothing where there is none.
func (t *trail) longest(start *cover) (*cover, []int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.stops) == 0 {
		return start, nil
	}
	s := t.stops[len(t.stops)-1]
	return s.cover, slices.Clone(t.chosen[:s.length])
}

// everything has room for all groups.
func everything(int) bool { return true }

// upTo are the first choices of the trail with their gains, for the caller to go on
// from.
func (t *trail) upTo(length int) (chosen []int, when []float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.chosen[:length]), slices.Clone(t.when[:length])
}

// begin is the latest stop from which a run into the room of k may go on: what is
// chosen until then fits, and no prefix before can prove the least bound. It returns
// what the stops prove and what the prefixes before have at most with one more
// group; false where there is no such stop.
//
// A prefix between two stops has at least F of the one after the first stop, and
// its knapsack is at least that of the second, since gains only fall.
func (t *trail) begin(k *sack, start *cover, bound float64) (s stop, least, reach float64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	type proved struct{ stop, between float64 }
	var proofs []proved
	length, c := 0, start
	for i := -1; i < len(t.stops) && (i < 0 || t.stops[i].tokens <= k.room); i++ {
		if i >= 0 {
			length, c = t.stops[i].length, t.stops[i].cover
		}
		_, tokens := kernel.Above(c.gain, k.tokens, k.cut)
		value := k.value(c, tokens)
		between := math.Inf(1)
		if i >= 0 {
			before := 0
			if i > 0 {
				before = t.stops[i-1].length
			}
			if before+1 < length {
				between = t.sums[before+1] + value
			}
		}
		proofs = append(proofs, proved{c.sum + value, between})
		bound = min(bound, c.sum+value)
	}
	for i, p := range proofs {
		if p.between < bound*clearly {
			break
		}
		if i > 0 {
			s, ok = t.stops[i-1], true
		}
	}
	if !ok {
		return stop{}, 0, 0, false
	}
	return s, bound, t.reach[s.length-1], true
}
