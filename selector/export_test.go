package selector

import "context"

// KeepCosines makes the engine keep all cosines of up to so many texts.
func (e *Engine) KeepCosines(texts int) { e.texts.limit = texts }

// CloseIn makes the engine look for the pairs that still count after so many choices.
func (e *Engine) CloseIn(chosen int) { e.closeAt = chosen }

// ReturnsAtWithin is ReturnsAt for pacms and pacms+ with another grid and other
// numbers of runs: for a candidate, and of them each way from the budget of opt.
func (p *Prepared) ReturnsAtWithin(ctx context.Context, opt Options, i, grid, most, steps int) (ReturnsAt, error) {
	s := p.newSampler(opt)
	s.most, s.steps = most, steps
	present, err := p.named(opt)
	if err != nil {
		return ReturnsAt{}, err
	}
	return s.returnsAt(ctx, p.of[i], spread(p.whole(), grid), present)
}

// OptimumFromNothing is the value of the exact optimum, found without help from
// what the strategy keeps.
func (p *Prepared) OptimumFromNothing(ctx context.Context, opt Options) (float64, error) {
	_, c, err := p.decide(ctx, opt)
	if err != nil {
		return 0, err
	}
	x := branching{search: c.located.search}
	err = x.all(ctx)
	return x.value, err
}
