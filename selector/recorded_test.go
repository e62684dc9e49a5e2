package selector_test

import (
	"encoding/json"
	"slices"
	"testing"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
)

// A selection that went through a document tells the same of its candidates once its
// codes are restored.
func TestRestore(t *testing.T) {
	t.Parallel()
	budget := 9
	pool := &session.Pool{Query: "the staging port", Budget: &budget, Candidates: []session.Candidate{
		{ID: "a", Kind: session.User, Text: "the staging port is 5433", Tokens: 9},
		{ID: "b", Kind: session.User, Text: "turmeric goes into the soup", Tokens: 8},
	}}
	p, err := selector.NewEngine(embed.NewBuiltin(), "chars4").Prepare(t.Context(), pool, selector.PrepareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	strategy, err := selector.ParseStrategy("topk")
	if err != nil {
		t.Fatal(err)
	}
	made, err := p.Select(t.Context(), selector.Options{Strategy: strategy, Debug: true})
	if err != nil {
		t.Fatal(err)
	}
	document, err := json.Marshal(made.Summary())
	if err != nil {
		t.Fatal(err)
	}
	var read selector.Selection
	if err := json.Unmarshal(document, &read); err != nil {
		t.Fatal(err)
	}
	if read.Codes() != nil || read.Candidates != nil {
		t.Errorf("the document tells of candidates: %s", document)
	}
	read.Restore(made.Codes())
	for i := range pool.Candidates {
		if read.Keeps(i) != made.Keeps(i) || read.Code(i) != made.Code(i) {
			t.Errorf("candidate %d: %v %s, not %v %s", i, read.Keeps(i), read.Code(i), made.Keeps(i), made.Code(i))
		}
	}
	if !read.Keeps(0) || read.Keeps(1) || !slices.Equal(read.Codes(), made.Codes()) {
		t.Errorf("kept %v with %v", read.Kept, read.Codes())
	}
}
