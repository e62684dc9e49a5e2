package session

import "strings"

// Pair puts each message that called tools and the results of those calls into
// one group, named after the calling message. Calls and results meet by
// position: a call arms its id, the next result with that id consumes it, so
// that an id may be used again later; another result with that id stays with it.
//
// The result is the number of ids that had to be repaired: those that one message
// gave to several calls; those that match only in their letters and digits, for
// providers rewrite them; and those that are empty or match nothing, where the
// result belongs to the message right before it (other results aside) if a call
// of that, by the same tool, is still unanswered. A result without a call stays
// alone.
//
// Groups that the candidates already have win: a call or result without a group
// joins the one of its partner, and what is grouped needs no repair.
func Pair(cands []Candidate) (repaired int) {
	p := newPairing(cands)
	for i := range cands {
		if cands[i].Kind != Tool {
			p.arm(i)
		} else if p.matchID(i) {
			repaired++
		}
	}
	caller := -1
	for i := range cands {
		switch {
		case cands[i].Kind != Tool:
			caller = i
		case caller >= 0 && !p.matched[i] && p.matchPlace(caller, i):
			repaired++
		}
	}
	return repaired
}

// call is a tool call that is to be answered.
type call struct {
	caller   int // the index of the message that made it
	tool     string
	answered bool
}

// pairing is the state of one run of Pair.
type pairing struct {
	cands []Candidate
	// calls has the calls of each message.
	calls [][]*call
	// byID has the calls with an id in the newest message that used it; byPlain
	// the same for what plainID makes of the id.
	byID, byPlain map[string][]*call
	// matched is true for each result that has found its call.
	matched []bool
	// taken has the names of the groups that there are.
	taken map[string]bool
}

func newPairing(cands []Candidate) *pairing {
	p := &pairing{
		cands:   cands,
		calls:   make([][]*call, len(cands)),
		byID:    map[string][]*call{},
		byPlain: map[string][]*call{},
		matched: make([]bool, len(cands)),
		taken:   map[string]bool{},
	}
	for i := range cands {
		p.taken[cands[i].Group] = true
	}
	return p
}

// arm notes the calls of the message at i.
func (p *pairing) arm(i int) {
	c := &p.cands[i]
	uses := c.Calls
	if len(uses) == 0 && c.Tool != nil {
		uses = []ToolUse{*c.Tool}
	}
	for _, use := range uses {
		made := &call{caller: i, tool: use.Name}
		p.calls[i] = append(p.calls[i], made)
		addNewest(p.byID, use.CallID, made)
		addNewest(p.byPlain, plainID(use.CallID), made)
	}
}

// addNewest adds a call to those with its id, after forgetting the calls of
// earlier messages. An empty id is passed over.
func addNewest(calls map[string][]*call, id string, made *call) {
	if id == "" {
		return
	}
	if before := calls[id]; len(before) > 0 && before[0].caller != made.caller {
		calls[id] = nil
	}
	calls[id] = append(calls[id], made)
}

// plainID is what a provider that takes only letters and digits makes of an id.
func plainID(id string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, id)
}

// matchID joins the result at i to the call of its id, if there is one, and
// reports whether that was a repair.
func (p *pairing) matchID(i int) bool {
	tool := p.cands[i].Tool
	if tool == nil {
		return false
	}
	calls := p.byID[tool.CallID]
	sure := len(calls) == 1
	if len(calls) == 0 {
		calls = p.byPlain[plainID(tool.CallID)]
	}
	if len(calls) == 0 {
		return false
	}
	answers := calls[len(calls)-1]
	for _, c := range calls {
		if !c.answered {
			answers = c
			break
		}
	}
	return p.join(answers, i) && !sure
}

// matchPlace joins the result at i to the first unanswered call of the message
// before it that may be its own, and reports whether that was a repair.
func (p *pairing) matchPlace(caller, i int) bool {
	name := ""
	if tool := p.cands[i].Tool; tool != nil {
		name = tool.Name
	}
	for _, c := range p.calls[caller] {
		if !c.answered && (name == "" || c.tool == "" || name == c.tool) {
			return p.join(c, i)
		}
	}
	return false
}

// join makes the result at i answer a call, and reports whether that changed a
// group.
func (p *pairing) join(answers *call, i int) bool {
	answers.answered = true
	p.matched[i] = true
	c, r := &p.cands[answers.caller], &p.cands[i]
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
