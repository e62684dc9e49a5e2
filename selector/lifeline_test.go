package selector_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
)

// walkOf selects for all turns of s with a strategy; budget gives that of a turn
// by its index.
func walkOf(tb fatal, e *selector.Engine, s *session.Session, strategy string, rules string, budget func(turn int) int) selector.Walk {
	tb.Helper()
	r, err := selector.ParseRules(rules)
	if err != nil {
		tb.Fatal(err)
	}
	chosen := mustStrategy(tb, strategy)
	w := selector.Walk{
		Session: s, Mode: session.PoolWindow,
		Prepare: func(ctx context.Context, turn int) (*selector.Prepared, error) {
			return e.Prepare(ctx, s.Pool(turn, session.PoolWindow), selector.PrepareOptions{})
		},
		Options: func(turn int, _ *session.Pool) selector.Options {
			return selector.Options{Strategy: chosen, Rules: r, Tail: 1, Budget: selector.Term{Value: budget(turn), Source: "test"}}
		},
	}
	for i := range s.Turns {
		w.Turns = append(w.Turns, i)
	}
	return w
}

func always(budget int) func(int) int { return func(int) int { return budget } }

// told writes moments for comparison: "2 dropped older newcomer c4".
func told(moments []selector.Moment) []string {
	var lines []string
	for _, m := range moments {
		line := fmt.Sprintf("%d %s %s %s %s", m.Turn, m.State, m.Code, m.Cause, m.By)
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

func TestLifeline(t *testing.T) {
	t.Parallel()
	ferry := plantedTurn{ask: "When does the ferry leave the harbour?", answer: "The ferry leaves at nine."}
	port := plantedTurn{ask: "The staging database listens on port 5433.", answer: "Noted."}
	for name, c := range map[string]struct {
		session  *session.Session
		strategy string
		rules    string
		budget   func(int) int
		id       string
		want     []string
	}{
		"another question": {
			planted(port, ferry, ferry, plantedTurn{ask: "Which port has the staging database?"}, ferry),
			"rag:k=1", "none", always(40), "c0",
			[]string{"2 kept selected", "3 dropped rank newcomer c2", "4 kept selected query", "5 dropped rank query"},
		},
		"another budget": {
			planted(port, ferry, ferry, ferry), "lastk", "none",
			func(turn int) int { return []int{0, 100, 15, 100}[turn] }, "c1",
			[]string{"2 kept fits", "3 dropped older budget", "4 kept fits budget"},
		},
		"a newcomer": {
			planted(port, ferry, ferry, ferry), "lastk", "none", always(40), "c1",
			[]string{"2 kept fits", "3 kept fits", "4 dropped older newcomer c5"},
		},
		"a newcomer that completes its turn": {
			planted(port, ferry, ferry), "rag:k=0", "tail", always(40), "c1",
			[]string{"2 kept tail", "3 dropped rank newcomer c3"},
		},
		"a compaction": {
			planted(port, ferry, plantedTurn{ask: "Go on", boundary: "compaction", window: []session.Span{{From: 2, To: 4}}}, ferry),
			"lastk", "none", always(1000), "c0",
			[]string{"2 kept fits", "3 not_offered compacted pool", "4 kept fits pool"},
		},
		"a reset": {
			planted(port, plantedTurn{ask: "Good morning", boundary: "reset", window: []session.Span{}}),
			"lastk", "none", always(1000), "c0",
			[]string{"2 not_offered reset"},
		},
		"never said": {planted(port, ferry), "lastk", "none", always(1000), "c99", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := selector.NewEngine(embed.NewBuiltin(), "chars4")
			var each []selector.Moment
			got, err := e.Lifeline(background, walkOf(t, e, c.session, c.strategy, c.rules, c.budget), c.id, func(m selector.Moment) { each = append(each, m) })
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(told(got), c.want) {
				t.Errorf("%q, want %q", told(got), c.want)
			}
			if !slices.Equal(each, got) {
				t.Errorf("told of %v on the way", each)
			}
		})
	}
}

// In every turn the lifeline says what a single run says, and each cause that it
// names holds when it is tried with another engine.
func TestLifelineIsWhatSingleRunsSay(t *testing.T) {
	t.Parallel()
	words := strings.Fields("port database staging ferry harbour bread dough oven garden thyme config retry payment invoice queue worker")
	sentence := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 2, 5).Draw(t, "words"), " ")
	})
	rapid.Check(t, func(t *rapid.T) {
		turns := make([]plantedTurn, rapid.IntRange(2, 5).Draw(t, "turns"))
		budgets := make([]int, len(turns))
		for k := range turns {
			turns[k] = plantedTurn{ask: sentence.Draw(t, "ask"), answer: sentence.Draw(t, "answer")}
			if rapid.IntRange(0, 3).Draw(t, "call") == 0 {
				turns[k].more = []session.Candidate{
					{Kind: session.Assistant, Calls: []session.ToolUse{{Name: "grep", CallID: fmt.Sprint(k)}}, Tokens: 10},
					{Kind: session.Tool, Text: sentence.Draw(t, "result"), Tool: &session.ToolUse{Name: "grep", CallID: fmt.Sprint(k)}, Tokens: 20},
				}
			}
			budgets[k] = rapid.SampledFrom([]int{20, 40, 40, 70}).Draw(t, "budget")
		}
		s := planted(turns...)
		strategy, rules := rapid.SampledFrom(specs).Draw(t, "strategy"), rapid.SampledFrom([]string{"none", "default"}).Draw(t, "rules")
		id := fmt.Sprint("c", rapid.IntRange(0, len(s.Candidates)-1).Draw(t, "id"))
		w := walkOf(t, selector.NewEngine(embed.NewBuiltin(), "chars4"), s, strategy, rules, func(turn int) int { return budgets[turn] })

		other := selector.NewEngine(embed.NewBuiltin(), "chars4")
		// at is the state with the first n candidates, and the question and the budget of a turn.
		at := func(n, query, budget int) selector.State {
			pool := s.Pool(query, session.PoolWindow)
			pool.Candidates = s.Candidates[:n]
			p, err := other.Prepare(background, pool, selector.PrepareOptions{QueryExplicit: true})
			if err != nil {
				t.Fatal(err)
			}
			sel, err := p.Select(background, w.Options(budget, pool))
			if err != nil {
				t.Fatal(err)
			}
			if i := slices.IndexFunc(pool.Candidates, func(c session.Candidate) bool { return c.ID == id }); sel.Keeps(i) {
				return selector.StateKept
			}
			return selector.StateDropped
		}
		size := func(turn int) int { return s.Turns[turn].Window[0].To }

		moments, err := selector.NewEngine(embed.NewBuiltin(), "chars4").Lifeline(background, w, id, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, m := range moments {
			if want := at(size(m.Index), m.Index, m.Index); m.State != want {
				t.Fatalf("turn %d: %s, a single run says %s", m.Turn, m.State, want)
			}
			if k == 0 || moments[k-1].State == m.State {
				if m.Cause != "" {
					t.Fatalf("turn %d: nothing changed, because of %s", m.Turn, m.Cause)
				}
				continue
			}
			was, is := moments[k-1].Index, m.Index
			old, now := moments[k-1].State, m.State
			alone := map[selector.Cause]bool{
				selector.CauseQuery:    at(size(was), is, was) == now || at(size(is), was, is) == old,
				selector.CauseBudget:   at(size(was), was, is) == now || at(size(is), is, was) == old,
				selector.CauseNewcomer: at(size(is), was, was) == now || at(size(was), is, is) == old,
			}
			if strategy == "lastk" && m.Cause == selector.CauseQuery {
				t.Fatalf("turn %d: lastk does not read the question", m.Turn)
			}
			switch m.Cause {
			case selector.CauseSeveral:
				if alone[selector.CauseQuery] || alone[selector.CauseBudget] || alone[selector.CauseNewcomer] {
					t.Fatalf("turn %d: said to have several causes, and has %v", m.Turn, alone)
				}
			case selector.CauseNewcomer:
				from := slices.IndexFunc(s.Candidates, func(c session.Candidate) bool { return c.ID == m.By })
				to := from + 1
				for to < len(s.Candidates) && s.Candidates[from].Group != "" && s.Candidates[to].Group == s.Candidates[from].Group {
					to++
				}
				if (at(from, was, was) != old || at(to, was, was) != now) && (at(from, is, is) != old || at(to, is, is) != now) {
					t.Fatalf("turn %d: %s does not make it %s", m.Turn, m.By, now)
				}
			default:
				if !alone[m.Cause] {
					t.Fatalf("turn %d: %q does not make it %s", m.Turn, m.Cause, now)
				}
			}
		}
	})
}

