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
	*base
	open []bool // by group: it may be chosen
	// columns are for both greedies, where they have to be computed.
	columns *columns
}

// search is the search of b for groups among open.
func (pb *problem) search(b *base, open []int) *search {
	s := &search{problem: pb, base: b, open: make([]bool, len(pb.groups))}
	for _, g := range open {
		s.open[g] = true
	}
	return s
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
	when  []float64 // the gain of each of groups when it was chosen
	bound float64
	cover *cover // the required groups and the answer
	// partial is true where the deadline came before the runs had ended.
	partial bool
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
	start, err := s.start(ctx, s.must)
	if err != nil {
		return nil, err
	}
	ratio, gain := s.greedy(perToken, &start.ratio), s.greedy(plainGain, &start.gain)
	ratio.extends = true
	if start.cover.far != nil {
		s.columns = s.Prepared.columns()
		defer func() { s.columns = nil }()
	}
	if err := together(ctx, 2, func(ctx context.Context, k int) error {
		return []*greedy{ratio, gain}[k].run(ctx, start.cover)
	}); err != nil {
		return nil, err
	}
	out := s.better(ratio, gain)
	if ratio.reach >= out.value-s.within() { // one of the prefixes passed over may be better with one more
		again := s.greedy(perToken, nil)
		again.extends = true
		if err := again.run(ctx, start.cover); err != nil {
			return nil, err
		}
		again.bound = ratio.bound
		ratio = again
		out = s.better(ratio, gain)
	}
	s.slack.meet(ratio.slack)
	s.slack.meet(gain.slack)
	return out, nil
}

// within is how far apart values are that count as equal.
func (s *search) within() float64 { return zeroGain * max(1, s.total) }

// better is the best of the four answers of two runs.
func (s *search) better(ratio, gain *greedy) *outcome {
	out := &outcome{
		answer: ratio.answer, when: ratio.when, cover: ratio.cover,
		bound: min(ratio.bound, gain.bound), partial: ratio.partial || gain.partial,
	}
	for _, c := range []struct {
		value  float64
		tokens int
		take   func()
	}{
		{gain.value, gain.tokens, func() { out.answer, out.when, out.cover = gain.answer, gain.when, gain.cover }},
		{ratio.single.value, ratio.single.tokens, func() { ratio.extended(&ratio.single, out) }},
		{ratio.plus.value, ratio.plus.tokens, func() { ratio.extended(&ratio.plus, out) }},
	} {
		if c.value > out.value+s.within() || c.value > out.value-s.within() && c.tokens < out.tokens {
			c.take()
		}
	}
	return out
}

// greedy is one run: by key, skipping what does not fit.
type greedy struct {
	*search
	by      key
	trail   *trail // nil: none to begin on
	extends bool   // look at every prefix with one more group
	slack   slack

	answer
	when    []float64
	cover   *cover
	room    int     // what is left
	bound   float64 // the least that a prefix proves
	partial bool
	// single is the best single group, plus the best prefix with one more group
	// (Greedy+Max); reach is the most that plus can be for prefixes passed over.
	single, plus extension
	reach        float64
}

func (s *search) greedy(by key, t *trail) *greedy {
	return &greedy{
		search: s, by: by, trail: t, slack: slack{noSlack, noSlack}, room: s.room, bound: s.total, reach: math.Inf(-1),
	}
}

// extension is a prefix of a run with one more group.
type extension struct {
	from   *cover // a prefix of it
	prefix int    // how many groups from has
	length int    // how many groups the extended prefix has
	group  int    // -1: none
	gain   float64
	value  float64
	tokens int
}

// checkpoint is how many choices lie between two covers that a run keeps, so that
// a prefix can be had again.
const checkpoint = 64

// fits compares with what is left of the room.
func (r *greedy) fits(tokens int) bool { return r.slack.fits(tokens, r.room) }

