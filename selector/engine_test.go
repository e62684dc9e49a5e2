package selector_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
)

// long is a pool of n different sentences.
func long(n int) *session.Pool {
	words := strings.Fields("port database staging ferry harbour bread dough oven garden thyme sage config retry payment invoice queue worker memory disk log")
	p := &session.Pool{Schema: session.PoolSchema, Query: "which port does the staging database use", FromSession: true}
	for i := range n {
		text := fmt.Sprintf("%s %s %s number %d", words[i%len(words)], words[(i*7+3)%len(words)], words[(i*i+5)%len(words)], i/3)
		kind := session.User
		if i%2 == 1 {
			kind = session.Assistant
		}
		p.Candidates = append(p.Candidates, session.Candidate{ID: fmt.Sprint("c", i), Kind: kind, Text: text, Tokens: 5 + i%11})
	}
	return p
}

func prefix(p *session.Pool, n int) *session.Pool {
	q := *p
	q.Candidates = p.Candidates[:n]
	return &q
}

// An engine that has seen other turns answers as a new one does.
func TestEngineKeepsNothingThatChangesAnAnswer(t *testing.T) {
	pool := long(60)
	warm := selector.NewEngine(embed.NewBuiltin(), "chars4")
	for _, n := range []int{10, 60, 1, 37, 0, 60} {
		p, err := warm.Prepare(background, prefix(pool, n), selector.PrepareOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range selector.Strategies() {
			opt := selector.Options{Strategy: mustStrategy(t, name), Rules: selector.DefaultRules(), Tail: 1, Budget: selector.Term{Value: 150, Source: "flag"}}
			got, err := p.Select(background, opt)
			if err != nil {
				t.Fatal(err)
			}
			want := selectFrom(t, prefix(pool, n), opt)
			if !slices.Equal(got.Order, want.Order) || got.Coverage != want.Coverage {
				t.Errorf("%s on %d candidates: order %v, a new engine gives %v", name, n, got.Order, want.Order)
			}
		}
	}
}

func TestEngineIsSafeForConcurrentUse(t *testing.T) {
	pool := long(40)
	e := selector.NewEngine(embed.NewBuiltin(), "chars4")
	var wg sync.WaitGroup
	for k := range 8 {
		wg.Go(func() {
			p, err := e.Prepare(background, prefix(pool, 5*k+5), selector.PrepareOptions{})
			if err != nil {
				t.Error(err)
				return
			}
			for _, name := range selector.Strategies() {
				s, err := p.Select(background, selector.Options{Strategy: mustStrategy(t, name), Budget: selector.Term{Value: 60, Source: "flag"}})
				if err != nil {
					t.Error(err)
					return
				}
				for i := range p.Pool.Candidates {
					wg.Go(func() { s.Explain(i) })
				}
			}
		})
	}
	wg.Wait()
}

func TestCancelledWorkStops(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	e := selector.NewEngine(embed.NewBuiltin(), "chars4")
	if _, err := e.Prepare(ctx, long(200), selector.PrepareOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Prepare: %v", err)
	}
	p := prepare(t, long(200))
	for _, name := range []string{"pacms", "pacms+", "mmr", "dedup"} {
		opt := selector.Options{Strategy: mustStrategy(t, name), Budget: selector.Term{Value: 200, Source: "flag"}}
		if _, err := p.Select(ctx, opt); !errors.Is(err, context.Canceled) {
			t.Errorf("Select %s: %v", name, err)
		}
	}
	// A cancelled start leaves the engine as it was.
	if _, err := e.Prepare(background, long(20), selector.PrepareOptions{}); err != nil {
		t.Errorf("Prepare after a cancelled one: %v", err)
	}
}

func TestProgressReachesTheEnd(t *testing.T) {
	e := selector.NewEngine(embed.NewBuiltin(), "chars4")
	last, of := 0, 0
	if _, err := e.Prepare(background, long(150), selector.PrepareOptions{Progress: func(done, total int) {
		if done <= last {
			t.Errorf("progress went from %d to %d", last, done)
		}
		last, of = done, total
	}}); err != nil {
		t.Fatal(err)
	}
	if last != of || of != 150 {
		t.Errorf("ended at %d of %d, want 150", last, of)
	}
}

func TestQuestions(t *testing.T) {
	nobody := texts("", 20, 10, "red", "green", "blue")
	for _, name := range selector.Strategies() {
		s := selectFrom(t, nobody, selector.Options{Strategy: mustStrategy(t, name)})
		if !slices.Equal(s.KeptIndices, []int{1, 2}) {
			t.Errorf("%s without a question kept %v, want the newest", name, s.KeptIndices)
		}
		if warned(s, "query_empty") != (name != "lastk") {
			t.Errorf("%s: warnings %v", name, s.Warnings)
		}
	}

	// A question that says nothing takes in what was said before, unless a
	// person gave it.
	kettle := texts("yes, do it", 60, 10, "The ferry leaves at nine.", "Compare the kettle prices, blue against red.",
		"Shall I order the blue kettle?", "The harbour is closed on Sundays.")
	kettle.FromSession = true
	kettle.Candidates[2].Kind = session.Assistant
	s := selectFrom(t, kettle, selector.Options{Strategy: mustStrategy(t, "topk"), Budget: selector.Term{Value: 20, Source: "flag"}})
	if s.QuerySource != "widened" || !warned(s, "query_widened") {
		t.Errorf("query source %s, warnings %v", s.QuerySource, s.Warnings)
	}
	kettle.FromSession = false
	if s := selectFrom(t, kettle, selector.Options{Strategy: mustStrategy(t, "topk")}); s.QuerySource != "request" {
		t.Errorf("a request's question became %s", s.QuerySource)
	}

	nothing := &session.Pool{QueryEmbedding: []float32{1, 0}, Budget: new(10), Candidates: []session.Candidate{
		{ID: "a", Tokens: 8, Embedding: []float32{-1, 0}}, {ID: "b", Tokens: 8, Embedding: []float32{0, 1}},
	}}
	s = selectFrom(t, nothing, selector.Options{Strategy: mustStrategy(t, "pacms")})
	if len(s.Kept) != 0 || !warned(s, "nothing_relevant") || s.Code(0) != selector.Irrelevant {
		t.Errorf("kept %v, code %s, warnings %v", s.Kept, s.Code(0), s.Warnings)
	}
}

func warned(s *selector.Selection, code string) bool {
	return slices.ContainsFunc(s.Warnings, func(w session.Warning) bool { return w.Code == code })
}

func TestBudgetTerms(t *testing.T) {
	five := func() *session.Pool { return texts("colour", 0, 100, "red", "green", "blue", "black", "white") }
	for _, name := range selector.Strategies() {
		for _, b := range []int{0, 1, 99, 100, 101, 255, 256, 257, 1 << 31, math.MaxInt} {
			pool := five()
			pool.Budget = &b
			s := selectFrom(t, pool, selector.Options{Strategy: mustStrategy(t, name)})
			// pacms adds nothing that is nothing like the question.
			if want := min(5, b/100); len(s.Kept) != want && name != "pacms" {
				t.Errorf("%s at %d kept %d, want %d", name, b, len(s.Kept), want)
			}
		}
		bad := -1
		pool := five()
		pool.Budget = &bad
		if _, err := prepare(t, pool).Select(background, selector.Options{Strategy: mustStrategy(t, name)}); err == nil || !strings.Contains(err.Error(), "0 or more") {
			t.Errorf("%s at -1: %v", name, err)
		}
	}

	// Input that fits the window but not with the answer's reserve.
	window := five()
	window.Budget, window.Window, window.Reserve, window.System, window.Tools = nil, new(65536), new(16384), new(40000), new(12000)
	for i := range window.Candidates {
		window.Candidates[i].Tokens = 2000
	}
	s := selectFrom(t, window, selector.Options{Strategy: mustStrategy(t, "topk")})
	if !warned(s, "reserve_clamped") || s.EffectiveBudget != 10000 || s.BudgetTerms["reserve"].Source != "clamped" {
		t.Errorf("effective %d, terms %v, warnings %v", s.EffectiveBudget, s.BudgetTerms, s.Warnings)
	}

	none := five()
	none.Budget = nil
	if s := selectFrom(t, none, selector.Options{Strategy: mustStrategy(t, "topk")}); s.Budget != 225 || s.BudgetTerms["budget"].Source != "default" {
		t.Errorf("default budget %d, %v", s.Budget, s.BudgetTerms)
	}
}

func TestRequiredOverBudget(t *testing.T) {
	pool := texts("colour", 3000, 500, "red", "green", "blue", "black")
	pool.Candidates[0].Tokens, pool.Candidates[0].Kind = 5000, session.System
	for _, name := range selector.Strategies() {
		s := selectFrom(t, pool, selector.Options{Strategy: mustStrategy(t, name), Rules: selector.DefaultRules()})
		if !s.OverBudget || !slices.Equal(s.KeptIndices, []int{0}) || s.Tokens.Required-s.EffectiveBudget != 2000 {
			t.Errorf("%s: over %v, kept %v, required %d of %d", name, s.OverBudget, s.KeptIndices, s.Tokens.Required, s.EffectiveBudget)
		}
		if i := slices.IndexFunc(s.Warnings, func(w session.Warning) bool { return w.Code == "over_budget" }); i < 0 || s.Warnings[i].IDs[0] != "ca" || s.Warnings[i].Count != 2000 {
			t.Errorf("%s: warnings %+v", name, s.Warnings)
		}
	}
}

func TestParseStrategy(t *testing.T) {
	for spec, want := range map[string]string{
		"pacms": "pacms", "pacms-plus": "pacms+", "mmr:lambda=0.5": "mmr", "mmr:lambda=0.7": "mmr:lambda=0.7",
		"rag:k=20": "rag:k=20", "pacms+:preset=A,smooth=0.3": "pacms+:preset=A,smooth=0.3", "pacms+:smooth=0.3,preset=A": "pacms+:preset=A,smooth=0.3",
	} {
		if got := mustStrategy(t, spec).String(); got != want {
			t.Errorf("%s became %s, want %s", spec, got, want)
		}
	}
	for _, spec := range []string{"", "best", "mmr:", "mmr:lambda", "mmr:lambda=2", "mmr:lambda=NaN", "topk:k=3", "rag:k=-1", "rag:k=x", "mmr:lambda=0.5,lambda=0.6", "rag:k=1,k=1", "pacms+:preset=B", "topk:smooth=7"} {
		if s, err := selector.ParseStrategy(spec); err == nil {
			t.Errorf("%q became %s", spec, s)
		}
	}
}

func TestPoolWarningsReachTheAnswer(t *testing.T) {
	pool := texts("colour", 20, 10, "red")
	pool.Warnings = []session.Warning{{Code: "unknown_fields", Message: "2 fields are unknown"}}
	pool.IDsRepaired = 3
	s := selectFrom(t, pool, selector.Options{Strategy: mustStrategy(t, "topk")})
	if !warned(s, "unknown_fields") || !warned(s, "ids_repaired") {
		t.Errorf("warnings %+v", s.Warnings)
	}
}

// A copy adds nothing, however its dot product with the original rounds.
func TestCopiesAddNothing(t *testing.T) {
	pool := &session.Pool{QueryEmbedding: []float32{1.235, -1.002, -0.015, -0.351}, Budget: new(35), Candidates: []session.Candidate{
		{ID: "far", Tokens: 30, Embedding: []float32{-2.738, 0.263, -0.795, -0.547}},
	}}
	for i := range 3 {
		pool.Candidates = append(pool.Candidates, session.Candidate{ID: fmt.Sprint("c", i), Tokens: 10, Embedding: []float32{2.738, -0.263, 0.795, 0.547}})
	}
	s := selectFrom(t, pool, selector.Options{Strategy: mustStrategy(t, "pacms")})
	if !slices.Equal(s.KeptIndices, []int{1}) || s.Code(2) != selector.CoveredBy {
		t.Errorf("kept %v, the copy is %s", s.KeptIndices, s.Code(2))
	}
}

// A poll that shares its group with an answer is not set aside with it.
func TestPollsTakeNoAnswerWithThem(t *testing.T) {
	var pool session.Pool
	pool.Query, pool.Budget = "on which host is the backup of the harbour database?", new(200)
	for i, answer := range []string{"The backup of the harbour database is on host kettle seven", "Nothing new at the ferry", "The dough has risen"} {
		group := fmt.Sprint("g", i)
		pool.Candidates = append(pool.Candidates,
			session.Candidate{ID: fmt.Sprint("u", i), Kind: session.User, Text: fmt.Sprint("continue ", i), Tokens: 5, Group: group},
			session.Candidate{ID: fmt.Sprint("a", i), Kind: session.Assistant, Text: answer, Tokens: 15, Group: group})
	}
	s := selectFrom(t, &pool, selector.Options{Strategy: mustStrategy(t, "topk"), Rules: selector.DefaultRules()})
	if !s.Keeps(0) || !s.Keeps(1) {
		t.Errorf("kept %v, %s", s.Kept, s.Explain(1).Reason.Text)
	}
	one := texts("kettle", 200, 10, "text number 1 kettle", "text number 2 kettle", "text number 3 kettle")
	for i := range one.Candidates {
		one.Candidates[i].Group = "g"
	}
	if s := selectFrom(t, one, selector.Options{Strategy: mustStrategy(t, "topk"), Rules: selector.DefaultRules()}); len(s.Kept) != 3 {
		t.Errorf("kept %v of one group, %s", s.Kept, s.Explain(0).Reason.Text)
	}
}

func TestCosinesOutsideTheirBoundsAreRefused(t *testing.T) {
	e := selector.NewEngine(embed.NewBuiltin(), "chars4")
	for name, s := range map[string]session.Similarity{
		"query":       {Query: []float32{5, 0}, Pairs: "AAAAAA=="},
		"pairs":       {Query: []float32{1, 0}, Pairs: "AAAgQQ=="},
		"containment": {Query: []float32{1, 0}, Pairs: "AAAAAA==", Containment: "AACAvw=="},
		"length":      {Query: []float32{1}, Pairs: "AAAAAA=="},
	} {
		pool := &session.Pool{Candidates: []session.Candidate{{ID: "a", Tokens: 1}, {ID: "b", Tokens: 1}}, Similarity: &s}
		if _, err := e.Prepare(background, pool, selector.PrepareOptions{}); err == nil || !strings.Contains(err.Error(), "similarity") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
