//go:build cgo

package openclaw_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"pacms/session"
	"pacms/session/openclaw"
)

// schema is what of the agent database's schema the reader uses.
const schema = `
CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL,
	event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY (session_id, seq));
CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT NOT NULL, updated_at INTEGER NOT NULL);`

// oldSchema is the same before there were packed events and windows.
const oldSchema = `CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT,
	created_at INTEGER NOT NULL, PRIMARY KEY (session_id, seq));`

// store is an agent database that a test writes.
type store struct {
	t    *testing.T
	path string
	db   *sql.DB
}

// newStore makes a database in a folder of its own; mode is its journal.
func newStore(t *testing.T, mode, schema string) *store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "openclaw-agent.sqlite")
	db, err := sql.Open("sqlite3", path+"?_journal_mode="+mode)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	s := &store{t, path, db}
	s.exec("PRAGMA wal_autocheckpoint = 0")
	s.exec(schema)
	return s
}

func (s *store) exec(query string, args ...any) {
	s.t.Helper()
	if _, err := s.db.Exec(query, args...); err != nil {
		s.t.Fatal(err)
	}
}

// add appends the lines of a transcript to a session; long ones are packed as
// the host does where the schema has a place for them.
func (s *store) add(sessionID string, from int, transcript []byte, pack bool) {
	s.t.Helper()
	packer, err := zstd.NewWriter(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for line := range bytes.Lines(transcript) {
		line = bytes.TrimRight(line, "\n")
		if pack && len(line) >= 1024 {
			s.exec("INSERT INTO transcript_events (session_id, seq, event_zstd, event_utf8_bytes, created_at) VALUES (?, ?, ?, ?, ?)",
				sessionID, from, packer.EncodeAll(line, nil), len(line), from)
		} else {
			s.exec("INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, ?)", sessionID, from, string(line), from)
		}
		from++
	}
}

// key makes a session one of a key's windows, the current one of it.
func (s *store) key(key, sessionID string, updated int) {
	s.t.Helper()
	s.exec("INSERT OR REPLACE INTO session_nodes VALUES (?, ?, ?)", key, sessionID, updated)
	s.exec("INSERT INTO session_windows VALUES (?, ?, ?)", sessionID, key, updated)
}

func (s *store) close() {
	s.t.Helper()
	if err := s.db.Close(); err != nil {
		s.t.Fatal(err)
	}
}

// sameSession checks that two readings have the same turns and candidates.
func sameSession(t *testing.T, a, b *session.Session) {
	t.Helper()
	if !reflect.DeepEqual(a.Turns, b.Turns) {
		t.Error("the turns differ")
	}
	if !reflect.DeepEqual(a.Candidates, b.Candidates) {
		t.Error("the candidates differ")
	}
	for i := range a.Candidates {
		id := a.Candidates[i].ID
		if raw := a.Raw(id); len(raw) == 0 || !reflect.DeepEqual(raw, b.Raw(id)) {
			t.Errorf("the stored lines of %s differ", id)
		}
	}
}

// A database and the transcript with the same events are the same session.
func TestDatabaseEqualsTranscript(t *testing.T) {
	for _, name := range captures {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(testdata(name + ".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			db := newStore(t, "wal", schema)
			db.add("s1", 0, data, true)
			db.key("agent:main:main", "s1", 1)
			s := open(t, db.path)
			if s.Key != "agent:main:main" || s.Source.Store != "openclaw-sqlite" || s.Source.Version == 0 {
				t.Errorf("key %q, source %+v", s.Key, s.Source)
			}
			sameSession(t, s, open(t, testdata(name+".jsonl")))
		})
	}
}

// The same for the databases of real runs, whose own table of active events
// must agree with the branch that is resolved here.
func TestCapturedDatabases(t *testing.T) {
	for _, name := range []string{"2026.9.6-basic", "2026.9.6-edge"} {
		t.Run(name, func(t *testing.T) {
			dir := copyTree(t, filepath.Join(shared(t), name))
			path := filepath.Join(dir, "openclaw-agent.sqlite")
			s := open(t, path)
			sameSession(t, s, open(t, testdata(name+".jsonl")))

			db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			rows, err := db.Query(`SELECT i.event_id FROM session_transcript_active_events a
				JOIN transcript_event_identities i ON i.session_id = a.session_id AND i.seq = a.event_seq
				WHERE a.message_position IS NOT NULL ORDER BY a.active_position`)
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			var want, got []string
			for rows.Next() {
				var id string
				if err := rows.Scan(&id); err != nil {
					t.Fatal(err)
				}
				want = append(want, id)
			}
			if err := rows.Err(); err != nil {
				t.Fatal(err)
			}
			for i := range s.Candidates {
				if s.Candidates[i].Kind != session.Summary {
					got = append(got, s.Candidates[i].ID)
				}
			}
			if len(want) == 0 || !reflect.DeepEqual(got, want) {
				t.Errorf("active branch %v\nthe host's   %v", got, want)
			}
		})
	}
}

// Reading leaves a store as it was, whether its log is there or not.
func TestNothingIsCreated(t *testing.T) {
	tests := map[string]func(*store){
		"no log":                  func(s *store) { s.close() },
		"a log that is in use":    func(*store) {},
		"a log without its index": leaveLogOnly,
	}
	for name, prepare := range tests {
		t.Run(name, func(t *testing.T) {
			db := newStore(t, "wal", schema)
			db.add("s1", 0, newScript().user("u1", "a").agent("a1", "b").bytes(), true)
			prepare(db)
			files := fileNames(t, filepath.Dir(db.path))
			before := contents(t, files)
			if s := open(t, db.path); len(s.Candidates) != 2 {
				t.Errorf("%d candidates", len(s.Candidates))
			}
			if after := fileNames(t, filepath.Dir(db.path)); !maps.Equal(files, after) {
				t.Errorf("files before %v, after %v", files, after)
			}
			for path, data := range contents(t, files) {
				if !strings.HasSuffix(path, "-shm") && !bytes.Equal(data, before[path]) {
					t.Errorf("%s was changed", path)
				}
			}
		})
	}
}

// leaveLogOnly replaces a store by a copy of its database and its log.
func leaveLogOnly(s *store) {
	s.t.Helper()
	dir := s.t.TempDir()
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(s.path + suffix)
		if err != nil {
			s.t.Fatal(err)
		}
		writeFile(s.t, filepath.Join(dir, "a?b#c%.sqlite"+suffix), data)
	}
	s.path = filepath.Join(dir, "a?b#c%.sqlite")
}

