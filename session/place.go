package session

// Absence is why a message of the store is not in the pool of a turn; empty: it is.
type Absence string

// What can keep a message out of a pool.
const (
	// Compacted: a summary stands in its place.
	Compacted Absence = "compacted"
	// BeforeReset: a reset took it away.
	BeforeReset Absence = "reset"
	// OtherBranch: it was said on a branch that the host does not follow any more,
	// or the turn is on one.
	OtherBranch Absence = "other_branch"
	// HostPruned: the host leaves it out, as it does with an acknowledged poll and
	// with the result of a tool call that was compacted.
	HostPruned Absence = "host_pruned"
	// HostInjected: the host sends it itself, outside the budget.
	HostInjected Absence = "host_injected"
	// Excluded: it is marked as not for the model.
	Excluded Absence = "excluded"
	// NotInPool: a file of pools has it in other pools only.
	NotInPool Absence = "not_in_pool"
	// Asked: it is the question of the turn, which is sent in any case.
	Asked Absence = "asked"
	// SaidInTurn: it was said in the turn itself, after the question.
	SaidInTurn Absence = "said_in_turn"
	// SaidLater: it was said in a later turn.
	SaidLater Absence = "said_later"
)

// Unsaid reports whether what is absent had not been said when the turn began.
func (a Absence) Unsaid() bool { return a == Asked || a == SaidInTurn || a == SaidLater }

// Aside is a message of the store that is in no pool of any turn. Its Turn is that
// in which it was stored.
type Aside struct {
	Candidate
	// Why is OtherBranch or Excluded.
	Why Absence
}

// Place is where a message stands at one turn.
type Place struct {
	// Index is its index in the pool of the turn, -1 where it is not in it.
	Index int
	// Absence is why it is not; empty where it is.
	Absence Absence
	// Into is the number of the summary that stands in its place, 0 where there is
	// none.
	Into int
}

// Places knows where the messages of a session stand at each of its turns, in
// pools of one mode. It is safe for concurrent use.
type Places struct {
	session *Session
	mode    PoolMode
	cuts    []int       // indices of the turns with a boundary, on the active branch
	asked   map[int]int // by turn number, the candidate that asks
}

// NewPlaces returns the places of the messages of s.
func NewPlaces(s *Session, mode PoolMode) *Places {
	p := &Places{session: s, mode: mode, asked: make(map[int]int, len(s.Turns))}
	entries := make(map[string]int, len(s.Turns))
	for i := range s.Turns {
		t := &s.Turns[i]
		if t.Branch == BranchActive && t.Boundary != nil {
			p.cuts = append(p.cuts, i)
		}
		if t.EntryID != "" {
			entries[t.EntryID] = t.Number
		}
	}
	for c := range s.Candidates {
		if n, ok := entries[s.Candidates[c].ID]; ok {
			p.asked[n] = c
		}
	}
	return p
}

// spans are the spans of the pool of a turn.
func (p *Places) spans(t *Turn) []Span {
	if p.mode == PoolKey {
		return t.Key
	}
	return t.Window
}

// Of is where the candidate at index c of Candidates stands at the turn at index
// i of Turns.
func (p *Places) Of(i, c int) Place {
	t := &p.session.Turns[i]
	if t.Branch != BranchActive {
		return Place{Index: -1, Absence: OtherBranch}
	}
	if at := indexIn(p.spans(t), c); at >= 0 {
		return Place{Index: at}
	}
	if p.session.Pools != nil {
		return Place{Index: -1, Absence: NotInPool}
	}
	if a := p.unsaid(t, c); a != "" {
		return Place{Index: -1, Absence: a}
	}
	return p.gone(i, c)
}

// OfAside is where the message at index a of Aside stands at the turn at index i
// of Turns.
func (p *Places) OfAside(i, a int) Place {
	t, m := &p.session.Turns[i], &p.session.Aside[a]
	why := m.Why
	switch {
	case t.Branch != BranchActive:
		why = OtherBranch
	case m.Turn > t.Number:
		why = SaidLater
	case m.Turn == t.Number:
		why = SaidInTurn
	}
	return Place{Index: -1, Absence: why}
}

// unsaid says whether a candidate was said in or after a turn; empty where it was
// said before.
func (p *Places) unsaid(t *Turn, c int) Absence {
	said := p.session.Candidates[c].Turn
	asks, known := p.asked[t.Number]
	switch {
	case known && c == asks:
		return Asked
	case said > t.Number, said == 0 && known && c > asks:
		return SaidLater
	case said == t.Number:
		return SaidInTurn
	}
	return ""
}

// gone says what took a candidate away that was said before the turn at index i.
// Of several boundaries a reset counts, and else the last: its summary stands for
// those before it.
func (p *Places) gone(i, c int) Place {
	place := Place{Index: -1, Absence: HostPruned}
	if p.mode == PoolKey {
		return place
	}
	for _, k := range p.cuts {
		t := &p.session.Turns[k]
		if k > i {
			break
		}
		if p.unsaid(t, c) != "" {
			continue
		}
		if indexIn(t.Window, c) >= 0 {
			place = Place{Index: -1, Absence: HostPruned}
			continue
		}
		for b := t.Boundary; b != nil; b = b.Earlier {
			if place.Absence == HostPruned && p.outlived(b, c) {
				continue
			}
			if b.Kind == BoundaryReset {
				return Place{Index: -1, Absence: BeforeReset}
			}
			if b == t.Boundary || place.Absence == HostPruned {
				place = Place{Index: -1, Absence: Compacted, Into: b.Summary}
			}
		}
	}
	return place
}

// outlived reports whether a candidate lies in what a boundary kept, so that not
// the boundary took it away. A reset keeps only a conversation, and no boundary the
// summary of an earlier one.
func (p *Places) outlived(b *Boundary, c int) bool {
	switch p.session.Candidates[c].Kind {
	case Summary:
		return c+1 == b.Summary
	case User, Assistant, Tool:
		return b.KeptFrom > 0 && c+1 >= b.KeptFrom
	default:
		return b.KeptFrom > 0 && c+1 >= b.KeptFrom && b.Kind != BoundaryReset
	}
}

// indexIn is the index of candidate c among those of spans, -1 if it is not there.
func indexIn(spans []Span, c int) int {
	n := 0
	for _, sp := range spans {
		if sp.From <= c && c < sp.To {
			return n + c - sp.From
		}
		n += sp.To - sp.From
	}
	return -1
}
