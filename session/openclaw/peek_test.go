package openclaw_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pacms/session/openclaw"
)

// What is said of a session without reading it is what reading it gives.
func TestPeekTranscripts(t *testing.T) {
	for _, name := range captures {
		path := testdata(name + ".jsonl")
		got, err := openclaw.Peek(t.Context(), path)
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %+v, %v", name, got, err)
		}
		s := open(t, path)
		p := got[0]
		if p.Turns != len(s.Turns) || p.IDs[0] != s.Key || p.Store != s.Source.Store || p.Path != path || p.Bytes == 0 {
			t.Errorf("%s: %+v, want %d turns of %s", name, p, len(s.Turns), s.Key)
		}
		if newest := s.Turns[len(s.Turns)-1].Time; p.Last.Before(newest) || p.Last.After(newest.Add(time.Hour)) {
			t.Errorf("%s: last written at %v, the last turn began at %v", name, p.Last, newest)
		}
		if p.First != s.Turns[0].Query {
			t.Errorf("%s began with %q, want %q", name, p.First, s.Turns[0].Query)
		}
	}
}

// A session is named after what a person said first, not after the host's own
// messages.
func TestPeekFirst(t *testing.T) {
	long := strings.Repeat("wörd ", 100)
	for _, tc := range []struct {
		name   string
		script *script
		want   string
	}{
		{"nothing", newScript(), ""},
		{"a heartbeat before", newScript().user("h", "[OpenClaw heartbeat poll]").agent("a", "NO_REPLY").user("u", "Good  morning,\nAda."), "Good morning, Ada."},
		{"an envelope", newScript().user("u", "[Sun 2026-11-29 22:04 UTC] Where is it?"), "Where is it?"},
		{"an image alone", newScript().message("i", map[string]any{"role": "user", "content": []any{map[string]any{"type": "image", "data": "QUJD"}}}).user("u", "What is it?"), "What is it?"},
		{"a long text", newScript().user("u", long), string([]rune(long)[:199]) + "…"},
		{"damage before", newScript().raw(`{"type":"message","id":"x","message":{"role":"user","con`).user("u", "a"), "a"},
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		writeFile(t, path, tc.script.bytes())
		got, err := openclaw.Peek(t.Context(), path)
		if err != nil || got[0].First != tc.want {
			t.Errorf("%s: %q, %v; want %q", tc.name, got[0].First, err, tc.want)
		}
	}
}