func contents(t *testing.T, files map[string]int64) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[path] = data
	}
	return out
}

// A store is read while the host writes to it.
func TestLiveDatabase(t *testing.T) {
	db := newStore(t, "wal", schema)
	script := newScript().user("u1", "a").agent("a1", "b")
	db.add("s1", 0, script.bytes(), true)
	if info, err := os.Stat(db.path); err != nil || info.Size() > 4096 {
		t.Fatalf("the database is not in its log: %v, %v", info.Size(), err)
	}
	if s := open(t, db.path); len(s.Turns) != 1 {
		t.Errorf("%d turns", len(s.Turns))
	}
	db.add("s1", 3, newScript().under("a1").user("u2", "c").bytes()[len(newScript().bytes()):], true)
	db.exec("BEGIN IMMEDIATE")
	db.exec("INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES ('s1', 9, 'unfinished', 0)")
	s := open(t, db.path)
	if len(s.Turns) != 2 || len(s.Skipped) != 0 {
		t.Errorf("%d turns, skipped %v while the host writes", len(s.Turns), s.Skipped)
	}
	db.exec("ROLLBACK")
}

// A database whose JSON is spaced has the same number of turns.
func TestPeekSpacedDatabase(t *testing.T) {
	db := newStore(t, "wal", schema)
	db.add("s1", 0, bytes.ReplaceAll(newScript().user("u1", "a").agent("a1", "b").user("u2", "c").bytes(), []byte(`":`), []byte(`": `)), true)
	got, err := openclaw.Peek(t.Context(), db.path)
	if err != nil || len(got) != 1 || got[0].Turns != 2 || got[0].First != "a" {
		t.Errorf("%+v, %v", got, err)
	}
}

