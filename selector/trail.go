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
	cut    float64   // as of a stop, for the start
	near   *neighbours
}

// stop is a prefix of a trail whose cover is kept.
type stop struct {
	length int
	tokens int // of what was chosen
	cover  *cover
	cut    float64 // where the last knapsack of the cover was full; 0 before there was one
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
func (t *trail) leave(c *cover, open func() *queue, chosen []int, when []float64, tokens int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(chosen)
	if n < len(t.sums) {
		return
	}
	most := c.sum
	if g := open().top(c.gain, everything, math.MaxInt); g >= 0 {
		most += c.gain[g]
	}
	if n > 0 {
		t.chosen, t.when = append(t.chosen, chosen[n-1]), append(t.when, when[n-1])
		most = max(most, t.reach[n-1])
	}
	t.sums, t.reach = append(t.sums, c.sum), append(t.reach, most)
	if stopAt(n) {
		t.stops = append(t.stops, stop{length: n, tokens: tokens, cover: c.clone()})
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
// its knapsack is at least that of the second, since gains only fall. Most knapsacks
// are only bounded from below, by where the last one of the same stop was full.
func (t *trail) begin(k *sack, start *cover, bound float64) (s stop, least, reach float64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fitting := 0
	for fitting < len(t.stops) && t.stops[fitting].tokens <= k.room {
		fitting++
	}
	if fitting == 0 {
		return stop{}, 0, 0, false
	}
	stops := t.stops[:fitting]
	sacks := make([]stuffed, 1+fitting) // the first is of the start
	for i := range sacks {
		at := &sacks[i]
		at.sack, at.cover, at.cut = k, start, &t.cut
		if i > 0 {
			at.cover, at.cut = stops[i-1].cover, &stops[i-1].cut
		}
		at.value = k.least(at.cover, *at.cut)
	}
	// The last proves the least in most cases: then the others need not be exact.
	for i := fitting; i >= 0; i-- {
		if at := &sacks[i]; at.cover.sum+at.value < bound*clearly {
			bound = min(bound, at.cover.sum+at.exactly())
		}
	}
	for i := range stops {
		before := 0
		if i > 0 {
			before = stops[i-1].length
		}
		at := &sacks[i+1]
		if first := before + 1; first < stops[i].length &&
			t.sums[first]+at.value < bound*clearly && t.sums[first]+at.exactly() < bound*clearly {
			break
		}
		s, ok = stops[i], true
	}
	if !ok {
		return stop{}, 0, 0, false
	}
	return s, bound, t.reach[s.length-1], true
}

// stuffed is the knapsack of a cover: its value, or less than that.
type stuffed struct {
	sack  *sack
	cover *cover
	cut   *float64 // where the last knapsack of the cover was full
	value float64
	exact bool
}

// exactly is the value of the knapsack.
func (s *stuffed) exactly() float64 {
	if !s.exact {
		s.sack.cut = *s.cut
		if s.sack.cut == 0 {
			s.sack.cut = math.MaxFloat64
		}
		_, tokens := kernel.Above(s.cover.gain, s.sack.tokens, s.sack.cut)
		s.value, s.exact = s.sack.value(s.cover, tokens), true
		*s.cut = s.sack.cut
	}
	return s.value
}
