package session_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"pacms/session"
)

func hashed() *session.Pool {
	budget := 5
	return &session.Pool{
		Query: "q", Budget: &budget, Pending: []session.Pending{{ID: "p", Tokens: 3}}, QueryEmbedding: []float32{1, 0},
		Candidates: []session.Candidate{
			{ID: "a", Kind: session.User, Text: "one", Tokens: 2, Embedding: []float32{0, 1}},
			{ID: "b", Kind: session.Assistant, Text: "two", Tokens: 2, Group: "b", Calls: []session.ToolUse{{Name: "read", CallID: "1", Args: json.RawMessage(`{"p":1}`)}}},
			{ID: "c", Kind: session.Tool, Text: "three", Tokens: 2, Group: "b", Tool: &session.ToolUse{Name: "read", CallID: "1"}},
		},
	}
}

// TestHashTellsPoolsApart changes one thing at a time.
func TestHashTellsPoolsApart(t *testing.T) {
	t.Parallel()
	start := hashed().Hash()
	for name, change := range map[string]func(p *session.Pool){
		"query":         func(p *session.Pool) { p.Query = "r" },
		"query vector":  func(p *session.Pool) { p.QueryEmbedding[0] = 2 },
		"budget":        func(p *session.Pool) { *p.Budget = 6 },
		"no budget":     func(p *session.Pool) { p.Budget = nil },
		"window":        func(p *session.Pool) { p.Window, p.Budget = p.Budget, nil },
		"pending":       func(p *session.Pool) { p.Pending[0].Tokens = 4 },
		"session":       func(p *session.Pool) { p.FromSession = true },
		"order":         func(p *session.Pool) { slices.Reverse(p.Candidates) },
		"one less":      func(p *session.Pool) { p.Candidates = p.Candidates[:2] },
		"id":            func(p *session.Pool) { p.Candidates[0].ID = "x" },
		"kind":          func(p *session.Pool) { p.Candidates[0].Kind = session.Memory },
		"text":          func(p *session.Pool) { p.Candidates[0].Text = "on" },
		"text moved":    func(p *session.Pool) { p.Candidates[0].ID, p.Candidates[0].Text = "", "aone" },
		"tokens":        func(p *session.Pool) { p.Candidates[0].Tokens = 3 },
		"required":      func(p *session.Pool) { p.Candidates[0].Required = true },
		"group":         func(p *session.Pool) { p.Candidates[0].Group = "b" },
		"internal":      func(p *session.Pool) { p.Candidates[0].Internal = "cron" },
		"vector":        func(p *session.Pool) { p.Candidates[0].Embedding[1] = 2 },
		"no vector":     func(p *session.Pool) { p.Candidates[0].Embedding = nil },
		"arguments":     func(p *session.Pool) { p.Candidates[1].Calls[0].Args = json.RawMessage(`{"p":2}`) },
		"no call":       func(p *session.Pool) { p.Candidates[1].Calls = nil },
		"a failed tool": func(p *session.Pool) { p.Candidates[2].Tool.Error = true },
		"no tool":       func(p *session.Pool) { p.Candidates[2].Tool = nil },
		"unsigned":      func(p *session.Pool) { p.Candidates[1].ThinkingUnsigned = true },
		"similarity":    func(p *session.Pool) { p.Similarity = &session.Similarity{Query: []float32{1}} },
	} {
		p := hashed()
		change(p)
		if p.Hash() == start {
			t.Errorf("another %s gives the same hash", name)
		}
	}
	p := hashed()
	p.Time, p.Turn, p.Session = time.Now(), 7, "key"
	p.Candidates[0].Number, p.Candidates[0].Time = 9, time.Now()
	if p.Hash() != start {
		t.Error("a time or a number changes the hash")
	}
}
