package openclaw_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pacms/session/openclaw"
)

func utf16LE(text string, mark bool) string {
	var b []byte
	if mark {
		b = append(b, 0xff, 0xfe)
	}
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

// What is no session is refused with what it is.
func TestIdentify(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"x.trajectory.jsonl", `{"traceSchema":"openclaw-trajectory","type":"session.started","data":{}}` + "\n", "trajectory"},
		{"sessions.json", "{\n \"agent:main:main\": {\n  \"sessionId\": \"x\"\n }\n}", "index of sessions"},
		{"requests.jsonl", `{"n":1,"url":"/v1","body":{"messages":[]}}`, "log of requests"},
		{"params.json", "{\n\"sessionId\":\"s\",\n\"messages\":[],\n\"tokenBudget\":1\n}", "assemble"},
		{"params2.json", `{"advancementKey":"x"}`, "commitTurn"},
		{"pool.json", `{"schema":"pacms.pool/1","query":"q","candidates":[]}`, "pool document"},
		{"selection.json", `{"schema":"pacms.selection/1"}`, "pacms.selection/1"},
		{"other.jsonl", `{"uuid":"x","sessionId":"y","type":"user","message":{}}`, "another program"},
		{"list.json", `[{"text":"a"}]`, "JSON list"},
		{"object.json", `{"a":1}`, "JSON, but neither a transcript nor a pool"},
		{"cut.json", `{"a`, "damaged JSON"},
		{"notes.txt", "hello\nworld\n", "no JSON"},
		{"empty.jsonl", "", "empty file"},
		{"blank.jsonl", " \r\n\n", "empty file"},
		{"utf16.jsonl", utf16LE(header, true), "UTF-16"},
		{"utf16-bare.jsonl", utf16LE(header, false), "UTF-16"},
		{"utf32le.jsonl", "\xff\xfe\x00\x00{\x00\x00\x00", "UTF-32"},
		{"utf32be.jsonl", "\x00\x00\xfe\xff\x00\x00\x00{", "UTF-32"},
		{"utf32-bare.jsonl", "{\x00\x00\x00\"\x00\x00\x00", "UTF-32"},
		{"utf32be-bare.jsonl", "\x00\x00\x00{\x00\x00\x00\"", "UTF-32"},
		{"a.sqlite-wal", "\x37\x7f\x06\x82rest", "write-ahead log of a SQLite database: open a.sqlite"},
		{"a.sqlite-shm", "\x18\xe2\x2d\x00", "shared memory of a SQLite database: open a.sqlite"},
		{"a.sqlite-journal", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7\n" + header + "\n", "rollback journal of a SQLite database: open a.sqlite beside"},
		{"b.sqlite-journal", strings.Repeat("\x00", 512) + "\n" + header + "\n", "rollback journal of a SQLite database: open b.sqlite beside"},
		{"a.jsonl.zst", "\x28\xb5\x2f\xfdrest", "zstd"},
		{"a.jsonl.gz", "\x1f\x8brest", "gzip"},
		{"a.zip", "PK\x03\x04rest", "zip"},
		{"a.bin", "\x7fELF\x00\x00", "binary"},
	}
	for _, tc := range tests {
		path := filepath.Join(t.TempDir(), tc.name)
		writeFile(t, path, []byte(tc.data))
		_, err := openclaw.Open(t.Context(), path, options(t))
		no, ok := errors.AsType[*openclaw.NotSessionError](err)
		if !ok || no.Path != path || !strings.Contains(no.What, tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
		if _, err := openclaw.Read(t.Context(), strings.NewReader(tc.data), tc.name, options(t)); err == nil {
			t.Errorf("%s: Read accepts it", tc.name)
		}
	}
	if _, err := openclaw.Open(t.Context(), filepath.Join(t.TempDir(), "gone"), options(t)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := openclaw.Open(t.Context(), testdata("2026.5.28.jsonl"), openclaw.Options{}); err == nil {
		t.Error("no error without a counter")
	}
}

func TestFolder(t *testing.T) {
	transcript := newScript().user("u1", "a").bytes()
	t.Run("one transcript", func(t *testing.T) {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "s.jsonl"), transcript)
		writeFile(t, filepath.Join(dir, "sessions.json"), []byte(`{"agent:b":{"sessionId":"s"},"agent:a":{"sessionId":"s"},"agent:0":{"sessionId":"t"}}`))
		if s := open(t, dir); s.Key != "agent:a" || s.Source.Path != filepath.Join(dir, "s.jsonl") {
			t.Errorf("key %q, source %+v", s.Key, s.Source)
		}
	})
	t.Run("two transcripts", func(t *testing.T) {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "s.jsonl"), transcript)
		writeFile(t, filepath.Join(dir, "t.jsonl"), bytes.Replace(transcript, []byte(`"id":"s"`), []byte(`"id":"t"`), 1))
		writeFile(t, filepath.Join(dir, "notes.txt"), []byte("hello"))
		_, err := openclaw.Open(t.Context(), dir, options(t))
		if err == nil || !strings.Contains(err.Error(), "s.jsonl: an OpenClaw transcript") || !strings.Contains(err.Error(), "notes.txt: a text") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a transcript and its archives", func(t *testing.T) {
		dir := t.TempDir()
		for _, name := range []string{"s.jsonl", "s.checkpoint.1.jsonl", "s.jsonl.reset.2026-11-29T09-00-00Z"} {
			writeFile(t, filepath.Join(dir, name), transcript)
		}
		if s := open(t, dir); s.Source.Path != filepath.Join(dir, "s.jsonl") {
			t.Errorf("source %+v", s.Source)
		}
	})
	t.Run("nothing", func(t *testing.T) {
		if _, err := openclaw.Open(t.Context(), t.TempDir(), options(t)); err == nil || !strings.Contains(err.Error(), "empty") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("many files", func(t *testing.T) {
		dir := t.TempDir()
		for i := range 600 {
			writeFile(t, filepath.Join(dir, fmt.Sprintf("%03d.txt", i)), []byte("x"))
		}
		if _, err := openclaw.Open(t.Context(), dir, options(t)); err == nil || !strings.Contains(err.Error(), "only the first 500") {
			t.Errorf("error %.200v", err)
		}
	})
}

// Every file of the captures is read or refused with what it is.
func TestCaptures(t *testing.T) {
	dir := copyTree(t, shared(t))
	want := map[string]string{
		"2026.5.28/b6560757-2e0b-42a4-bf72-ccafa4c4bd20.jsonl":               "9 turns",
		"2026.5.28/b6560757-2e0b-42a4-bf72-ccafa4c4bd20.trajectory.jsonl":    "trajectory",
		"2026.5.28/model-requests.jsonl":                                     "log of requests",
		"2026.5.28/sessions.json":                                            "index of sessions",
		"2026.9.6-basic/model-requests.jsonl":                                "log of requests",
		"2026.9.6-basic/openclaw-agent.sqlite":                               "9 turns",
		"2026.9.6-basic/openclaw-agent.sqlite-shm":                           "shared memory",
		"2026.9.6-basic/openclaw-agent.sqlite-wal":                           "write-ahead log",
		"2026.9.6-basic/sessions/60402486-2fae-4386-b1f9-fa7ba7405b2e.jsonl": "9 turns",
		"2026.9.6-edge/model-requests.jsonl":                                 "log of requests",
		"2026.9.6-edge/openclaw-agent.sqlite":                                "10 turns",
		"2026.9.6-edge/openclaw-agent.sqlite-shm":                            "shared memory",
		"2026.9.6-edge/openclaw-agent.sqlite-wal":                            "write-ahead log",
		"2026.9.6-edge/sessions/c40a4721-ef42-4162-91fb-32b852b8dd5f.jsonl":  "10 turns",
		"assemble-params.json":                                               "assemble",
		"commitTurn-params.json":                                             "commitTurn",
		"token-estimates.json":                                               "JSON list",
		// The folders of one session each, and the folder of all.
		"2026.5.28":      "9 turns",
		"2026.9.6-basic": "9 turns",
		"2026.9.6-edge":  "10 turns",
		".":              "several sessions",
	}
	for path := range fileNames(t, dir) {
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := want[filepath.ToSlash(rel)]; !ok {
			t.Errorf("the test does not know %s", rel)
		}
	}
	for rel, what := range want {
		s, err := openclaw.Open(t.Context(), filepath.Join(dir, filepath.FromSlash(rel)), options(t))
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprintf("%d turns", len(s.Turns))
			if len(s.Skipped)+len(s.Warnings) > 0 {
				t.Errorf("%s: skipped %v, warnings %v", rel, s.Skipped, s.Warnings)
			}
		}
		if !strings.Contains(got, what) {
			t.Errorf("%s: %s, want %s", rel, got, what)
		}
	}
}

