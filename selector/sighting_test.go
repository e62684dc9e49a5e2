package selector_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
)

// What is said of an item at a turn is what the turn's pool and selection say of
// it, under any strategy and budget.
func TestSightingsAreThoseOfTheSelection(t *testing.T) {
	s := openDemo(t).session
	engine := selector.NewEngine(embed.NewBuiltin(), "openclaw")
	places := session.NewPlaces(s, session.PoolWindow)
	rapid.Check(t, func(t *rapid.T) {
		needle, err := session.NewNeedle(rapid.SampledFrom([]string{"5433", "turmeric", "port", "refund", "NO_REPLY", "e"}).Draw(t, "text"))
		if err != nil {
			t.Fatal(err)
		}
		looked, err := s.Occurrences(t.Context(), needle)
		if err != nil {
			t.Fatal(err)
		}
		i := rapid.IntRange(0, len(s.Turns)-1).Draw(t, "turn")
		pool := s.Pool(i, session.PoolWindow)
		prepared, err := engine.Prepare(t.Context(), pool, selector.PrepareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		sel, err := prepared.Select(t.Context(), selector.Options{
			Strategy: mustStrategy(t, rapid.SampledFrom(selector.Strategies()).Draw(t, "strategy")), Rules: selector.DefaultRules(), Tail: 1,
			Budget: selector.Term{Value: rapid.IntRange(0, 40_000).Draw(t, "budget")},
		})
		if err != nil {
			t.Fatal(err)
		}
		seen := make(map[string]selector.Sighting)
		for _, sight := range selector.Sight(places, i, looked, pool, sel, true) {
			seen[looked[sight.Of].ID] = sight
		}
		offered := false
		for k := range looked {
			id, turn := looked[k].ID, looked[k].Turn
			at := slices.IndexFunc(pool.Candidates, func(c session.Candidate) bool { return c.ID == id })
			offered = offered || at >= 0
			got, told := seen[id]
			want := selector.StateNotOffered
			switch {
			case at >= 0 && slices.Contains(sel.Kept, id):
				want = selector.StateKept
			case at >= 0:
				want = selector.StateDropped
			case turn > s.Turns[i].Number:
				want = ""
			case turn == s.Turns[i].Number:
				want = selector.StateUnsaid
			}
			if told != (want != "") || got.State != want {
				t.Fatalf("turn %d: %s is %+v, want %q", s.Turns[i].Number, id, got, want)
			}
			if at < 0 {
				continue
			}
			why := sel.Explain(at).Reason
			if why.Code == selector.WithGroup {
				why.Code = got.Code // the sentence names it
			}
			if got.Index != at || got.Code != why.Code {
				t.Fatalf("turn %d: %s is %+v, the selection says %+v", s.Turns[i].Number, id, got, why)
			}
		}
		if selector.Offered(places, i, looked) != offered {
			t.Fatalf("turn %d: something is said to be offered: %v", s.Turns[i].Number, !offered)
		}
	})
}

// Groups lose nothing and put together only what has the same fate.
func TestGroups(t *testing.T) {
	fates := rapid.Custom(func(t *rapid.T) selector.Sighting {
		return rapid.SampledFrom([]selector.Sighting{
			{State: selector.StateKept, Code: selector.Selected},
			{State: selector.StateKept, Code: selector.Required},
			{State: selector.StateDropped, Code: selector.Older},
			{State: selector.StateDropped, Code: selector.CoveredBy},
			{State: selector.StateNotOffered, Code: "compacted", Into: 7, Found: true},
			{State: selector.StateNotOffered, Code: "compacted", Into: 7, Found: true, Holds: true},
			{State: selector.StateNotOffered, Code: "compacted", Into: 9},
			{State: selector.StateNotOffered, Code: "reset"},
			{State: selector.StateUnsaid, Code: "asked"},
			{State: selector.StateUnsaid, Code: "said_in_turn"},
		}).Draw(t, "fate")
	})
	rapid.Check(t, func(t *rapid.T) {
		sightings := rapid.SliceOf(fates).Draw(t, "sightings")
		for k := range sightings {
			sightings[k].Of = k
		}
		var all []int
		last := -1
		order := []selector.State{selector.StateKept, selector.StateDropped, selector.StateNotOffered, selector.StateUnsaid}
		seen := make(map[string]bool)
		for _, g := range selector.Groups(sightings) {
			all = append(all, g.Of...)
			name := string(g.State) + g.Why
			if at := slices.Index(order, g.State); at < last || seen[name] {
				t.Fatalf("the groups of %v are in no order, or doubled", sightings)
			} else {
				last = at
			}
			seen[name] = true
			for _, k := range g.Of {
				s := sightings[k]
				if s.State != g.State || g.Why != "" && g.Why != s.Why() {
					t.Fatalf("%+v is in the group %+v", s, g)
				}
			}
		}
		slices.Sort(all)
		for k := range sightings {
			if all[k] != k {
				t.Fatalf("the groups of %v have %v", sightings, all)
			}
		}
	})
	for code, want := range map[selector.Code]string{"compacted": "no summary", "reset": "reset", "excluded": "kept from the model", "host_pruned": "by the host"} {
		if s := (selector.Sighting{State: selector.StateNotOffered, Code: code}); !strings.Contains(s.Why(), want) {
			t.Errorf("%s is %q", code, s.Why())
		}
	}
}
