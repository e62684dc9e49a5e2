package session

// Pair puts each message that called tools and the results of those calls into
// one group, named after the calling message. Calls and results meet by
// position: a call arms its id, the next result with that id consumes it, so
// that an id may be used again later. A result whose id is empty or matches no
// call belongs to the message right before it (other results aside) where a call
// of that is still unanswered; the count of those is returned. A result without
// a call stays alone.
//
// Groups that the candidates already have win: a call or result without a group
// joins the one of its partner.
func Pair(cands []Candidate) (repaired int) {
	p := newPairing(cands)
	for i := range cands {
		if cands[i].Kind == Tool {
			p.matchID(i)
		} else {
			p.arm(i)
		}
	}
	caller := -1
	for i := range cands {
		switch {
		case cands[i].Kind != Tool:
			caller = i
		case caller >= 0 && !p.matched[i] && p.unanswered[caller] > 0:
			if p.join(caller, i) {
				repaired++
			}
		}
	}
	return repaired
}

// pairing is the state of one run of Pair.
type pairing struct {
	cands []Candidate
	// armed has, for each id, the messages with an unanswered call of that id,
	// the newest last.
	armed map[string][]int
	// unanswered is the number of unanswered calls of each message.
	unanswered []int
	// matched is true for each result that has found its call.
	matched []bool
	// taken has the names of the groups that came with the candidates.
	taken map[string]bool
}

func newPairing(cands []Candidate) *pairing {
	p := &pairing{
		cands:      cands,
		armed:      map[string][]int{},
		unanswered: make([]int, len(cands)),
		matched:    make([]bool, len(cands)),
		taken:      map[string]bool{},
	}
	for i := range cands {
		p.taken[cands[i].Group] = true
	}
	return p
}

// arm notes the calls of the message at i.
func (p *pairing) arm(i int) {
	c := &p.cands[i]
	calls := c.Calls
	if len(calls) == 0 && c.Tool != nil {
		calls = []ToolUse{*c.Tool}
	}
	p.unanswered[i] = len(calls)
	for _, call := range calls {
		if call.CallID != "" {
			p.armed[call.CallID] = append(p.armed[call.CallID], i)
		}
	}
}

// matchID joins the result at i to the nearest call of its id, if there is one.
func (p *pairing) matchID(i int) {
	tool := p.cands[i].Tool
	if tool == nil {
		return
	}
	if callers := p.armed[tool.CallID]; len(callers) > 0 {
		last := len(callers) - 1
		p.armed[tool.CallID] = callers[:last]
		p.join(callers[last], i)
	}
}

// join makes the result answer one call of the caller, and reports whether that
// changed a group.
func (p *pairing) join(caller, result int) bool {
	p.unanswered[caller]--
	p.matched[result] = true
	c, r := &p.cands[caller], &p.cands[result]
	switch {
	case c.Group != "" && r.Group != "":
		return false
	case r.Group != "":
		c.Group = r.Group
		return true
	case c.Group == "":
		c.Group = c.ID
		for p.taken[c.Group] {
			c.Group += "+"
		}
		p.taken[c.Group] = true
	}
	r.Group = c.Group
	return true
}
