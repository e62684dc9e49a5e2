package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// output runs a command and returns what it prints.
func output(t *testing.T, args ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	var said strings.Builder
	if code := report(&said, run(t.Context(), args, streams{in: null, out: out, err: out})); code != exitOK {
		t.Fatalf("pacms %q gives %d: %s", args, code, said.String())
	}
	printed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return printed
}

// notShort skips a test under -short, by which the race detector runs: it runs one
// command after another and compares what they print, and what meets in them meets in
// the scripts as well.
func notShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one command after another")
	}
}

// TestDocumentsFollowTheirSchemas validates what the commands print.
func TestDocumentsFollowTheirSchemas(t *testing.T) {
	t.Parallel()
	notShort(t)
	schemas := func(name string) *jsonschema.Schema {
		s, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "docs", "schema", name))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	session := schemas("pacms.session-1.json")
	turn := schemas("pacms.session-1.json#/$defs/turn")
	selection := schemas("pacms.selection-1.json")
	settings := schemas("pacms.config-1.json")
	why := schemas("pacms.why-1.json")
	comparison := schemas("pacms.comparison-1.json")
	diff := schemas("pacms.diff-1.json")
	shared, verified := schemas("pacms.case-1.json"), schemas("pacms.verify-1.json")
	exported := filepath.Join(t.TempDir(), "case.json")
	output(t, "export", "demo", "--strategy", "pacms", "-o", exported)
	whyTurn := schemas("pacms.why-1.json#/$defs/turn")
	for _, c := range []struct {
		schema *jsonschema.Schema
		args   []string
	}{
		{selection, []string{"select", "--json", "testdata/pool.json"}},
		{selection, []string{"select", "--json", "--debug", "--strategy", "topk", "testdata/pool.json"}},
		{selection, []string{"select", "--json", "--debug", "testdata/pool.json"}},
		{selection, []string{"select", "--json", "--returns-at", "--strategy", "pacms+", "testdata/pool.json"}},
		{session, []string{"demo", "--json", "--turn", "61"}},
		{session, []string{"demo", "--json", "--strategy", "pacms+"}},
		{session, []string{"replay", "--json", "--debug", "testdata/pool.json"}},
		{settings, []string{"config", "show", "--json", "--strategy", "topk"}},
		{turn, []string{"demo", "--jsonl", "--turn", "61", "--debug"}},
		{why, []string{"why", "--json", "--find", "5433"}},
		{why, []string{"why", "--json", "--find", "turmeric", "demo", "--strategy", "pacms+"}},
		{why, []string{"why", "--json", "--find", "in none of them"}},
		{why, []string{"why", "--json", "--find", "staging port"}},
		{why, []string{"why", "--json", "--id", "13", "--turn", "61"}},
		{why, []string{"why", "--json", "--id", "23", "--turn", "61", "--strategy", "pacms"}},
		{why, []string{"why", "--json", "--find", "fail", "../testdata/openclaw/2026.9.6-edge.jsonl"}},
		{why, []string{"why", "--json", "--find", "port", "testdata/pool.json"}},
		{whyTurn, []string{"why", "--jsonl", "--find", "5433", "--turn", "75"}},
		{comparison, []string{"compare", "--json", "testdata/pool.json"}},
		{shared, []string{"export", "demo", "--turn", "61"}},
		{shared, []string{"export", "demo", "--turn", "61", "--no-text", "--strategy", "pacms+"}},
		{shared, []string{"export", "demo", "--turn", "20", "--budget", "2k"}},
		{shared, []string{"export", "testdata/pool.json", "--no-text", "--rules", "none"}},
		{verified, []string{"verify", "--json", exported}},
		{diff, []string{"compare", "--diff", "--json", "demo@60", "demo@61"}},
		{diff, []string{"compare", "--diff", "--json", "demo@61", "testdata/pool.json", "--strategies", "topk,mmr"}},
		{comparison, []string{"compare", "--json", "--debug", "../testdata/openclaw/2026.9.6-edge.jsonl", "testdata/pool.json", "--budget-basis", "turn", "--rules", "none"}},
		{comparison, []string{"compare", "--json", "../testdata/openclaw/2026.9.6-edge.jsonl", "--fail-under", "kept=0.1,coverage=0.1", "--all-turns", "--budget", "60%", "--strategies", "pacms,topk"}},
	} {
		printed := output(t, c.args...)
		if got := bytes.Count(printed, []byte("\n")); c.schema == selection && got != 1 {
			t.Errorf("pacms %q prints %d lines", c.args, got)
		}
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(printed))
		if err != nil {
			t.Fatalf("pacms %q: %v", c.args, err)
		}
		if err := c.schema.Validate(document); err != nil {
			t.Errorf("pacms %q: %v", c.args, err)
		}
	}
	for name, document := range map[string]any{
		"nothing":           map[string]any{},
		"a turn that is 0":  map[string]any{"turn": 0, "branch": "active", "query": "", "recorded_answer": ""},
		"another branch":    map[string]any{"turn": 1, "branch": "old", "query": "", "recorded_answer": ""},
		"half of the turn":  map[string]any{"turn": 1, "branch": "active", "query": "", "recorded_answer": "", "selection": map[string]any{}},
		"a need of nothing": map[string]any{"turn": 1, "branch": "active", "query": "", "recorded_answer": "", "needed": []any{}},
		"a pool on its own": map[string]any{"turn": 1, "branch": "active", "query": "", "recorded_answer": "", "pool": map[string]any{"candidates": []any{}}},
	} {
		if err := turn.Validate(document); err == nil {
			t.Errorf("the schema accepts %s", name)
		}
	}
	for name, item := range map[string]any{
		"a state of its own":     map[string]any{"id": "a", "state": "lost", "code": "older", "text": ""},
		"kept for being older":   map[string]any{"id": "a", "state": "kept", "code": "older", "text": ""},
		"dropped by a reset":     map[string]any{"id": "a", "state": "dropped", "code": "reset", "text": ""},
		"a summary that is none": map[string]any{"id": "a", "state": "not_offered", "code": "reset", "into": "b", "text": ""},
	} {
		document := map[string]any{"turn": 1, "branch": "active", "query": "", "items": []any{item}}
		if err := whyTurn.Validate(document); err == nil {
			t.Errorf("the schema of why accepts %s", name)
		}
	}
}

