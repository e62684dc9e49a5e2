package tui

import (
	"pacms/selector"
	"pacms/session"
	"pacms/tui/paint"
)

// stock is a session with what is known of it without selecting.
type stock struct {
	session  *session.Session
	turns    []int  // indices of the turns that can be on screen, in order
	folded   string // how many turns of the host could be, as the footer says it
	basis    int    // tokens that the bar and percentages refer to
	capacity int    // candidates of the largest pool
	offered  []int  // tokens of the pool of each turn of the session
	// hindsight is what the turns turned out to need.
	hindsight *selector.Hindsight
}

// newStock looks through a session. The host's own turns are listed where internals
// is set.
func newStock(s *session.Session, mode session.PoolMode, internals bool) stock {
	k := stock{session: s, hindsight: selector.NewHindsight(s)}
	k.measure(mode)
	k.listTurns(internals)
	return k
}

// measure finds the sizes of the pools without building them.
func (k *stock) measure(mode session.PoolMode) {
	s := k.session
	k.offered = make([]int, len(s.Turns))
	k.basis, k.capacity = 0, 0
	sum := make([]int, len(s.Candidates)+1)
	for i := range s.Candidates {
		sum[i+1] = sum[i] + s.Candidates[i].Tokens
	}
	for i := range s.Turns {
		count := 0
		if s.Pools != nil {
			count, k.offered[i] = len(s.Pools[i].Candidates), s.Pools[i].Tokens()
		} else {
			for _, span := range spans(&s.Turns[i], mode) {
				count += span.To - span.From
				k.offered[i] += sum[span.To] - sum[span.From]
			}
		}
		k.basis, k.capacity = max(k.basis, k.offered[i]), max(k.capacity, count)
	}
}

// listTurns lists the turns that can be on screen. The host's own runs are left
// out unless they are asked for or nothing else is there.
func (k *stock) listTurns(internals bool) {
	k.turns, k.folded = k.turns[:0], paint.Count(k.internalTurns())+" folded"
	for _, all := range []bool{internals, true} {
		for i := range k.session.Turns {
			t := &k.session.Turns[i]
			if t.Branch == session.BranchActive && (all || t.Internal == "") {
				k.turns = append(k.turns, i)
			}
		}
		if len(k.turns) > 0 {
			return
		}
	}
}

// newest is the index of the newest turn that can be on screen.
func (k *stock) newest() int { return k.turns[len(k.turns)-1] }

// internalTurns is how many turns of the host itself could be on screen.
func (k *stock) internalTurns() int {
	n := 0
	for i := range k.session.Turns {
		if t := &k.session.Turns[i]; t.Internal != "" && t.Branch == session.BranchActive {
			n++
		}
	}
	return n
}
