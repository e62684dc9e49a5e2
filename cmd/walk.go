package cmd

import (
	"context"
	"fmt"
	"iter"

	"pacms/selector"
	"pacms/session"
	"pacms/testdata"
)

// walker selects for the turns of a session.
type walker struct {
	*plan
	engine  *selector.Engine
	session *session.Session
	story   *testdata.Story // nil without one
	// basis is the largest pool, in tokens.
	basis int
	// hindsight is what the turns turned out to need.
	hindsight *selector.Hindsight
}

func newWalker(p *plan, engine *selector.Engine, s *session.Session, story *testdata.Story) *walker {
	return &walker{
		plan: p, engine: engine, session: s, story: story,
		basis: s.LargestPool(p.mode), hindsight: hindsight(s, story),
	}
}

// hindsight is what the turns of s turned out to need; at the mark of a story that
// is not guessed.
func hindsight(s *session.Session, story *testdata.Story) *selector.Hindsight {
	h := selector.NewHindsight(s)
	if story != nil {
		if i, err := turnAt(s, story.Mark.Turn); err == nil {
			h.Name(i, story.Mark.Needed)
		}
	}
	return h
}

// outcome is one turn and what is kept of its pool.
type outcome struct {
	turn *session.Turn
	// pool, prepared and selection are nil where the turn is on a branch that was
	// left.
	pool      *session.Pool
	prepared  *selector.Prepared
	options   selector.Options
	selection *selector.Selection
	needs     []need
	// stable is how many leading tokens of what is kept are the same as in the turn
	// before; nil where there is none.
	stable *int
}

// needed are the needs of o without what became of them.
func (o *outcome) needed() []selector.Need {
	needs := make([]selector.Need, len(o.needs))
	for k := range o.needs {
		needs[k] = o.needs[k].Need
	}
	return needs
}

// stableSince is how many leading tokens of what is kept are the same as before.
func (o *outcome) stableSince(before *outcome) int {
	return selector.StablePrefix(before.pool, o.pool, before.selection.KeptIndices, o.selection.KeptIndices)
}

// walk selects for the turns at the given indices, one after the other.
func (w *walker) walk(ctx context.Context, turns []int) iter.Seq2[*outcome, error] {
	return func(yield func(*outcome, error) bool) {
		var before *outcome
		at := -1 // the index of before
		for _, i := range turns {
			o, err := w.choose(ctx, i)
			if previous := w.before(i); err == nil && o.pool != nil && previous >= 0 {
				if previous != at {
					before, err = w.only(ctx, previous)
					at = previous
				}
				if err == nil {
					stable := o.stableSince(before)
					o.stable = &stable
				}
			}
			if !yield(o, err) || err != nil {
				return
			}
			if w.asked(i) {
				before, at = o, i
			}
		}
	}
}

// choose selects for the turn at index i and finds what it needs.
func (w *walker) choose(ctx context.Context, i int) (*outcome, error) {
	o, err := w.only(ctx, i)
	if err == nil && o.pool != nil {
		o.needs = needsOf(o.selection, selector.Live(w.hindsight.Needs(i, o.pool), o.turn.Record, o.selection.Kept))
	}
	return o, err
}

// only selects for the turn at index i.
func (w *walker) only(ctx context.Context, i int) (*outcome, error) {
	o := &outcome{turn: &w.session.Turns[i], pool: w.session.Pool(i, w.mode)}
	if o.pool == nil {
		return o, nil
	}
	o.options = w.optionsFor(i, o.pool)
	var err error
	if o.prepared, err = w.prepare(ctx, w.engine, o.pool); err != nil {
		return nil, fmt.Errorf("turn %d: %w", o.turn.Number, err)
	}
	if o.selection, err = o.prepared.Select(ctx, o.options); err != nil {
		return nil, fmt.Errorf("turn %d: select: %w", o.turn.Number, err)
	}
	return o, nil
}

// optionsFor are what the pool of the turn at index i is selected from with.
func (w *walker) optionsFor(i int, pool *session.Pool) selector.Options {
	basis := w.basis
	if w.perTurn {
		basis = pool.Tokens()
	}
	return w.asRecorded(w.options(w.term(pool, basis)), w.session.Turns[i].Record)
}

// before is the index of the turn before the one at index i, as the screen walks
// them: on the active branch and asked by a person. It is -1 where there is none.
func (w *walker) before(i int) int {
	for i--; i >= 0; i-- {
		if w.asked(i) {
			return i
		}
	}
	return -1
}

// asked reports whether the turn at index i is on the active branch and was asked
// by a person.
func (w *walker) asked(i int) bool {
	t := &w.session.Turns[i]
	return t.Branch == session.BranchActive && t.Internal == ""
}

// prepare makes a pool ready for any strategy and budget.
func (p *plan) prepare(ctx context.Context, engine *selector.Engine, pool *session.Pool) (*selector.Prepared, error) {
	prepared, err := engine.Prepare(ctx, pool, selector.PrepareOptions{NoWiden: !p.widen, Progress: p.progress})
	if err != nil {
		return nil, fmt.Errorf("prepare the pool: %w", err)
	}
	return prepared, nil
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
	if why := s.WhyNoPool(); why != "" {
		return 0, fmt.Errorf("there is nothing to choose from in %s: %s", s.Source.Path, why)
	}
	last := -1
	for i := range s.Turns {
		t := &s.Turns[i]
		if t.Branch == session.BranchActive && (t.Internal == "" || last < 0 || s.Turns[last].Internal != "") {
			last = i
		}
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
	return 0, usagef("--turn %d: %s has %s", number, s.Source.Path, s.TurnNumbers())
}
