//go:build cgo

package openclaw_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"pacms/session/openclaw"
)

// hostSchema is what of the schema 23 of an agent's database matters to a session.
const hostSchema = `
CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL,
	event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY (session_id, seq)) STRICT;
CREATE TABLE session_nodes (session_key TEXT NOT NULL PRIMARY KEY, current_session_id TEXT NOT NULL, entry_json TEXT NOT NULL,
	updated_at INTEGER NOT NULL) STRICT;
CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL, previous_session_id TEXT,
	reason TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
	FOREIGN KEY (session_key) REFERENCES session_nodes(session_key) ON DELETE CASCADE) STRICT;`

const hostKey = "agent:main:main"

// gateway writes an agent's database as the host does.
type gateway struct {
	t       fatal
	path    string
	db      *sql.DB
	id      string
	windows int
	seq     int
	clock   int
	packer  *zstd.Encoder
	open    bool // a transaction
}

func newGateway(t fatal, path string) *gateway {
	t.Helper()
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	g := &gateway{t: t, path: path, packer: packer}
	g.start()
	g.exec(hostSchema)
	return g
}

// start opens the database, stop closes it, by which its log goes away.
func (g *gateway) start() {
	g.t.Helper()
	db, err := sql.Open("sqlite3", g.path+"?_journal_mode=wal&_synchronous=off")
	if err != nil {
		g.t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	g.db = db
	g.exec("PRAGMA wal_autocheckpoint = 0")
}

func (g *gateway) stop() {
	g.t.Helper()
	if err := g.db.Close(); err != nil {
		g.t.Fatal(err)
	}
}

func (g *gateway) exec(query string, args ...any) {
	g.t.Helper()
	if _, err := g.db.Exec(query, args...); err != nil {
		g.t.Fatalf("%s: %v", query, err)
	}
}

// begin begins a window for a reason.
func (g *gateway) begin(reason, header string) {
	g.t.Helper()
	previous := g.id
	g.windows++
	g.clock++
	g.id, g.seq = fmt.Sprintf("window-%d", g.windows), 0
	g.exec("INSERT INTO session_nodes VALUES (?, ?, '{}', ?) ON CONFLICT DO UPDATE SET current_session_id = excluded.current_session_id, updated_at = excluded.updated_at", hostKey, g.id, g.clock)
	g.exec("INSERT INTO session_windows VALUES (?, ?, ?, ?, ?, ?)", g.id, hostKey, previous, reason, g.clock, g.clock)
	g.add(header)
}

// add stores an event, packed where it is long.
func (g *gateway) add(line string) {
	g.t.Helper()
	g.clock++
	if len(line) >= 1024 {
		g.exec("INSERT INTO transcript_events (session_id, seq, event_zstd, event_utf8_bytes, created_at) VALUES (?, ?, ?, ?, ?)",
			g.id, g.seq, g.packer.EncodeAll([]byte(line), nil), len(line), g.clock)
	} else {
		g.exec("INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES (?, ?, ?, ?)", g.id, g.seq, line, g.clock)
	}
	g.seq++
}

// lines are the events of the window as they are stored.
func (g *gateway) lines() []string {
	rows, err := g.db.Query("SELECT event_json, event_zstd FROM transcript_events WHERE session_id = ? ORDER BY seq", g.id)
	if err != nil {
		g.t.Fatal(err)
	}
	defer rows.Close()
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		g.t.Fatal(err)
	}
	defer unpacker.Close()
	var lines []string
	for rows.Next() {
		var text sql.NullString
		var packed []byte
		if err := rows.Scan(&text, &packed); err != nil {
			g.t.Fatal(err)
		}
		if packed != nil {
			data, err := unpacker.DecodeAll(packed, nil)
			if err != nil {
				g.t.Fatal(err)
			}
			text.String = string(data)
		}
		lines = append(lines, text.String)
	}
	if err := rows.Err(); err != nil {
		g.t.Fatal(err)
	}
	return lines
}

