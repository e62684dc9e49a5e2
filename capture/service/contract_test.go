package service_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"pacms/capture/service"
)

// follows checks a document against a schema: "selection", or a definition of the
// service's own.
func follows(t *testing.T, name, doc string) {
	t.Helper()
	file := "pacms.service-1.json#/$defs/" + name
	if name == "selection" {
		file = "pacms.selection-1.json"
	}
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "docs", "schema", file))
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		t.Fatalf("%.300q: %v", doc, err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s is no %s: %v", doc, name, err)
	}
}

// S22: what is answered follows its schema, under both names of a path.
func TestSchemas(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	auth := "Authorization: Bearer " + secret
	for _, c := range []struct {
		schema, method, path, body string
		headers                    []string
		status                     int
	}{
		{"selection", "POST", "/select", kettle, nil, 200},
		{"selection", "POST", "/v1/select", kettle, nil, 200},
		{"selection", "POST", "/select?strategy=rag:k=2&budget=50%25", kettle, nil, 200},
		{"selection", "POST", "/select_debug", kettle, nil, 200},
		{"selection", "POST", "/v1/select_debug?strategy=pacms%2B", pool("s", 30), nil, 200},
		{"selection", "POST", "/select", `{"candidates":[]}`, nil, 200},
		{"queued", "POST", "/prewarm", kettle, nil, 202},
		{"queued", "POST", "/v1/prewarm", kettle, nil, 202},
		{"health", "GET", "/healthz", "", nil, 200},
		{"version", "GET", "/version", "", nil, 200},
		{"control", "GET", "/control", "", []string{auth}, 200},
		{"control", "POST", "/control", `{"budget":"10%"}`, []string{auth}, 200},
		{"selection", "POST", "/select", kettle, nil, 200},
		{"problem", "POST", "/control", `{"budget":"lots"}`, []string{auth}, 400},
		{"problem", "GET", "/control", "", nil, 401},
		{"problem", "POST", "/select", "{", nil, 400},
		{"problem", "POST", "/select", kettle, []string{"Content-Type: text/plain"}, 415},
		{"problem", "POST", "/select", kettle, []string{"Host: evil"}, 403},
		{"problem", "PUT", "/select", kettle, nil, 405},
		{"problem", "GET", "/nothing", "", nil, 404},
	} {
		r := s.ask(c.method, c.path, c.body, c.headers...)
		if r.status != c.status || r.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: %d, %s: %s", c.method, c.path, r.status, r.header.Get("Content-Type"), r.body)
			continue
		}
		follows(t, c.schema, r.body)
	}
	// The first selection takes a moment.
	if !eventually(func() bool { return s.ask("GET", "/readyz", "").status == 200 }) {
		t.Error("it is never ready")
	}
	follows(t, "ready", s.ask("GET", "/readyz", "").body)
}

// Every code that the source has is in the schema.
func TestCodesAreInTheSchema(t *testing.T) {
	t.Parallel()
	written := regexp.MustCompile(`(?:code: |refuse\([^,"]+, )"([a-z_]+)"`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, m := range written.FindAllStringSubmatch(readFile(t, file), -1) {
			found++
			follows(t, "problem", `{"error":{"code":"`+m[1]+`","message":"m","request_id":"i"}}`)
		}
	}
	if found < 15 {
		t.Errorf("only %d codes were found", found)
	}
}

// S14: a request keeps its name wherever it is told of.
func TestRequestIDs(t *testing.T) {
	t.Parallel()
	r := new(recorder)
	s := start(t, func(c *service.Config) { c.Recorder = r })
	for id, good := range map[string]bool{
		"turn-12.a_B": true, strings.Repeat("x", 64): true,
		"": false, strings.Repeat("x", 65): false, "a b": false, "a\tb": false, `a"b`: false, "é": false, "<script>": false,
	} {
		got := s.ask("POST", "/select", kettle, "X-Request-Id: "+id)
		own := got.header.Get("X-Request-Id")
		if good != (own == id) || own == "" {
			t.Errorf("the id %q is answered with %q", id, own)
		}
		if inBody := got.selection(t).RequestID; inBody != own {
			t.Errorf("the body has the id %q, the header %q", inBody, own)
		}
		if last := r.last(); last.RequestID != own {
			t.Errorf("the capture has the id %q, the header %q", last.RequestID, own)
		}
		if !eventually(func() bool { return strings.Contains(s.log.String(), `"id":"`+own+`"`) }) {
			t.Fatalf("the log does not have the id %q", own)
		}
	}
}
