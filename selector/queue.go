package selector

import "math"

// key orders the groups in a greedy, the greatest first.
type key func(gain float64, tokens int) float64

func plainGain(gain float64, _ int) float64 { return gain }

func perToken(gain float64, tokens int) float64 {
	if tokens == 0 {
		return math.Inf(1)
	}
	return gain / float64(tokens)
}

// offer is a group with the gain that it had when it was last looked at.
type offer struct {
	key, gain     float64
	tokens, group int
}

// before is the order of a greedy but for twins: key, gain, fewer tokens, lower
// index.
func (a *offer) before(b *offer) bool {
	switch {
	case a.key != b.key:
		return a.key > b.key
	case a.gain != b.gain:
		return a.gain > b.gain
	case a.tokens != b.tokens:
		return a.tokens < b.tokens
	}
	return a.group < b.group
}

// queue is a heap of offers whose gains fall behind its back. What comes to the
// top is compared with its present gain, and sinks where that is less: an offer is
// put right at most once between two changes of the gains, so that none can come
// up for ever.
type queue struct {
	by     key
	least  float64 // the gain up to which a group adds nothing
	offers []offer
	// misfits is how many offers did not fit since all were looked at.
	misfits int
}

// patience is the part of the offers, one in so many, that has to turn out not to fit
// until all are looked at for that: at the end of a budget none does, and to find out
// one by one takes a turn through the heap for each.
const patience = 16

func newQueue(by key, least float64, groups []group, offered []int, gain []float64) *queue {
	q := &queue{by: by, least: least, offers: make([]offer, 0, len(offered))}
	for _, g := range offered {
		if gain[g] > least {
			q.offers = append(q.offers, offer{by(gain[g], groups[g].tokens), gain[g], groups[g].tokens, g})
		}
	}
	q.arrange()
	return q
}

// end drops all offers where none of those that add something fits, which is known by
// the smallest of them.
func (q *queue) end(gain []float64, fits func(tokens int) bool, room int) {
	smallest := math.MaxInt
	for i := range q.offers {
		if o := &q.offers[i]; gain[o.group] > q.least {
			smallest = min(smallest, o.tokens)
		}
	}
	if smallest == math.MaxInt || smallest > room && !fits(smallest) {
		q.offers = q.offers[:0]
	}
}

// greatest is what the top of a new queue is, or -1.
func greatest(by key, least float64, groups []group, offered []int, gain []float64, fits func(tokens int) bool) int {
	best := offer{group: -1}
	for _, g := range offered {
		if !(gain[g] > least) || !fits(groups[g].tokens) {
			continue
		}
		if o := (offer{by(gain[g], groups[g].tokens), gain[g], groups[g].tokens, g}); best.group < 0 || o.before(&best) {
			best = o
		}
	}
	return best.group
}

// arrange makes the offers a heap.
func (q *queue) arrange() {
	for i := len(q.offers)/2 - 1; i >= 0; i-- {
		q.sink(i)
	}
}

// top is the group with the greatest key that adds something and fits into room, or -1.
// What does not will not do so later either, and leaves the queue.
func (q *queue) top(gain []float64, fits func(tokens int) bool, room int) int {
	for len(q.offers) > 0 {
		o := &q.offers[0]
		switch now := gain[o.group]; {
		case !(now > q.least): // a gain that is no number must not stay
			q.drop()
		case now != o.gain:
			o.gain, o.key = now, q.by(now, o.tokens)
			q.sink(0)
		case !fits(o.tokens):
			q.drop()
			if q.misfits++; q.misfits*patience > len(q.offers) {
				q.misfits = 0
				q.end(gain, fits, room)
			}
		default:
			return o.group
		}
	}
	return -1
}

// leading lists some groups that are at or near the top.
func (q *queue) leading(most int) []int {
	var groups []int
	for _, o := range q.offers[:min(most, len(q.offers))] {
		groups = append(groups, o.group)
	}
	return groups
}

// drop takes the first offer out.
func (q *queue) drop() {
	last := len(q.offers) - 1
	q.offers[0] = q.offers[last]
	q.offers = q.offers[:last]
	q.sink(0)
}

// sink restores the order below place i.
func (q *queue) sink(i int) {
	if i >= len(q.offers) {
		return
	}
	o := q.offers[i]
	for {
		child := 2*i + 1
		if child >= len(q.offers) {
			break
		}
		if child+1 < len(q.offers) && q.offers[child+1].before(&q.offers[child]) {
			child++
		}
		if !q.offers[child].before(&o) {
			break
		}
		q.offers[i] = q.offers[child]
		i = child
	}
	q.offers[i] = o
}
