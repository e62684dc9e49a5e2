package selector_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pacms/selector"
	"pacms/selector/selectortest"
	"pacms/session"
)

// verdictCase names a candidate, the reason it must have, and a change of the
// named cause after which it must be kept, or no longer have that reason.
type verdictCase struct {
	name     string
	pool     func() *session.Pool
	strategy string
	rules    string
	budget   int
	id       string
	code     selector.Code
	by       string // a candidate that the reason must name
	text     string // part of the sentence
	pins     []string
	bans     []string
	change   func(p *session.Pool, opt *selector.Options)
	after    selector.Code
}

// talk is a session's pool of short messages about few topics.
func talk() *session.Pool {
	p := texts("which port does the staging database use", 40, 10,
		"the staging database port is 5433 not the default",         // ca
		"the ferry to the island leaves at nine in the morning",     // cb
		"note the staging database port is 5433 not the default",    // cc
		"bread dough rises for two hours in a warm place",           // cd
		"ferries leave the harbour every hour in summer",            // ce
		"the staging database runs on the host db.internal at home", // cf
	)
	return p
}

// agent is a session's pool with a system message, heartbeats, a file read
// twice, and an orphan result.
func agent() *session.Pool {
	args := []byte(`{"path":"docs/config.yaml"}`)
	read := func(n int, id string) []session.Candidate {
		call := session.ToolUse{Name: "read", CallID: id, Args: args}
		return []session.Candidate{
			{ID: "call" + id, Kind: session.Assistant, Tokens: 5, Group: "g" + id, Calls: []session.ToolUse{call}, Turn: n},
			{ID: "out" + id, Kind: session.Tool, Tokens: 20, Text: "db: port: 5433 pool: 12", Group: "g" + id, Tool: &call, Turn: n},
		}
	}
	poll := func(id string) []session.Candidate {
		return []session.Candidate{
			{ID: "poll" + id, Kind: session.User, Tokens: 6, Text: "[OpenClaw heartbeat poll]", Internal: "heartbeat"},
			{ID: "ack" + id, Kind: session.Assistant, Tokens: 2, Text: "HEARTBEAT_OK"},
		}
	}
	cands := slices.Concat(
		[]session.Candidate{
			{ID: "sys", Kind: session.System, Tokens: 10, Text: "You help with a database."},
			{ID: "first", Kind: session.User, Tokens: 10, Text: "Let us set up the staging database.", Turn: 1},
			{ID: "ok", Kind: session.Assistant, Tokens: 5, Text: "Sure, the database it is.", Turn: 1},
		},
		poll("1"),
		[]session.Candidate{{ID: "ask1", Kind: session.User, Tokens: 8, Text: "Read the config.", Turn: 2}},
		read(2, "1"),
		poll("2"),
		[]session.Candidate{{ID: "ask2", Kind: session.User, Tokens: 8, Text: "Read the config once more.", Turn: 3}},
		read(3, "2"),
		[]session.Candidate{
			{ID: "lost", Kind: session.Tool, Tokens: 9, Text: "a result", Tool: &session.ToolUse{Name: "exec", CallID: "gone"}, Turn: 3},
			{ID: "blank", Kind: session.Assistant, Tokens: 1, Text: " \n", Turn: 3},
			{ID: "said", Kind: session.Assistant, Tokens: 8, Text: "The port is 5433.", Turn: 3},
			{ID: "last", Kind: session.User, Tokens: 9, Text: "Thanks, now to the garden: which herbs?", Turn: 4},
			{ID: "herbs", Kind: session.Assistant, Tokens: 9, Text: "Thyme, sage and mint grow well.", Turn: 4},
		},
	)
	return &session.Pool{Schema: session.PoolSchema, Query: "which port does the database use", FromSession: true, Candidates: cands}
}

// ports has three messages that differ in digits alone, and one that does not.
func ports() *session.Pool {
	p := &session.Pool{Schema: session.PoolSchema, Query: "which port does the database use"}
	for i, text := range []string{"the database port is 5432", "the database port is 5433", "the database port is 6000", "and the garden needs water"} {
		p.Candidates = append(p.Candidates, session.Candidate{ID: fmt.Sprint("p", i+1), Kind: session.User, Tokens: 20, Text: text})
	}
	return p
}

