package selector

import (
	"math"
	"slices"

	"pacms/session"
)

// problem is one pool under one budget with the rules applied: what must be
// kept, what may be chosen from, what is set aside and why.
type problem struct {
	*Prepared
	opt Options

	budget int // effective budget in tokens, at least 0
	terms  map[string]Term
	room   int    // budget less the required groups
	must   []int  // required groups, in the order in which they became so
	free   []int  // groups to choose from, ascending
	fate   []fate // per group: what the rules decided
	client []bool // per candidate: it counts in an objective

	*signals
	refused  []int // groups whose ban was refused
	reserved bool  // the reserve was clamped

	slack *slack
	// outer is the slack of all that comes before the strategy: within it the same
	// groups are required, free and set aside.
	outer slack
	said  []session.Warning
}

// fate is what was decided about a group before the strategy ran; Code is empty
// for a free group.
type fate struct {
	code  Code
	by    []int // candidates that caused it
	cause string
	// member decided for the group; -1: every member by itself
	member int
}

// slack records how far the budget may move before any comparison with it
// comes out differently: by up tokens upwards, by down tokens downwards.
type slack struct{ up, down int }

const noSlack = math.MaxInt

// fits is the only way to compare tokens with what is left of the budget.
func (s *slack) fits(tokens, room int) bool {
	if tokens <= room {
		s.down = min(s.down, room-tokens+1)
		return true
	}
	s.up = min(s.up, tokens-room)
	return false
}

// meet makes s hold for the comparisons of t too.
func (s *slack) meet(t slack) { s.up, s.down = min(s.up, t.up), min(s.down, t.down) }

func (p *Prepared) problem(opt Options) (*problem, error) {
	pb := &problem{
		Prepared: p, opt: opt, fate: make([]fate, len(p.groups)), client: make([]bool, len(p.of)),
		slack: &slack{up: noSlack, down: noSlack},
	}
	if err := pb.findBudget(); err != nil {
		return nil, err
	}
	pb.signals = p.signalsOf(opt.Strategy.smooth)
	pb.applyPeople()
	pb.applyRules()
	pb.applyTail()
	pb.room = pb.budget
	for _, g := range pb.must {
		pb.room -= p.groups[g].tokens
	}
	for g := range p.groups {
		switch {
		case pb.fate[g].code == "":
			if pb.room < 0 || pb.slack.fits(p.groups[g].tokens, pb.room) {
				pb.free = append(pb.free, g)
			} else {
				pb.fate[g] = fate{code: TooLarge, member: -1}
			}
			fallthrough
		case pb.isMust(g):
			for _, m := range p.groups[g].members {
				pb.client[m] = true
			}
		}
	}
	return pb, nil
}

func (pb *problem) say(code, message string, ids []string, count int) {
	pb.said = append(pb.said, session.Warning{Code: code, Message: message, IDs: ids, Count: count})
}

func (pb *problem) isMust(g int) bool {
	c := pb.fate[g].code
	return c == Required || c == Tail || c == Pinned
}

// require makes a group required because of its members; nil means all of them.
func (pb *problem) require(g int, code Code, cause string, member int) {
	if pb.isMust(g) {
		return
	}
	pb.fate[g] = fate{code: code, cause: cause, member: member}
	pb.must = append(pb.must, g)
}

// setAside takes a group out of the choice, unless something already decided.
func (pb *problem) setAside(g int, code Code, member int, by ...int) {
	if pb.fate[g].code == "" {
		pb.fate[g] = fate{code: code, by: by, member: member}
	}
}

// soleMember is the member that decides when one of several caused a fate: -1
// where the group has only that one.
func (pb *problem) soleMember(m int) int {
	if len(pb.groups[pb.of[m]].members) == 1 {
		return -1
	}
	return m
}