// More events than one statement reads.
func TestLongDatabase(t *testing.T) {
	db := newStore(t, "wal", schema)
	script := newScript()
	for i := range 450 {
		script.user(fmt.Sprintf("u%d", i), "text").agent(fmt.Sprintf("a%d", i), "text")
	}
	db.exec("BEGIN")
	db.add("s1", 0, script.bytes(), true)
	db.exec("COMMIT")
	opt := options(t)
	last, total := int64(0), int64(0)
	opt.Progress = func(done, all int64) { last, total = done, all }
	s, err := openclaw.Open(t.Context(), db.path, opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Turns) != 450 || len(s.Candidates) != 900 {
		t.Errorf("%d turns, %d candidates", len(s.Turns), len(s.Candidates))
	}
	if want := int64(len(script.bytes()) - 901); last != want || total != want {
		t.Errorf("progress ended at %d of %d, want %d", last, total, want)
	}
}

func TestWindows(t *testing.T) {
	db := newStore(t, "wal", schema)
	first := newScript().user("u1", "a").agent("a1", "b").user("u2", "c").agent("a2", "d")
	second := newScript().user("u3", "e").agent("a3", "f").user("u4", "g")
	db.add("w1", 0, first.bytes(), true)
	db.add("w2", 100, second.bytes(), true)
	db.key("agent:main:main", "w1", 10)
	db.key("agent:main:main", "w2", 20)
	db.add("other", 50, newScript().user("x1", "x").bytes(), true)
	db.key("agent:main:other", "other", 15)

	s := open(t, db.path)
	if s.Key != "agent:main:main" {
		t.Errorf("the newest session is %q", s.Key)
	}
	checkPools(t, s, []string{"", "u1 a1", "", "u3 a3"})
	if got := poolIDs(t, s, 4, session.PoolKey); got != "u1 a1 u2 a2 u3 a3" {
		t.Errorf("the pool of the key is %q", got)
	}
	if b := s.Turns[2].Boundary; b == nil || b.Kind != "reset" || b.EntryID != "w2" {
		t.Errorf("the boundary of the second window is %+v", b)
	}
	for want, turns := range map[string]int{"agent:main:main": 4, "w1": 4, "w2": 4, "agent:main:other": 1, "other": 1} {
		opt := options(t)
		opt.Session = want
		s, err := openclaw.Open(t.Context(), db.path, opt)
		if err != nil || len(s.Turns) != turns {
			t.Errorf("session %s: %v", want, err)
		}
	}
	opt := options(t)
	opt.Session = "nobody"
	_, err := openclaw.Open(t.Context(), db.path, opt)
	if err == nil {
		t.Fatal("an unknown session gives no error")
	}
	for _, part := range []string{"nobody", "agent:main:main", "agent:main:other", "w1, 5 events"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not name %q: %v", part, err)
		}
	}
}

// A window that begins as a copy of another tells nothing twice.
func TestCopiedWindow(t *testing.T) {
	db := newStore(t, "wal", schema)
	script := newScript().user("u1", "a").agent("a1", "b")
	db.add("w1", 0, script.bytes(), true)
	db.add("w2", 100, script.user("u2", "c").agent("a2", "d").user("u3", "e").bytes(), true)
	db.key("k", "w1", 10)
	db.key("k", "w2", 20)
	s := open(t, db.path)
	checkPools(t, s, []string{"", "u1 a1", "u1 a1 u2 a2"})
	if got := poolIDs(t, s, 3, session.PoolKey); got != "u1 a1 u2 a2" {
		t.Errorf("the pool of the key is %q", got)
	}
}

func TestOlderSchema(t *testing.T) {
	db := newStore(t, "delete", oldSchema)
	db.add("s1", 0, newScript().user("u1", "a").bytes(), false)
	db.close()
	if s := open(t, db.path); len(s.Turns) != 1 || s.Key != "s1" {
		t.Errorf("%d turns of %q", len(s.Turns), s.Key)
	}
}

