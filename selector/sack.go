package selector

import (
	"math"

	"pacms/selector/kernel"
)

// sack finds the least of the bounds that the prefixes of a greedy prove: F of the
// prefix and the fractional knapsack of all gains with the whole room as its
// capacity. No subset within the budget adds more to the prefix, by submodularity.
//
// Most prefixes are passed over: the groups whose ratio of gain to tokens was above
// the cut of an earlier knapsack fit into the room together, and what they still
// gain is not more than the knapsack of now. Where that does not come below the
// least bound so far, neither does the bound of the prefix.
type sack struct {
	tokens []float64 // by group; +∞ where it may not be chosen
	room   int
	cut    float64 // the ratio at which the last knapsack was full
	held   float64 // what the groups above the cut gained when last looked at
	lost   float64 // of the cover, at that time
	items  []item
}

// clearly is the share by which a bound must be above another so that rounding
// cannot have put it there: which prefixes are passed over, and where a run began,
// must not show in the least bound.
const clearly = 1 + 1e-12

func newSack(groups []group, free []int, room int) *sack {
	k := &sack{tokens: make([]float64, len(groups)), room: room, cut: math.MaxFloat64, items: make([]item, 0, len(free))}
	for g := range k.tokens {
		k.tokens[g] = math.Inf(1)
	}
	for _, g := range free {
		k.tokens[g] = float64(groups[g].tokens)
	}
	return k
}

// forget makes k ready for sets that do not have those in them that it was asked about.
func (k *sack) forget() { k.held, k.lost, k.cut = math.Inf(-1), 0, math.MaxFloat64 }

// lower returns the lesser of bound and the bound that the set of c proves. The
// sets that it is asked about grow.
func (k *sack) lower(c *cover, bound float64) float64 {
	if c.sum+k.held-(c.lost-k.lost) >= bound*clearly {
		return bound
	}
	gains, tokens := kernel.Above(c.gain, k.tokens, k.cut)
	if tokens <= float64(k.room) {
		k.held, k.lost = gains, c.lost
		if c.sum+gains >= bound*clearly {
			return bound
		}
	}
	return min(bound, c.sum+k.value(c, tokens))
}

// least is a number that the fractional knapsack of the gains of c is at least, close
// to it where cut is near the ratio at which the room is full; 0 says nothing of it.
//
// The knapsack grows concavely with the room, from 0 without any to all that is above
// the cut where there is room for these.
func (k *sack) least(c *cover, cut float64) float64 {
	if cut == 0 {
		return 0
	}
	gains, tokens := kernel.Above(c.gain, k.tokens, cut)
	if room := float64(k.room); tokens > room {
		gains *= room / tokens
	}
	return gains / clearly
}

// value is the fractional knapsack of the gains of c. It moves the cut, above which
// there are so many tokens now.
func (k *sack) value(c *cover, tokens float64) float64 {
	if tokens > float64(k.room) { // by rounding
		k.cut, tokens = math.MaxFloat64, 0
	}
	least := k.below(c.gain)
	k.items = k.items[:0]
	for g, gain := range c.gain {
		if t := k.tokens[g]; gain > least*t && !(gain > k.cut*t) {
			k.items = append(k.items, item{gain / t, int(t)})
		}
	}
	cut := critical(k.items, k.room-int(tokens))
	if cut < 0 { // all fit; below found no ratio, so that all were looked at
		cut = 0
	}
	gains, tokens := kernel.Above(c.gain, k.tokens, cut)
	// A little more, so that rounding puts no group above it that is not.
	k.held, k.lost, k.cut = gains, c.lost, cut*(1+1e-15)
	return gains + cut*(float64(k.room)-tokens)
}

// below is a ratio under the cut such that the groups above it fill the room; 0
// where none was found soon.
func (k *sack) below(gain []float64) float64 {
	const step, steps = 0.9, 4
	ratio := k.cut
	for range steps {
		if ratio == math.MaxFloat64 { // there was no knapsack yet
			return 0
		}
		ratio *= step
		if _, tokens := kernel.Above(gain, k.tokens, ratio); tokens > float64(k.room) {
			return ratio
		}
	}
	return 0
}

// item is a group in a knapsack.
type item struct {
	ratio  float64 // gain per token
	tokens int
}

// knapsack is the most that fits into room where items may be cut.
func knapsack(items []item, room int) float64 {
	cut := max(0, critical(items, room))
	sum := 0.0
	for _, it := range items {
		if it.ratio > cut {
			sum += it.ratio * float64(it.tokens)
			room -= it.tokens
		}
	}
	return sum + cut*float64(room)
}

// critical is the greatest ratio such that the items of at least that ratio do not
// all fit into room; -1 where all fit. It partitions around a pivot ratio instead of
// sorting, which is linear.
func critical(items []item, room int) float64 {
	for len(items) > 0 {
		pivot := median(items[0].ratio, items[len(items)/2].ratio, items[len(items)-1].ratio)
		// items[:hi] are above the pivot, items[hi:lo] equal to it.
		hi, lo := 0, len(items)
		above, equal := 0, 0
		for i := 0; i < lo; {
			switch it := items[i]; {
			case it.ratio > pivot:
				above += it.tokens
				items[i], items[hi] = items[hi], it
				hi++
				i++
			case it.ratio < pivot:
				lo--
				items[i], items[lo] = items[lo], it
			default:
				equal += it.tokens
				i++
			}
		}
		switch {
		case above > room:
			items = items[:hi]
		case above+equal > room:
			return pivot
		default:
			room -= above + equal
			items = items[lo:]
		}
	}
	return -1
}

func median(a, b, c float64) float64 {
	return max(min(a, b), min(max(a, b), c))
}
