package selector

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"pacms/session"
)

// muchCovered is the share from which a keeper is named as the one that covers.
const muchCovered = 0.3

// reasons gives the verdicts on one selection. It is safe for concurrent use.
type reasons struct {
	pb     *problem
	c      *choice
	s      *Selection
	picked []Code         // by group: Selected or Fill
	drops  []drop         // by group, where it is free and was not picked
	index  map[string]int // by id; nil: not needed yet

	mu sync.Mutex // the explanations of a choice are computed when asked for
}

func newReasons(pb *problem, c *choice, s *Selection) *reasons {
	r := &reasons{
		pb: pb, c: c, s: s,
		picked: make([]Code, len(pb.groups)), drops: make([]drop, len(pb.groups)),
	}
	for _, g := range c.picked {
		r.picked[g] = Selected
	}
	for _, g := range c.fill {
		r.picked[g] = Fill
	}
	for _, g := range pb.free {
		if r.picked[g] == "" {
			r.drops[g] = c.drop(g)
		}
	}
	return r
}

// groupCode is the code of a group and the member that decided for it; -1:
// every member by itself.
func (r *reasons) groupCode(g int) (Code, int) {
	if f := r.pb.fate[g]; f.code != "" {
		return f.code, f.member
	}
	speaker := -1
	if len(r.pb.groups[g].members) > 1 && r.c.decides != nil {
		speaker = r.c.decides(g)
	}
	if code := r.picked[g]; code != "" {
		return code, speaker
	}
	return r.drops[g].code, speaker
}

// code is the reason code of candidate i.
func (r *reasons) code(i int) Code {
	code, speaker := r.groupCode(r.pb.of[i])
	if speaker < 0 || speaker == i || code == Required && r.pb.Pool.Candidates[i].Required {
		return code
	}
	return WithGroup
}

// verdict is everything there is to say about candidate i.
func (r *reasons) verdict(i int) Verdict {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := &r.pb.Pool.Candidates[i]
	g := r.pb.of[i]
	v := Verdict{
		ID: c.ID, Index: i, Kind: c.Kind, Tokens: c.Tokens, Group: c.Group, Kept: r.s.kept[i],
		Relevance: r.pb.relevance[i],
	}
	if r.c.score != nil {
		v.Score, v.Rank = r.c.score(g)+0, r.c.rank(g) // +0: no −0, which is what some sums come to
	}
	if r.c.gain != nil {
		v.Gain = r.c.gain(g)
	}
	v.Reason = r.reason(i, g)
	return v
}

// rank is the place of candidate i in the strategy's ranking, 0 without one.
func (r *reasons) rank(i int) int {
	if r.c.score == nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.c.rank(r.pb.of[i])
}

// ready computes the ranking ahead.
func (r *reasons) ready(ctx context.Context) error {
	if r.c.ready == nil {
		return nil
	}
	if err := r.c.ready(ctx); err != nil {
		return fmt.Errorf("selector: rank for %s: %w", r.pb.opt.Strategy, err)
	}
	return nil
}

// isReady reports whether the ranking is there.
func (r *reasons) isReady() bool { return r.c.ready == nil || r.c.isReady() }

func (r *reasons) reason(i, g int) Reason {
	code, speaker := r.groupCode(g)
	if r.code(i) == WithGroup {
		c := &r.pb.Pool.Candidates[speaker]
		return Reason{
			Code: WithGroup, By: []Share{{ID: c.ID}},
			Text: fmt.Sprintf("goes with %s: %s", c.Label(speaker), r.sentence(code, g)),
		}
	}
	return Reason{Code: code, By: r.by(code, g), Newer: r.drops[g].newer, Text: r.sentence(code, g)}
}

// by names the candidates that caused a reason.
func (r *reasons) by(code Code, g int) []Share {
	if code == CoveredBy {
		return r.shares(g)
	}
	causes := r.pb.fate[g].by
	if causes == nil {
		causes = r.drops[g].by
	}
	var by []Share
	for _, i := range causes {
		by = append(by, Share{ID: r.pb.Pool.Candidates[i].ID})
	}
	return by
}

// shares names the keepers of a group by the member that covers most by itself.
func (r *reasons) shares(g int) []Share {
	if r.c.located == nil {
		return nil
	}
	var shares []Share
	for _, p := range r.c.located.parts(g) {
		id := r.pb.Pool.Candidates[r.c.located.decides(p.keeper)].ID
		shares = append(shares, Share{ID: id, Share: p.share, Only: max(0, p.only)})
	}
	return shares
}

