package selector_test

import (
	"fmt"
	"testing"

	"pacms/selector"
	"pacms/session"
)

// Rank is the rank that Explain gives, for every strategy and candidate.
func TestRank(t *testing.T) {
	pool := &session.Pool{Query: "Which port does the staging database have?"}
	for i := range 40 {
		pool.Candidates = append(pool.Candidates, session.Candidate{
			ID: fmt.Sprint("c", i), Kind: session.User, Tokens: 5 + i%7,
			Text: fmt.Sprintf("Message %d on the database of stage %d and its port %d.", i, i%5, 5400+i%11),
		})
	}
	// No rules: to them messages that differ in numbers alone are polls.
	rules, err := selector.ParseRules("none")
	if err != nil {
		t.Fatal(err)
	}
	p := prepare(t, pool)
	for _, name := range selector.Strategies() {
		sel, err := p.Select(background, selector.Options{
			Strategy: mustStrategy(t, name), Budget: selector.Term{Value: 90, Source: "test"}, Rules: rules,
		})
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for i := range pool.Candidates {
			if got, want := sel.Rank(i), sel.Explain(i).Rank; got != want {
				t.Errorf("%s: candidate %d has rank %d, its verdict says %d", name, i, got, want)
			}
			if sel.Rank(i) > 0 {
				seen++
			}
		}
		if seen == 0 {
			t.Errorf("%s ranks nothing", name)
		}
		if seen != sel.Ranked() {
			t.Errorf("%s ranks %d candidates alone in their groups, and says %d", name, seen, sel.Ranked())
		}
	}
}
