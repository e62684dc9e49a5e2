package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"pacms/session/files"
	"pacms/tui/choices"
)

// checked runs check and gives what it prints, with its exit code.
func checked(t *testing.T, args ...string) (printed []byte, code int, said string) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	var errs strings.Builder
	code = report(&errs, run(t.Context(), append([]string{"check"}, args...), streams{in: null, out: out, err: out}))
	if printed, err = files.Read(out.Name(), 1<<20); err != nil {
		t.Fatal(err)
	}
	return printed, code, errs.String()
}

// fenced are the blocks of a language in a document.
func fenced(t *testing.T, path, language string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, m[1])
	}
	if len(blocks) == 0 {
		t.Fatalf("%s has no block of %s", path, language)
	}
	return blocks
}

func expectations(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "expect.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCheckingDocument runs the example of the document, and finds printed what it says.
func TestCheckingDocument(t *testing.T) {
	t.Parallel()
	path := expectations(t, fenced(t, "../docs/checking.md", "yaml")[0])
	printed, code, said := checked(t, "demo", "--expect", path)
	got, _, _ := strings.Cut(string(printed), "\n\nrepeat: ")
	if want := fenced(t, "../docs/checking.md", "text")[0]; got+"\n" != want {
		t.Errorf("printed is\n%s\nthe document says\n%s", got, want)
	}
	if code != exitGate || !strings.Contains(said, "1 of 4 expected verdicts missed, the first: turn 61 is to keep #13 with lastk") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// valid fails where a value does not follow a schema of the documents.
func valid(t *testing.T, name string, value any) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "docs", "schema", name))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("%s: %v\n%s", name, err, text)
	}
}

// TestChecksFollowTheirSchemas validates the files and what is printed.
func TestChecksFollowTheirSchemas(t *testing.T) {
	t.Parallel()
	notShort(t)
	text := fenced(t, "../docs/checking.md", "yaml")[0]
	var file any
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	valid(t, "pacms.expect-1.json", file)
	required := filepath.Join(t.TempDir(), "required.json")
	for _, args := range [][]string{
		{"demo", "--expect", expectations(t, text), "--required", required},
		// A turn on a branch that was left, and an item that was compacted.
		{"../testdata/openclaw/2026.9.6-edge.jsonl", "--expect", expectations(t, "expect:\n - turn: 3\n   keep: {id: 1}\n - turn: 8\n   drop: {id: 1}\n - turn: 4\n   keep: {id: 1}\n")},
		{"testdata/pool.json", "--expect", expectations(t, "expect:\n - turn: 1\n   keep: {id: 1}\n")},
	} {
		printed, code, said := checked(t, append(args, "--json")...)
		if code != exitGate && code != exitOK {
			t.Fatalf("%q gives %d: %s", args, code, said)
		}
		var doc any
		if err := json.Unmarshal(printed, &doc); err != nil {
			t.Fatalf("%v in %s", err, printed)
		}
		valid(t, "pacms.check-1.json", doc)
	}
	written, err := os.ReadFile(required)
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(written, &doc); err != nil {
		t.Fatal(err)
	}
	valid(t, "pacms.required-1.json", doc)
	if want := `"required":[{"turn":61,"id":"4358f661-2734-4bc7-b243-5199f3571cd5"}]`; !strings.Contains(string(written), want) {
		t.Errorf("%s has no %s", written, want)
	}
}

