package catalogue_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pacms/selector"
	"pacms/session"
)

// protection has the faults by which standing rules were lost.
func protection() []fault {
	var short strings.Builder
	short.WriteString("s0 s1 ")
	for i := range 40 {
		fmt.Fprintf(&short, "u%d a%d ", i, i)
		if i == 20 {
			short.WriteString("d2 ")
		}
	}
	said := talk(short.String(), map[string]string{
		"s0": sized("never delete", 100), "s1": sized("answer briefly", 100), "d2": sized("ask before a release", 100),
	})
	f := fault{
		number: 7, name: "system messages, one of them amid the conversation", budgets: at(360),
		check: func(t *testing.T, p *session.Pool, s *selector.Selection) {
			for _, id := range []string{"s0", "s1", "d2"} {
				if !keeps(t, p, s, id) {
					t.Errorf("%s drops %s", s.Strategy, id)
				}
			}
		},
	}
	return both(f, "Is the ferry late?", said)
}

// budgets has the faults of counting what there is room for.
func budgets() []fault {
	return slices.Concat(hugeOutput(), []fault{
		{
			number: 12, name: "tiny and enormous budgets", input: fiveAlike, rules: "none",
			budgets: at(-1, 0, 1, 99, 100, 101, 255, 256, 257, 1<<31, math.MaxInt),
			check: func(t *testing.T, _ *session.Pool, s *selector.Selection) {
				if want := min(5, s.Budget/100); len(s.Kept) != want {
					t.Errorf("%s at %d keeps %d, want %d", s.Strategy, s.Budget, len(s.Kept), want)
				}
			},
		},
		{
			number: 13, name: "a reserve that leaves nothing", own: true,
			input: func(t *testing.T) *session.Pool { return windowed(t, 2000, false) },
			check: func(t *testing.T, _ *session.Pool, s *selector.Selection) {
				if s.EffectiveBudget != 10000 || s.OverBudget || warned(s, "reserve_clamped") == nil || len(s.BudgetTerms) != 4 {
					t.Errorf("%s: effective %d, over %v, terms %v", s.Strategy, s.EffectiveBudget, s.OverBudget, s.BudgetTerms)
				}
			},
		},
		{
			number: 13, name: "a window without room for what is required", own: true,
			input: func(t *testing.T) *session.Pool { return windowed(t, 4000, true) },
			check: func(t *testing.T, _ *session.Pool, s *selector.Selection) {
				w := warned(s, "over_budget")
				if !s.OverBudget || w == nil || !strings.Contains(w.Message, "system 40,000 and tools 12,000") || s.Tokens.Kept != s.Tokens.Required {
					t.Errorf("%s: over %v, warning %+v", s.Strategy, s.OverBudget, w)
				}
			},
		},
		{
			number: 15, name: "what is required does not fit", budgets: at(3000),
			input: func(t *testing.T) *session.Pool {
				return poolOf(t, "Is the ferry late?", talk("s0 u1 a1 u2 a2 u3 a3 u4 a4 u5 a5", map[string]string{"s0": sized("rules", 5000)}))
			},
			check: func(t *testing.T, _ *session.Pool, s *selector.Selection) {
				w := warned(s, "over_budget")
				if !slices.Equal(s.Kept, []string{"s0"}) || w == nil || w.Count != 2000 || w.IDs[0] != "s0" {
					t.Errorf("%s keeps %v, warning %+v", s.Strategy, s.Kept, w)
				}
			},
		},
	})
}

// hugeOutput is one tool output that is far larger than the budget among ten
// short turns, and then a last message.
func hugeOutput() []fault {
	short := "a0{c} t0{c} "
	for i := 1; i <= 10; i++ {
		short += fmt.Sprintf("u%d a%d ", i, i)
	}
	said := talk("u0 "+short+"u99", map[string]string{"t0": sized("match", 250_000), "u99": "Which ferry did we take?"})
	f := fault{
		number: 10, name: "one huge output", budgets: at(2000), unbound: []string{"rag"},
		check: func(t *testing.T, p *session.Pool, s *selector.Selection) {
			code, w := s.Code(place(t, p, "t0")), warned(s, "oversize")
			if len(s.Kept) != len(p.Candidates)-2 || code != selector.TooLarge || w == nil || !slices.Equal(w.IDs, []string{"a0", "t0"}) {
				t.Errorf("%s keeps %d, the output is %s, warning %+v", s.Strategy, len(s.Kept), code, w)
			}
		},
	}
	return both(f, "Which ferry did we take?", said)
}

// fiveAlike is a pool of five candidates of 100 tokens that have nothing in
// common and are each as near to the question.
func fiveAlike(*testing.T) *session.Pool {
	p := &session.Pool{Schema: session.PoolSchema, QueryEmbedding: []float32{1, 1, 1, 1, 1}}
	for i := range 5 {
		vector := make([]float32, 5)
		vector[i] = 1
		p.Candidates = append(p.Candidates, session.Candidate{ID: fmt.Sprint("c", i), Kind: session.User, Tokens: 100, Embedding: vector})
	}
	return p
}

// windowed is a pool of five candidates of so many tokens for a model whose
// window is nearly full.
func windowed(t *testing.T, tokens int, required bool) *session.Pool {
	p := poolOf(t, "Is the ferry late?", talk("u1 a1 u2 a2 u3", nil))
	p.Window, p.Reserve, p.System, p.Tools = new(65536), new(16384), new(40000), new(12000)
	for i := range p.Candidates {
		p.Candidates[i].Tokens, p.Candidates[i].Required = tokens, required
	}
	return p
}