// What leaves the pool can be the cause, too: the first message that is still
// offered is required, and after a compaction that is another one.
func TestLifelineAfterLeavers(t *testing.T) {
	t.Parallel()
	s := planted(
		plantedTurn{ask: "The staging database listens on port 5433.", answer: "Noted."},
		plantedTurn{ask: "When does the ferry leave?", answer: "At nine."},
		plantedTurn{ask: "And the bread, how long?", answer: "An hour."},
		plantedTurn{ask: "Go on with it", boundary: "compaction", window: []session.Span{{From: 2, To: 6}}},
	)
	e := selector.NewEngine(embed.NewBuiltin(), "chars4")
	got, err := e.Lifeline(background, walkOf(t, e, s, "lastk", "first", always(20)), "c2", nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"3 dropped older", "4 kept required pool"}; !slices.Equal(told(got), want) {
		t.Errorf("%q, want %q", told(got), want)
	}
}

func TestLifelineStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(background)
	s := planted(slices.Repeat([]plantedTurn{{ask: "When does the ferry leave?", answer: "At nine."}}, 6)...)
	e := selector.NewEngine(embed.NewBuiltin(), "chars4")
	got, err := e.Lifeline(ctx, walkOf(t, e, s, "topk", "none", always(30)), "c0", func(selector.Moment) { cancel() })
	if err == nil || len(got) != 1 {
		t.Errorf("%d moments after the end, %v", len(got), err)
	}
}
