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

// relevance has the faults of what a message has to do with the question.
func relevance() []fault {
	out := []fault{
		{
			number: 21, name: "vectors of nothing and of no number", input: unusableVectors, rules: "none",
			unbound: []string{"lastk"}, check: ranksLast("zero", "infinite"),
		},
		{
			number: 21, name: "a text of punctuation", rules: "none", unbound: []string{"lastk"}, check: ranksLast("a1"),
			input: func(t *testing.T) *session.Pool {
				return poolOf(t, "Is the ferry to the island late?", talk("a1 u1 u2", map[string]string{
					"a1": "…!!!", "u1": "The ferry to the island is late today.", "u2": "Is a ferry late?",
				}))
			},
		},
		{number: 24, name: "an update that is covered by what it corrects", input: correction, budgets: sweep(3), check: saysNewer},
		{
			number: 24, name: "an update that is a near-duplicate", input: restatement, rules: "none", budgets: at(30, 60),
			unbound: []string{"pacms", "topk", "mmr", "rag"},
			check: func(t *testing.T, _ *session.Pool, s *selector.Selection) {
				want := []string{"new"}
				if s.Budget == 60 {
					want = []string{"old", "new"}
				}
				if !slices.Equal(s.Kept, want) {
					t.Errorf("%s at %d keeps %v, want %v", s.Strategy, s.Budget, s.Kept, want)
				}
			},
		},
		{
			number: 24, name: "some update is covered by what it corrects", rules: "none", budgets: at(20),
			input: coveredUpdate, unbound: []string{"topk", "lastk", "rag", "mmr", "dedup", "pacms+"},
			check: func(t *testing.T, p *session.Pool, s *selector.Selection) {
				v := s.Explain(place(t, p, "new"))
				if v.Reason.Code != selector.CoveredBy || !v.Reason.Newer || warned(s, "newer_covered_by_older") == nil {
					t.Errorf("%s drops the update: %+v, warnings %+v", s.Strategy, v.Reason, s.Warnings)
				}
			},
		},
	}
	for _, query := range []string{"yes, do it", "yes", "ok 👍"} {
		out = append(out, fault{
			number: 23, name: fmt.Sprintf("the question is %q", query),
			input: func(t *testing.T) *session.Pool { return lastPool(t, read(t, asking(kettles(), query))) },
			check: func(t *testing.T, p *session.Pool, s *selector.Selection) {
				near := min(s.Explain(place(t, p, "u1")).Relevance, s.Explain(place(t, p, "a1")).Relevance)
				for i := range p.Candidates {
					if id := p.Candidates[i].ID; id != "u1" && id != "a1" && s.Explain(i).Relevance >= near {
						t.Errorf("%s is as near to the question as what it is about", id)
					}
				}
				if w := warned(s, "query_widened"); s.QuerySource != "widened" || w == nil || !slices.Contains(w.IDs, "u1") {
					t.Errorf("the question is %s, warning %+v", s.QuerySource, w)
				}
			},
		})
	}
	nobody := fault{number: 23, name: "there is no question", rules: "none", budgets: at(25), check: newest}
	out = append(out, fault{
		number: 23, name: "a request says yes", rules: "none", budgets: at(25),
		input: func(t *testing.T) *session.Pool { return poolOf(t, "yes", kettles()) },
		check: func(t *testing.T, _ *session.Pool, s *selector.Selection) {
			if s.QuerySource != "request" || warned(s, "query_widened") != nil {
				t.Errorf("the question is %s", s.QuerySource)
			}
		},
	})
	nobody.input = func(t *testing.T) *session.Pool { return poolOf(t, "", kettles()) }
	return append(out, nobody)
}

// kettles is a talk about kettles amid ferries.
func kettles() []message {
	return talk("u0 a0 u9 a9 u1 a1", map[string]string{
		"u0": "When does the ferry to the island leave?", "a0": "The ferry leaves at nine and at noon.",
		"u9": "And the ferry back from the island?", "a9": "The last ferry back sails at six.",
		"u1": "Compare kettle prices, blue against red.", "a1": "The blue kettle is cheaper. Shall I order the blue kettle?",
	})
}

// newest checks that the newest are kept where there is no question.
func newest(t *testing.T, p *session.Pool, s *selector.Selection) {
	left := s.Budget
	var want []string
	for i := range slices.Backward(p.Candidates) {
		if c := &p.Candidates[i]; c.Tokens <= left {
			left -= c.Tokens
			want = append(want, c.ID)
		}
	}
	slices.Reverse(want)
	if !slices.Equal(s.Kept, want) || warned(s, "query_empty") == nil && s.Strategy != "lastk" {
		t.Errorf("%s keeps %v, want %v; warnings %+v", s.Strategy, s.Kept, want, s.Warnings)
	}
}

