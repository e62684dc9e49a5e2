package selector

import (
	"fmt"
	"slices"
	"strings"

	"pacms/session"
	"pacms/session/token"
)

// mostNamed is how many candidates a step names before it only counts them.
const mostNamed = 3

// steps are the sentences about candidate i of group g, in the order in which it
// was decided.
func (r *reasons) steps(i, g int, w *Why) []Step {
	var steps []Step
	add := func(label, text string) {
		if text != "" {
			steps = append(steps, Step{label, text})
		}
	}
	add("offered", r.offered(i))
	add("rules", r.rules(i, g))
	add("relevance", r.relevance(i))
	if !r.chosenFrom(g) {
		return steps
	}
	if w.Verdict.Kept {
		add("covers", r.named(w.Covers))
		add("added", r.added(g))
		add("place", r.placed(g))
	} else {
		add("covered", r.coveredBy(w.CoveredBy))
		add("stands for it", r.standsFor(g))
		add("adds now", r.addsNow(g))
	}
	add("room", r.roomFor(g, w.Verdict.Kept))
	add("rank", r.ranked(g))
	return steps
}

// offered says where the candidate is from and what it costs.
func (r *reasons) offered(i int) string {
	c := &r.pb.Pool.Candidates[i]
	var parts []string
	if c.Turn > 0 {
		parts = append(parts, fmt.Sprintf("turn %d", c.Turn))
	}
	kind := string(c.Kind)
	if c.Tool != nil && c.Tool.Name != "" {
		kind += " " + c.Tool.Name
	}
	parts = append(parts, kind, inTokens(c.Tokens)+r.estimated())
	if group := r.grouped(i); group != "" {
		parts = append(parts, group)
	}
	return strings.Join(parts, ", ")
}

// estimated marks counts that no tokenizer made.
func (r *reasons) estimated() string {
	if counter, err := token.New(r.pb.tokenizer); err == nil && counter.Estimated() {
		return " est."
	}
	return ""
}

// grouped says with what the candidate is kept or dropped.
func (r *reasons) grouped(i int) string {
	g := &r.pb.groups[r.pb.of[i]]
	if len(g.members) == 1 {
		return ""
	}
	cands := r.pb.Pool.Candidates
	var calls, results, others []string
	for _, m := range g.members {
		switch label := cands[m].Label(m); {
		case m == i:
		case len(cands[m].Calls) > 0:
			calls = append(calls, label)
		case cands[m].Kind == session.Tool:
			results = append(results, label)
		default:
			others = append(others, label)
		}
	}
	with := func(word string, labels []string) []string {
		if len(labels) == 0 {
			return nil
		}
		return []string{"its " + plural(len(labels), word) + " " + listed(labels)}
	}
	parts := slices.Concat(with("call", calls), with("result", results))
	if len(others) > 0 {
		parts = append(parts, listed(others))
	}
	return fmt.Sprintf("group of %s with %s", inTokens(g.tokens), strings.Join(parts, " and "))
}

// listed names the first few and counts the others.
func listed(labels []string) string {
	if more := len(labels) - mostNamed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(labels[:mostNamed], ", "), more)
	}
	return strings.Join(labels, ", ")
}

// rules says what a rule or a person decided.
func (r *reasons) rules(i, g int) string {
	text := "none applied"
	if f := r.pb.fate[g]; f.code != "" && f.code != TooLarge && f.code != Fits {
		text = r.sentence(f.code, g)
	}
	if slices.Contains(r.pb.refused, i) {
		text += "; a ban of it was refused"
	}
	return text
}

// relevance is the candidate's likeness to the question and its place by it.
func (r *reasons) relevance(i int) string {
	if !r.pb.asked {
		return ""
	}
	place := 1
	for _, other := range r.pb.relevance {
		if other > r.pb.relevance[i] {
			place++
		}
	}
	smoothed := ""
	if r.pb.opt.Strategy.smooth > 0 {
		smoothed = " with its neighbours"
	}
	return fmt.Sprintf("%.2f to the question%s, %s of %s", r.pb.relevance[i], smoothed, ordinal(place), session.Grouped(len(r.pb.of)))
}

// named lists candidates with their shares.
func (r *reasons) named(shares []Share) string {
	var names []string
	for _, s := range shares {
		names = append(names, r.label(s.ID)+" "+percent(s.Share))
	}
	return listed(names)
}

// coveredBy names the keepers, and what would be uncovered without the first.
func (r *reasons) coveredBy(shares []Share) string {
	if len(shares) == 0 {
		return ""
	}
	var names []string
	rest := 0.0
	for k, s := range shares {
		if k >= mostNamed {
			rest += s.Share
			continue
		}
		names = append(names, "by "+r.label(s.ID)+" "+percent(s.Share))
	}
	if more := len(shares) - mostNamed; more > 0 {
		names = append(names, fmt.Sprintf("by %d more %s", more, percent(rest)))
	}
	return fmt.Sprintf("%s; without %s it would add %s more", strings.Join(names, ", "), r.label(shares[0].ID), percent(shares[0].Only))
}

