package tui

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"pacms/selector"
	"pacms/session"
	"pacms/themes"
	"pacms/tui/choices"
	"pacms/tui/grid"
	"pacms/tui/meter"
	"pacms/tui/paint"
)

// request is what a person wants to see: one turn, one strategy, one budget, and
// what is pinned and banned.
type request struct {
	turn     int // index in Session.Turns
	strategy selector.Strategy
	budget   int
	choices  *choices.Choices // never nil, and never changed
}

// equal reports whether both ask for the same picture.
func (r request) equal(o request) bool {
	return r.turn == o.turn && r.budget == o.budget && r.choices == o.choices && r.strategy.String() == o.strategy.String()
}

// picture is one complete answer to a request, made outside Update and never
// changed after it.
type picture struct {
	request
	number   int // of the turn
	prepared *selector.Prepared
	pool     *session.Pool
	sel      *selector.Selection

	// verdict is on the candidate that was under the cursor when the picture was
	// asked for; nil without candidates.
	verdict *selector.Verdict
	// relation is what that candidate has to do with others, nil: nothing.
	relation *relation
	// why is the whole reasoning about it, nil unless its page was open.
	why *selector.Why

	// numbers are what the screen calls the candidates, by pool index.
	numbers []int
	digits  int // of the highest of them
	// pinned says by pool index what a person pinned; nil: nothing.
	pinned []bool
	cells  []grid.Cell
	kinds  [themes.KindCount]meter.Sums
	// kept says by number what is kept.
	kept map[int]bool

	// ranked is set where the cells have their ranks, which only lanes need.
	ranked bool

	// since names what changed last: "turn 60", "lastk", "4.2k"; "" if nothing
	// was shown before.
	since string
	// changed are the pool indices of what came in or left, in pool order; in
	// and left count them, left with what is not offered any more.
	changed  []int
	in, left int

	// expected has the marks, of which unmet of this turn are not met.
	expected *choices.Choices
	unmet    int
	// needs are what the turn seems to need, missed those of which no holder is kept;
	// regained is set where something that it needs is kept.
	needs    []selector.Need
	missed   []selector.Need
	regained bool
	// lead is the need that the screen tells of: the first that is missed, else the
	// first that is marked; nil where the turn seems to need nothing.
	lead *selector.Need
}

// newPicture makes the picture of a selection and of what its turn needs; before
// is what was on screen, or nil.
func newPicture(r request, number int, prepared *selector.Prepared, sel *selector.Selection, needs []selector.Need, before *picture) *picture {
	pool := prepared.Pool
	p := &picture{
		request: r, expected: r.choices, number: number, prepared: prepared, pool: pool, sel: sel,
		numbers: make([]int, len(pool.Candidates)),
		cells:   make([]grid.Cell, len(pool.Candidates)),
		kept:    make(map[int]bool, len(sel.KeptIndices)),
	}
	for i := range pool.Candidates {
		cand := &pool.Candidates[i]
		p.numbers[i] = cand.Number
		if cand.Number == 0 {
			p.numbers[i] = i + 1
		}
		p.digits = max(p.digits, len(strconv.Itoa(p.numbers[i])))
		kind := uint8(max(slices.Index(session.Kinds, cand.Kind), 0))
		sums := &p.kinds[kind]
		sums.Offered++
		if sel.Keeps(i) {
			p.kept[p.numbers[i]] = true
			sums.Kept++
			sums.Tokens += cand.Tokens
		}
		p.cells[i] = grid.Cell{Kind: kind, Verdict: verdict(sel, i), Turn: cand.Turn, Tokens: cand.Tokens}
		if cand.Kind == session.Summary {
			p.cells[i].Turn = 0 // what it tells of was said in other turns
		}
	}
	p.pinned = p.chosen(p.choices.Pins)
	for i, banned := range p.chosen(p.choices.Bans) {
		p.cells[i].Banned = banned
	}
	p.compare(before)
	p.findNeeded(needs)
	return p
}

// chosen says by pool index which candidates are pinned or banned by ids, with all
// that shares their fate; nil where there are no ids.
func (p *picture) chosen(ids []string) []bool {
	if len(ids) == 0 {
		return nil
	}
	chosen := make([]bool, len(p.cells))
	groups := make(map[string]bool)
	for i := range chosen {
		c := &p.pool.Candidates[i]
		chosen[i] = slices.Contains(ids, c.ID)
		if chosen[i] && c.Group != "" {
			groups[c.Group] = true
		}
	}
	for i := range chosen {
		chosen[i] = chosen[i] || groups[p.pool.Candidates[i].Group]
	}
	return chosen
}

// indexOf is the pool index of a candidate by its id, -1 where it is not offered.
func (p *picture) indexOf(id string) int {
	return slices.IndexFunc(p.pool.Candidates, func(c session.Candidate) bool { return c.ID == id })
}

// find is the pool index of a candidate by its number, -1 where it is not offered.
func (p *picture) find(number int) int { return slices.Index(p.numbers, number) }

