//go:build cgo

package find_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"
)

// database writes an agent database with a session key and the transcripts of
// its windows.
func (h *home) database(name, key string, windows map[string]string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(h.path(name)), 0o700); err != nil {
		h.t.Fatal(err)
	}
	db, err := sql.Open("sqlite3", h.path(name))
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	exec := func(query string, args ...any) {
		h.t.Helper()
		if _, err := db.Exec(query, args...); err != nil {
			h.t.Fatal(err)
		}
	}
	exec("CREATE TABLE transcript_events(session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER, PRIMARY KEY(session_id, seq))")
	exec("CREATE TABLE session_windows(session_id TEXT PRIMARY KEY, session_key TEXT, updated_at INTEGER)")
	at := time.Date(2026, time.November, 29, 10, 0, 0, 0, time.UTC).UnixMilli()
	for id, text := range windows {
		exec("INSERT INTO session_windows VALUES(?, ?, ?)", id, key, at)
		for seq, line := range strings.Split(strings.TrimSpace(text), "\n") {
			exec("INSERT INTO transcript_events VALUES(?, ?, ?, ?)", id, seq, line, at)
		}
	}
}

// archive puts a transcript aside inside a database.
func (h *home) archive(name, id, reason, text string) {
	h.t.Helper()
	db, err := sql.Open("sqlite3", h.path(name))
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	for _, query := range []string{
		"CREATE TABLE session_transcript_archives(session_id TEXT, reason TEXT, encoding TEXT, archive_blob BLOB, created_at INTEGER)",
		"INSERT INTO session_transcript_archives VALUES('" + id + "', '" + reason + "', 'identity', '" + text + "', 1)",
	} {
		if _, err := db.Exec(query); err != nil {
			h.t.Fatal(err)
		}
	}
}

// A session that was imported into a database counts once, and opens there.
func TestDatabaseComesFirst(t *testing.T) {
	h := newHome(t)
	const agent = ".openclaw/agents/main/"
	h.database(agent+"agent/openclaw-agent.sqlite", "agent:main:main", map[string]string{
		"one": transcript("one", 3, 50), "two": transcript("two", 2, 55),
	})
	h.archive(agent+"agent/openclaw-agent.sqlite", "old", "deleted", transcript("old", 4, 1))
	h.write(agent+"sessions/one.jsonl", transcript("one", 3, 50))
	h.write(agent+"session-sqlite-import-archive/agent_main_main.two.jsonl.imported-1", transcript("two", 2, 55))
	h.write(agent+"session-sqlite-import-archive/legacy-store.sessions.json.imported-1", "{}")
	h.write(agent+"sessions/three.jsonl", transcript("three", 1, 1))
	r := h.find()
	want := "main agent:main:main database 5 " + agent + "agent/openclaw-agent.sqlite +2\nmain three current 1 " + agent + "sessions/three.jsonl +0\n" +
		"main old deleted 4 " + agent + "agent/openclaw-agent.sqlite +0"
	if got := h.list(r); got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
	if ids := strings.Join(r.Sessions[0].IDs, " "); ids != "one two" {
		t.Errorf("windows %q", ids)
	}
	if got := r.Sessions[0].Last.Format("15:04"); got != "10:00" {
		t.Errorf("used last at %s", got)
	}
}

// An agent's folder may be anywhere.
func TestMovedAgent(t *testing.T) {
	h := newHome(t)
	h.database("far/scout/agent/openclaw-agent.sqlite", "agent:scout:main", map[string]string{"one": transcript("one", 1, 1)})
	h.database(".openclaw/agents/main/agent/openclaw-agent.sqlite", "agent:main:main", map[string]string{"two": transcript("two", 2, 2)})
	h.write(".openclaw/openclaw.json", `{
		// JSON5
		agents: {entries: {
			scout: {agentDir: '~/far/scout/agent',},
			"main": {"agentDir": "`+filepath.ToSlash(h.path(".openclaw/agents/main/agent"))+`"},
			gone: {agentDir: "/nowhere/at/all"}, odd: {agentDir: "relative/path"},
		}},
	}`)
	r := h.find()
	want := "main agent:main:main database 2 .openclaw/agents/main/agent/openclaw-agent.sqlite +0\n" +
		"scout agent:scout:main database 1 far/scout/agent/openclaw-agent.sqlite +0"
	if got := h.list(r); got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
	if p := r.Places[0]; len(r.Places) != 1 || p.Stored != 2 || len(p.Unread) != 0 {
		t.Errorf("places %+v", r.Places)
	}
}

// Behind a link to a database that is in use, what its log holds counts.
func TestLinkedDatabase(t *testing.T) {
	h := newHome(t)
	const far = "far/openclaw-agent.sqlite"
	h.database(far, "agent:main:main", map[string]string{"one": transcript("one", 1, 1)})
	db, err := sql.Open("sqlite3", h.path(far)+"?_journal_mode=wal")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	line := `{"type":"message","id":"more","message":{"role":"user","content":"more"}}`
	if _, err := db.Exec("INSERT INTO transcript_events VALUES('one', 99, ?, 1)", line); err != nil {
		t.Fatal(err)
	}
	link := h.path(".openclaw/agents/main/agent/openclaw-agent.sqlite")
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(h.path(far), link); err != nil {
		t.Fatal(err)
	}
	want := "main agent:main:main database 2 .openclaw/agents/main/agent/openclaw-agent.sqlite +0"
	if got := h.list(h.find()); got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
}
