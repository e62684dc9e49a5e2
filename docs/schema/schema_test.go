// Package schema_test holds the JSON Schemas to what the program reads and writes.
package schema_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/session/poolfile"
	"pacms/session/token"
)

const (
	poolSchema      = "pacms.pool-1.json"
	selectionSchema = "pacms.selection-1.json"
	compareSchema   = "pacms.comparison-1.json"
)

// validate checks a document in JSON.
func validate(t *testing.T, schema, doc string) error {
	t.Helper()
	compiled, err := jsonschema.NewCompiler().Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(value)
}

func decodePool(t *testing.T, doc string) (*session.Pool, error) {
	t.Helper()
	counter, err := token.New("chars4")
	if err != nil {
		t.Fatal(err)
	}
	return poolfile.Decode(strings.NewReader(doc), counter)
}

// example is a pool with every field but vectors and similarity.
const example = `{"schema":"pacms.pool/1","session":"agent:main:main","turn":12,"time":"2026-11-29T21:36:19Z",
	"query":"where is the kettle?","budget":40,"window":128000,"reserve":20000,"system":8000,"tools":4000,
	"pending":[{"id":"p1","text":"now","tokens":3}],
	"candidates":[
		{"id":"e0","kind":"system","text":"Be brief."},
		{"id":"e1","kind":"user","text":"Find the blue kettle, please.","tokens":9,"time":"2026-11-29T21:00:00Z","turn":3,"number":1},
		{"id":"e2","kind":"assistant","text":"","tokens":8,"calls":[{"name":"find","call_id":"c1","args":{"what":"kettle"}}],"thinking_unsigned":true},
		{"id":"e3","kind":"tool","text":"The blue kettle is on shelf 4.","tool":{"name":"find","call_id":"c1","error":false},"images":1},
		{"id":"e4","kind":"developer","text":"ping","internal":"heartbeat","required":true,"group":"g"}]}`

func TestPoolSchemaAccepts(t *testing.T) {
	docs := map[string]string{
		"example":    example,
		"empty":      `{"candidates":[]}`,
		"odd kind":   `{"candidates":[{"id":"a","text":"x","kind":"robot"}]}`,
		"similarity": `{"candidates":[{"id":"a","tokens":1}],"similarity":{"query":[0.5],"pairs":""}}`,
	}
	paths, err := filepath.Glob("../../testdata/vectors/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors in testdata (%v)", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var vector struct{ Pool json.RawMessage }
		if err := json.Unmarshal(data, &vector); err != nil {
			t.Fatal(err)
		}
		docs[filepath.Base(path)] = string(vector.Pool)
	}
	for name, doc := range docs {
		t.Run(name, func(t *testing.T) {
			pool, err := decodePool(t, doc)
			if err != nil {
				t.Fatal(err)
			}
			if err := validate(t, poolSchema, doc); err != nil {
				t.Errorf("as it was: %v", err)
			}
			written, err := json.Marshal(poolfile.NewDocument(pool))
			if err != nil {
				t.Fatal(err)
			}
			if err := validate(t, poolSchema, string(written)); err != nil {
				t.Errorf("as it is written: %v", err)
			}
		})
	}
}

// TestPoolSchemaRefuses gives documents that the program refuses, too.
func TestPoolSchemaRefuses(t *testing.T) {
	for name, doc := range map[string]string{
		"other schema":    `{"schema":"pacms.pool/2","candidates":[]}`,
		"no candidates":   `{"query":"q"}`,
		"no id":           `{"candidates":[{"text":"x"}]}`,
		"empty id":        `{"candidates":[{"id":"","text":"x"}]}`,
		"number as kind":  `{"candidates":[{"id":"a","text":"x","kind":7}]}`,
		"negative tokens": `{"candidates":[{"id":"a","text":"x","tokens":-1}]}`,
		"many tokens":     `{"candidates":[{"id":"a","text":"x","tokens":2147483648}]}`,
		"fraction":        `{"candidates":[{"id":"a","text":"x","tokens":1.5}]}`,
		"text as flag":    `{"candidates":[{"id":"a","text":"x","required":"yes"}]}`,
		"many images":     `{"candidates":[{"id":"a","text":"x","images":65537}]}`,
		"call":            `{"candidates":[{"id":"a","text":"x","calls":["c"]}]}`,
		"negative budget": `{"candidates":[],"budget":-1}`,
		"empty vector":    `{"candidates":[],"query_embedding":[]}`,
		"text in vector":  `{"candidates":[],"query_embedding":["1"]}`,
		"pending":         `{"candidates":[],"pending":{}}`,
		"similarity":      `{"candidates":[{"id":"a","tokens":1}],"similarity":{"pairs":""}}`,
	} {
		t.Run(name, func(t *testing.T) {
			if err := validate(t, poolSchema, doc); err == nil {
				t.Error("the schema accepts it")
			}
			if _, err := decodePool(t, doc); err == nil {
				t.Error("the program accepts it")
			}
		})
	}
}

