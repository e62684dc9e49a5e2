package selector

import (
	"slices"

	"pacms/session"
)

// Hindsight knows of each turn of a session what its record shows to have been
// needed. It is safe for concurrent use once every need is named.
type Hindsight struct {
	later []Later
	named map[int]string
}

// NewHindsight reads the record of s.
func NewHindsight(s *session.Session) *Hindsight {
	h := &Hindsight{later: make([]Later, len(s.Turns)), named: make(map[int]string)}
	runs := make(map[int][]session.Candidate, len(s.Turns))
	for i := range s.Candidates {
		turn := s.Candidates[i].Turn
		runs[turn] = append(runs[turn], s.Candidates[i])
	}
	next := ""
	for i := len(s.Turns) - 1; i >= 0; i-- {
		t := &s.Turns[i]
		h.later[i] = Later{Answer: t.Answer, Run: runs[t.Number]}
		if t.Branch != session.BranchActive {
			continue
		}
		if t.Internal == "" {
			h.later[i].Next, next = next, t.Query
		}
		if b := t.Boundary; b != nil && b.Kind == "reset" {
			next = "" // another conversation
		}
	}
	return h
}

// Name says that the turn at index i needs the candidate with an id, and nothing
// else that could be guessed.
func (h *Hindsight) Name(i int, id string) { h.named[i] = id }

// Later is what is recorded of the turn at index i after its pool.
func (h *Hindsight) Later(i int) Later { return h.later[i] }

// Needs are what the turn at index i seems to need of its pool.
func (h *Hindsight) Needs(i int, p *session.Pool) []Need {
	id, ok := h.named[i]
	if !ok {
		return Needs(p, h.later[i])
	}
	at := slices.IndexFunc(p.Candidates, func(c session.Candidate) bool { return c.ID == id })
	if at < 0 {
		return nil
	}
	return []Need{{Sign: Named, Holders: []int{at}}}
}
