package selector

import (
	"fmt"
	"slices"
	"strings"

	"pacms/session"
)

// allWarnings lists what a reader of the selection should know.
func (pb *problem) allWarnings(s *Selection, r *reasons) []session.Warning {
	if pb.reserved {
		pb.say("reserve_clamped", fmt.Sprintf("the reserve leaves nothing of the window; it was cut to %s", inTokens(pb.terms["reserve"].Value)), nil, 0)
	}
	if s.OverBudget {
		pb.warnOverBudget(s)
	}
	pb.warnOversize()
	if pb.asked && !pb.opt.Strategy.blind {
		pb.warnRelevance()
	}
	if ids := pb.idsOf(func(i int) bool { return r.drops[pb.of[i]].newer }); len(ids) > 0 {
		pb.say("newer_covered_by_older", fmt.Sprintf("%d dropped %s newer than what covers them, perhaps updates", len(ids), plural(len(ids), "item")), ids, len(ids))
	}
	if ids := pb.idsOf(func(i int) bool { return s.codes[i] == OrphanResult }); len(ids) > 0 {
		pb.say("orphan_tool_result", fmt.Sprintf("%d tool %s without a call", len(ids), plural(len(ids), "result")), ids, len(ids))
	}
	for i := range slices.Backward(s.KeptIndices) {
		c := &pb.Pool.Candidates[s.KeptIndices[i]]
		if c.Kind == session.Assistant {
			if c.ThinkingUnsigned {
				pb.say("thinking_unsigned", "the newest kept answer has a thinking block without text or signature, which a provider may refuse", []string{c.ID}, 0)
			}
			break
		}
	}
	for _, i := range pb.refused {
		c := &pb.Pool.Candidates[i]
		pb.say("ban_refused", fmt.Sprintf("%s is required and cannot be banned", c.Label(i)), []string{c.ID}, 0)
	}
	return append(slices.Clone(pb.warnings), pb.said...)
}

func (pb *problem) idsOf(is func(i int) bool) []string {
	var ids []string
	for i := range pb.of {
		if is(i) {
			ids = append(ids, pb.Pool.Candidates[i].ID)
		}
	}
	return ids
}

// warnOversize counts the groups that no choice could have kept.
func (pb *problem) warnOversize() {
	large := func(g int) bool { return pb.fate[g].code == TooLarge }
	groups := 0
	for g := range pb.groups {
		if large(g) {
			groups++
		}
	}
	if groups == 0 {
		return
	}
	ids := pb.idsOf(func(i int) bool { return large(pb.of[i]) })
	what := fmt.Sprintf("%d %s", len(ids), plural(len(ids), "item"))
	if groups < len(ids) {
		what = fmt.Sprintf("%d %s (%s)", groups, plural(groups, "exchange"), what)
	}
	limit := fmt.Sprintf("the budget of %s", inTokens(pb.budget))
	if pb.room < pb.budget {
		limit = fmt.Sprintf("the %s that the required items leave", inTokens(pb.room))
	}
	pb.say("oversize", what+" larger than "+limit, ids, groups)
}

// warnOverBudget names what is required, the largest first.
func (pb *problem) warnOverBudget(s *Selection) {
	ids := make([]int, len(s.KeptIndices))
	copy(ids, s.KeptIndices)
	cands := pb.Pool.Candidates
	slices.SortStableFunc(ids, func(a, b int) int { return cands[b].Tokens - cands[a].Tokens })
	var names, largest []string
	for k, i := range ids {
		names = append(names, cands[i].ID)
		if k < 3 {
			largest = append(largest, fmt.Sprintf("%s %s", cands[i].Label(i), session.Grouped(cands[i].Tokens)))
		}
	}
	text := fmt.Sprintf("what is required takes %s more than the budget of %s", inTokens(s.Tokens.Required-pb.budget), session.Grouped(pb.budget))
	if terms := pb.largestTerms(); terms != "" {
		text += " (the window goes to " + terms + ")"
	}
	if len(largest) > 0 {
		text += "; the largest: " + strings.Join(largest, ", ")
	}
	pb.say("over_budget", text, names, s.Tokens.Required-pb.budget)
}

// largestTerms names the two terms that take most of the window.
func (pb *problem) largestTerms() string {
	if _, ok := pb.terms["window"]; !ok {
		return ""
	}
	names := slices.DeleteFunc([]string{"system", "reserve", "tools", "pending"}, func(n string) bool { return pb.terms[n].Value == 0 })
	slices.SortStableFunc(names, func(a, b string) int { return pb.terms[b].Value - pb.terms[a].Value })
	for i, n := range names {
		names[i] = fmt.Sprintf("%s %s", n, session.Grouped(pb.terms[n].Value))
	}
	return strings.Join(names[:min(2, len(names))], " and ")
}

// warnRelevance says where the question matches nothing, or nothing much.
func (pb *problem) warnRelevance() {
	best, clients := 0.0, false
	for i, is := range pb.client {
		if is {
			best, clients = max(best, pb.relevance[i]), true
		}
	}
	switch {
	case !clients:
	case best == 0:
		pb.say("nothing_relevant", "nothing in the pool is like the question", nil, 0)
	case best < pb.noise:
		pb.say("weak_query", fmt.Sprintf("the best match to the question is %.2f, no more than two unrelated texts have", best), nil, 0)
	}
}