func TestSelectionSchema(t *testing.T) {
	pool, err := decodePool(t, example)
	if err != nil {
		t.Fatal(err)
	}
	engine := selector.NewEngine(embed.NewBuiltin(), "chars4")
	prepared, err := engine.Prepare(t.Context(), pool, selector.PrepareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range selector.Strategies() {
		for _, budget := range []int{0, 20, 1000} {
			t.Run(fmt.Sprintf("%s under %d", name, budget), func(t *testing.T) {
				strategy, err := selector.ParseStrategy(name)
				if err != nil {
					t.Fatal(err)
				}
				selection, err := prepared.Select(t.Context(), selector.Options{
					Strategy: strategy, Budget: selector.Term{Value: budget, Source: "flag"}, Debug: true,
				})
				if err != nil {
					t.Fatal(err)
				}
				doc, err := json.Marshal(selection)
				if err != nil {
					t.Fatal(err)
				}
				if err := validate(t, selectionSchema, string(doc)); err != nil {
					t.Errorf("%s: %v", doc, err)
				}
			})
		}
	}
	if err := validate(t, selectionSchema, `{"schema":"pacms.selection/1"}`); err == nil {
		t.Error("the schema accepts a document of nothing")
	}
}

// TestSchemasNameEveryField compares the schemas' properties with the fields that
// the types write.
func TestSchemasNameEveryField(t *testing.T) {
	for _, c := range []struct {
		schema, at string
		value      any
	}{
		{poolSchema, "", session.Pool{}},
		{poolSchema, "properties.pending.items", session.Pending{}},
		{poolSchema, "$defs.candidate", session.Candidate{}},
		{poolSchema, "$defs.tool_use", struct {
			session.ToolUse
			ArgsText string `json:"args_text"` // which package poolfile writes where it must
		}{}},
		{poolSchema, "$defs.similarity", session.Similarity{}},
		{selectionSchema, "", selector.Selection{}},
		{selectionSchema, "properties.budget_terms.additionalProperties", selector.Term{}},
		{selectionSchema, "properties.tokens", selector.TokenCounts{}},
		{selectionSchema, "properties.ms", selector.Timing{}},
		{selectionSchema, "properties.warnings.items", session.Warning{}},
		{selectionSchema, "$defs.verdict", selector.Verdict{}},
		{selectionSchema, "$defs.reason", selector.Reason{}},
		{selectionSchema, "$defs.reason.properties.by.items", selector.Share{}},
		{compareSchema, "", compare.Document{}},
		{compareSchema, "properties.build", compare.Build{}},
		{compareSchema, "$defs.session", compare.Recorded{}},
		{compareSchema, "$defs.row", compare.Row{}},
		{compareSchema, "$defs.cell", compare.Cell{}},
		{compareSchema, "$defs.gate", compare.Gate{}},
		{selectionSchema, "properties.optimum", selector.Optimum{}},
		{selectionSchema, "$defs.verdict.properties.steps.items", selector.Step{}},
		{selectionSchema, "$defs.verdict.properties.returns_at", selector.ReturnsAt{}},
	} {
		var fields []string
		for _, field := range reflect.VisibleFields(reflect.TypeOf(c.value)) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if field.IsExported() && name != "-" && !field.Anonymous {
				fields = append(fields, name)
			}
		}
		slices.Sort(fields)
		if got := properties(t, c.schema, c.at); !slices.Equal(got, fields) {
			t.Errorf("%s %s has %v, %T has %v", c.schema, c.at, got, c.value, fields)
		}
	}
}

// properties lists the properties of the object schema at a path of keys.
func properties(t *testing.T, schema, at string) []string {
	t.Helper()
	data, err := os.ReadFile(schema)
	if err != nil {
		t.Fatal(err)
	}
	var node map[string]any
	if err := json.Unmarshal(data, &node); err != nil {
		t.Fatal(err)
	}
	path := append(strings.FieldsFunc(at, func(r rune) bool { return r == '.' }), "properties")
	for _, key := range path {
		next, ok := node[key].(map[string]any)
		if !ok {
			t.Fatalf("%s has no %s at %q", schema, key, at)
		}
		node = next
	}
	var names []string
	for name := range node {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
