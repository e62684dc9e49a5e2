package session

// HostFile is a file that the host puts into the system prompt itself: outside
// the budget, and never a candidate.
type HostFile struct {
	Name   string `json:"name"`
	Tokens int    `json:"tokens"`
	Text   string `json:"-"`
}

// Remember offers the entries of a memory folder in every turn, before all that
// was said. A replay knows the memory only as it is today.
func (s *Session) Remember(entries []Candidate, host []HostFile) {
	s.Host = host
	if len(entries) == 0 || s.Pools != nil {
		return
	}
	span := Span{From: len(s.Candidates), To: len(s.Candidates) + len(entries)}
	s.Candidates = append(s.Candidates, entries...)
	for i := range s.Turns {
		t := &s.Turns[i]
		if t.Branch != BranchActive {
			continue
		}
		t.Window = append([]Span{span}, t.Window...)
		t.Key = append([]Span{span}, t.Key...)
	}
}