// findOrNewest is find for the cursor: a candidate that is not offered gives way
// to the newest one.
func (p *picture) findOrNewest(number int) int {
	if i := p.find(number); i >= 0 {
		return i
	}
	return max(len(p.numbers)-1, 0)
}

// verdict is the shape of the candidate at pool index i.
func verdict(sel *selector.Selection, i int) themes.Verdict {
	if !sel.Keeps(i) {
		return themes.Dropped
	}
	switch sel.Code(i) {
	case selector.Required, selector.Tail, selector.Pinned:
		return themes.Required
	default:
		return themes.Kept
	}
}

// rank orders the cells of a lane as the strategy ranks them; what a rule set
// aside comes last.
func (p *picture) rank() {
	p.ranked = true
	for i := range p.cells {
		p.cells[i].Rank = p.sel.Rank(i)
		if p.cells[i].Rank == 0 {
			p.cells[i].Rank = math.MaxInt
		}
		if p.cells[i].Verdict == themes.Required {
			p.cells[i].Rank = 0
		}
	}
}

// compare marks what is different from the picture before.
func (p *picture) compare(before *picture) {
	if before == nil {
		return
	}
	switch {
	case before.turn != p.turn:
		p.since = "turn " + strconv.Itoa(before.number)
	case before.strategy.String() != p.strategy.String():
		p.since = before.strategy.String()
	case before.choices != p.choices:
		p.since = "that pin or ban"
	default:
		p.since = "budget " + paint.Count(before.budget)
	}
	for i, number := range p.numbers {
		was := before.kept[number]
		switch now := p.kept[number]; {
		case now && !was:
			p.cells[i].Change = grid.In
			p.in++
		case was && !now:
			p.cells[i].Change = grid.Left
		default:
			continue
		}
		p.changed = append(p.changed, i)
	}
	for number := range before.kept {
		if !p.kept[number] {
			p.left++
		}
	}
}

// shifted is the picture with the numbers that candidates have now.
func (p *picture) shifted(s shift) *picture {
	if p == nil || s.by == 0 {
		return p
	}
	now := func(number int) int {
		if number > s.from {
			number += s.by
		}
		return number
	}
	q := *p
	q.numbers, q.kept = slices.Clone(p.numbers), make(map[int]bool, len(p.kept))
	for i, number := range p.numbers {
		q.numbers[i] = now(number)
	}
	for number, kept := range p.kept {
		q.kept[now(number)] = kept
	}
	return &q
}

// comparedWith is the picture with what is different from another one marked.
func (p *picture) comparedWith(before *picture) *picture {
	q := *p
	q.cells = slices.Clone(p.cells)
	q.compare(before)
	q.regained, q.lead = false, nil
	q.findNeeded(p.needs)
	return &q
}

// changes says in a sentence what came in and what left.
func (p *picture) changes() string {
	var parts []string
	for _, side := range []struct {
		n      int
		change grid.Change
		did    string
	}{{p.in, grid.In, "came in"}, {p.left, grid.Left, "left"}} {
		if side.n == 0 {
			continue
		}
		k := slices.IndexFunc(p.changed, func(i int) bool { return p.cells[i].Change == side.change })
		switch {
		case k >= 0 && side.n == 1:
			parts = append(parts, "#"+strconv.Itoa(p.numbers[p.changed[k]])+" "+side.did)
		case k >= 0:
			parts = append(parts, paint.Count(side.n)+" "+side.did+" (#"+strconv.Itoa(p.numbers[p.changed[k]])+" …)")
		default:
			parts = append(parts, paint.Count(side.n)+" "+side.did)
		}
	}
	return "budget " + paint.Count(p.budget) + ": " + strings.Join(parts, ", ")
}

// findNeeded marks what the turn needs. What is known from the story is marked
// in any case; an estimate only where it is dropped or has just come back.
func (p *picture) findNeeded(needs []selector.Need) {
	p.needs, p.missed = needs, selector.Missed(needs, p.sel.Keeps)
	for _, n := range p.missed {
		for _, i := range n.Holders {
			p.cells[i].Needed = true
		}
	}
	if len(p.missed) > 0 {
		p.lead = &p.missed[0]
	}
	for k, n := range needs {
		for _, i := range n.Holders {
			if !p.sel.Keeps(i) || n.Estimate() && p.cells[i].Change != grid.In {
				continue
			}
			p.cells[i].Needed, p.regained = true, true
			if p.lead == nil {
				p.lead = &needs[k]
			}
		}
	}
}

// cheapest is the pool index of the marked holder of a need with the fewest tokens:
// that alone would do.
func (p *picture) cheapest(n *selector.Need) int {
	best := -1
	for _, i := range n.Holders {
		if p.cells[i].Needed && (best < 0 || p.cells[i].Tokens < p.cells[best].Tokens) {
			best = i
		}
	}
	return max(best, 0)
}

// missing are the cheapest holders of all that is missed, each once.
func (p *picture) missing() []int {
	var missing []int
	for k := range p.missed {
		if i := p.cheapest(&p.missed[k]); !slices.Contains(missing, i) {
			missing = append(missing, i)
		}
	}
	return missing
}
