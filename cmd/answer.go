package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"

	"pacms/selector"
	"pacms/session"
)

// answered is a selection from one pool, with what it was made from.
type answered struct {
	prepared  *selector.Prepared
	options   selector.Options
	selection *selector.Selection
}

// answer selects from one pool, for whoever asks: the command and the service give
// the same answer because it is made here. At a deadline it is the best that was found
// until then.
func (p *plan) answer(ctx context.Context, e *embedding, engine *selector.Engine, pool *session.Pool) (*answered, error) {
	prepared, err := p.prepare(ctx, engine, pool)
	deep := p.debug
	if errors.Is(err, context.DeadlineExceeded) {
		// What is left to do is short, and of no use to a client that has gone.
		ctx, deep = selector.Beyond(ctx), false
		prepared, err = engine.Unread(pool, selector.PrepareOptions{NoWiden: !p.widen})
	}
	if err != nil {
		return nil, err
	}
	a := &answered{prepared: prepared, options: p.options(p.term(pool, pool.Tokens()))}
	if a.selection, err = prepared.Select(ctx, a.options); err != nil {
		return nil, fmt.Errorf("select: %w", err)
	}
	if deep {
		best, ok, err := prepared.Optimum(ctx, a.options)
		switch {
		case errors.Is(err, context.DeadlineExceeded): // it is left out
		case err != nil:
			return nil, fmt.Errorf("select: %w", err)
		case ok:
			a.selection.Optimum = &best
		}
	}
	a.selection.Warnings = append(a.selection.Warnings, e.warnings()...)
	return a, nil
}

// findReturns adds to the selection the budgets of every item, and tells w how far it
// has come.
func (a *answered) findReturns(ctx context.Context, w *os.File) error {
	tell := progress(w, "exchanges have been run through all budgets")
	all, err := a.prepared.ReturnsAtAll(ctx, a.options, tell)
	if tell != nil {
		tell(0, 0) // an error may have left the line
	}
	if err != nil {
		return fmt.Errorf("select: %w", err)
	}
	for i := range all {
		a.selection.Candidates[i].ReturnsAt = &all[i]
	}
	return nil
}