// arrows is a pool of candidates of 10 tokens with vectors; the first is the query.
func arrows(vectors ...[2]float32) *session.Pool {
	p := &session.Pool{Schema: session.PoolSchema, QueryEmbedding: vectors[0][:]}
	for i, v := range vectors[1:] {
		p.Candidates = append(p.Candidates, session.Candidate{ID: fmt.Sprintf("v%d", i), Kind: session.User, Tokens: 10, Embedding: v[:]})
	}
	return p
}

func verdictCases() []verdictCase {
	raise := func(p *session.Pool, opt *selector.Options) { opt.Budget.Value = p.Tokens() }
	ban := func(ids ...string) func(*session.Pool, *selector.Options) {
		return func(_ *session.Pool, opt *selector.Options) { opt.Bans = ids }
	}
	return []verdictCase{
		{name: "lastk drops the oldest", pool: talk, strategy: "lastk", rules: "none", budget: 40, id: "ca", code: selector.Older, text: "older: lastk spent 40 of its 40 tokens on 4 newer items", change: raise, after: selector.Fits},
		{name: "lastk passes over what does not fit", pool: func() *session.Pool { p := talk(); p.Candidates[3].Tokens = 25; return p }, strategy: "lastk", rules: "none", budget: 40, id: "cd", code: selector.Budget, text: "it needs 25 tokens, 0 are left", change: raise, after: selector.Fits},
		{name: "topk has no room", pool: talk, strategy: "topk", rules: "none", budget: 30, id: "ce", code: selector.Budget, text: "10 tokens, 0 are left", change: raise, after: selector.Fits},
		{name: "rag cuts at k", pool: talk, strategy: "rag:k=2", rules: "none", budget: 60, id: "cd", code: selector.Rank, text: "rag:k=2 takes only the 2 nearest", change: func(_ *session.Pool, o *selector.Options) {
			o.Strategy, _ = selector.ParseStrategy("rag:k=6")
		}, after: selector.Selected},
		{name: "mmr wants variety", pool: talk, strategy: "mmr:lambda=0.2", rules: "none", budget: 20, id: "cc", code: selector.Diversity, change: func(_ *session.Pool, o *selector.Options) {
			o.Strategy, _ = selector.ParseStrategy("mmr:lambda=1")
		}, after: selector.Selected},
		{name: "mmr would take it next", pool: func() *session.Pool {
			p := arrows([2]float32{1, 0}, [2]float32{1, 0.2}, [2]float32{1, 0.5}, [2]float32{1, -0.6})
			p.Candidates[1].Tokens = 12
			return p
		}, strategy: "mmr", rules: "none", budget: 24, id: "v1", code: selector.Budget, text: "no room: it needs 12 tokens, 4 are left", change: raise, after: selector.Fits},
		{name: "a group has no room", pool: func() *session.Pool { p := talk(); p.Candidates[4].Group, p.Candidates[5].Group = "g", "g"; return p }, strategy: "topk", rules: "none", budget: 20, id: "cf", code: selector.Budget, text: "no room: its group (#5, #6) needs 20 tokens, 0 are left", change: raise, after: selector.Fits},
		{name: "dedup keeps the newest of a family", pool: talk, strategy: "dedup:cosine=0.7", rules: "none", budget: 50, id: "ca", code: selector.DuplicateOf, by: "cc", change: ban("cc"), after: selector.Fits},
		{name: "pacms finds it covered", pool: talk, strategy: "pacms", rules: "none", budget: 20, id: "cc", code: selector.CoveredBy, by: "ca", text: "newer than what covers it", change: ban("ca"), after: selector.Selected},
		{name: "pacms+ finds it covered", pool: talk, strategy: "pacms+", rules: "none", budget: 20, id: "ca", code: selector.CoveredBy, by: "cc", text: "already in kept items: #3", change: ban("cc"), after: selector.Selected},
		{name: "larger than the budget", pool: talk, strategy: "topk", rules: "none", budget: 9, id: "ca", code: selector.TooLarge, text: "too large: 10 tokens, the budget leaves 9", change: raise, after: selector.Fits},
		{name: "everything fits", pool: talk, strategy: "mmr", rules: "none", budget: 60, id: "ca", code: selector.Fits, change: func(_ *session.Pool, o *selector.Options) { o.Budget.Value = 59 }, after: selector.Selected},
		{name: "a ban", pool: talk, strategy: "topk", rules: "none", budget: 60, id: "ca", code: selector.Fits, change: ban("ca"), after: selector.Banned},
		{name: "a pin", pool: talk, strategy: "lastk", rules: "none", budget: 20, id: "ca", code: selector.Older, change: func(_ *session.Pool, o *selector.Options) { o.Pins = []string{"ca"} }, after: selector.Pinned},
		{name: "no ban any more", pool: talk, strategy: "topk", rules: "none", budget: 20, id: "ca", code: selector.Banned, text: "banned", bans: []string{"ca"}, change: func(_ *session.Pool, o *selector.Options) { o.Bans = nil }, after: selector.Selected},
		{name: "no pin any more", pool: talk, strategy: "lastk", rules: "none", budget: 20, id: "ca", code: selector.Pinned, text: "pinned", pins: []string{"ca"}, change: func(_ *session.Pool, o *selector.Options) { o.Pins = nil }, after: selector.Older},
		{name: "room for what is wanted", pool: talk, strategy: "topk", rules: "none", budget: 20, id: "ca", code: selector.Selected, text: "chosen", change: func(_ *session.Pool, o *selector.Options) { o.Budget.Value = 10; o.Pins = []string{"cf"} }, after: selector.TooLarge},
		{name: "the request requires it", pool: func() *session.Pool { p := talk(); p.Candidates[3].Required = true; return p }, strategy: "pacms", rules: "none", budget: 20, id: "cd", code: selector.Required, text: "by the request", change: func(p *session.Pool, _ *selector.Options) { p.Candidates[3].Required = false }, after: selector.CoveredBy},
		{name: "nothing of it is asked for", pool: func() *session.Pool { return arrows([2]float32{1, 0}, [2]float32{1, 0}, [2]float32{0, 1}) }, strategy: "pacms", rules: "none", budget: 10, id: "v1", code: selector.Irrelevant, text: "nothing in it is like the question", change: func(p *session.Pool, _ *selector.Options) {
			p.QueryEmbedding = []float32{0, 1}
		}, after: selector.Selected},
		{name: "what is left is filled", pool: func() *session.Pool {
			return arrows([2]float32{1, 0}, [2]float32{1, 0}, [2]float32{1, 0}, [2]float32{1, 0})
		}, strategy: "pacms+", rules: "none", budget: 20, id: "v1", code: selector.Fill, text: "fills what was left", change: func(_ *session.Pool, o *selector.Options) { o.Budget.Value = 10 }, after: selector.CoveredBy},
		{name: "system", pool: agent, strategy: "lastk", rules: "default", budget: 70, id: "sys", code: selector.Required, text: "system message", change: func(_ *session.Pool, o *selector.Options) { o.Rules = selector.Rules{} }, after: selector.Older},
		{name: "first", pool: agent, strategy: "lastk", rules: "default", budget: 70, id: "first", code: selector.Required, text: "first message", change: func(p *session.Pool, _ *selector.Options) { p.FromSession = false }, after: selector.Older},
		{name: "tail", pool: agent, strategy: "pacms", rules: "default", budget: 60, id: "herbs", code: selector.Tail, text: "newest complete turn", change: func(_ *session.Pool, o *selector.Options) { o.Tail = 0 }, after: selector.CoveredBy},
		{name: "heartbeat", pool: agent, strategy: "lastk", rules: "default", budget: 100, id: "poll1", code: selector.Heartbeat, by: "poll2", change: ban("poll2"), after: selector.Selected},
		{name: "heartbeat acknowledgement", pool: agent, strategy: "lastk", rules: "default", budget: 100, id: "ack1", code: selector.Heartbeat, by: "poll2", change: ban("poll2"), after: selector.Selected},
		{name: "poll of the host", pool: agent, strategy: "lastk", rules: "default", budget: 100, id: "poll1", code: selector.Heartbeat, by: "poll2", text: "an older poll: ", change: ban("poll2"), after: selector.Selected},
		{name: "differs in digits alone", pool: ports, strategy: "lastk", rules: "default", budget: 100, id: "p1", code: selector.Heartbeat, by: "p3", text: "repeated message: of 3 that differ in digits alone only the newest is offered, #3", change: func(p *session.Pool, _ *selector.Options) { p.Candidates[1].Text = "Something else." }, after: selector.Fits},
		{name: "fits beside what is set aside", pool: ports, strategy: "lastk", rules: "default", budget: 100, id: "p4", code: selector.Fits, text: "all that may be chosen fits into the budget; 2 are set aside by rules", change: func(_ *session.Pool, o *selector.Options) { o.Budget.Value = 20 }, after: selector.Selected},
		{name: "fits beside what is too large", pool: func() *session.Pool { p := talk(); p.Candidates[1].Tokens = 500; return p }, strategy: "lastk", rules: "none", budget: 100, id: "ca", code: selector.Fits, text: "all that may be chosen fits into the budget; 1 is set aside as too large", change: func(_ *session.Pool, o *selector.Options) { o.Budget.Value = 20 }, after: selector.Older},
		{name: "fits beside all that is set aside", pool: func() *session.Pool {
			p := ports()
			p.Candidates = append(p.Candidates, session.Candidate{ID: "big", Text: "A long report.", Tokens: 500})
			return p
		}, strategy: "lastk", rules: "default", budget: 100, id: "p4", code: selector.Fits, text: "all that may be chosen fits into the budget; 2 are set aside by rules, 1 as too large", change: func(_ *session.Pool, o *selector.Options) { o.Budget.Value = 20 }, after: selector.Selected},
		{name: "superseded", pool: agent, strategy: "pacms", rules: "default", budget: 100, id: "out1", code: selector.SupersededBy, by: "out2", text: "read again", change: func(p *session.Pool, _ *selector.Options) {
			p.Candidates[12].Tool.Error = true // the later read failed
		}, after: selector.Selected},
		{name: "empty", pool: agent, strategy: "lastk", rules: "default", budget: 100, id: "blank", code: selector.Empty, change: func(_ *session.Pool, o *selector.Options) { o.Rules = selector.Rules{} }, after: selector.Selected},
		{name: "orphan", pool: agent, strategy: "lastk", rules: "default", budget: 100, id: "lost", code: selector.OrphanResult, change: func(_ *session.Pool, o *selector.Options) { o.Rules = selector.Rules{} }, after: selector.Selected},
		{name: "a member goes with its group", pool: agent, strategy: "lastk", rules: "none", budget: 70, id: "call2", code: selector.WithGroup, by: "out2", text: "goes with #13", change: func(p *session.Pool, _ *selector.Options) { p.Candidates[11].Group = "alone" }, after: selector.Selected},
	}
}