// standsFor names the newer one that stands for a near-duplicate.
func (r *reasons) standsFor(g int) string {
	d := r.drops[g]
	if d.code != DuplicateOf {
		return ""
	}
	newest := d.by[0]
	cosine := r.pb.similarity(r.pb.groups[g].last(), newest)
	return fmt.Sprintf("%s, which is newer; cosine %.2f", r.pb.Pool.Candidates[newest].Label(newest), cosine)
}

// addsNow is what a dropped group would add to what is kept, beside what the
// last one that was chosen added.
func (r *reasons) addsNow(g int) string {
	l := r.c.located
	if l == nil {
		return ""
	}
	adds := max(0, l.final.gain[g])
	if adds <= l.zero() {
		return "nothing"
	}
	text := r.perThousand(adds, g)
	if n := len(r.c.picked); n > 0 && l.when[r.c.picked[n-1]] > 0 {
		last := r.c.picked[n-1]
		text += fmt.Sprintf("; the last one chosen added %s per 1,000", figure(perThousand(l.when[last], r.pb.groups[last].tokens)))
	}
	return text
}

// added is what a kept group added when it was chosen.
func (r *reasons) added(g int) string {
	l := r.c.located
	if l == nil || r.picked[g] == "" || r.pb.fate[g].code == Fits { // all fits: nothing was chosen
		return ""
	}
	if l.when[g] <= l.zero() {
		return "nothing that others did not say"
	}
	return r.perThousand(l.when[g], g) + " when it was chosen"
}

func (r *reasons) perThousand(gain float64, g int) string {
	return fmt.Sprintf("%s → %s per 1,000 tokens", figure(gain), figure(perThousand(gain, r.pb.groups[g].tokens)))
}

func perThousand(gain float64, tokens int) float64 { return 1000 * gain / float64(max(1, tokens)) }

// placed is a kept group's place in the order of choice.
func (r *reasons) placed(g int) string {
	if r.pb.fate[g].code == Fits {
		return ""
	}
	if k := slices.Index(r.c.picked, g); k >= 0 {
		return fmt.Sprintf("taken as number %s of %s", session.Grouped(k+1), session.Grouped(len(r.c.picked)))
	}
	if k := slices.Index(r.c.fill, g); k >= 0 {
		return fmt.Sprintf("number %s of %s that filled what was left", session.Grouped(k+1), session.Grouped(len(r.c.fill)))
	}
	return ""
}

// roomFor is what was left of the budget when the group was taken or, for a
// dropped one, last tried.
func (r *reasons) roomFor(g int, kept bool) string {
	room, tried := r.roomAt(g)
	if !tried {
		return ""
	}
	left := inTokens(room) + " " + wasOrWere(room) + " left when it was "
	if kept {
		return left + "taken"
	}
	needs := "it needs"
	if len(r.pb.groups[g].members) > 1 {
		needs = "its group needs"
	}
	return fmt.Sprintf("%slast tried; %s %s", left, needs, session.Grouped(r.pb.groups[g].tokens))
}

// roomAt is the room that group g was last compared with, and false where it was
// never tried: set aside, required, beyond the cut, or kept because all fits.
func (r *reasons) roomAt(g int) (room int, tried bool) {
	pb := r.pb
	switch pb.fate[g].code {
	case "":
	case TooLarge:
		return max(0, pb.room), true
	default:
		return 0, false
	}
	room = pb.room
	if room < 0 { // what is required does not fit
		return 0, false
	}
	if r.c.walked != nil {
		for _, h := range r.c.walked {
			if h == g {
				return room, true
			}
			if r.picked[h] != "" {
				room -= pb.groups[h].tokens
			}
		}
		return 0, false
	}
	// A greedy tries every group before each choice until it no longer fits.
	for k, h := range r.c.picked {
		last := r.c.capped && k == len(r.c.picked)-1
		if h == g || !r.c.fills && (last || pb.groups[g].tokens > room) {
			return room, true
		}
		room -= pb.groups[h].tokens
	}
	for _, h := range r.fillOrder() {
		if h == g {
			return room, true
		}
		if r.picked[h] != "" {
			room -= pb.groups[h].tokens
		}
	}
	return room, true
}

// fillOrder is the order in which a fill tried the groups that were not picked.
func (r *reasons) fillOrder() []int {
	if !r.c.fills {
		return nil
	}
	return slices.DeleteFunc(r.pb.byCosine(r.pb.free), func(g int) bool { return r.picked[g] == Selected })
}

// ranked is the group's place in the ranking of the strategy.
func (r *reasons) ranked(g int) string {
	if r.c.rank == nil || r.c.rank(g) == 0 {
		return ""
	}
	of := 0
	for h := range r.pb.groups {
		if r.c.rank(h) > 0 {
			of++
		}
	}
	text := fmt.Sprintf("%s of %s", session.Grouped(r.c.rank(g)), session.Grouped(of))
	if len(r.pb.groups) < len(r.pb.of) {
		text += " groups"
	}
	if r.c.located != nil {
		text += " without a budget"
	}
	return text
}