// TestCheckAgreesWithSelect holds the verdicts of a check to a selection at the budget
// that it prints.
func TestCheckAgreesWithSelect(t *testing.T) {
	t.Parallel()
	notShort(t)
	var file strings.Builder
	file.WriteString("expect:\n")
	for _, id := range []string{"2", "13", "40", "99", "120"} {
		file.WriteString(" - turn: 61\n   keep: {id: " + id + "}\n   strategy: [pacms, topk, lastk, mmr, dedup]\n   budget: [5%, 20%, 3k]\n")
	}
	printed, _, _ := checked(t, "demo", "--expect", expectations(t, file.String()), "--json")
	var doc checkDocument
	if err := json.Unmarshal(printed, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Checked != 75 || doc.Missed == 0 || doc.Missed == 75 {
		t.Fatalf("%d checked, %d missed", doc.Checked, doc.Missed)
	}
	selected := map[string][]string{}
	for _, r := range doc.Results {
		budget := tokensOf(t, r)
		key := r.Strategy + budget
		if selected[key] == nil {
			var turn struct{ Selection struct{ Kept []string } }
			if err := json.Unmarshal(output(t, "demo", "--jsonl", "--turn", "61", "--strategy", r.Strategy, "--budget", budget), &turn); err != nil {
				t.Fatal(err)
			}
			selected[key] = turn.Selection.Kept
		}
		kept := strings.Contains(strings.Join(selected[key], "\n"), r.ID)
		if kept != r.Met || kept != (r.State == "kept") {
			t.Errorf("#%d with %s at %s: checked as %s, kept: %v", r.Number, r.Strategy, budget, r.State, kept)
		}
		if !r.Met && len(r.Otherwise) == 0 {
			t.Errorf("#%d with %s at %s: nothing would turn it", r.Number, r.Strategy, budget)
		}
	}
}

func tokensOf(t *testing.T, r checkResult) string {
	t.Helper()
	text, err := json.Marshal(r.Tokens)
	if err != nil || r.Tokens == nil {
		t.Fatalf("%+v: %v", r, err)
	}
	return string(text)
}

// TestMarksAreChecked takes what the screen remembers.
func TestMarksAreChecked(t *testing.T) {
	path, err := filepath.Abs("../testdata/openclaw/2026.9.6-basic.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	was := stateDir
	stateDir = func() string { return filepath.Join(filepath.Dir(expectations(t, "")), "pacms") }
	t.Cleanup(func() { stateDir = was })
	dir := stateDir()
	stateDir = func() string { return dir }
	if _, code, said := checked(t, path, "--marks"); code != exitUsage || !strings.Contains(said, "nothing is marked") {
		t.Errorf("without marks: %d, %s", code, said)
	}
	var replay struct{ Session string }
	if err := json.Unmarshal(output(t, "replay", path, "--json", "--turn", "3"), &replay); err != nil {
		t.Fatal(err)
	}
	var pool struct {
		Pool struct{ Candidates []struct{ ID string } }
	}
	if err := json.Unmarshal(output(t, "replay", path, "--jsonl", "--turn", "3"), &pool); err != nil {
		t.Fatal(err)
	}
	first := pool.Pool.Candidates[0].ID
	file := choices.File{Dir: dir, Source: path, Session: replay.Session}
	if err := file.Save(new(choices.Choices).Mark(choices.Mark{Turn: 3, ID: first, Keep: true, Note: "the beginning"}).
		Mark(choices.Mark{Turn: 90, ID: first, Keep: true, Note: "of a turn that is gone"}).
		Mark(choices.Mark{Turn: 3, ID: "gone-id"}).
		Mark(choices.Mark{Turn: 3, ID: pool.Pool.Candidates[1].ID})); err != nil {
		t.Fatal(err)
	}
	written := filepath.Join(t.TempDir(), "expect.yaml")
	printed, code, said := checked(t, path, "--marks", "--write", written, "--budget", "100%")
	if code != exitGate || !strings.Contains(string(printed), "met     mark: turn 3 is to keep #1 ") || !strings.Contains(string(printed), "MISSED  mark: turn 3 is to drop #2 ") {
		t.Errorf("%d, %s\n%s", code, said, printed)
	}
	// What is not there any more is missed, and hides nothing of the rest.
	for _, want := range []string{
		": 4 expected verdicts checked, 3 missed", "MISSED  mark: turn 90 is to keep item " + first + " with pacms at 100%\n        unknown: there is no turn 90: the session has turns 1 to ",
		"        note: of a turn that is gone\n", "MISSED  mark: turn 3 is to drop item gone-id with pacms at 100%\n        unknown: there is no item of the number or id",
	} {
		if !strings.Contains(string(printed), want) {
			t.Errorf("no %q in\n%s", want, printed)
		}
	}
	asJSON, _, _ := checked(t, path, "--marks", "--json")
	var doc any
	if err := json.Unmarshal(asJSON, &doc); err != nil {
		t.Fatal(err)
	}
	valid(t, "pacms.check-1.json", doc)
	again, code, said := checked(t, path, "--expect", written, "--budget", "100%")
	if code != exitGate || !strings.Contains(string(again), "MISSED  line 8: turn 3 is to drop #2 ") {
		t.Errorf("%d, %s\n%s", code, said, again)
	}
}
