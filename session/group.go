package session

// Pair puts each message that called tools and the results of those calls into
// one group, named after the calling message. Which result is of which call is
// what Answers says; a result without a call stays alone. The result is the
// number of ids that had to be repaired.
//
// Groups that the candidates already have win: a call or result without a group
// joins the one of its partner, and what is grouped needs no repair.
func Pair(cands []Candidate) (repaired int) {
	messages := make([]Exchange, len(cands))
	taken := make(map[string]bool)
	for i := range cands {
		messages[i] = exchange(&cands[i])
		taken[cands[i].Group] = true
	}
	answers := Answers(messages)
	// Results that have a group come first: theirs may become the caller's.
	for _, grouped := range []bool{true, false} {
		for i, a := range answers {
			if a.Message < 0 || (cands[i].Group != "") != grouped {
				continue
			}
			if join(&cands[a.Message], &cands[i], taken) && a.Repaired {
				repaired++
			}
		}
	}
	return repaired
}

// exchange is what pairing has to know of a candidate.
func exchange(c *Candidate) Exchange {
	switch {
	case c.Kind == Tool && c.Tool != nil:
		return Exchange{IsResult: true, Tool: c.Tool.Name, CallID: c.Tool.CallID}
	case c.Kind == Tool:
		return Exchange{IsResult: true}
	case len(c.Calls) == 0 && c.Tool != nil:
		return Exchange{Calls: []ToolUse{*c.Tool}}
	}
	return Exchange{Calls: c.Calls}
}

// join puts a result into the group of its caller, or the other way round, and
// reports whether that changed a group. taken has the names of all groups.
func join(caller, result *Candidate, taken map[string]bool) bool {
	switch {
	case caller.Group != "" && result.Group != "":
		return false
	case result.Group != "":
		caller.Group = result.Group
		return true
	case caller.Group == "":
		caller.Group = caller.ID
		for taken[caller.Group] {
			caller.Group += "+"
		}
		taken[caller.Group] = true
	}
	result.Group = caller.Group
	return true
}
