package cmd

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"pacms/session/find"
)

// The list of sessions follows its schema.
func TestSessionsFollowTheirSchema(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("OPENCLAW_STATE_DIR", dir)
	sessions := filepath.Join(dir, "agents", "main", "sessions")
	if err := os.MkdirAll(sessions, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"one.jsonl":                "{\"type\":\"session\",\"id\":\"one\"}\n{\"type\":\"message\",\"id\":\"u\",\"timestamp\":\"2026-11-29T22:55:00Z\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n",
		"one.checkpoint.1.jsonl":   "{\"type\":\"session\",\"id\":\"one\",\"timestamp\":\"2026-11-29T22:54:00Z\"}\n",
		"two.jsonl.reset.2026":     "{\"type\":\"session\",\"id\":\"two\",\"timestamp\":\"2026-11-29T21:55:00Z\"}\n",
		"three.jsonl.deleted.2026": "hello",
	} {
		if err := os.WriteFile(filepath.Join(sessions, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "docs", "schema", "pacms.sessions-1.json"))
	if err != nil {
		t.Fatal(err)
	}
	printed := output(t, "sessions", "--json")
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(printed))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("%v\n%s", err, printed)
	}
	for _, want := range []string{`"also":[`, `"first":"a"`, `"unread":[`, `"state":"reset"`} {
		if !bytes.Contains(printed, []byte(want)) {
			t.Errorf("the document has no %s: %s", want, printed)
		}
	}
}

// A long list of files that could not be used is cut, and names cannot act.
func TestUnusedFilesAreFew(t *testing.T) {
	t.Parallel()
	place := find.Place{Path: "/state", Name: "OpenClaw", Why: "none of its files could be read"}
	for i := range 25 {
		path := fmt.Sprintf("/state/\x1b[2J%d", i)
		place.Unread = append(place.Unread, find.Unread{Path: path, Cause: "it is gone"})
	}
	var out bytes.Buffer
	if err := writeSessions(&out, &find.Result{Places: []find.Place{place}}); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if n := strings.Count(text, "not used: "); n != mostUnread || !strings.Contains(text, "and 15 more") {
		t.Errorf("%d files are named:\n%s", n, text)
	}
	if strings.Contains(text, "\x1b") || !strings.Contains(text, "␛[2J0: it is gone\n") {
		t.Errorf("printed\n%s", text)
	}
}

func TestDescribeSize(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0 bytes", 999: "999 bytes", 1500: "1.5 KB", 2_500_000: "2.5 MB", 64_000_000_000: "64.0 GB"} {
		if got := describeSize(n); got != want {
			t.Errorf("describeSize(%d) = %q, want %q", n, got, want)
		}
	}
}
