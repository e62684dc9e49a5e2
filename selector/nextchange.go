package selector

import (
	"context"
	"slices"
)

// NextChange is the nearest budget above (dir > 0) or below (dir < 0)
// opt.Budget.Value at which the kept set differs, and false where there is none.
//
// Every run says how far the budget can move before one of its comparisons with
// the budget comes out differently; nothing in between can differ, so that the
// search steps from one such budget to the next and misses none.
func (p *Prepared) NextChange(ctx context.Context, opt Options, dir int) (int, bool, error) {
	pb, c, err := p.decide(ctx, opt)
	if err != nil {
		return 0, false, err
	}
	budget := pb.named()
	now, same := pb.groupsKept(c), p.around(budget, *pb.slack)
	for {
		if dir > 0 {
			if same.to == noSlack {
				return 0, false, nil
			}
			budget = same.to + 1
		} else {
			if same.from == 0 {
				return 0, false, nil
			}
			budget = same.from - 1
		}
		s, err := p.sample(ctx, opt, budget)
		if err != nil {
			return 0, false, err
		}
		if !slices.Equal(s.kept, now) {
			return budget, true, nil
		}
		same = s.span
	}
}
