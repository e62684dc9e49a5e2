package selector_test

import (
	"slices"
	"testing"

	"pacms/selector"
	"pacms/selector/embed"
)

// From any turn on an item is told to be missed in the turns that need it and keep
// none that would do.
func TestConsequences(t *testing.T) {
	t.Parallel()
	s := forgetful()
	h := selector.NewHindsight(s)
	e := selector.NewEngine(embed.NewBuiltin(), "chars4")
	const full = " (estimate: the recorded agent had the full context)"
	for name, c := range map[string]struct {
		id       string
		strategy string
		from     int
		most     int
		want     []string
	}{
		"missed later":        {"c0", "lastk", 1, 3, []string{"likely miss in turn 4: dropped there too, and the recorded answer quotes it" + full}},
		"missed now":          {"c0", "lastk", 3, 3, []string{"likely miss in this turn: dropped here, and the recorded answer quotes it" + full}},
		"kept later":          {"c0", "topk", 1, 3, []string{"needed in turn 4: kept, and the recorded answer quotes it" + full}},
		"read again":          {"c4", "lastk", 2, 3, []string{"likely miss in turn 5: dropped there too, and the agent read this file again" + full}},
		"not needed any more": {"c0", "lastk", 4, 3, nil},
		"never needed":        {"c1", "lastk", 1, 3, nil},
	} {
		got, err := walkOf(t, e, s, c.strategy, "none", always(20)).Consequences(background, h, c.id, c.from, c.most)
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, consequence := range got {
			said = append(said, consequence.Sentence(s.Turns[c.from].Number, false))
		}
		if !slices.Equal(said, c.want) {
			t.Errorf("%s: %q, want %q", name, said, c.want)
		}
	}
}

// A turn that drops an item and keeps another that says the same misses nothing.
func TestConsequencesOfOneOfTwo(t *testing.T) {
	t.Parallel()
	s := planted(
		plantedTurn{ask: "Mind that the staging port is 5433.", answer: "Noted."},
		plantedTurn{ask: "When does the ferry leave?", answer: "At nine, from harbour 5433."},
		plantedTurn{ask: "Which one is it?", answer: "It is 5433."},
		plantedTurn{ask: "Are you sure of it?", answer: "Yes, 5433."},
	)
	h := selector.NewHindsight(s)
	w := walkOf(t, selector.NewEngine(embed.NewBuiltin(), "chars4"), s, "lastk", "none", func(turn int) int { return []int{10, 10, 10, 0}[turn] })
	for id, want := range map[string][]bool{"c0": {false}, "c3": {true, false}} {
		got, err := w.Consequences(background, h, id, 2, 9)
		if err != nil {
			t.Fatal(err)
		}
		var kept []bool
		for _, c := range got {
			kept = append(kept, c.Kept)
		}
		if !slices.Equal(kept, want) {
			t.Errorf("%s: kept %v, want %v", id, kept, want)
		}
		if first, err := w.Consequences(background, h, id, 2, 1); err != nil || len(first) != 1 {
			t.Errorf("%s: the first one is %v, %v", id, first, err)
		}
	}
}