// sentence is the reason of a group in plain words with its numbers.
func (r *reasons) sentence(code Code, g int) string {
	tokens, left := r.pb.groups[g].tokens, r.pb.budget-r.s.Tokens.Kept
	strategy := r.pb.opt.Strategy.Name()
	switch code {
	case Required:
		return "required: " + r.pb.fate[g].cause
	case Tail:
		if r.pb.opt.Tail > 1 {
			return fmt.Sprintf("in one of the newest %d complete turns (rule tail)", r.pb.opt.Tail)
		}
		return "part of the newest complete turn (rule tail)"
	case Pinned:
		return "pinned"
	case Selected:
		return r.chosen(g)
	case Fill:
		return "fills what was left of the budget, by similarity to the question"
	case Fits:
		if aside := r.setAside(); aside != "" {
			return "all that may be chosen fits into the budget; " + aside
		}
		return "everything fits into the budget"
	case Budget:
		if r.s.OverBudget {
			return fmt.Sprintf("no room: what is required takes %s of %s", session.Grouped(r.s.Tokens.Required), inTokens(r.pb.budget))
		}
		return fmt.Sprintf("no room: %s, %s are left", r.needs(g), session.Grouped(left)) + r.wanted(g)
	case TooLarge:
		return fmt.Sprintf("too large: %s%s, the budget leaves %s for all that is not required", r.together(g, "takes "), inTokens(tokens), session.Grouped(max(0, r.pb.room)))
	case CoveredBy:
		return r.coveredText(g)
	case Irrelevant:
		return "irrelevant: nothing in it is like the question or like anything that is"
	case Rank:
		if r.pb.opt.Strategy.capped {
			return fmt.Sprintf("rank %d: %s takes only the %s nearest", r.c.rank(g), r.pb.opt.Strategy, session.Grouped(len(r.c.walked)))
		}
		return "the best set that was found does without it; it would still fit and add a little"
	case DuplicateOf:
		return "near-duplicate: " + r.names(r.by(code, g)) + " says the same and is newer"
	case Diversity:
		return "diversity: mmr took something less like what it already had; similarity alone would have kept it"
	case Older:
		newer, spent := r.newerKept(g)
		return fmt.Sprintf("older: %s spent %s of its %s on %d newer %s", recency(strategy), session.Grouped(spent), inTokens(r.pb.budget), newer, plural(newer, "item"))
	case Heartbeat:
		return r.repeated(g)
	case SupersededBy:
		return "superseded: the file was read again in " + r.names(r.by(code, g))
	case Empty:
		return "empty: nothing in it is visible"
	case OrphanResult:
		return "a tool result whose call is not in the pool"
	case Banned:
		return "banned"
	case WithGroup:
	}
	return string(code)
}

// repeated says which message of a family is offered in the place of group g, and
// what makes it a family: the host, or that its messages differ in digits alone.
func (r *reasons) repeated(g int) string {
	newest := r.pb.fate[g].by[0]
	name := r.pb.Pool.Candidates[newest].Label(newest)
	if r.pb.Pool.Candidates[newest].Internal != "" {
		return "an older poll: " + name + " is the newest of its kind"
	}
	members := 0
	for _, family := range r.pb.facts.polls {
		if slices.ContainsFunc(family, func(p poll) bool { return p.groups[0] == r.pb.of[newest] }) {
			members = len(family)
		}
	}
	what := "repeated message"
	if r.pb.Pool.Candidates[r.pb.groups[g].first()].Kind == session.Assistant {
		what = "answer to a repeated message"
	}
	return fmt.Sprintf("%s: of %d that differ in digits alone only the newest is offered, %s", what, members, name)
}

// setAside says how many candidates were not to be chosen from, and why; nothing where
// all were.
func (r *reasons) setAside() string {
	rules, bans, large := 0, 0, 0
	for g := range r.pb.groups {
		n := len(r.pb.groups[g].members)
		switch r.pb.fate[g].code {
		case Heartbeat, SupersededBy, Empty, OrphanResult:
			rules += n
		case Banned:
			bans += n
		case TooLarge:
			large += n
		default: // it was to be chosen from
		}
	}
	var parts []string
	for _, p := range []struct {
		n  int
		by string
	}{{rules, "by rules"}, {bans, "by bans"}, {large, "as too large"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.by))
		}
	}
	are := " are set aside "
	if rules+bans+large == 1 {
		are = " is set aside "
	}
	return strings.Replace(strings.Join(parts, ", "), " ", are, 1)
}

