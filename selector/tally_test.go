package selector_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
)

// The turns of a session in which the answer quotes what the newest do not say,
// the agent reads a file again, and the person says something again.
func forgetful() *session.Session {
	config := "database:\n  host: staging-db\n  port: 5434\n"
	return planted(
		plantedTurn{ask: "Mind that the staging port is 5433.", answer: "Noted."},
		plantedTurn{ask: "Look at the settings", answer: "Done.", more: called("read", `{"path":"conf/app.yaml"}`, config)},
		plantedTurn{ask: "When does the ferry leave?", answer: "At nine."},
		plantedTurn{ask: "Which port has staging?", answer: "It is 5433."},
		plantedTurn{ask: "And in the settings?", answer: "Another one.", more: called("read", `{"path":"conf/app.yaml"}`, config)},
		plantedTurn{ask: "Thanks"},
	)
}

func TestTallies(t *testing.T) {
	t.Parallel()
	s := forgetful()
	e := selector.NewEngine(embed.NewBuiltin(), "chars4")
	h := selector.NewHindsight(s)
	strategies := []selector.Strategy{mustStrategy(t, "lastk"), mustStrategy(t, "topk")}
	for budget, want := range map[int][]selector.Tally{
		20: {
			{Strategy: "lastk", Turns: 6, WithNeeds: 2, Missing: 2, Needs: 2, Missed: 2},
			{Strategy: "topk", Turns: 6, WithNeeds: 2, Missing: 1, Needs: 2, Missed: 1, KeptAndQuoted: 1},
		},
		1000: {
			{Strategy: "lastk", Turns: 6, WithNeeds: 2, Needs: 2, KeptAndQuoted: 1},
			{Strategy: "topk", Turns: 6, WithNeeds: 2, Needs: 2, KeptAndQuoted: 1},
		},
	} {
		tallies := selector.NewTallies(strategies)
		w := walkOf(t, e, s, "lastk", "none", always(budget))
		for _, i := range w.Turns {
			p, err := w.Prepare(background, i)
			if err != nil {
				t.Fatal(err)
			}
			if err := tallies.Add(background, p, w.Options(i, p.Pool), h.Needs(i, p.Pool)); err != nil {
				t.Fatal(err)
			}
		}
		if got := tallies.List(); !slices.Equal(got, want) {
			t.Errorf("budget %d: %+v, want %+v", budget, got, want)
		}
	}
}

// Whatever is kept: what is missed and what is kept add up to what is needed.
func TestTallyAddsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var tally selector.Tally
		kept, quoted := 0, 0
		for range rapid.IntRange(0, 4).Draw(t, "turns") {
			var needs []selector.Need
			for range rapid.IntRange(0, 3).Draw(t, "needs") {
				needs = append(needs, selector.Need{
					Sign:    rapid.SampledFrom([]selector.Sign{selector.Quoted, selector.Reread}).Draw(t, "sign"),
					Holders: rapid.SliceOfN(rapid.IntRange(0, 5), 1, 3).Draw(t, "holders"),
				})
			}
			keeps := func(i int) bool { return i < 3 }
			for _, n := range needs {
				if slices.Min(n.Holders) < 3 {
					kept++
					if n.Sign == selector.Quoted {
						quoted++
					}
				}
			}
			tally.Add(needs, keeps)
		}
		if tally.Needs-tally.Missed != kept || tally.KeptAndQuoted != quoted || tally.Missing > tally.WithNeeds || tally.WithNeeds > tally.Turns {
			t.Fatalf("%+v, and %d are kept, %d of them quoted", tally, kept, quoted)
		}
	})
}
