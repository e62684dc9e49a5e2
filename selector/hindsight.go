package selector

import (
	"slices"
	"sync"

	"pacms/session"
)

// Hindsight knows of each turn of a session what its record shows to have been
// needed. It is safe for concurrent use once every need is named.
type Hindsight struct {
	session *session.Session
	later   []Later
	named   map[int]string

	// read makes traces of the session's candidates when they are first needed.
	read   sync.Once
	traces []trace
}

// NewHindsight reads the record of s.
func NewHindsight(s *session.Session) *Hindsight {
	h := &Hindsight{session: s, later: make([]Later, len(s.Turns)), named: make(map[int]string)}
	runs := runsOf(s.Candidates, len(s.Turns))
	next := ""
	for i := len(s.Turns) - 1; i >= 0; i-- {
		t := &s.Turns[i]
		h.later[i] = Later{Answer: answerOf(t, runs[t.Number]), Run: runs[t.Number]}
		if t.Branch != session.BranchActive {
			continue
		}
		switch {
		case t.Internal != "":
		case t.Record != nil && next == t.Query && i+1 < len(h.later):
			h.later[i].Next = h.later[i+1].Next // another request of the same run
		default:
			h.later[i].Next, next = next, t.Query
		}
		for b := t.Boundary; b != nil; b = b.Earlier {
			if b.Kind == session.BoundaryReset {
				next = "" // another conversation
			}
		}
	}
	return h
}

// runsOf are the candidates of each turn by its number, as they lie where they stand
// beside each other.
func runsOf(candidates []session.Candidate, turns int) map[int][]session.Candidate {
	runs := make(map[int][]session.Candidate, turns)
	for from := 0; from < len(candidates); {
		turn, to := candidates[from].Turn, from+1
		for to < len(candidates) && candidates[to].Turn == turn {
			to++
		}
		if run, ok := runs[turn]; ok {
			runs[turn] = append(run, candidates[from:to]...)
		} else {
			runs[turn] = candidates[from:to:to]
		}
		from = to
	}
	return runs
}

// answerOf is what the agent said last in a turn; empty where that only says to
// the host that there is nothing to say.
func answerOf(t *session.Turn, run []session.Candidate) string {
	if slices.ContainsFunc(run, func(c session.Candidate) bool { return c.Internal == "ack" && c.Text == t.Answer }) {
		return ""
	}
	return t.Answer
}

// Name says that the turn at index i needs the candidate with an id, and nothing
// else that could be guessed.
func (h *Hindsight) Name(i int, id string) { h.named[i] = id }

// Later is what is recorded of the turn at index i after its pool.
func (h *Hindsight) Later(i int) Later { return h.later[i] }

// Needs are what the turn at index i seems to need of its pool.
func (h *Hindsight) Needs(i int, p *session.Pool) []Need {
	id, ok := h.named[i]
	switch {
	case !ok && h.later[i].bare():
		return nil // and no candidate has to be read for it
	case !ok:
		return needs(p, h.later[i], h.tracesOf(i, p))
	}
	at := slices.IndexFunc(p.Candidates, func(c session.Candidate) bool { return c.ID == id })
	if at < 0 {
		return nil
	}
	return []Need{{Sign: Named, Holders: []int{at}}}
}

// tracesOf are the traces of a pool of the session. Those of messages are read
// once for all turns; a store of pools may say something else in each.
func (h *Hindsight) tracesOf(i int, p *session.Pool) []trace {
	h.read.Do(h.readAll)
	var asked map[string]string
	traces := make([]trace, len(p.Candidates))
	for k := range p.Candidates {
		c := &p.Candidates[k]
		if at := c.Number - 1; at >= 0 && at < len(h.traces) && h.session.Candidates[at].ID == c.ID {
			traces[k] = h.traces[at]
			continue
		}
		if asked == nil {
			asked = make(map[string]string)
			ask(asked, h.later[i].Answer)
			ask(asked, h.later[i].Next)
		}
		traces[k] = traceOf(c, asked)
	}
	return traces
}

func (h *Hindsight) readAll() {
	if h.session.Pools != nil {
		return
	}
	asked := make(map[string]string)
	for i := range h.later {
		ask(asked, h.later[i].Answer)
		ask(asked, h.later[i].Next)
	}
	h.traces = make([]trace, len(h.session.Candidates))
	for i := range h.traces {
		h.traces[i] = traceOf(&h.session.Candidates[i], asked)
	}
}