func TestReasonsAreTrue(t *testing.T) {
	for _, c := range verdictCases() {
		t.Run(c.name, func(t *testing.T) {
			opt := selector.Options{Strategy: mustStrategy(t, c.strategy), Tail: selector.DefaultTail, Budget: selector.Term{Value: c.budget, Source: "flag"}, Pins: c.pins, Bans: c.bans}
			opt.Rules, _ = selector.ParseRules(c.rules)
			before := verdict(t, c.pool(), opt, c.id)
			if before.Reason.Code != c.code {
				t.Fatalf("%s: %q", before.Reason.Code, before.Reason.Text)
			}
			if c.by != "" && !slices.ContainsFunc(before.Reason.By, func(s selector.Share) bool { return s.ID == c.by }) {
				t.Errorf("named %+v, want %s", before.Reason.By, c.by)
			}
			if !strings.Contains(before.Reason.Text, c.text) {
				t.Errorf("sentence %q lacks %q", before.Reason.Text, c.text)
			}
			pool := c.pool()
			c.change(pool, &opt)
			if after := verdict(t, pool, opt, c.id); after.Reason.Code != c.after {
				t.Errorf("after the change: %s %q, want %s", after.Reason.Code, after.Reason.Text, c.after)
			}
		})
	}
}

// Every code is in a case: as what is said, and is no more after the change.
func TestEveryReasonHasACase(t *testing.T) {
	cases := verdictCases()
	for _, code := range schemaCodes(t) {
		if !slices.ContainsFunc(cases, func(c verdictCase) bool { return c.code == code && c.after != code }) {
			t.Errorf("no case of %s", code)
		}
	}
}

func verdict(t *testing.T, pool *session.Pool, opt selector.Options, id string) selector.Verdict {
	t.Helper()
	s := selectFrom(t, pool, opt)
	if err := selectortest.Check(pool, s); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(pool.Candidates, func(c session.Candidate) bool { return c.ID == id })
	return s.Explain(i)
}
