// Package slider is the budget as a place on a bar.
package slider

// Scale lays Basis tokens over Width columns: the first column is 0, the last
// one Basis.
type Scale struct {
	Basis int
	Width int
}

// Column is the column of a number of tokens, the last one for more than Basis.
func (s Scale) Column(tokens int) int {
	if s.Width <= 1 || s.Basis <= 0 {
		return 0
	}
	return min(max((tokens*(s.Width-1)+s.Basis/2)/s.Basis, 0), s.Width-1)
}

// Tokens is the budget at a column; outside the bar it is that of its end.
func (s Scale) Tokens(column int) int {
	if s.Width <= 1 {
		return 0
	}
	return min(max(column, 0), s.Width-1) * max(s.Basis, 0) / (s.Width - 1)
}

// Step moves a budget by a percentage of the basis, at least one token, and
// never below 0 or from below the basis to above it.
func (s Scale) Step(tokens, percent int) int {
	by := s.Basis * percent / 100
	if by == 0 {
		by = max(min(percent, 1), -1)
	}
	return min(max(tokens+by, 0), max(s.Basis, tokens))
}