// TestSelectionIsTheSameInEveryCommand holds two commands to one answer for the
// same pool.
func TestSelectionIsTheSameInEveryCommand(t *testing.T) {
	t.Parallel()
	pool := output(t, "replay", "--jsonl", "testdata/pool.json")
	one := output(t, "select", "--json", "testdata/pool.json")
	_, selection, found := bytes.Cut(pool, []byte(`"selection":`))
	if !found {
		t.Fatalf("no selection in %s", pool)
	}
	// Only the time that it took may differ.
	before := func(b []byte) string {
		text, _, _ := strings.Cut(string(b), `"ms":`)
		return text
	}
	if before(selection) != before(one) {
		t.Errorf("replay gives\n%s\nselect gives\n%s", before(selection), before(one))
	}
}

// TestPoolOfATurnCanBeSelectedFrom takes the pool of a recorded turn, whose calls
// have no text, through the other command.
func TestPoolOfATurnCanBeSelectedFrom(t *testing.T) {
	t.Parallel()
	notShort(t)
	how := []string{"--strategy", "pacms", "--budget", "2000", "--rules", "none"}
	var turn struct {
		Pool      json.RawMessage
		Selection struct{ Kept []string }
	}
	printed := output(t, append([]string{"demo", "--jsonl", "--no-widen", "--turn", "61"}, how...)...)
	if err := json.Unmarshal(printed, &turn); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "pool.json")
	if err := os.WriteFile(path, turn.Pool, 0o600); err != nil {
		t.Fatal(err)
	}
	var one struct{ Kept []string }
	if err := json.Unmarshal(output(t, append([]string{"select", "--json", path}, how...)...), &one); err != nil {
		t.Fatal(err)
	}
	if len(one.Kept) == 0 || !slices.Equal(one.Kept, turn.Selection.Kept) {
		t.Errorf("the demo keeps %q, select %q", turn.Selection.Kept, one.Kept)
	}
}
