package openclaw

import "pacms/session"

// aside is a message that no pool has: it is on a branch that was left, or kept
// from the model.
type aside struct {
	entry *entry
	turn  int // the number of the last turn that was begun before it was stored
}

// setAside lists the messages that are no candidates. A copy of a candidate, or of
// another one of them, is none of its own.
func (b *builder) setAside() {
	seen := make(map[uint64]bool, len(b.aside))
	ids := make(map[string]bool, len(b.aside))
	for _, a := range b.aside {
		e := a.entry
		if _, again := b.replayed(e); again || seen[e.msg.identity] {
			continue
		}
		seen[e.msg.identity] = true
		out := session.Aside{Why: session.OtherBranch}
		if e.msg.excluded {
			out.Why = session.Excluded
		}
		out.ID = b.freeID(e.id, ids)
		ids[out.ID] = true
		fillCandidate(&out.Candidate, e.msg)
		out.Time, out.Turn = e.msg.time, a.turn
		b.session.Aside = append(b.session.Aside, out)
	}
}
