package selector

import (
	"context"
	"math"
	"slices"
)

// zeroGain is the share of F of everything up to which a gain counts as none.
const zeroGain = 1e-12

// search is one facility location under a budget: what is chosen from, and how
// ties are broken.
type search struct {
	*problem
	o     *objective
	total float64 // F of everything
	// twin says that two groups cover each other fully, so that the newer is
	// preferred where nothing else tells them apart; nil: never.
	twin func(a, b int) bool
}

// answer is a set of groups with its value.
type answer struct {
	groups []int // in order of choice, without the required
	value  float64
	tokens int
	capped bool // its last group was added without trying the others again
}

// outcome is the best of the four runs and the bound that they prove.
type outcome struct {
	answer
	bound float64
	alone []float64 // F of each group alone
	start *cover    // the required groups
}

// zero is the gain up to which a group adds nothing.
func (s *search) zero() float64 { return zeroGain * s.total }

// best runs the gain-per-token greedy, the gain greedy, the best single group
// and Greedy+Max and returns the best of the four.
//
// Guarantees: ratio with the best single group 1−1/√e (Khuller, Moss, Naor
// 1999), the better of ratio and gain ½(1−1/e) (Leskovec et al. 2007),
// Greedy+Max ½ (Yaroslavtsev, Zhou, Avdiukhin 2020).
func (s *search) best(ctx context.Context) (*outcome, error) {
	start := s.o.newCover()
	out := &outcome{bound: s.total, alone: slices.Clone(start.gain), start: start}
	for _, g := range s.must {
		start.add(g)
	}
	ratio, single, plus, err := s.run(ctx, start, perToken, &out.bound)
	if err != nil {
		return nil, err
	}
	gain, _, _, err := s.run(ctx, start, plainGain, &out.bound)
	if err != nil {
		return nil, err
	}
	out.answer = ratio
	within := zeroGain * max(1, s.total)
	for _, a := range []answer{gain, single, plus} {
		if a.value > out.value+within || a.value > out.value-within && a.tokens < out.tokens {
			out.answer = a
		}
	}
	return out, nil
}

// key orders the groups in a greedy.
type key func(gain float64, tokens int) float64

func plainGain(gain float64, _ int) float64 { return gain }

func perToken(gain float64, tokens int) float64 {
	if tokens == 0 {
		return math.Inf(1)
	}
	return gain / float64(tokens)
}

// run is a greedy from start by key, skipping what does not fit. It lowers
// bound by what each of its prefixes proves, and returns besides its answer the
// best single group and the best prefix with one more group (Greedy+Max).
func (s *search) run(ctx context.Context, start *cover, by key, bound *float64) (run, single, plus answer, err error) {
	c := start.clone()
	open := slices.Clone(s.free)
	room := s.room
	var sack knapsack
	for {
		if err := ctx.Err(); err != nil {
			return run, single, plus, err
		}
		value := c.value()
		*bound = min(*bound, value+sack.fill(s, c))
		run.value, run.tokens = value, s.room-room
		open = slices.DeleteFunc(open, func(g int) bool { return !s.slack.fits(s.groups[g].tokens, room) })
		if g := s.largest(c, open, plainGain); g >= 0 {
			one := answer{append(slices.Clone(run.groups), g), value + c.gain[g], run.tokens + s.groups[g].tokens, true}
			if len(run.groups) == 0 {
				single = one
			}
			if one.value > plus.value || plus.groups == nil {
				plus = one
			}
		}
		g := s.largest(c, open, by)
		if g < 0 {
			break
		}
		c.add(g)
		run.groups = append(run.groups, g)
		room -= s.groups[g].tokens
		open = slices.DeleteFunc(open, func(h int) bool { return h == g })
	}
	for _, a := range []*answer{&single, &plus} {
		if a.groups == nil {
			a.value = start.value()
		}
	}
	return run, single, plus, nil
}

// largest is the group of open with the greatest key among those that add
// something, or -1. Ties: gain, fewer tokens, the newer of twins, lower index.
func (s *search) largest(c *cover, open []int, by key) int {
	best, bestKey := -1, 0.0
	for _, g := range open {
		gain, tokens := c.gain[g], s.groups[g].tokens
		if gain <= s.zero() {
			continue
		}
		k := by(gain, tokens)
		switch {
		case best < 0 || k > bestKey:
			best, bestKey = g, k
		case k < bestKey || gain < c.gain[best]:
		case gain > c.gain[best] || tokens < s.groups[best].tokens:
			best = g
		case tokens == s.groups[best].tokens && s.twin != nil && s.twin(best, g):
			if s.groups[g].last() > s.groups[best].last() {
				best = g
			}
		}
	}
	return best
}

// knapsack is the scratch space of the fractional knapsack that bounds what a
// prefix may still gain.
type knapsack struct{ items []item }

type item struct {
	gain, ratio float64
	tokens      int
}

// fill is the value of the fractional knapsack of the gains of all free groups
// with the whole room as its capacity: no subset within the budget adds more to
// the set of c, by submodularity.
func (k *knapsack) fill(s *search, c *cover) float64 {
	k.items = k.items[:0]
	sum := 0.0
	for _, g := range s.free {
		gain, tokens := c.gain[g], s.groups[g].tokens
		switch {
		case gain <= 0:
		case tokens == 0:
			sum += gain
		default:
			k.items = append(k.items, item{gain, gain / float64(tokens), tokens})
		}
	}
	return sum + fractional(k.items, s.room)
}

// fractional is the greatest gain that fits into room where items may be cut.
// It partitions around a pivot ratio instead of sorting, which is linear.
func fractional(items []item, room int) float64 {
	sum := 0.0
	for len(items) > 0 && room > 0 {
		pivot := median(items[0].ratio, items[len(items)/2].ratio, items[len(items)-1].ratio)
		// items[:hi] are above the pivot, items[hi:lo] equal to it.
		hi, lo := 0, len(items)
		for i := 0; i < lo; {
			switch r := items[i].ratio; {
			case r > pivot:
				items[i], items[hi] = items[hi], items[i]
				hi++
				i++
			case r < pivot:
				lo--
				items[i], items[lo] = items[lo], items[i]
			default:
				i++
			}
		}
		above, tokens := 0.0, 0
		for _, it := range items[:hi] {
			above += it.gain
			tokens += it.tokens
		}
		if tokens > room {
			items = items[:hi]
			continue
		}
		sum += above
		room -= tokens
		for _, it := range items[hi:lo] {
			take := min(it.tokens, room)
			sum += it.ratio * float64(take)
			room -= take
		}
		items = items[lo:]
	}
	return sum
}

func median(a, b, c float64) float64 {
	return max(min(a, b), min(max(a, b), c))
}