// A transcript that has changed since gives no wrong lines.
func TestRawOfChangedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	data := newScript().user("u1", "hello").bytes()
	writeFile(t, path, data)
	s := open(t, path)
	if raw := s.Raw("u1"); len(raw) != 1 {
		t.Fatalf("raw %q", raw)
	}
	writeFile(t, path, []byte(strings.Replace(string(data), "hello", "jello", 1)))
	if raw := s.Raw("u1"); raw != nil {
		t.Errorf("raw %q of a changed file", raw)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if raw := s.Raw("u1"); raw != nil {
		t.Errorf("raw %q of a file that is gone", raw)
	}
}

// A folder lists every session of its files, of which one is copied, and a file that is
// no store says what it is.
func TestListFolder(t *testing.T) {
	dir := t.TempDir()
	transcript := newScript().user("u1", "a").bytes()
	for _, name := range []string{"s.jsonl", "s.checkpoint.1.jsonl"} {
		writeFile(t, filepath.Join(dir, name), transcript)
	}
	writeFile(t, filepath.Join(dir, "t.jsonl"), bytes.Replace(transcript, []byte(`"id":"s"`), []byte(`"id":"t"`), 1))
	writeFile(t, filepath.Join(dir, "notes.txt"), []byte("hello"))
	entries, err := openclaw.List(t.Context(), dir)
	want := []openclaw.Entry{{Path: filepath.Join(dir, "s.jsonl")}, {Path: filepath.Join(dir, "t.jsonl")}}
	if err != nil || !slices.Equal(entries, want) {
		t.Errorf("%v, %v", entries, err)
	}
	if _, err := openclaw.List(t.Context(), filepath.Join(dir, "notes.txt")); err == nil || !strings.Contains(err.Error(), "this is a text") {
		t.Errorf("a text gives %v", err)
	}
	if _, err := openclaw.List(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "holds no session") {
		t.Errorf("an empty folder gives %v", err)
	}
}
