package selector

import (
	"context"

	"pacms/session"
)

// Use is a turn that seems to need a candidate.
type Use struct {
	// Turn is the index of the turn in Session.Turns.
	Turn int
	Need Need
}

// Uses finds the turns that seem to need a candidate, in the order of the turns
// given, for every candidate by its id.
func (h *Hindsight) Uses(ctx context.Context, turns []int, mode session.PoolMode) (map[string][]Use, error) {
	uses := make(map[string][]Use)
	for _, i := range turns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := h.session.Pool(i, mode)
		for _, n := range h.Needs(i, p) {
			for _, at := range n.Holders {
				id := p.Candidates[at].ID
				uses[id] = append(uses[id], Use{i, n})
			}
		}
	}
	return uses, nil
}

// Consequence is what becomes of a candidate in a turn that seems to need it.
type Consequence struct {
	// Turn is the number of the turn.
	Turn int
	Need Need
	Kept bool
}

// Sentence is Need.Sentence for the turn of the consequence.
func (c Consequence) Sentence(from int, live bool) string {
	return c.Need.Sentence(c.Turn, from, c.Kept, live)
}

// Consequence looks from one turn on, by its index, at the turns that seem to need
// the candidate with an id: the first that misses it, else the first that keeps
// it, else nil. A turn that drops it and keeps another that would do counts as
// neither.
func (w Walk) Consequence(ctx context.Context, uses []Use, from int, id string) (*Consequence, error) {
	var kept *Consequence
	for _, u := range uses {
		if u.Turn < from {
			continue
		}
		p, s, err := w.choose(ctx, u.Turn)
		if err != nil {
			return nil, err
		}
		c := &Consequence{Turn: w.Session.Turns[u.Turn].Number, Need: u.Need}
		at := indexOf(p.Pool, id)
		switch {
		case !u.Need.KeptBy(s.Keeps):
			return c, nil
		case kept == nil && at >= 0 && s.Keeps(at):
			c.Kept = true
			kept = c
		}
	}
	return kept, nil
}