// recency names lastk where another strategy fell back to it.
func recency(strategy string) string {
	if strategy == lastk.name {
		return strategy
	}
	return "lastk, for want of a question,"
}

func (r *reasons) chosen(g int) string {
	if r.c.chosen != nil {
		return "chosen: " + r.c.chosen(g, r.place(g))
	}
	if r.c.rank == nil {
		return fmt.Sprintf("chosen: taken as number %d", r.place(g))
	}
	return fmt.Sprintf("chosen: rank %d, taken as number %d", r.c.rank(g), r.place(g))
}

// place is the group's place in the order of choice, from 1.
func (r *reasons) place(g int) int {
	for k, h := range r.c.picked {
		if h == g {
			return k + 1
		}
	}
	return 0
}

// coveredText names who covers the group where somebody covers much of it, and
// else how little it would add beside the last one that was chosen.
func (r *reasons) coveredText(g int) string {
	l := r.c.located
	shares := r.shares(g)
	text := r.coveredShare(g)
	switch {
	case len(shares) > 0 && shares[0].Share >= muchCovered:
		var names []string
		for _, s := range shares[:min(2, len(shares))] {
			names = append(names, r.label(s.ID)+" "+percent(s.Share))
		}
		text += ": " + strings.Join(names, ", ")
	case len(shares) > 1:
		text = fmt.Sprintf("covered: %s of what it would add is spread over %d kept items, most in %s", percent(l.covered(g)), len(shares), r.label(shares[0].ID))
	}
	if adds := l.perThousand(g); adds > 0 && l.last > 0 {
		text += r.beside(g)
	}
	if r.drops[g].newer {
		text += "; it is newer than what covers it, perhaps an update"
	}
	return text
}

// beside is what a group would add per token beside the last one that was chosen.
func (r *reasons) beside(g int) string {
	l := r.c.located
	return fmt.Sprintf("; per 1,000 tokens it would add %s, the last chosen added %s", fine(l.perThousand(g)), fine(l.last))
}

// wanted is beside for a group that a facility location had chosen, had it fitted.
func (r *reasons) wanted(g int) string {
	if l := r.c.located; l == nil || l.last == 0 || !l.squeezed(g) {
		return ""
	}
	return r.beside(g)
}

// needs says how many tokens a group needs, and of whom it is one of several.
func (r *reasons) needs(g int) string {
	need := inTokens(r.pb.groups[g].tokens)
	if with := r.together(g, "needs "); with != "" {
		return with + need
	}
	return "it needs " + need
}

// together names the members of a group of several as what takes or needs something;
// empty for one alone.
func (r *reasons) together(g int, verb string) string {
	members := r.pb.groups[g].members
	if len(members) == 1 {
		return ""
	}
	labels := make([]string, len(members))
	for k, m := range members {
		labels[k] = r.pb.Pool.Candidates[m].Label(m)
	}
	return "its group (" + listed(labels) + ") " + verb
}

// coveredShare says how much of a group is covered, and not by whom.
func (r *reasons) coveredShare(g int) string {
	return fmt.Sprintf("covered: %s of what it would add is already in kept items", percent(r.c.located.covered(g)))
}

func (r *reasons) label(id string) string {
	if r.index == nil {
		r.index = make(map[string]int, len(r.pb.of))
		for i := range r.pb.Pool.Candidates {
			r.index[r.pb.Pool.Candidates[i].ID] = i
		}
	}
	i := r.index[id]
	return r.pb.Pool.Candidates[i].Label(i)
}

func (r *reasons) names(by []Share) string {
	names := make([]string, len(by))
	for i, s := range by {
		names[i] = r.label(s.ID)
	}
	return strings.Join(names, ", ")
}

// newerKept counts the kept candidates that are newer than group g, and their tokens.
func (r *reasons) newerKept(g int) (n, tokens int) {
	for i := r.pb.groups[g].last() + 1; i < len(r.s.kept); i++ {
		if r.s.kept[i] {
			n++
			tokens += r.pb.Pool.Candidates[i].Tokens
		}
	}
	return n, tokens
}
