package compare_test

import (
	"fmt"
	"runtime"
	"testing"

	"pacms/selector/compare"
	"pacms/session"
	"pacms/session/sessiontest"
)

// TestMemoryIsThatOfAFewTurns compares many turns with pools of the same size: what
// lives in the middle of the run must hardly be more at its end. Each pool that is
// ready has a third of a megabyte of cosines, so two hundred would be seen.
func TestMemoryIsThatOfAFewTurns(t *testing.T) { // alone: it measures the heap of the process
	from := sessiontest.Session(300)
	s := &session.Session{Source: from.Source, Key: from.Key, Tokenizer: from.Tokenizer, Candidates: from.Candidates}
	const turns = 260
	for i := range turns {
		s.Pools = append(s.Pools, &session.Pool{Query: fmt.Sprint("Which port is number ", i, "?"), Candidates: from.Candidates})
		s.Turns = append(s.Turns, session.Turn{Number: i + 1, Branch: session.BranchActive})
	}
	plan := planOf(t, []string{"20%"}, s)
	plan.Strategies = plan.Strategies[1:3]
	var early, late uint64
	_, err := compare.Run(t.Context(), plan, func(done, _ int) {
		if done != 60 && done != turns {
			return
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		early, late = late, m.HeapAlloc
	})
	if err != nil {
		t.Fatal(err)
	}
	if early == 0 || late > early+16<<20 {
		t.Errorf("%d bytes after 60 turns, %d after %d", early, late, turns)
	}
}