// Long events come in pieces of the store, and one above the limit is left out
// alone.
func TestLongEvents(t *testing.T) {
	db := newStore(t, "wal", schema)
	script := newScript()
	for i := range 6 {
		script.user(fmt.Sprintf("u%d", i), strings.Repeat("x", 3<<20))
	}
	db.add("s1", 0, script.bytes(), false)
	db.exec("INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES ('s1', 7, replace(hex(zeroblob(?)), '00', 'x'), 0)", 64<<20+1)
	db.add("s1", 8, newScript().under("u5").user("last", "a").bytes(), false)
	s := open(t, db.path)
	if len(s.Turns) != 7 || len(s.Skipped) != 1 || s.Skipped[0].Line != 7 || s.Skipped[0].Bytes != 64<<20+1 {
		t.Errorf("%d turns, skipped %+v", len(s.Turns), s.Skipped)
	}
}

func TestDamagedRows(t *testing.T) {
	db := newStore(t, "wal", schema)
	db.add("s1", 0, newScript().user("u1", "a").bytes(), true)
	db.exec("INSERT INTO transcript_events (session_id, seq, event_zstd, created_at) VALUES ('s1', 7, x'28b52ffd00', 0)")
	db.exec("INSERT INTO transcript_events (session_id, seq, created_at) VALUES ('s1', 8, 0)")
	db.exec("INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES ('s1', 9, '{', 0)")
	s := open(t, db.path)
	if len(s.Turns) != 1 || len(s.Skipped) != 3 {
		t.Fatalf("%d turns, skipped %+v", len(s.Turns), s.Skipped)
	}
	for i, want := range []string{"damaged zstd", "the row has no event", "damaged JSON"} {
		if k := s.Skipped[i]; k.Line != 7+i || k.Offset != -1 || !strings.Contains(k.Cause, want) {
			t.Errorf("skipped %+v, want %q", k, want)
		}
	}
}

func TestOtherDatabases(t *testing.T) {
	for want, schema := range map[string]string{
		"lossless-claw": "CREATE TABLE conversations (a); CREATE TABLE messages (a); CREATE TABLE summaries (a);",
		"global":        "CREATE TABLE agent_databases (a)",
		"places":        "CREATE TABLE places (a)",
	} {
		db := newStore(t, "delete", schema)
		_, err := openclaw.Open(t.Context(), db.path, options(t))
		if _, ok := errors.AsType[*openclaw.NotSessionError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	empty := newStore(t, "delete", oldSchema)
	if _, err := openclaw.Open(t.Context(), empty.path, options(t)); err == nil || !strings.Contains(err.Error(), "without any session") {
		t.Errorf("no session: %v", err)
	}
	torn := filepath.Join(t.TempDir(), "torn.sqlite")
	writeFile(t, torn, append([]byte("SQLite format 3\x00"), make([]byte, 5000)...))
	if _, err := openclaw.Open(t.Context(), torn, options(t)); err == nil || !strings.Contains(err.Error(), "torn.sqlite") {
		t.Errorf("a damaged database: %v", err)
	}
}

func TestDatabaseCancelled(t *testing.T) {
	db := newStore(t, "wal", schema)
	db.add("s1", 0, newScript().user("u1", "a").bytes(), true)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := openclaw.Open(ctx, db.path, options(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Every session of a database is listed, and each entry opens the one that it names.
func TestListDatabase(t *testing.T) {
	s := newStore(t, "DELETE", schema)
	for i, id := range []string{"w1", "w2"} {
		s.add(id, 0, bytes.Replace(newScript().user("u"+id, "hello "+id).bytes(), []byte(`"id":"s"`), []byte(`"id":"`+id+`"`), 1), false)
		s.exec("INSERT INTO session_nodes VALUES (?, ?, ?)", "agent:"+id, id, 4102444800000-i)
	}
	for _, path := range []string{s.path, filepath.Dir(s.path)} {
		entries, err := openclaw.List(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if want := []openclaw.Entry{{s.path, "agent:w1"}, {s.path, "agent:w2"}}; !reflect.DeepEqual(entries, want) {
			t.Fatalf("%s has %v, want %v", path, entries, want)
		}
	}
	opt := options(t)
	opt.Session = "agent:w2"
	read, err := openclaw.Open(t.Context(), s.path, opt)
	if err != nil || read.Turns[0].Query != "hello w2" {
		t.Errorf("%v, %v", read, err)
	}
}
