package openclaw_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/token"
)

// captures are the recorded sessions, by the folder that they come from.
var captures = []string{"2026.5.28", "2026.9.6-basic", "2026.9.6-edge"}

func testdata(name string) string { return filepath.Join("..", "..", "testdata", "openclaw", name) }

// shared returns a folder of captures that is not part of the project, or skips.
func shared(t *testing.T) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "data", "openclaw")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the captures are not beside the project: %v", err)
	}
	return dir
}

// copyTree copies a folder, so that reading it can change nothing of it.
func copyTree(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

func newCounter(tb testing.TB, name string) token.Counter {
	tb.Helper()
	c, err := token.New(name)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func options(tb testing.TB) openclaw.Options {
	tb.Helper()
	return openclaw.Options{Counter: newCounter(tb, "openclaw")}
}

func open(t *testing.T, path string) *session.Session {
	t.Helper()
	s, err := openclaw.Open(t.Context(), path, options(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func read(t *testing.T, data []byte) *session.Session {
	t.Helper()
	s, err := openclaw.Read(t.Context(), bytes.NewReader(data), "test.jsonl", options(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// script writes a transcript line by line, a second apart. Ids stand for
// themselves; the parent of a line is the line before it unless under is called.
type script struct {
	lines  bytes.Buffer
	at     time.Time
	parent any
}

func newScript() *script {
	s := &script{at: time.Date(2026, time.November, 29, 9, 0, 0, 0, time.UTC)}
	s.raw(`{"type":"session","version":4,"id":"s","timestamp":"2026-11-29T08:59:00Z","cwd":"/home/ada"}`)
	return s
}

func (s *script) raw(line string) *script {
	s.lines.WriteString(line + "\n")
	return s
}

// under makes id the parent of the next line; an empty one makes it a root.
func (s *script) under(id string) *script {
	s.parent = id
	if id == "" {
		s.parent = nil
	}
	return s
}

// line appends an event with further fields.
func (s *script) line(typ, id string, fields map[string]any) *script {
	s.at = s.at.Add(time.Second)
	e := map[string]any{"type": typ, "id": id, "parentId": s.parent, "timestamp": s.at.Format(time.RFC3339Nano)}
	for k, v := range fields {
		e[k] = v
	}
	data, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	s.parent = id
	return s.raw(string(data))
}

func (s *script) message(id string, m map[string]any) *script {
	if _, ok := m["timestamp"]; !ok {
		m["timestamp"] = s.at.Add(time.Second).UnixMilli()
	}
	return s.line("message", id, map[string]any{"message": m})
}

func (s *script) user(id, text string) *script {
	return s.message(id, map[string]any{"role": "user", "content": text})
}

func (s *script) agent(id, text string) *script {
	return s.message(id, map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "text", "text": text}}})
}

// calls appends an assistant message that calls the tool "read" once for each id.
func (s *script) calls(id string, callIDs ...string) *script {
	var blocks []any
	for _, c := range callIDs {
		blocks = append(blocks, map[string]any{"type": "toolCall", "id": c, "name": "read", "arguments": map[string]any{"path": "f"}})
	}
	return s.message(id, map[string]any{"role": "assistant", "content": blocks})
}

func (s *script) result(id, callID string) *script {
	return s.message(id, map[string]any{"role": "toolResult", "toolCallId": callID, "toolName": "read", "isError": false, "content": "output of " + callID})
}

func (s *script) compaction(id, firstKept string) *script {
	return s.line("compaction", id, map[string]any{"summary": "what was said", "firstKeptEntryId": firstKept, "tokensBefore": 100})
}

func (s *script) leaf(id, target string) *script {
	return s.line("leaf", id, map[string]any{"targetId": target})
}

func (s *script) bytes() []byte { return s.lines.Bytes() }

// poolIDs are the ids of the pool of a turn, in one string; "-" where it has none.
func poolIDs(t *testing.T, s *session.Session, turn int, mode session.PoolMode) string {
	t.Helper()
	if turn < 1 || turn > len(s.Turns) {
		t.Fatalf("there is no turn %d of %d", turn, len(s.Turns))
	}
	p := s.Pool(turn-1, mode)
	if p == nil {
		return "-"
	}
	ids := make([]string, len(p.Candidates))
	for i := range p.Candidates {
		ids[i] = p.Candidates[i].ID
	}
	return strings.Join(ids, " ")
}

func warningCodes(s *session.Session) string {
	var codes []string
	for _, w := range s.Warnings {
		codes = append(codes, w.Code)
	}
	return strings.Join(codes, " ")
}

// candidate is the candidate with an id.
func candidate(t *testing.T, s *session.Session, id string) *session.Candidate {
	t.Helper()
	for i := range s.Candidates {
		if s.Candidates[i].ID == id {
			return &s.Candidates[i]
		}
	}
	t.Fatalf("there is no candidate %q", id)
	return nil
}

// fileNames lists the files below a folder with their sizes.
func fileNames(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	files := map[string]int64{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files[path] = info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// background is a context for properties, which have none.
var background = context.Background()

func rapidOptions(t *rapid.T) openclaw.Options {
	c, err := token.New("openclaw")
	if err != nil {
		t.Fatal(err)
	}
	return openclaw.Options{Counter: c}
}
