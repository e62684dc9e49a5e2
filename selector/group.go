package selector

import "pacms/session"

// group is what is kept or dropped as a whole: an assistant message with its
// tool calls and their results, or one candidate.
type group struct {
	members []int // pool indices, ascending
	tokens  int
}

// first is the lowest member, which breaks ties; last is the newest, which is
// the group's place in time.
func (g *group) first() int { return g.members[0] }
func (g *group) last() int  { return g.members[len(g.members)-1] }

// groupsOf splits a pool into groups, ordered by their first member, and says
// for each candidate which group it is in.
func groupsOf(cands []session.Candidate) (groups []group, of []int) {
	of = make([]int, len(cands))
	named := make(map[string]int)
	for i := range cands {
		c := &cands[i]
		at := len(groups)
		if c.Group != "" {
			if known, ok := named[c.Group]; ok {
				at = known
			} else {
				named[c.Group] = at
			}
		}
		if at == len(groups) {
			groups = append(groups, group{})
		}
		g := &groups[at]
		g.members = append(g.members, i)
		g.tokens += c.Tokens
		of[i] = at
	}
	return groups, of
}
