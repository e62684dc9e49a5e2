package openclaw_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"testing"
	"unicode/utf8"

	"pacms/session"
	"pacms/session/openclaw"
)

// Whatever a file holds: no crash, every line is used or skipped with a cause
// or blank, and what comes out is sound.
func FuzzRead(f *testing.F) {
	for _, name := range captures {
		data, err := os.ReadFile(testdata(name + ".jsonl"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), 4000)]) // long seeds make the fuzzer slow
	}
	f.Add(newScript().user("u1", "a").calls("a1", "c", "c").result("r", "c").compaction("k", "a1").leaf("l", "u1").user("u2", "b").bytes())
	f.Add(newScript().under("u1").user("u1", `\ud83d`).raw(`{"type":"reset","id":"r","firstKeptEntryId":"u1"}`).user("u1", "b").bytes())
	f.Add([]byte(header + "\n\x00\x00" + message("u1", "a") + `{"type":"mess` + message("u2", "b") + "\x00"))
	f.Add([]byte(header + "\n" + `{"type":"message","id":"x","message":{"role":"assistant","content":[{"type":"toolCall","arguments":"x"},{"type":"image","data":"QQ=="},3]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := openclaw.Read(t.Context(), bytes.NewReader(data), "fuzz.jsonl", options(t))
		if err != nil {
			if _, ok := errors.AsType[*openclaw.NotSessionError](err); !ok {
				t.Fatalf("Read: %v", err)
			}
			return
		}
		checkSound(t, s)
		checkAccounted(t, s, data)
	})
}

// checkSound checks what every session must be.
func checkSound(t *testing.T, s *session.Session) {
	t.Helper()
	ids := map[string]bool{}
	for i := range s.Candidates {
		c := &s.Candidates[i]
		if c.ID == "" || ids[c.ID] || !c.Kind.Valid() || c.Tokens < 0 || !utf8.ValidString(c.Text) {
			t.Fatalf("candidate %d: %+v", i, c)
		}
		ids[c.ID] = true
		if len(s.Raw(c.ID)) == 0 {
			t.Fatalf("candidate %d has no stored line", i)
		}
	}
	if data, err := json.Marshal(s.Candidates); err != nil || !utf8.Valid(data) {
		t.Fatalf("the candidates as JSON: %v", err)
	}
	for i := range s.Turns {
		if s.Turns[i].Number != i+1 {
			t.Fatalf("turn %d has the number %d", i+1, s.Turns[i].Number)
		}
		for _, mode := range []session.PoolMode{session.PoolWindow, session.PoolKey} {
			p := s.Pool(i, mode)
			if (p == nil) != (s.Turns[i].Branch == session.BranchOther) {
				t.Fatalf("turn %d of branch %s has the pool %v", i+1, s.Turns[i].Branch, p)
			}
			if p == nil {
				continue
			}
			offered := map[string]bool{}
			for k := range p.Candidates {
				if id := p.Candidates[k].ID; offered[id] {
					t.Fatalf("turn %d is offered %s twice", i+1, id)
				}
				offered[p.Candidates[k].ID] = true
			}
			if offered[s.Turns[i].EntryID] {
				t.Fatalf("turn %d is offered its own message", i+1)
			}
		}
	}
}

// checkAccounted checks that no line is lost silently: what is skipped lies in
// its line, and what is left of a line begins with a JSON object.
func checkAccounted(t *testing.T, s *session.Session, data []byte) {
	t.Helper()
	left := bytes.Clone(data)
	for _, k := range s.Skipped {
		from, to := k.Offset, k.Offset+int64(k.Bytes)
		if k.Cause == "" || k.Bytes < 0 || from < 0 || to > int64(len(data)) || k.Line != 1+bytes.Count(data[:from], []byte("\n")) {
			t.Fatalf("skipped %+v of %d bytes", k, len(data))
		}
		if bytes.ContainsRune(data[from:to], '\n') {
			t.Fatalf("skipped more than a line: %+v", k)
		}
		copy(left[from:to], bytes.Repeat([]byte(" "), k.Bytes))
	}
	number := 0
	for line := range bytes.Lines(bytes.TrimPrefix(left, []byte("\ufeff"))) {
		number++
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '{' {
			t.Fatalf("line %d is used: %.80q", number, line)
		}
	}
}