// run is a greedy from start, to its end or to the deadline of ctx.
func (r *greedy) run(ctx context.Context, start *cover) error {
	groups := r.problem.groups
	if r.extends {
		g, c := r.newest(greatest(plainGain, r.zero(), groups, r.free, start.gain, r.fits), start.gain), start
		if !start.exact() { // gains have to be computed
			c = r.withColumns(start.clone())
			largest := newQueue(plainGain, r.zero(), groups, r.free, c.gain)
			var err error
			if g, err = r.top(ctx, largest, c, r.fits); err != nil {
				return err
			}
		}
		r.extend(start, 0, g, c)
		r.single = r.plus
	}
	sack := newSack(groups, r.free, r.problem.room)
	from, prefix := r.begin(start, sack)
	c := r.withColumns(from.clone())
	r.cover = c
	gains := c.gain
	// What is too large for this budget is not for others, whose trail this is too.
	all := slices.DeleteFunc(r.everyGroup(), r.isMust)
	next := newQueue(r.by, r.zero(), groups, all, gains)
	onTrail := r.trail != nil
	var open *queue // all, by gain, once the trail asks for them
	offers := func() *queue {
		if open == nil {
			open = newQueue(plainGain, 0, groups, all, gains)
		}
		return open
	}
	fits := func(tokens int) bool {
		fits := r.fits(tokens)
		onTrail = onTrail && fits
		return fits
	}
	var largest *queue
	if r.extends && (c.exact() || r.trail == nil) {
		largest = newQueue(plainGain, r.zero(), groups, r.free, gains)
	}
	spare := &cover{} // its memory is for the next checkpoint
	for {
		if err := ctx.Err(); err != nil {
			if r.partial = late(err); !r.partial {
				return err
			}
			break
		}
		if err := r.closeIn(ctx, c); err != nil {
			if r.partial = late(err); !r.partial {
				return err
			}
			break
		}
		if onTrail {
			r.trail.leave(c, offers, r.groups, r.when, r.tokens)
		}
		r.bound = sack.lower(c, r.bound)
		switch {
		case !r.extends || largest != nil:
		case c.exact():
			from, prefix = c.clone(), len(r.groups)
			largest = newQueue(plainGain, r.zero(), groups, r.free, gains)
		default: // the gains are not too low
			for _, g := range r.free {
				r.reach = max(r.reach, c.sum+gains[g])
			}
		}
		if largest != nil {
			if len(r.groups)-prefix == checkpoint {
				if spare == r.plus.from || spare == r.single.from {
					spare = &cover{}
				}
				from, prefix = c.cloneInto(spare), len(r.groups)
				spare = from
			}
			g, err := r.top(ctx, largest, c, r.fits)
			if r.partial = err != nil; r.partial {
				if !late(err) {
					return err
				}
				break
			}
			r.extend(from, prefix, g, c)
		}
		g, err := r.top(ctx, next, c, fits)
		if err != nil && !late(err) {
			return err
		}
		if r.partial = err != nil; r.partial || g < 0 {
			break
		}
		r.groups, r.when = append(r.groups, g), append(r.when, gains[g])
		if err := c.add(ctx, g); err != nil {
			return err
		}
		r.room -= groups[g].tokens
		r.tokens += groups[g].tokens
	}
	r.value = c.value()
	return nil
}

// top is the group that q has first for the set of c, or -1.
func (r *greedy) top(ctx context.Context, q *queue, c *cover, fits func(tokens int) bool) (int, error) {
	for {
		g := q.top(c.gain, fits, r.room)
		if g < 0 || c.exact() {
			return r.newest(g, c.gain), nil
		}
		if stale, err := c.refresh(ctx, g, func() []int { return q.leading(rowsAtOnce) }); err != nil || !stale {
			return g, err
		}
	}
}

// withColumns lets a cover use the columns of the search.
func (s *search) withColumns(c *cover) *cover {
	if !c.exact() {
		c.columns = s.columns
	}
	return c
}

// begin goes along the trail as far as the budget allows; without one it stays at
// start.
func (r *greedy) begin(start *cover, k *sack) (*cover, int) {
	if r.trail == nil {
		return start, 0
	}
	s, bound, reach, ok := r.trail.begin(k, start, r.bound)
	k.forget()
	if !ok {
		return start, 0
	}
	r.groups, r.when = r.trail.upTo(s.length)
	r.bound, r.reach = bound, reach
	r.fits(s.tokens) // what was chosen last had the least room
	r.room, r.tokens = r.room-s.tokens, s.tokens
	return s.cover, s.length
}

// extend notes the prefix of c with group g where that is the best so far.
func (r *greedy) extend(from *cover, prefix, g int, c *cover) {
	e := extension{from, prefix, len(r.groups), g, 0, c.sum, r.tokens}
	if g >= 0 {
		e.gain = c.gain[g]
		e.value, e.tokens = e.value+e.gain, e.tokens+r.problem.groups[g].tokens
	}
	if r.plus.from == nil || g >= 0 && (r.plus.group < 0 || e.value > r.plus.value) {
		r.plus = e
	}
}

// newest is the group that a walk over all that are open, by index, ends with,
// where it goes from g to a newer twin that nothing else tells from it.
func (s *search) newest(g int, gains []float64) int {
	if g < 0 || s.twins == nil {
		return g
	}
	newer := func(h int32) bool {
		a, b := &s.groups[g], &s.groups[h]
		return int(h) > g && s.open[h] && gains[h] == gains[g] && b.tokens == a.tokens && b.last() > a.last()
	}
	for {
		twins := s.twins(g)
		k := slices.IndexFunc(twins, newer)
		if k < 0 {
			return g
		}
		g = int(twins[k])
	}
}

// extended makes an extension the outcome. It repeats at most a few choices.
func (r *greedy) extended(e *extension, out *outcome) {
	c := e.from.clone()
	out.groups, out.when = slices.Clone(r.groups[:e.length]), slices.Clone(r.when[:e.length])
	for _, g := range r.groups[e.prefix:e.length] {
		c.finish(g)
	}
	if e.group >= 0 {
		out.groups, out.when = append(out.groups, e.group), append(out.when, e.gain)
		c.finish(e.group)
	}
	out.cover, out.value, out.tokens, out.capped = c, e.value, e.tokens, e.group >= 0
}
