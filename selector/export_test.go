package selector

import "context"

// KeepCosines makes the engine keep all cosines of up to so many texts.
func (e *Engine) KeepCosines(texts int) { e.texts.limit = texts }

// ReturnsAtWithin is ReturnsAt for pacms and pacms+ with another grid and another
// number of runs.
func (p *Prepared) ReturnsAtWithin(ctx context.Context, opt Options, i, steps, most int) (ReturnsAt, error) {
	s := p.newSampler(opt)
	s.most = most
	return s.returnsAt(ctx, p.of[i], spread(p.whole(), steps))
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
