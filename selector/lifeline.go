package selector

import (
	"context"
	"slices"

	"pacms/session"
)

// Moment is one turn in the life of a candidate.
type Moment struct {
	// Turn is the number of the turn, Index its index in Session.Turns.
	Turn  int   `json:"turn"`
	Index int   `json:"-"`
	State State `json:"state"`
	// Code is the reason of the verdict, or the session.Absence of a candidate that
	// is not offered.
	Code Code `json:"code"`
	// Into is the number of the summary that stands in its place, 0 without one.
	Into int `json:"into,omitempty"`
	// Covered is set where it is dropped because kept candidates cover it.
	Covered bool `json:"covered,omitempty"`
	// Cause is what changed the state since the moment before; empty where that
	// is the same, and in the first moment.
	Cause Cause `json:"cause,omitempty"`
	// By is the id of the newcomer that did it.
	By string `json:"by,omitempty"`
}

// CausedBy is what changed the state, in words: "another question", "#73 came".
func (m Moment) CausedBy(s *session.Session) string {
	switch m.Cause {
	case CauseQuery:
		return "another question"
	case CauseBudget:
		return "another budget"
	case CauseNewcomer:
		if i := slices.IndexFunc(s.Candidates, func(c session.Candidate) bool { return c.ID == m.By }); i >= 0 {
			return s.Candidates[i].Label(i) + " came"
		}
		return "a newcomer"
	case CausePool:
		return "the host offers something else"
	case CauseSeveral:
	}
	return "several causes together"
}

// Lifeline follows the candidate with an id over the turns of a walk, from the
// first that it could be offered for. The state in each turn is that of the turn's
// own selection; where it differs from the one before, the cause is found by
// running again with one thing changed at a time. Each is told of every moment
// as soon as it is known; it may be nil.
func (e *Engine) Lifeline(ctx context.Context, w Walk, id string, each func(Moment)) ([]Moment, error) {
	var moments []Moment
	var before *situation // that of the turn before, where the candidate was offered or not
	occurrence, stored := w.Session.Named(id)
	if !stored {
		return nil, nil
	}
	places := session.NewPlaces(w.Session, w.Mode)
	for _, turn := range w.Turns {
		now, err := w.situation(ctx, turn, id)
		if err != nil {
			return moments, err
		}
		m := Moment{Turn: w.Session.Turns[turn].Number, Index: turn, State: now.state()}
		var last *Moment
		if len(moments) > 0 {
			last = &moments[len(moments)-1]
		}
		if now.at >= 0 {
			m.Code, m.Covered = now.selection.Code(now.at), now.selection.Cause(now.at, now.pool) == CoveredBy
		} else {
			place := places.Find(turn, &occurrence)
			if place.Absence.Unsaid() || last == nil && place.Absence == session.NotInPool {
				continue
			}
			m.Code, m.Into = Code(place.Absence), place.Into
		}
		switch {
		case last == nil || last.State == m.State:
		case last.State == StateNotOffered || m.State == StateNotOffered:
			m.Cause = CausePool
		default:
			c := change{engine: e, id: id, was: before, is: now}
			if m.Cause, m.By, err = c.find(ctx); err != nil {
				return moments, err
			}
		}
		before = now
		moments = append(moments, m)
		if each != nil {
			each(m)
		}
	}
	return moments, nil
}

// situation is a turn as it was selected for, seen from one candidate.
type situation struct {
	pool      *session.Pool
	options   Options
	selection *Selection
	query     string // as it was embedded
	at        int    // the candidate's pool index, -1 where it is not offered
}

func (w Walk) situation(ctx context.Context, turn int, id string) (*situation, error) {
	p, s, err := w.choose(ctx, turn)
	if err != nil {
		return nil, err
	}
	query := p.Pool.Query
	if p.QuerySource == "widened" {
		query, _ = widen(p.Pool)
	}
	return &situation{p.Pool, w.Options(turn, p.Pool), s, query, indexOf(p.Pool, id)}, nil
}

func (s *situation) state() State {
	switch {
	case s.at < 0:
		return StateNotOffered
	case s.selection.Keeps(s.at):
		return StateKept
	default:
		return StateDropped
	}
}

// indexOf is the pool index of the candidate with an id, -1 where there is none.
func indexOf(p *session.Pool, id string) int {
	return slices.IndexFunc(p.Candidates, func(c session.Candidate) bool { return c.ID == id })
}