func TestPeekDamage(t *testing.T) {
	dir := t.TempDir()
	write := func(name, data string) string {
		path := filepath.Join(dir, name)
		writeFile(t, path, []byte(data))
		return path
	}
	long := message("u1", strings.Repeat("x", 3<<20))
	for _, tc := range []struct {
		name, data, id string
		turns          int
	}{
		{"plain.jsonl", header + "\n" + message("u1", "a") + "\n" + message("u2", "b"), "s", 2},
		{"long.jsonl", header + "\n" + long + "\n" + message("u2", "b"), "s", 2},
		{"headless.jsonl", message("u1", "a") + "\n", "headless", 1},
		{"gone.jsonl.reset.2026-11-29T09-00-00Z", message("u1", "a") + "\n", "gone", 1},
		{"gone.checkpoint.1234.jsonl", message("u1", "a") + "\n", "gone", 1},
		{"quoted.jsonl", header + "\n" + message("u1", `say \"role\":\"user\"`) + "\n", "s", 1},
	} {
		got, err := openclaw.Peek(t.Context(), write(tc.name, tc.data))
		if err != nil || len(got) != 1 || got[0].IDs[0] != tc.id || got[0].Turns != tc.turns || got[0].Last.IsZero() {
			t.Errorf("%s: %+v, %v; want %d turns of %s", tc.name, got, err, tc.turns, tc.id)
		}
	}
	if _, err := openclaw.Peek(t.Context(), write("notes.txt", "hello")); !isNotSession(err) {
		t.Errorf("a text: %v", err)
	}
	if _, err := openclaw.Peek(t.Context(), filepath.Join(dir, "none")); err == nil || isNotSession(err) {
		t.Errorf("no file: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openclaw.Peek(ctx, filepath.Join(dir, "plain.jsonl")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func isNotSession(err error) bool {
	_, ok := errors.AsType[*openclaw.NotSessionError](err)
	return ok
}

// A mark that two reads share counts once.
func TestPeekAcrossReads(t *testing.T) {
	const mark = "\"role\" :\t\"user\""
	for shift := range len(mark) + 2 {
		fill := 1<<20 - len(header) - len(`{"type":"message","id":"a","x":"","message":{`) - shift
		data := header + "\n" + `{"type":"message","id":"a","x":"` + strings.Repeat("x", fill) + `","message":{` + mark + `,"content":"a"}}` + "\n" + message("b", "c")
		path := filepath.Join(t.TempDir(), "s.jsonl")
		writeFile(t, path, []byte(data))
		if got, err := openclaw.Peek(t.Context(), path); err != nil || got[0].Turns != 2 {
			t.Fatalf("shift %d: %+v, %v", shift, got, err)
		}
	}
}

// What is said of a session does not depend on how its JSON is spaced.
func TestPeekSpacedJSON(t *testing.T) {
	plain := newScript().user("u1", "Good morning").agent("a1", "b").user("u2", `"role":"user"`).agent("a2", `"role" : "user"`).bytes()
	for name, colon := range map[string]string{"none": `":`, "after": `": `, "both": `" : `, "a lot": "\" \t:  "} {
		data := bytes.ReplaceAll(bytes.ReplaceAll(plain, []byte(`":`), []byte(colon)), []byte(`,"`), []byte(`, "`))
		path := filepath.Join(t.TempDir(), "s.jsonl")
		writeFile(t, path, data)
		s := open(t, path)
		got, err := openclaw.Peek(t.Context(), path)
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %+v, %v", name, got, err)
		}
		p := got[0]
		if p.Turns != 2 || len(s.Turns) != 2 || p.First != "Good morning" || !p.Last.Equal(time.Date(2026, time.November, 29, 9, 0, 4, 0, time.UTC)) {
			t.Errorf("%s: %+v; reading finds %d turns", name, p, len(s.Turns))
		}
	}
}

func TestPeekDatabases(t *testing.T) {
	dir := copyTree(t, shared(t))
	for _, name := range []string{"2026.9.6-basic", "2026.9.6-edge"} {
		path := filepath.Join(dir, name, "openclaw-agent.sqlite")
		before := fileNames(t, dir)
		got, err := openclaw.Peek(t.Context(), path)
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %+v, %v", name, got, err)
		}
		s, p := open(t, path), got[0]
		if p.Turns != len(s.Turns) || p.Key != s.Key || len(p.IDs) != 1 || p.Store != s.Source.Store {
			t.Errorf("%s: %+v, want %d turns of %s", name, p, len(s.Turns), s.Key)
		}
		if newest := s.Turns[len(s.Turns)-1].Time; p.Last.Before(newest) || p.Last.After(newest.Add(time.Hour)) {
			t.Errorf("%s: last written at %v, the last turn began at %v", name, p.Last, newest)
		}
		if p.First != s.Turns[0].Query {
			t.Errorf("%s began with %q, want %q", name, p.First, s.Turns[0].Query)
		}
		for path, size := range fileNames(t, dir) {
			if before[path] != size {
				t.Errorf("%s was made or changed", path)
			}
		}
	}
}

func TestKeys(t *testing.T) {
	dir := t.TempDir()
	if keys := openclaw.Keys(dir); len(keys) != 0 {
		t.Errorf("an empty folder has the keys %v", keys)
	}
	writeFile(t, filepath.Join(dir, "sessions.json"), []byte("\ufeff"+`{"b":{"sessionId":"s"},"a":{"sessionId":"s"},"c":{"sessionId":""},"d":{"sessionId":"t"}}`))
	keys := openclaw.Keys(dir)
	var got []string
	for id, key := range keys {
		got = append(got, id+"="+key)
	}
	slices.Sort(got)
	if strings.Join(got, " ") != "s=a t=d" {
		t.Errorf("keys %v", got)
	}
}
