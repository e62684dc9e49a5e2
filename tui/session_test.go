package tui

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/testdata"
)

// exchanges are what the made-up session talks about: a question, what a tool
// said (if any), an answer.
var exchanges = [][3]string{
	{"Good morning, what is on the list for today?", "", "The checkout service, the move to staging and your trip to Porto."},
	{"Read the config of the checkout service", "service: checkout\nport: 8080\nretries: 3\ntimeout: 2s\n", "It listens on 8080 and tries three times."},
	{"staging db port is 5433, not the default", "", "Noted: the staging database is on 5433."},
	{"Which trains go to Porto on Friday?", "08:30 Lisboa Oriente\n11:30 Lisboa Oriente\n", "Two in the morning: 08:30 and 11:30."},
	{"Run the tests", "ok  checkout/pay  0.41s\nFAIL checkout/cart  0.12s\n", "One package fails: checkout/cart."},
	{"What does the cart test want?", "cart_test.go:31: total = 1199, want 1200", "A total of 1200; rounding loses a cent."},
	{"Fix the rounding", "edited cart.go", "Done: the total is rounded once, at the end."},
	{"A recipe for tonight with chickpeas, please", "", "Chickpeas with spinach and cumin, twenty minutes."},
}

const (
	fact     = "staging db port is 5433, not the default"
	askTurnN = 24
)

// madeUp is a session of 30 turns. The fact is said in turn 3 and asked for in
// turn 24; turn 12 is the host's own, and a compaction stands before turn 29.
func madeUp() *session.Session {
	s := &session.Session{Key: "agent:main:main", Tokenizer: "openclaw", Estimated: true, Source: session.Source{Path: "made-up.jsonl"}}
	start := time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC)
	add := func(turn int, kind session.Kind, text string) *session.Candidate {
		n := len(s.Candidates)
		s.Candidates = append(s.Candidates, session.Candidate{
			ID: fmt.Sprintf("c%03d", n+1), Kind: kind, Text: text, Tokens: len(text)/4 + 3, Turn: turn,
			Time: start.Add(time.Duration(n) * time.Minute),
		})
		return &s.Candidates[n]
	}
	cut := 0
	for turn := 1; turn <= 30; turn++ {
		x := exchanges[(turn-1)%len(exchanges)]
		question := x[0]
		if turn > len(exchanges) && x[0] == fact {
			question, x[2] = fmt.Sprintf("Is the weather in Porto better on day %d?", turn), "Sunny, with some wind from the west."
		}
		if turn > len(exchanges) {
			// No two messages are the same: which of two equals is kept is not for
			// the screen's tests to say.
			question, x[2] = fmt.Sprintf("%s (day %d)", question, turn), fmt.Sprintf("%s That was step %d.", x[2], turn)
		}
		t := session.Turn{Number: turn, Branch: session.BranchActive, Time: start.Add(time.Duration(len(s.Candidates)) * time.Minute)}
		switch turn {
		case 12:
			question, t.Internal, x = "heartbeat: read HEARTBEAT.md", "heartbeat", [3]string{"", "", "HEARTBEAT_OK"}
		case askTurnN:
			question, x = "Which port did we settle on for the staging database?", [3]string{"", "", "It is 5433 for the database on staging."}
		case 29:
			cut = len(s.Candidates) - 20
			t.Boundary = &session.Boundary{Kind: "compaction"}
		}
		t.Query, t.Answer = question, x[2]
		t.Window = []session.Span{{From: cut, To: len(s.Candidates)}}
		t.Key = []session.Span{{From: 0, To: len(s.Candidates)}}
		s.Turns = append(s.Turns, t)
		add(turn, session.User, question)
		if x[1] != "" {
			use := session.ToolUse{Name: "exec", CallID: fmt.Sprint("call", turn), Args: json.RawMessage(fmt.Sprintf(`{"command":"step %d"}`, turn))}
			call := add(turn, session.Assistant, "")
			call.Calls, call.Group = []session.ToolUse{use}, use.CallID
			result := add(turn, session.Tool, fmt.Sprintf("%s(step %d)", x[1], turn))
			result.Tool, result.Group = &use, use.CallID
		}
		add(turn, session.Assistant, x[2])
	}
	s.Raw = func(id string) [][]byte {
		return [][]byte{[]byte(`{"type":"message","id":"` + id + `","message":{"content":"as stored"}}`)}
	}
	return s
}

// madeUpStory is the story of the made-up session.
func madeUpStory() *testdata.Story {
	return &testdata.Story{
		Title: "checkout service", Label: "real gateway and tools, scripted model",
		Intro: "an agent's memory is limited", Watch: "watch turn 3",
		Start:  testdata.Start{Turn: 1, Strategy: "lastk", Budget: "30%", Pace: 250},
		Mark:   testdata.Mark{Turn: askTurnN, Needed: factID(), Fact: fact, Question: "Which port did we settle on for the staging database?"},
		Invite: "press 1 to see it come back",
		After:  "#{item} is back from turn {said}, {ago} turns ago: {strategy} keeps it within the same {budget}",
	}
}

// factID is the id of the fact in the made-up session.
func factID() string {
	for _, c := range madeUp().Candidates {
		if c.Text == fact {
			return c.ID
		}
	}
	return ""
}

// config is a screen on turn 28 of the made-up session with the real selector.
func config(t testing.TB) Config {
	t.Helper()
	strategy, err := selector.ParseStrategy("pacms")
	if err != nil {
		t.Fatal(err)
	}
	budget, err := selector.ParseBudget("45%")
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Title: "made-up.jsonl", Turn: 28, Strategy: strategy, Budget: budget, BudgetSource: "demo default",
		Rules: selector.DefaultRules(), Tail: selector.DefaultTail, PoolMode: session.PoolWindow,
		Load:      func(context.Context, Progress) (*session.Session, error) { return madeUp(), nil },
		NewEngine: func(s *session.Session) *selector.Engine { return selector.NewEngine(embed.NewBuiltin(), s.Tokenizer) },
		ExportDir: t.TempDir(),
	}
}

// storyConfig is the same with the story.
func storyConfig(t testing.TB) Config {
	cfg := config(t)
	cfg.Title, cfg.Story, cfg.Turn = "demo", madeUpStory(), 0
	return cfg
}
