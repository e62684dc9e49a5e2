package selector

import "pacms/session"

// State is what becomes of a candidate in one turn.
type State string

// The states of a candidate.
const (
	StateKept       State = "kept"
	StateDropped    State = "dropped"
	StateNotOffered State = "not_offered" // it was said before, and the host does not offer it any more
)

// Cause is the reason code of the candidate at pool index i, or of the member of
// its group that decided. The pool is the one that was selected from.
func (s *Selection) Cause(i int, p *session.Pool) Code {
	if s.codes[i] != WithGroup {
		return s.codes[i]
	}
	for j := range p.Candidates {
		if p.Candidates[j].Group == p.Candidates[i].Group && s.codes[j] != WithGroup {
			return s.codes[j]
		}
	}
	return WithGroup
}