// unusableVectors has a row of zeros and one with an infinite number.
func unusableVectors(*testing.T) *session.Pool {
	p := &session.Pool{Schema: session.PoolSchema, QueryEmbedding: []float32{1, 0.5, 0}}
	for id, vector := range map[string][]float32{
		"infinite": {float32(math.Inf(1)), 1, 0}, "like": {1, 0.4, 0}, "liker": {1, 0.5, 0.1}, "zero": {0, 0, 0},
	} {
		p.Candidates = append(p.Candidates, session.Candidate{ID: id, Kind: session.User, Tokens: 10, Embedding: vector})
	}
	slices.SortFunc(p.Candidates, func(a, b session.Candidate) int { return strings.Compare(a.ID, b.ID) })
	return p
}

// ranksLast checks that none of the candidates with ids is kept or ranked before
// one that is like the question, and that unusable vectors are counted.
func ranksLast(ids ...string) func(*testing.T, *session.Pool, *selector.Selection) {
	return func(t *testing.T, p *session.Pool, s *selector.Selection) {
		worst, best := 0, math.MaxInt
		for i := range p.Candidates {
			v := s.Explain(i)
			unlike := slices.Contains(ids, v.ID)
			switch {
			case unlike && v.Relevance != 0:
				t.Errorf("%s: %s has the relevance %v", s.Strategy, v.ID, v.Relevance)
			case v.Rank == 0: // set aside before there was a ranking
			case unlike:
				best = min(best, v.Rank)
			default:
				worst = max(worst, v.Rank)
			}
		}
		if best < worst {
			t.Errorf("%s at %d ranks %v at %d, others at %d", s.Strategy, s.Budget, ids, best, worst)
		}
		if w := warned(s, "nonfinite_vectors"); len(ids) == 2 && (w == nil || w.Count != 2) {
			t.Errorf("%s: warning %+v", s.Strategy, w)
		}
	}
}

// correction is a long statement, much else, and late a short correction.
func correction(t *testing.T) *session.Pool {
	short := "u0 a0 "
	for i := 1; i < 12; i++ {
		short += fmt.Sprintf("u%d a%d ", i, i)
	}
	return lastPool(t, read(t, asking(talk(short, map[string]string{
		"u1":  "Ada lives in Oslo, in a flat in Oslo near the harbour, and she has lived in Oslo for many years.",
		"a1":  "Good to know that Ada lives in Oslo.",
		"u11": "Ada has moved: she lives in Lyon now.",
	}), "Where does Ada live, and in which flat does she live?")))
}

// saysNewer checks that the update is marked where it is dropped as covered by
// what it corrects.
func saysNewer(t *testing.T, p *session.Pool, s *selector.Selection) {
	r := s.Explain(place(t, p, "u11")).Reason
	if r.Code != selector.CoveredBy || len(r.By) == 0 || r.By[0].ID != "u1" && r.By[0].ID != "a1" {
		return
	}
	if w := warned(s, "newer_covered_by_older"); !r.Newer || w == nil || !slices.Contains(w.IDs, "u11") {
		t.Errorf("%s at %d: the update is covered by %s, newer %v, warning %+v", s.Strategy, s.Budget, r.By[0].ID, r.Newer, w)
	}
}

// restatement has a sentence and later the same with a few words more.
func restatement(t *testing.T) *session.Pool {
	old := "The staging database listens on port 5432 of the host db-staging and takes forty connections at once from the pool"
	p := poolOf(t, "Which port does the staging database listen on?", []message{
		{id: "old", role: "user", text: old}, {id: "new", role: "user", text: old + " today"},
	})
	for i := range p.Candidates {
		p.Candidates[i].Tokens = 30
	}
	return p
}

// coveredUpdate has an update that is longer than the room for it and nearly
// what is kept.
func coveredUpdate(*testing.T) *session.Pool {
	return &session.Pool{Schema: session.PoolSchema, QueryEmbedding: []float32{1, 0, 0}, Candidates: []session.Candidate{
		{ID: "old", Kind: session.User, Tokens: 10, Embedding: []float32{0.95, 0.3, 0}},
		{ID: "other", Kind: session.User, Tokens: 10, Embedding: []float32{0.3, 0, 0.95}},
		{ID: "new", Kind: session.User, Tokens: 15, Embedding: []float32{0.94, 0.34, 0}},
	}}
}
