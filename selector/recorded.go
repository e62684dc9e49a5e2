package selector

import "slices"

// Summary is the selection as far as its document and Keeps and Code tell: it holds
// nothing of the pool, and does not explain anything any more.
func (s *Selection) Summary() *Selection {
	summary := *s
	summary.why, summary.Candidates = nil, nil
	return &summary
}

// Codes gives the reason codes of the candidates, index by index. They are nil in a
// selection that was read from a document, until they are restored.
func (s *Selection) Codes() []Code { return slices.Clone(s.codes) }

// Restore gives a selection that was read from a document the reason codes that
// Codes gave of it, so that Keeps and Code tell of its candidates again.
func (s *Selection) Restore(codes []Code) {
	s.codes, s.kept = codes, make([]bool, len(codes))
	for _, i := range s.KeptIndices {
		if i >= 0 && i < len(codes) {
			s.kept[i] = true
		}
	}
}