// Whatever the host does to its database, what was followed is in the end what a cold
// read gives, and nothing of ours is beside it.
func TestFollowedDatabase(t *testing.T) {
	t.Parallel()
	base, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		dir := filepath.Join(base, fmt.Sprint(n))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		g := newGateway(t, filepath.Join(dir, "openclaw-agent.sqlite"))
		defer func() { _ = g.db.Close() }()
		k := talk{t: t, at: time.Date(2026, time.November, 29, 9, 0, 0, 0, time.UTC)}
		f := follow(t, g.path, rapidOptions(t))
		f.lookOnce() // there is no session yet
		g.begin("initial", k.begin("window-1"))
		check := func() {
			t.Helper()
			f.settle()
			opt := rapidOptions(t)
			opt.Session = hostKey
			want, err := openclaw.Open(background, g.path, opt)
			if err != nil {
				t.Fatal(err)
			}
			sameAsCold(t, f.last, want)
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			switch rapid.IntRange(0, 15).Draw(t, "step") {
			case 0, 1, 2, 3:
				for range rapid.IntRange(1, 4).Draw(t, "events") {
					g.add(k.next())
				}
			case 4, 5:
				f.lookOnce()
			case 6:
				if !g.open {
					check()
				}
			case 7: // a transaction during which others look
				if g.open {
					g.exec(rapid.SampledFrom([]string{"COMMIT", "ROLLBACK"}).Draw(t, "end"))
				} else {
					g.exec("BEGIN IMMEDIATE")
				}
				g.open = !g.open
				if err := g.db.QueryRow("SELECT COALESCE(MAX(seq), -1) + 1 FROM transcript_events WHERE session_id = ?", g.id).Scan(&g.seq); err != nil {
					t.Fatal(err)
				}
			case 8:
				if !g.open {
					g.begin(rapid.SampledFrom([]string{"reset", "rollover", "switch"}).Draw(t, "reason"), k.begin(fmt.Sprintf("window-%d", g.windows+1)))
				}
			case 9: // a copy of a part of the window before it
				if !g.open {
					lines := g.lines()
					g.begin(rapid.SampledFrom([]string{"rewind", "fork"}).Draw(t, "reason"), lines[0])
					for _, line := range lines[1:rapid.IntRange(1, len(lines)).Draw(t, "copied")] {
						g.add(line)
					}
				}
			case 10:
				g.exec("DELETE FROM transcript_events WHERE session_id = ? AND seq > 0 AND seq % 3 = ?", g.id, rapid.IntRange(0, 2).Draw(t, "which"))
			case 11: // as long as before
				g.exec("UPDATE transcript_events SET event_json = replace(event_json, 'Grüße', 'Grase') WHERE session_id = ?", g.id)
				g.exec("UPDATE transcript_events SET event_json = replace(event_json, '\"a', '\"b') WHERE session_id = ? AND seq % 2 = 0", g.id)
			case 12:
				if lines := g.lines(); len(lines) > 0 {
					for seq, line := range lines {
						g.exec("UPDATE transcript_events SET event_json = NULL, event_zstd = ? WHERE session_id = ? AND seq = ? AND event_json = ?",
							g.packer.EncodeAll([]byte(line), nil), g.id, seq, line)
					}
				}
			case 13:
				if !g.open {
					g.exec("PRAGMA wal_checkpoint(TRUNCATE)")
				}
			case 14:
				if !g.open {
					g.stop()
					if rapid.Bool().Draw(t, "look at rest") {
						f.lookOnce()
					}
					g.start()
				}
			default:
				if !g.open && g.windows > 1 {
					g.exec("DELETE FROM transcript_events WHERE session_id = ?", "window-1")
				}
			}
		}
		if g.open {
			g.exec("COMMIT")
		}
		check()
		g.stop()
		check()
		var files []string
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			files = append(files, e.Name())
		}
		if !slices.Equal(files, []string{"openclaw-agent.sqlite"}) {
			t.Fatalf("beside the database: %v", files)
		}
	})
}

// A store whose writer holds it is busy, which passes.
func TestFollowBusy(t *testing.T) {
	db := newStore(t, "delete", schema)
	db.add("s1", 0, newScript().user("u1", "a").bytes(), true)
	f := follow(t, db.path, options(t))
	f.settle()
	db.exec("BEGIN EXCLUSIVE")
	db.exec("INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES ('s1', 9, ?, 0)",
		`{"type":"message","id":"u2","parentId":"u1","message":{"role":"user","content":"c"}}`)
	f.now = time.Now() // it does not rest
	if l, err := f.Look(t.Context()); !errors.Is(err, openclaw.ErrBusy) || l.Session != nil {
		t.Fatalf("%+v, %v while the writer holds it", l, err)
	}
	db.exec("COMMIT")
	if f.settle(); len(f.last.Turns) != 2 {
		t.Errorf("%d turns after the writer let go", len(f.last.Turns))
	}
}

