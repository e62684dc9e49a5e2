package sessiontest_test

import (
	"bytes"
	"testing"

	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/sessiontest"
	"pacms/session/token"
)

// What is generated must read back as it was made.
func TestJSONLReads(t *testing.T) {
	c, err := token.New("chars4")
	if err != nil {
		t.Fatal(err)
	}
	s, err := openclaw.Read(t.Context(), bytes.NewReader(sessiontest.JSONL(50)), "generated.jsonl", openclaw.Options{Counter: c})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Turns) != 50 || len(s.Candidates) != 150 || len(s.Skipped)+len(s.Warnings) != 0 {
		t.Errorf("%d turns, %d candidates, skipped %v, warnings %v", len(s.Turns), len(s.Candidates), s.Skipped, s.Warnings)
	}
	for i, c := range s.Candidates {
		if (c.Kind == session.Tool || len(c.Calls) > 0) != (c.Group != "") {
			t.Errorf("candidate %d (%s): group %q", i, c.Kind, c.Group)
		}
	}
}

func TestSession(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 200} {
		s := sessiontest.Session(n)
		if len(s.Candidates) != n {
			t.Fatalf("Session(%d) has %d candidates", n, len(s.Candidates))
		}
		for i := range s.Turns {
			p := s.Pool(i, session.PoolWindow)
			if len(p.Candidates) > 0 && p.Candidates[len(p.Candidates)-1].Turn != s.Turns[i].Number-1 {
				t.Errorf("turn %d is not offered all that was before it", s.Turns[i].Number)
			}
		}
	}
}

func TestRepeatable(t *testing.T) {
	if !bytes.Equal(sessiontest.JSONL(20), sessiontest.JSONL(20)) {
		t.Error("two transcripts of the same size differ")
	}
}
