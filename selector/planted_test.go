package selector_test

import (
	"encoding/json"
	"fmt"
	"slices"

	"pacms/session"
)

// plantedTurn is a turn of a session that is made for a test.
type plantedTurn struct {
	ask, answer string
	boundary    string              // what stands before the turn
	window      []session.Span      // nil: all that was said before
	more        []session.Candidate // between question and answer
}

// planted makes a session; what is said is numbered "c0", "c1" … in order.
func planted(turns ...plantedTurn) *session.Session {
	s := &session.Session{Key: "planted"}
	for k, t := range turns {
		n := len(s.Candidates)
		key := []session.Span{{From: 0, To: n}}
		turn := session.Turn{Number: k + 1, Branch: session.BranchActive, Query: t.ask, Answer: t.answer, Window: key, Key: key}
		if t.window != nil {
			turn.Window = t.window
		}
		if t.boundary != "" {
			turn.Boundary = &session.Boundary{Kind: t.boundary}
		}
		said := append([]session.Candidate{{Kind: session.User, Text: t.ask}}, t.more...)
		if t.answer != "" {
			said = append(said, session.Candidate{Kind: session.Assistant, Text: t.answer})
		}
		for _, c := range said {
			c.ID, c.Turn = fmt.Sprint("c", len(s.Candidates)), k+1
			c.Tokens = max(c.Tokens, 10)
			s.Candidates = append(s.Candidates, c)
		}
		s.Turns = append(s.Turns, turn)
	}
	session.Pair(s.Candidates)
	return s
}

// called is a call of a tool with its result.
func called(tool, args, result string) []session.Candidate {
	use := session.ToolUse{Name: tool, CallID: "call", Args: json.RawMessage(args)}
	return []session.Candidate{
		{Kind: session.Assistant, Calls: []session.ToolUse{use}},
		{Kind: session.Tool, Text: result, Tool: &use},
	}
}

// failed is a call of a tool that failed.
func failed(tool, args, result string) []session.Candidate {
	c := called(tool, args, result)
	use := *c[1].Tool
	use.Error = true
	c[1].Tool = &use
	return c
}

// calls are several calls, one after the other.
func calls(each ...[]session.Candidate) []session.Candidate { return slices.Concat(each...) }
