package cmd

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"pacms/capture/store"
	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
)

// What is printed of captures follows its schemas.
func TestCapturesFollowTheirSchemas(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.sqlite")
	s, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	budget := 9
	pool := &session.Pool{Schema: session.PoolSchema, Query: "the staging port", Budget: &budget, Candidates: []session.Candidate{
		{ID: "a", Kind: session.User, Text: "the staging port is 5433", Tokens: 9}, {ID: "b", Kind: session.User, Text: "turmeric", Tokens: 8},
	}}
	prepared, err := selector.NewEngine(embed.NewBuiltin(), "openclaw").Prepare(t.Context(), pool, selector.PrepareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	strategy, err := selector.ParseStrategy("pacms")
	if err != nil {
		t.Fatal(err)
	}
	selection, err := prepared.Select(t.Context(), selector.Options{Strategy: strategy})
	if err != nil {
		t.Fatal(err)
	}
	s.Record(store.Capture{Session: "main", Turn: 3, Pool: pool, Selection: selection, RequestID: "r"})
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"pacms.captures-1.json": {"captures", "list", "--json"},
		"pacms.capture-1.json":  {"captures", "show", "1", "--json"},
		"pacms.removed-1.json":  {"captures", "rm", "1", "--dry-run", "--json"},
	} {
		schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "docs", "schema", name))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(output(t, append(args, "--file", path)...)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
