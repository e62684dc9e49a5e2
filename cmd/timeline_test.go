package cmd

import (
	"bufio"
	"strings"
	"testing"

	"pacms/session"
)

// A long session is not selected for turn by turn, and what costs nothing is
// said of it all the same.
func TestTimelineOfManyTurns(t *testing.T) {
	t.Parallel()
	s := new(session.Session)
	for i := range sweptTurns + 4 {
		s.Turns = append(s.Turns, session.Turn{Number: i + 1, Branch: session.BranchActive})
	}
	s.Turns[1].Branch = session.BranchOther
	s.Turns[2].Internal = "heartbeat"
	s.Turns[3].Boundary = &session.Boundary{Kind: "reset"}
	w := &walker{session: s} // without an engine nothing can be selected
	var said strings.Builder
	out := bufio.NewWriter(&said)
	if err := w.writeTimeline(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "Timeline: misses are not looked for in so many turns (202), but --json counts them and says of each turn what it needs; " +
		"reset before turn 4; the host's own: turn 3; on a branch that was left: turn 2.\n"
	if said.String() != want {
		t.Errorf("%q, want %q", said.String(), want)
	}
	said.Reset()
	if err := (&walker{session: new(session.Session)}).writeTimeline(t.Context(), out); err != nil || out.Flush() != nil || said.Len() > 0 {
		t.Errorf("a session without turns has %q, %v", said.String(), err)
	}
}
