package selector

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pacms/session"
)

func quotePool(query string, texts ...string) *session.Pool {
	p := &session.Pool{Query: query}
	for i, text := range texts {
		p.Candidates = append(p.Candidates, session.Candidate{ID: fmt.Sprint("c", i), Kind: session.User, Text: text})
	}
	return p
}

func TestQuoted(t *testing.T) {
	texts := []string{
		0: "staging db port is 5433, not the default",
		1: "The weather in Lisbon is fine",
		2: "See internal/pay/retry.go and RETRY_MAX.",
		3: "We walked through Alfama, then ate grilled sardines nearby.",
		4: "port 80, port 443",
		5: "port 443 again", 6: "port 443", 7: "443",
		8:  "retry after 250 ms and 500 ms",
		9:  "train 250 leaves at noon",
		10: "Whatever they granted, the deadline changes.",
	}
	for name, c := range map[string]struct {
		query, answer string
		want          map[string][]int
	}{
		"a number":                       {"Which port?", "It is 5433.", map[string][]int{"5433": {0}}},
		"a number with its colon":        {"Which port?", "localhost:5433", map[string][]int{}},
		"said in the question":           {"Is it 5433?", "Yes, 5433.", map[string][]int{}},
		"a path and an identifier":       {"Where?", "In internal/pay/retry.go: RETRY_MAX", map[string][]int{"internal/pay/retry.go": {2}}},
		"too many holders":               {"Which?", "443", map[string][]int{}},
		"a short number":                 {"Which?", "80", map[string][]int{}},
		"one rare word is chance":        {"Food?", "You had sardines.", map[string][]int{}},
		"two rare words of one message":  {"Food?", "You had grilled SARDINES.", map[string][]int{"grilled": {3}}},
		"everyday words of one message":  {"Said what?", "Granted, whatever changes, the deadline is theirs.", map[string][]int{}},
		"two rare words of two messages": {"Food?", "The weather for sardines.", map[string][]int{}},
		"a short number is chance":       {"How long?", "250 ms", map[string][]int{}},
		"two short numbers of one":       {"How long?", "250 ms, then 500 ms", map[string][]int{"250": {8}}},
		"no answer":                      {"Food?", "", map[string][]int{}},
		"an answer in other words":       {"Which port?", "the usual one plus one", map[string][]int{}},
	} {
		got := map[string][]int{}
		for _, q := range Needs(quotePool(c.query, texts...), Later{Answer: c.answer}) {
			got[q.Text] = q.Holders
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestQuotedReadsCalls(t *testing.T) {
	p := quotePool("Which file?")
	p.Candidates = []session.Candidate{{ID: "a", Kind: session.Assistant, Calls: []session.ToolUse{{Name: "read", Args: []byte(`{"path":"cmd/pay.go"}`)}}}}
	if q := Needs(p, Later{Answer: "It was cmd/pay.go"}); len(q) != 1 || !slices.Equal(q[0].Holders, []int{0}) {
		t.Errorf("quotes = %v", q)
	}
}

// What a tool said in the run itself was not needed from before.
func TestQuotedLeavesOutWhatTheRunRead(t *testing.T) {
	p := quotePool("Which port?", "port 5433", "pool_size 12")
	answer := "It is 5433, with pool_size as before."
	run := []session.Candidate{{Kind: session.Tool, Text: "port: 5433"}, {Kind: session.Assistant, Text: "pool_size"}}
	if q := Needs(p, Later{Answer: answer, Run: run}); len(q) != 1 || q[0].Text != "pool_size" {
		t.Errorf("quotes = %v", q)
	}
}

func TestMissed(t *testing.T) {
	quotes := []Need{{Quoted, "5433", []int{0, 4}, false}, {Quoted, "retry.go", []int{2}, false}, {Quoted, "pool", []int{2, 3}, false}}
	for kept, want := range map[string]string{"": "5433 retry.go pool", "4": "retry.go pool", "0 2": "", "3": "5433 retry.go", "2 4": ""} {
		var got []string
		for _, q := range Missed(quotes, func(i int) bool { return slices.Contains(strings.Fields(kept), fmt.Sprint(i)) }) {
			got = append(got, q.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("kept %q: missed %q, want %q", kept, got, want)
		}
	}
}