// A look says what a database was found to have done, and follows a session that gets
// its key late.
func TestFollowDatabaseTells(t *testing.T) {
	g := newGateway(t, filepath.Join(t.TempDir(), "openclaw-agent.sqlite"))
	defer g.stop()
	f := follow(t, g.path, options(t))
	for range 2 { // what is waited for stays so while nothing changes
		if f.settle(); !strings.Contains(f.look.Waiting, "no session") {
			t.Errorf("%+v in an empty database", f.look)
		}
	}
	g.id = "early"
	for line := range bytes.Lines(newScript().user("u1", "a").bytes()) {
		g.add(string(bytes.TrimSpace(line)))
	}
	if f.settle(); f.last.Key != "early" {
		t.Errorf("the key is %q", f.last.Key)
	}
	g.exec("INSERT INTO session_nodes VALUES (?, 'early', '{}', 1)", hostKey)
	g.exec("INSERT INTO session_windows VALUES ('early', ?, NULL, 'initial', 1, 1)", hostKey)
	if f.settle(); f.last.Key != hostKey || f.events != nil {
		t.Errorf("the key is %q, events %q", f.last.Key, f.events)
	}
	g.begin("rewind", `{"type":"session","version":4,"id":"window-1"}`)
	if f.settle(); !f.told("new window (rewind): window-1 after early") {
		t.Error("a new window is not told")
	}
	g.add(`{"type":"compaction","id":"c1","parentId":null,"summary":"s","firstKeptEntryId":"x"}`)
	if f.settle(); !f.told("compacted") {
		t.Error("a compaction is not told")
	}
	g.exec("DELETE FROM transcript_events WHERE session_id = 'early'")
	if f.settle(); !f.told("1 window is not part of the session any more") {
		t.Error("a window that went is not told")
	}
	g.exec("DELETE FROM transcript_events")
	for range 2 {
		if f.settle(); !strings.Contains(f.look.Waiting, "not in the database any more") || f.last == nil {
			t.Errorf("%+v after all was deleted", f.look)
		}
	}
}

// A session moves from its transcripts to the database of its agent.
func TestFollowMoves(t *testing.T) {
	agent := filepath.Join(t.TempDir(), "agents", "main")
	path := filepath.Join(agent, "sessions", "s.jsonl")
	for _, dir := range []string{"sessions", "agent", "archive"} {
		if err := os.MkdirAll(filepath.Join(agent, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, filepath.Join(agent, "sessions", "sessions.json"), []byte(`{"agent:main:main":{"sessionId":"s"}}`))
	script := newScript().user("u1", "a").agent("a1", "b")
	writeFile(t, path, script.bytes())
	f := follow(t, path, options(t))
	f.settle()
	if f.last.Key != hostKey {
		t.Fatalf("the key is %q", f.last.Key)
	}
	if err := os.Rename(path, filepath.Join(agent, "archive", "s.jsonl.imported-1")); err != nil {
		t.Fatal(err)
	}
	if f.lookOnce(); f.look.Waiting == "" {
		t.Error("a transcript that is gone is not waited for")
	}
	g := newGateway(t, filepath.Join(agent, "agent", "openclaw-agent.sqlite"))
	defer g.stop()
	if f.lookOnce(); f.look.Waiting == "" || !strings.HasSuffix(f.Where(), ".jsonl") {
		t.Error("it moved to a database without the session")
	}
	g.exec("INSERT INTO session_nodes VALUES (?, 's', '{}', 1)", hostKey)
	g.id = "s"
	for line := range bytes.Lines(script.user("u2", "c").bytes()) {
		g.add(string(bytes.TrimSpace(line)))
	}
	f.settle()
	if !f.told("moved to the database") || f.look.Waiting != "" {
		t.Errorf("the move is not told, or still waits: %+v", f.look)
	}
	sameAsCold(t, f.last, open(t, g.path))
	if len(f.last.Turns) != 2 || f.last.Key != hostKey {
		t.Errorf("%d turns of %q", len(f.last.Turns), f.last.Key)
	}
}