// applyPeople applies what the request and people require and forbid. A pin
// wins over every rule; a ban of something required is refused.
func (pb *problem) applyPeople() {
	cands := pb.Pool.Candidates
	pins, bans := idSet(pb.opt.Pins), idSet(pb.opt.Bans)
	for i := range cands {
		if cands[i].Required {
			pb.require(pb.of[i], Required, "by the request", pb.soleMember(i))
		}
	}
	if pb.opt.Rules.has(ruleSystem) {
		for _, g := range pb.facts.system {
			pb.require(g, Required, "a system message", -1)
		}
	}
	if f := pb.facts.firstUser; f >= 0 && pb.opt.Rules.has(ruleFirst) {
		pb.require(f, Required, pb.facts.first, -1)
	}
	for i := range cands {
		if pins[cands[i].ID] {
			pb.require(pb.of[i], Pinned, "", pb.soleMember(i))
		}
	}
	for i := range cands {
		if !bans[cands[i].ID] {
			continue
		}
		if pb.isMust(pb.of[i]) {
			pb.refused = append(pb.refused, i)
			continue
		}
		pb.setAside(pb.of[i], Banned, pb.soleMember(i))
	}
}

func idSet(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// applyRules sets aside what is not to be chosen from.
func (pb *problem) applyRules() {
	f := &pb.facts
	if pb.opt.Rules.has(ruleHeartbeat) {
		for _, family := range f.polls {
			pb.keepNewestPoll(family)
		}
	}
	if pb.opt.Rules.has(ruleSuperseded) {
		for g, paths := range f.readBy {
			if by := pb.supersededBy(g, paths); by >= 0 {
				pb.setAside(g, SupersededBy, -1, by)
			}
		}
	}
	if pb.opt.Rules.has(ruleEmpty) {
		for _, g := range f.empty {
			pb.setAside(g, Empty, -1)
		}
	}
	if pb.opt.Rules.has(ruleOrphan) {
		for _, g := range f.orphans {
			pb.setAside(g, OrphanResult, -1)
		}
	}
}

func (pb *problem) keepNewestPoll(family []poll) {
	newest := -1
	for _, m := range slices.Backward(family) {
		if pb.fate[m.groups[0]].code == Banned {
			continue
		}
		if newest < 0 {
			newest = pb.groups[m.groups[0]].first()
			continue
		}
		for _, g := range m.groups {
			pb.setAside(g, Heartbeat, -1, newest)
		}
	}
}

// supersededBy returns the newest candidate that holds the last of the files of
// group g again, or -1 where one of them was not read again later.
func (pb *problem) supersededBy(g int, paths []string) int {
	by := -1
	for _, p := range paths {
		later := -1
		for _, h := range pb.facts.reads[p] {
			if pb.groups[h].first() > pb.groups[g].last() && pb.fate[h].code != Banned {
				later = h
			}
		}
		if later < 0 {
			return -1
		}
		by = max(by, pb.groups[later].last())
	}
	return by
}

// applyTail requires the newest complete turns, newest group first, within half
// of the budget and within what the other required groups leave.
func (pb *problem) applyTail() {
	if !pb.opt.Rules.has(ruleTail) {
		return
	}
	room := pb.budget
	for _, g := range pb.must {
		room -= pb.groups[g].tokens
	}
	half := pb.budget / 2
	turns := 0
	for _, turn := range slices.Backward(pb.facts.turns) {
		if turns == pb.opt.Tail {
			return
		}
		if !complete(pb.Pool.Candidates, pb.groups, turn) {
			continue
		}
		turns++
		newest := slices.Clone(turn)
		slices.SortStableFunc(newest, func(a, b int) int { return pb.groups[b].last() - pb.groups[a].last() })
		for _, g := range newest {
			t := pb.groups[g].tokens
			if pb.fate[g].code == "" && pb.slack.fits(t, half) && pb.slack.fits(t, room) {
				pb.require(g, Tail, "", -1)
				half -= t
				room -= t
			}
		}
	}
}
