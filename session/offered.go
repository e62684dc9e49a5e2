package session

// NotOffered lists the candidates that were said on the active branch before
// the turn at index i of Turns and that the host does not offer for it any more,
// as indices into Candidates, oldest first.
func (s *Session) NotOffered(i int) []int {
	t := &s.Turns[i]
	if s.Pools != nil || t.Branch != BranchActive {
		return nil
	}
	offered := make(map[int]bool)
	for _, sp := range t.Window {
		for c := sp.From; c < sp.To; c++ {
			offered[c] = true
		}
	}
	var left []int
	for _, sp := range t.Key {
		for c := sp.From; c < sp.To; c++ {
			if !offered[c] {
				left = append(left, c)
			}
		}
	}
	return left
}

// LastBoundary is the compaction or reset that decides what is offered for the
// turn at index i of Turns; nil where there was none.
func (s *Session) LastBoundary(i int) *Boundary {
	for ; i >= 0; i-- {
		if t := &s.Turns[i]; t.Branch == BranchActive && t.Boundary != nil {
			return t.Boundary
		}
	}
	return nil
}
