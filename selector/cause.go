package selector

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"pacms/session"
)

// Cause is what changed the state of a candidate from one turn to the next.
type Cause string

// The causes. Where several would have done alone, the first of them is told.
const (
	CauseQuery    Cause = "query"    // another question
	CauseBudget   Cause = "budget"   // another budget
	CauseNewcomer Cause = "newcomer" // something that was said since
	CausePool     Cause = "pool"     // something that the host does not offer any more, or offers again
	CauseSeveral  Cause = "several"  // only several of them together
)

// change is the step from one turn to the next in which the state of a candidate
// changed. Both turns offer it.
type change struct {
	engine  *Engine
	id      string
	was, is *situation

	newcomers [][]int // of is.pool, a group each, in the order of the pool
	leavers   []int   // of was.pool, ascending
}

// world is a turn made of two: each part is that of the turn before or, where it
// is set, that of the next.
type world struct {
	query, budget bool
	newcomers     int // how many of the groups that are new are there
	left          bool
}

// find runs the turn before with one part of the next at a time; the first that
// makes of the candidate what the next turn made of it is the cause. Where none
// does, the next turn is run with one part of the turn before at a time, and the
// first that undoes the change is the cause. By is the id of the newcomer.
func (c *change) find(ctx context.Context) (cause Cause, by string, err error) {
	if !c.comparable() {
		return CauseSeveral, "", nil
	}
	c.compare()
	old, next := world{}, world{true, true, len(c.newcomers), true}
	for _, from := range []world{old, next} {
		for _, cause := range []Cause{CauseQuery, CauseBudget, CauseNewcomer, CausePool} {
			with, changed := c.flip(from, cause)
			if !changed {
				continue
			}
			state, err := c.run(ctx, with)
			if err != nil {
				return "", "", err
			}
			if from == old && state != c.is.state() || from == next && state != c.was.state() {
				continue
			}
			if cause == CauseNewcomer {
				by, err = c.newcomer(ctx, from)
			}
			return cause, by, err
		}
	}
	return CauseSeveral, "", nil
}

// comparable reports whether a pool can be made of both: cosines that come with a
// pool are of that pool alone, and vectors of different lengths have none.
func (c *change) comparable() bool {
	a, b := c.was.pool, c.is.pool
	return a.Similarity == nil && b.Similarity == nil && hasVectors(a) == hasVectors(b) &&
		len(a.QueryEmbedding) == len(b.QueryEmbedding)
}

// compare finds what came and what left. A candidate that is not what it was has
// left and come.
func (c *change) compare() {
	was, is := c.was.pool.Candidates, c.is.pool.Candidates
	had := make(map[string]int, len(was))
	for i := range was {
		had[was[i].ID] = i
	}
	stays := make([]bool, len(was))
	_, of := groupsOf(is)
	unit := make(map[int]int)
	for i := range is {
		if j, ok := had[is[i].ID]; ok && sameCandidate(&was[j], &is[i]) {
			stays[j] = true
			continue
		}
		u, ok := unit[of[i]]
		if !ok {
			u = len(c.newcomers)
			unit[of[i]], c.newcomers = u, append(c.newcomers, nil)
		}
		c.newcomers[u] = append(c.newcomers[u], i)
	}
	for i := range was {
		if !stays[i] {
			c.leavers = append(c.leavers, i)
		}
	}
}

func sameCandidate(a, b *session.Candidate) bool {
	return a.Kind == b.Kind && a.Tokens == b.Tokens && a.Required == b.Required && a.Group == b.Group &&
		a.Internal == b.Internal && a.Content() == b.Content() && slices.Equal(a.Embedding, b.Embedding)
}

// flip takes one part of a world from the other turn; changed is false where both
// turns have the same.
func (c *change) flip(w world, part Cause) (flipped world, changed bool) {
	a, b := c.was, c.is
	switch part {
	case CauseQuery:
		w.query = !w.query
		return w, a.query != b.query || !slices.Equal(a.pool.QueryEmbedding, b.pool.QueryEmbedding)
	case CauseBudget:
		w.budget = !w.budget
		return w, !reflect.DeepEqual(limitsOf(a), limitsOf(b))
	case CauseNewcomer:
		w.newcomers = len(c.newcomers) - w.newcomers
		return w, len(c.newcomers) > 0
	case CausePool:
		w.left = !w.left
		return w, len(c.leavers) > 0
	case CauseSeveral:
	}
	return w, false
}

// limits are all that the budget is made of.
type limits struct {
	budget                                Term
	recorded, window, reserve, sys, tools *int
	pending                               []session.Pending
}

func limitsOf(s *situation) limits {
	p := s.pool
	return limits{s.options.Budget, p.Budget, p.Window, p.Reserve, p.System, p.Tools, p.Pending}
}

// run selects in a world and says what becomes of the candidate.
func (c *change) run(ctx context.Context, w world) (State, error) {
	query, budget := c.was, c.was
	if w.query {
		query = c.is
	}
	if w.budget {
		budget = c.is
	}
	pool := *c.is.pool
	pool.Candidates = c.merge(w)
	pool.Query, pool.QueryEmbedding = query.query, query.pool.QueryEmbedding
	l := limitsOf(budget)
	pool.Budget, pool.Window, pool.Reserve, pool.System, pool.Tools, pool.Pending = l.recorded, l.window, l.reserve, l.sys, l.tools, l.pending
	p, err := c.engine.Prepare(ctx, &pool, PrepareOptions{QueryExplicit: true})
	if err != nil {
		return "", fmt.Errorf("look for what changed %s: %w", c.id, err)
	}
	s, err := p.Select(ctx, budget.options)
	if err != nil {
		return "", fmt.Errorf("look for what changed %s: %w", c.id, err)
	}
	return (&situation{pool: &pool, selection: s, at: indexOf(&pool, c.id)}).state(), nil
}

// merge is the pool of a world: what both turns offer, the newcomers that it has,
// and the leavers unless they left, each before what followed it.
func (c *change) merge(w world) []session.Candidate {
	was, is := c.was.pool.Candidates, c.is.pool.Candidates
	absent := make([]bool, len(is)) // newcomers that are not there yet
	fresh := make([]bool, len(is))
	for u, members := range c.newcomers {
		for _, i := range members {
			fresh[i], absent[i] = true, u >= w.newcomers
		}
	}
	at := make(map[string]int, len(was))
	for i := range was {
		at[was[i].ID] = i
	}
	merged := make([]session.Candidate, 0, len(was)+len(is))
	leavers := c.leavers
	if w.left {
		leavers = nil
	}
	upTo := func(before int) {
		for len(leavers) > 0 && leavers[0] < before {
			merged, leavers = append(merged, was[leavers[0]]), leavers[1:]
		}
	}
	for i := range is {
		if !fresh[i] {
			upTo(at[is[i].ID])
		}
		if !absent[i] {
			merged = append(merged, is[i])
		}
	}
	upTo(len(was))
	return merged
}

// newcomer is the id of the first of a group that is new with whose arrival the
// state turned, where they arrive one after the other in the order of the pool.
func (c *change) newcomer(ctx context.Context, from world) (string, error) {
	before, after := 0, len(c.newcomers) // with so many it is as it was, and as it is
	for after-before > 1 {
		from.newcomers = (before + after) / 2
		state, err := c.run(ctx, from)
		if err != nil {
			return "", err
		}
		if state == c.was.state() {
			before = from.newcomers
		} else {
			after = from.newcomers
		}
	}
	return c.is.pool.Candidates[c.newcomers[before][0]].ID, nil
}
