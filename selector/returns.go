package selector

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

const (
	// gridSteps is into how many steps the budgets are cut where a strategy has to
	// be tried to know what it keeps.
	gridSteps = 256
	// mostSamples is at how many budgets it is tried for one candidate, the ends of
	// intervals aside; what is beyond the grid goes into the widest gaps.
	mostSamples = 512
	// gapsAtOnce is how many gaps are halved between two looks at the result. It is
	// fixed, so that the answer does not depend on the machine.
	gapsAtOnce = 8
	// mostSteps is at how many budgets above and below the present one it is tried,
	// each next to what the one before proves.
	mostSteps = 64
	// walkPieces is into how many pieces the budgets are cut to be walked at the
	// same time.
	walkPieces = 16
)

// Interval is a range of budgets in tokens, both ends included; To is −1 where
// there is no upper end. In JSON it is [from, to], with null for no upper end.
type Interval struct{ From, To int }

// MarshalJSON writes the interval as a pair.
func (iv Interval) MarshalJSON() ([]byte, error) {
	if iv.To < 0 {
		return fmt.Appendf(nil, "[%d,null]", iv.From), nil
	}
	return fmt.Appendf(nil, "[%d,%d]", iv.From, iv.To), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (iv *Interval) UnmarshalJSON(data []byte) error {
	var pair []*int
	if err := json.Unmarshal(data, &pair); err != nil {
		return fmt.Errorf("selector: an interval of budgets: %w", err)
	}
	if len(pair) != 2 || pair[0] == nil {
		return fmt.Errorf("selector: an interval of budgets is [from, to], not %s", data)
	}
	iv.From, iv.To = *pair[0], -1
	if pair[1] != nil {
		iv.To = *pair[1]
	}
	return nil
}

// ReturnsAt says at which budgets a candidate is kept.
type ReturnsAt struct {
	// Intervals are ascending and do not touch. Both sides of every end were run or
	// proved.
	Intervals []Interval `json:"intervals"`
	// Resolution is the greatest number of budgets in a row of which it is not
	// proved that the candidate fares there as it does on both sides: only an
	// interval or a hole as short as that may be missing. 0: the answer is exact.
	Resolution int `json:"resolution"`
}

// At reports whether the candidate is kept at a budget.
func (r ReturnsAt) At(budget int) bool {
	return slices.ContainsFunc(r.Intervals, func(iv Interval) bool {
		return iv.From <= budget && (iv.To < 0 || budget <= iv.To)
	})
}

// Otherwise are the budgets at which the candidate is dropped.
func (r ReturnsAt) Otherwise() ReturnsAt {
	out := ReturnsAt{Intervals: []Interval{}, Resolution: r.Resolution}
	next := 0
	for _, iv := range r.Intervals {
		if iv.From > next {
			out.Intervals = append(out.Intervals, Interval{next, iv.From - 1})
		}
		if iv.To < 0 {
			return out
		}
		next = iv.To + 1
	}
	out.Intervals = append(out.Intervals, Interval{next, -1})
	return out
}

// note adds that a candidate is kept, or not, at the budgets of a span that
// follows all before.
func (r *ReturnsAt) note(kept bool, s span) {
	if !kept {
		return
	}
	to := s.to
	if to == noSlack {
		to = -1
	}
	if n := len(r.Intervals); n > 0 && r.Intervals[n-1].To+1 >= s.from && r.Intervals[n-1].To >= 0 {
		r.Intervals[n-1].To = to
		return
	}
	r.Intervals = append(r.Intervals, Interval{s.from, to})
}

// ReturnsAt finds the budgets from 0 on at which the candidate at pool index i is
// kept. At the budget of opt itself they say what a selection under it does.
//
// What walks an order is followed through every budget exactly. pacms and pacms+
// are run at 257 budgets and more: every run proves a range of budgets, the ends
// of intervals are bisected, and further runs go into the widest gaps. From the
// budget of opt they are followed up to 64 such ranges up and down, or until the
// candidate fares otherwise: that end of the interval is exact.
func (p *Prepared) ReturnsAt(ctx context.Context, opt Options, i int) (ReturnsAt, error) {
	all, err := p.returnsAt(ctx, opt, []int{p.of[i]}, nil)
	if err != nil {
		return ReturnsAt{}, err
	}
	return all[0], nil
}

// ReturnsAtAll does for every candidate of the pool what ReturnsAt does for one.
// It tells each, unless that is nil, how many groups of how many are done.
func (p *Prepared) ReturnsAtAll(ctx context.Context, opt Options, each func(done, total int)) ([]ReturnsAt, error) {
	groups := make([]int, len(p.groups))
	for g := range groups {
		groups[g] = g
	}
	byGroup, err := p.returnsAt(ctx, opt, groups, each)
	if err != nil {
		return nil, err
	}
	all := make([]ReturnsAt, len(p.of))
	for i, g := range p.of {
		all[i] = byGroup[g]
	}
	return all, nil
}

func (p *Prepared) returnsAt(ctx context.Context, opt Options, groups []int, each func(done, total int)) ([]ReturnsAt, error) {
	pb, err := p.problem(opt.at(0))
	if err != nil {
		return nil, fmt.Errorf("selector: %w", err)
	}
	if each == nil {
		each = func(int, int) {}
	}
	if _, locates := pb.chooser().(locator); !locates {
		all, err := p.returnsExactly(ctx, opt, groups)
		each(len(groups), len(groups))
		return all, err
	}
	s, err := p.sampler(ctx, opt)
	if err != nil {
		return nil, err
	}
	present, err := p.named(opt)
	if err != nil {
		return nil, err
	}
	grid := spread(p.whole(), gridSteps)
	all := make([]ReturnsAt, len(groups))
	for k, g := range groups {
		switch pb.fate[g].code {
		case Required, Pinned: // at any budget
			all[k] = ReturnsAt{Intervals: []Interval{{0, -1}}}
		case "", TooLarge, Tail:
			if all[k], err = s.returnsAt(ctx, g, grid, present); err != nil {
				return nil, err
			}
		default: // set aside at any budget
			all[k] = ReturnsAt{Intervals: []Interval{}}
		}
		each(k+1, len(groups))
	}
	return all, nil
}

// returnsAt samples: first the grid and what is next to the present budget, then
// every gap in which the fate of group g changes until the change is pinned down,
// then the widest others.
func (s *sampler) returnsAt(ctx context.Context, g int, grid []int, present int) (ReturnsAt, error) {
	points, err := s.at(ctx, grid)
	if err != nil {
		return ReturnsAt{}, err
	}
	near, err := s.near(ctx, g, present)
	if err != nil {
		return ReturnsAt{}, err
	}
	points = slices.Concat(points, near)
	slices.SortFunc(points, byBudget)
	points = slices.CompactFunc(points, func(a, b *sample) bool { return a.budget == b.budget })
	// Everything fits from the last one on.
	last := *points[len(points)-1]
	last.to = noSlack
	points[len(points)-1] = &last
	for {
		middles := s.middles(points, g)
		if len(middles) == 0 {
			break
		}
		more, err := s.at(ctx, middles)
		if err != nil {
			return ReturnsAt{}, err
		}
		points = append(points, more...)
		slices.SortFunc(points, byBudget)
	}
	r := ReturnsAt{Intervals: []Interval{}}
	from := 0
	for k, p := range points {
		here := span{from, p.proves(g).to}
		if k+1 < len(points) {
			next := points[k+1]
			gap := span{here.to + 1, next.proves(g).from - 1}
			if next.kept.has(g) == p.kept.has(g) {
				r.Resolution = max(r.Resolution, gap.to-gap.from+1)
				here.to = next.budget - 1
			} else {
				here.to = min(here.to, next.budget-1)
			}
		}
		r.note(p.kept.has(g), here)
		if here.to == noSlack {
			break
		}
		from = here.to + 1
	}
	return r, nil
}

// middles are the budgets to try next for group g: the middle of every gap in
// which its fate changes; where there is none, the middles of the widest gaps
// that nothing proves, as long as runs are left.
func (s *sampler) middles(points []*sample, g int) []int {
	var changes []int
	var open []span
	for k, next := range points[1:] {
		p := points[k]
		gap := span{p.proves(g).to + 1, next.proves(g).from - 1}
		switch {
		case p.proves(g).to == noSlack || gap.from > gap.to:
		case p.kept.has(g) != next.kept.has(g):
			changes = append(changes, gap.from+(gap.to-gap.from)/2)
		default:
			open = append(open, gap)
		}
	}
	if len(changes) > 0 || len(points) >= s.most {
		return changes
	}
	slices.SortStableFunc(open, func(a, b span) int { return cmp.Compare(b.to-b.from, a.to-a.from) })
	var middles []int
	for _, gap := range open[:min(gapsAtOnce, len(open))] {
		middles = append(middles, gap.from+(gap.to-gap.from)/2)
	}
	return middles
}

// returnsExactly follows what walks an order through all budgets.
func (p *Prepared) returnsExactly(ctx context.Context, opt Options, groups []int) ([]ReturnsAt, error) {
	ends := spread(p.whole(), walkPieces)
	pieces := make([][]ReturnsAt, len(ends))
	err := together(ctx, len(ends), func(ctx context.Context, k int) (err error) {
		piece := span{ends[k], noSlack}
		if k+1 < len(ends) {
			piece.to = ends[k+1] - 1
		}
		pieces[k], err = p.walkBudgets(ctx, opt, groups, piece)
		return err
	})
	if err != nil {
		return nil, err
	}
	all := make([]ReturnsAt, len(groups))
	for k := range all {
		all[k].Intervals = []Interval{}
		for _, piece := range pieces {
			for _, iv := range piece[k].Intervals {
				s := span{iv.From, iv.To}
				if s.to < 0 {
					s.to = noSlack
				}
				all[k].note(true, s)
			}
		}
	}
	return all, nil
}

// walkBudgets goes through a range of budgets from one at which something before
// the walk changes to the next, and within through every step of the walk.
func (p *Prepared) walkBudgets(ctx context.Context, opt Options, groups []int, budgets span) ([]ReturnsAt, error) {
	out := make([]ReturnsAt, len(groups))
	for b := budgets.from; ; {
		pb, c, err := p.decide(ctx, opt.at(b))
		if err != nil {
			return nil, err
		}
		same := span{b, min(budgets.to, p.around(b, pb.outer).to)}
		for k, g := range groups {
			if c.walked == nil || pb.fate[g].code != "" {
				out[k].note(pb.isMust(g) || pb.fate[g].code == Fits, same)
			} else if at := slices.Index(c.walked, g); at >= 0 {
				if err := pb.walkTo(ctx, c.walked[:at+1], same, &out[k]); err != nil {
					return nil, err
				}
			}
		}
		if same.to == budgets.to {
			return out, nil
		}
		b = same.to + 1
	}
}

// walkTo notes at which budgets of a range a walk takes the last group of an
// order. The problem is the one of the lowest of them.
func (pb *problem) walkTo(ctx context.Context, order []int, budgets span, r *ReturnsAt) error {
	pending := pb.pending()
	base := max(0, budgets.from-pending)
	for b := budgets.from; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		room := pb.room + max(0, b-pending) - base
		s, taken := slack{noSlack, noSlack}, false
		for _, g := range order {
			if taken = s.fits(pb.groups[g].tokens, room); taken {
				room -= pb.groups[g].tokens
			}
		}
		same := span{b, min(budgets.to, pb.around(b, s).to)}
		r.note(taken, same)
		if same.to == budgets.to {
			return nil
		}
		b = same.to + 1
	}
}
