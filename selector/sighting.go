package selector

import (
	"slices"
	"strconv"
	"strings"

	"pacms/session"
)

// StateUnsaid is the state of what had not been said when a turn began.
const StateUnsaid State = "not_said"

// Sighting is what becomes of one message at one turn.
type Sighting struct {
	// Of is the index of the message among those that were looked for.
	Of    int
	State State
	// Code says why it is kept or dropped (a member of a group has the code of its
	// group), or why it is not offered or not yet said (a session.Absence).
	Code Code
	// Index is its index in the pool, -1 where it is not offered.
	Index int
	// Into is the number of the summary that stands in its place, 0 without one.
	Into int
	// Holds is whether that summary is among what was looked for.
	Holds bool
	// Found is set where messages were looked for by what they say.
	Found bool
}

// Sight says what becomes of the messages that were looked for at the turn at
// index i, whose pool was selected from as pool and sel; both are nil where the
// turn has none. What is said only later is left out. Found says that the messages
// were looked for by a text.
func Sight(places *session.Places, i int, looked []session.Occurrence, pool *session.Pool, sel *Selection, found bool) []Sighting {
	var out []Sighting
	for k := range looked {
		p := places.Find(i, &looked[k])
		s := Sighting{Of: k, State: StateNotOffered, Code: Code(p.Absence), Index: p.Index, Into: p.Into, Found: found}
		switch {
		case p.Absence == session.SaidLater:
			continue
		case p.Absence.Unsaid():
			s.State = StateUnsaid
		case p.Index < 0:
			s.Holds = p.Into > 0 && slices.ContainsFunc(looked, func(o session.Occurrence) bool { return o.Number == p.Into })
		case sel.Keeps(p.Index):
			s.State, s.Code = StateKept, sel.Cause(p.Index, pool)
		default:
			s.State, s.Code = StateDropped, sel.Cause(p.Index, pool)
		}
		out = append(out, s)
	}
	return out
}

// Offered reports whether one of the messages is in the pool of the turn at index
// i, so that only a selection can tell what becomes of it.
func Offered(places *session.Places, i int, looked []session.Occurrence) bool {
	return slices.ContainsFunc(looked, func(o session.Occurrence) bool { return places.Find(i, &o).Index >= 0 })
}

// Group is those of some sightings that have the same fate.
type Group struct {
	State State
	// Why are the words for it: "older", "compacted into #231, which does not have
	// it"; empty for what is kept or said in the turn.
	Why string
	// Of are the messages, by their index among those that were looked for.
	Of []int
}

// Groups puts sightings together that have the same fate: first what is kept, then
// what is dropped, what is not offered, and what is said in the turn itself.
func Groups(sightings []Sighting) []Group {
	var groups []Group
	for _, state := range []State{StateKept, StateDropped, StateNotOffered, StateUnsaid} {
		first := len(groups)
		for _, s := range sightings {
			if s.State != state {
				continue
			}
			why := ""
			if state == StateDropped || state == StateNotOffered {
				why = s.Why()
			}
			at := slices.IndexFunc(groups[first:], func(g Group) bool { return g.Why == why })
			if at < 0 {
				groups = append(groups, Group{State: state, Why: why})
				at = len(groups) - 1 - first
			}
			groups[first+at].Of = append(groups[first+at].Of, s.Of)
		}
	}
	return groups
}

// mostInGroup is how many messages with the same fate a line names.
const mostInGroup = 6

// Line says in a line what became of the messages that were looked for in a turn:
// "kept #13 · dropped #14 #18 (older)". Where one alone was looked for it has the
// reason that full gives; of several each turn is told in the same form. What the turn itself says is told of where there is
// nothing else.
func Line(t *session.Turn, looked []session.Occurrence, sightings []Sighting, full func(Sighting) string) string {
	switch {
	case t.Branch != session.BranchActive:
		return "on a branch that was left: nothing was offered"
	case len(sightings) == 0:
		return "not said yet"
	}
	if s := sightings[0]; len(looked) == 1 && s.State != StateUnsaid {
		return s.State.Words() + ": " + full(s)
	}
	var b strings.Builder
	var before State
	for _, g := range Groups(sightings) {
		switch {
		case g.State == before:
			b.WriteString(", ")
		case g.State == StateUnsaid && before != "":
			continue
		case before != "":
			b.WriteString(" · ")
			fallthrough
		default:
			b.WriteString(g.State.Words() + " ")
		}
		before = g.State
		b.WriteString(names(looked, g.Of))
		if g.Why != "" {
			b.WriteString(" (" + g.Why + ")")
		}
	}
	return b.String()
}

// names are what people call some of the messages that were looked for.
func names(looked []session.Occurrence, of []int) string {
	names := make([]string, len(of))
	for k := range of {
		names[k] = looked[of[k]].Name()
	}
	more := ""
	if n := len(names) - mostInGroup; n > 1 {
		names, more = names[:mostInGroup], " and "+strconv.Itoa(n)+" more"
	}
	return strings.Join(names, " ") + more
}

// Words is a state in words.
func (s State) Words() string {
	switch s {
	case StateKept:
		return "kept"
	case StateDropped:
		return "dropped"
	case StateNotOffered:
		return "not offered"
	case StateUnsaid:
		return "said in this turn"
	}
	return string(s)
}

// Why says in a few words what decided.
func (s Sighting) Why() string {
	switch a := session.Absence(s.Code); {
	case s.State == StateKept || s.State == StateDropped:
		return s.Code.Words()
	case a == session.Compacted && s.Into == 0:
		return "compacted, and no summary stands for it"
	case a == session.Compacted:
		text := "compacted into #" + strconv.Itoa(s.Into)
		switch {
		case !s.Found:
			return text
		case s.Holds:
			return text + ", which still has it"
		}
		return text + ", which does not have it"
	default:
		return absent(a)
	}
}

// absent says in a few words why a message is in no pool.
func absent(a session.Absence) string {
	switch a {
	case session.BeforeReset:
		return "before the reset"
	case session.OtherBranch:
		return "on a branch that was left"
	case session.HostPruned:
		return "left out by the host"
	case session.HostInjected:
		return "sent by the host itself, outside the budget"
	case session.Excluded:
		return "kept from the model"
	case session.NotInPool:
		return "not in this pool"
	case session.Asked:
		return "the question itself"
	case session.SaidInTurn:
		return "after the question"
	case session.Compacted, session.SaidLater:
	}
	return string(a)
}

// Words is a reason in a word or two, at most 16 characters.
func (c Code) Words() string {
	switch c {
	case Tail:
		return "newest turn"
	case Budget:
		return "no room"
	case CoveredBy:
		return "covered"
	case DuplicateOf:
		return "near-duplicate"
	case Heartbeat:
		return "older poll"
	case SupersededBy:
		return "read again later"
	case OrphanResult:
		return "without its call"
	default:
		return strings.ReplaceAll(string(c), "_", " ")
	}
}
