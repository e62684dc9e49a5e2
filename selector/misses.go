package selector

import (
	"slices"
	"strconv"

	"pacms/session"
)

// Sign is by what a need is known.
type Sign string

// The signs, in the order in which they are told.
const (
	// Named: somebody says that the turn needs it, and no guess is made.
	Named Sign = "named"
	// Quoted: the answer says something that only a few candidates say.
	Quoted Sign = "quoted"
	// Reread: the agent read a file again.
	Reread Sign = "reread"
	// Repeated: the agent made a call again.
	Repeated Sign = "repeated"
	// Restated: the next message of the person says it again.
	Restated Sign = "restated"
)

// Need is something that the rest of a recorded turn shows that its run used: any
// one of its holders would have done. It is an estimate unless it is Named or Live.
type Need struct {
	Sign Sign
	// Text is what was found: the token, the path, the call. It is empty where
	// the need is Named.
	Text string
	// Holders are the pool indices of the candidates that have it, ascending.
	Holders []int
	// Live is set where the agent had only what is kept, as in a capture.
	Live bool
}

// Later is what is recorded of a turn after its pool.
type Later struct {
	// Answer is the last text of the agent in the turn.
	Answer string
	// Run are the messages of the turn, its question, calls and results among them.
	Run []session.Candidate
	// Next is what the person said next in the same conversation; empty if nothing.
	Next string
}

// bare reports whether nothing is recorded by which a need could show, as of a turn
// that is only asked yet.
func (l *Later) bare() bool {
	return l.Answer == "" && l.Next == "" &&
		!slices.ContainsFunc(l.Run, func(c session.Candidate) bool { return c.Kind == session.Tool })
}

// Needs finds what the rest of a turn shows to have been needed of its pool, in
// the order of the signs. Needs with the same holders are told once.
func Needs(p *session.Pool, l Later) []Need {
	asked := make(map[string]string)
	ask(asked, l.Answer)
	ask(asked, l.Next)
	traces := make([]trace, len(p.Candidates))
	for i := range traces {
		traces[i] = traceOf(&p.Candidates[i], asked)
	}
	return needs(p, l, traces)
}

// needs is Needs with what is known of the candidates, index by index.
func needs(p *session.Pool, l Later, traces []trace) []Need {
	var needs []Need
	for _, found := range [][]Need{quoted(p, l, traces), again(p, l.Run, traces), restated(p, l, traces)} {
		for _, n := range found {
			if !slices.ContainsFunc(needs, func(o Need) bool { return slices.Equal(o.Holders, n.Holders) }) {
				needs = append(needs, n)
			}
		}
	}
	return needs
}

// KeptBy reports whether some holder of the need is kept: any one will do.
func (n Need) KeptBy(keeps func(i int) bool) bool { return slices.ContainsFunc(n.Holders, keeps) }

// Missed gives the needs of which no holder is kept.
func Missed(needs []Need, keeps func(i int) bool) []Need {
	return slices.DeleteFunc(slices.Clone(needs), func(n Need) bool { return n.KeptBy(keeps) })
}

// Estimate reports whether a miss of the need is guessed: it is read from the record
// of an agent that had more than what is kept.
func (n Need) Estimate() bool { return n.Sign != Named && !n.Live }

// Live are needs of a turn as far as its record goes: where what is kept, in the order
// of the pool, is what was kept when the turn was captured, they are no estimates.
func Live(needs []Need, record *session.Record, kept []string) []Need {
	if !record.Is(kept) {
		return needs
	}
	live := slices.Clone(needs)
	for i := range live {
		live[i].Live = true
	}
	return live
}

// Evidence says by what the need is known, as a clause: "the recorded answer quotes it".
func (s Sign) Evidence() string {
	switch s {
	case Named:
		return "the story says so"
	case Quoted:
		return "the recorded answer quotes it"
	case Reread:
		return "the agent read this file again"
	case Repeated:
		return "the agent made this call again"
	case Restated:
		return "the next message says it again"
	}
	return string(s)
}

// Found says what was found, as a clause: "the recorded answer says “5433”".
func (n Need) Found() string {
	switch n.Sign {
	case Quoted:
		return "the recorded answer says “" + n.Text + "”"
	case Reread:
		return "the agent read " + n.Text + " again"
	case Repeated:
		return "the agent made the call “" + n.Text + "” again"
	case Restated:
		return "the next message says “" + n.Text + "” again"
	case Named:
	}
	return n.Sign.Evidence()
}

// Sentence tells what a need in one turn means for a candidate that holds it, as
// seen from the turn whose number is from: "likely miss in turn 47: dropped there
// too, and the agent read this file again (estimate: the recorded agent had the
// full context)". Kept is whether the candidate is kept in the turn of the need.
// Live is set where the agent had only what was kept, as in a capture: only then
// it is a miss and no estimate.
func (n Need) Sentence(turn, from int, kept, live bool) string {
	where, there := "turn "+strconv.Itoa(turn), "there too"
	if turn == from {
		where, there = "this turn", "here"
	}
	if n.Sign == Named {
		if kept {
			return where + " needs it, and it is kept"
		}
		return where + " needs it, and it is dropped"
	}
	estimate := " (estimate: the recorded agent had the full context)"
	if live {
		estimate = ""
	}
	if kept {
		return "needed in " + where + ": kept, and " + n.Sign.Evidence() + estimate
	}
	miss := "likely miss in "
	if live {
		miss = "miss in "
	}
	return miss + where + ": dropped " + there + ", and " + n.Sign.Evidence() + estimate
}
