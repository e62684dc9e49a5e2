package cmd

import (
	"context"
	"fmt"
	"iter"

	"pacms/selector"
	"pacms/session"
	"pacms/testdata"
)

// outcome is one turn and what is kept of its pool.
type outcome struct {
	turn *session.Turn
	// pool and selection are nil where the turn was left behind by the host.
	pool      *session.Pool
	selection *selector.Selection
}

// walk selects for the turns of s at the given indices, one after the other.
func (p *plan) walk(ctx context.Context, engine *selector.Engine, s *session.Session, turns []int) iter.Seq2[*outcome, error] {
	basis := s.LargestPool(p.mode)
	return func(yield func(*outcome, error) bool) {
		for _, i := range turns {
			o, err := p.choose(ctx, engine, s, i, basis)
			if !yield(o, err) || err != nil {
				return
			}
		}
	}
}

// choose selects for the turn of s at index i; basis is the largest pool.
func (p *plan) choose(ctx context.Context, engine *selector.Engine, s *session.Session, i, basis int) (*outcome, error) {
	o := &outcome{turn: &s.Turns[i], pool: s.Pool(i, p.mode)}
	if o.pool == nil {
		return o, nil
	}
	if p.perTurn {
		basis = o.pool.Tokens()
	}
	selection, err := p.selectFrom(ctx, engine, o.pool, basis)
	if err != nil {
		return nil, fmt.Errorf("turn %d: %w", o.turn.Number, err)
	}
	o.selection = selection
	return o, nil
}

// selectFrom runs the strategy on one pool; basis is what a budget in percent is
// a share of.
func (p *plan) selectFrom(
	ctx context.Context, engine *selector.Engine, pool *session.Pool, basis int,
) (*selector.Selection, error) {
	prepared, err := engine.Prepare(ctx, pool, selector.PrepareOptions{NoWiden: !p.widen, Progress: p.progress})
	if err != nil {
		return nil, fmt.Errorf("prepare the pool: %w", err)
	}
	selection, err := prepared.Select(ctx, p.options(p.term(pool, basis)))
	if err != nil {
		return nil, fmt.Errorf("select: %w", err)
	}
	return selection, nil
}

// chosenTurns are the indices of the turns that a command prints: the one with
// the number that was asked for, or all.
func chosenTurns(s *session.Session, number int) ([]int, error) {
	if number == 0 {
		all := make([]int, len(s.Turns))
		for i := range all {
			all[i] = i
		}
		return all, nil
	}
	i, err := turnAt(s, number)
	return []int{i}, err
}

// turnToShow is the index of the turn that plain text shows: the one with the
// number that was asked for, else the one that the story marks, else the last
// that a person asked.
func turnToShow(s *session.Session, number int, story *testdata.Story) (int, error) {
	if number == 0 && story != nil {
		number = story.Mark.Turn
	}
	if number != 0 {
		return turnAt(s, number)
	}
	last := -1
	for i := range s.Turns {
		t := &s.Turns[i]
		if t.Branch == session.BranchActive && (t.Internal == "" || last < 0 || s.Turns[last].Internal != "") {
			last = i
		}
	}
	if last < 0 {
		return 0, fmt.Errorf("%s has no turn to show: nobody asked anything in it", s.Source.Path)
	}
	return last, nil
}

// turnAt is the index of the turn with a number.
func turnAt(s *session.Session, number int) (int, error) {
	for i := range s.Turns {
		if s.Turns[i].Number == number {
			return i, nil
		}
	}
	if len(s.Turns) == 0 {
		return 0, usagef("--turn %d: %s has no turns", number, s.Source.Path)
	}
	return 0, usagef("--turn %d: %s has turns %d to %d",
		number, s.Source.Path, s.Turns[0].Number, s.Turns[len(s.Turns)-1].Number)
}
