package selector

import (
	"context"
	"slices"
)

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

// Consequences looks at the turns of the walk from an index of Session.Turns on
// for those that seem to need the candidate with an id, and says of the first most
// of them whether they keep it. A need that another kept candidate serves is left
// out: nothing is lost there, and nothing gained.
func (w Walk) Consequences(ctx context.Context, h *Hindsight, id string, from, most int) ([]Consequence, error) {
	var found []Consequence
	for _, turn := range w.Turns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if turn < from {
			continue
		}
		p := w.Session.Pool(turn, w.Mode)
		at := indexOf(p, id)
		if at < 0 {
			continue
		}
		needs := slices.DeleteFunc(h.Needs(turn, p), func(n Need) bool { return !slices.Contains(n.Holders, at) })
		if len(needs) == 0 {
			continue
		}
		_, s, err := w.choose(ctx, turn)
		if err != nil {
			return nil, err
		}
		for _, n := range needs {
			if n.KeptBy(s.Keeps) && !s.Keeps(at) {
				continue
			}
			found = append(found, Consequence{w.Session.Turns[turn].Number, n, s.Keeps(at)})
			if len(found) == most {
				return found, nil
			}
		}
	}
	return found, nil
}
