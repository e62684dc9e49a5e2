package selector_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/session"
	"pacms/session/sessiontest"
)

// What is remembered of candidates from turn to turn changes no need.
func TestHindsightIsWhatSingleTurnsSay(t *testing.T) {
	t.Parallel()
	check := func(t fatal, s *session.Session) (found int) {
		h := selector.NewHindsight(s)
		for i := range s.Turns {
			p := s.Pool(i, session.PoolWindow)
			got, want := h.Needs(i, p), selector.Needs(p, h.Later(i))
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("turn %d: %+v, alone %+v", i+1, got, want)
			}
			found += len(got)
		}
		return found
	}
	s := sessiontest.Session(400)
	if found := check(t, s); found == 0 {
		t.Error("nothing is needed in a session of 400 items")
	}
	// A store of pools says of each turn what it had.
	pools := &session.Session{Turns: s.Turns[:40]}
	for i := range pools.Turns {
		p := s.Pool(i, session.PoolWindow)
		for k := range p.Candidates {
			p.Candidates[k].Text += " 4711"
		}
		pools.Pools = append(pools.Pools, p)
	}
	check(t, pools)

	words := rapid.SampledFrom([]string{"5433", "5434", "staging", "ferry", "harbour", "RETRY_MAX", "conf/app.yaml", "the", "port", "sardines"})
	text := rapid.Custom(func(t *rapid.T) string {
		text := ""
		for _, w := range rapid.SliceOfN(words, 0, 5).Draw(t, "words") {
			text += w + " "
		}
		return text
	})
	rapid.Check(t, func(t *rapid.T) {
		turns := make([]plantedTurn, rapid.IntRange(1, 6).Draw(t, "turns"))
		for k := range turns {
			turns[k] = plantedTurn{ask: text.Draw(t, "ask"), answer: text.Draw(t, "answer")}
			if rapid.Bool().Draw(t, "call") {
				tool := rapid.SampledFrom([]string{"read", "write", "exec"}).Draw(t, "tool")
				turns[k].more = called(tool, `{"path":"conf/app.yaml"}`, text.Draw(t, "result"))
			}
		}
		check(t, planted(turns...))
	})
}
