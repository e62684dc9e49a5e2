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
	opt.Debug = false
	now, slack, err := p.run(ctx, opt)
	if err != nil {
		return 0, false, err
	}
	total := p.Pool.Tokens() + now.Tokens.Pending
	budget := now.Budget
	if opt.Budget.Source == "" {
		opt.Budget.Source = "step"
	}
	for {
		if dir > 0 {
			if slack.up == noSlack || budget > total {
				return 0, false, nil
			}
			budget += slack.up
		} else {
			if slack.down == noSlack || budget-slack.down < 0 {
				return 0, false, nil
			}
			budget -= slack.down
		}
		opt.Budget.Value = budget
		var s *Selection
		if s, slack, err = p.run(ctx, opt); err != nil {
			return 0, false, err
		}
		if !slices.Equal(s.KeptIndices, now.KeptIndices) {
			return budget, true, nil
		}
	}
}
