//go:build cgo

package openclaw_test

import (
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"pacms/session/openclaw"
)

const archiveSchema = schema + `
CREATE TABLE session_transcript_archives (session_id TEXT NOT NULL, generation TEXT NOT NULL, session_key TEXT NOT NULL, reason TEXT NOT NULL,
	encoding TEXT NOT NULL, archive_blob BLOB NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (session_id, generation));`

// archive puts a transcript aside.
func (s *store) archive(id, generation, reason, encoding string, at int, data []byte) {
	s.t.Helper()
	if encoding == "zstd" {
		packer, err := zstd.NewWriter(nil)
		if err != nil {
			s.t.Fatal(err)
		}
		data = packer.EncodeAll(data, nil)
	}
	s.exec("INSERT INTO session_transcript_archives VALUES (?, ?, 'agent:main:main', ?, ?, ?, ?)", id, generation, reason, encoding, data, at)
}

// What a host put aside inside its database is listed and opens by its id.
func TestArchives(t *testing.T) {
	db := newStore(t, "wal", archiveSchema)
	db.add("s1", 0, newScript().user("u1", "a").bytes(), true)
	db.key("agent:main:main", "s1", 5000)
	db.archive("old", "1", "reset", "zstd", 1000, newScript().user("u1", "stale").bytes())
	db.archive("old", "2", "reset", "zstd", 2000, newScript().user("u1", "Where is it?").agent("a1", "b").user("u2", "c").bytes())
	db.archive("gone", "1", "deleted", "identity", 1500, newScript().user("u1", "d").bytes())
	db.archive("bad", "1", "deleted", "zstd", 1200, nil)
	db.exec("UPDATE session_transcript_archives SET archive_blob = x'28b52ffd00' WHERE session_id = 'bad'")

	got, err := openclaw.Peek(t.Context(), db.path)
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, s := range got {
		listed = append(listed, strings.Join([]string{s.Key, s.IDs[0], s.Archived, s.First, s.Last.Format("05")}, " "))
	}
	if want := "agent:main:main s1  a 05, old old reset Where is it? 02, gone gone deleted d 01, bad bad deleted  01"; strings.Join(listed, ", ") != want {
		t.Errorf("listed %q, want %q", strings.Join(listed, ", "), want)
	}
	if got[1].Turns != 2 || got[2].Turns != 1 || got[3].Turns > 0 {
		t.Errorf("turns %d, %d, %d", got[1].Turns, got[2].Turns, got[3].Turns)
	}

	opt := options(t)
	for id, turns := range map[string]int{"old": 2, "gone": 1, "s1": 1, "agent:main:main": 1} {
		opt.Session = id
		s, err := openclaw.Open(t.Context(), db.path, opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Turns) != turns || s.Source.Store != "openclaw-sqlite" || turns == 2 && s.Key != "old" || len(s.Raw("u1")) != 1 {
			t.Errorf("%s: %d turns of %s in %+v", id, len(s.Turns), s.Key, s.Source)
		}
	}
	for _, id := range []string{"bad", "nobody"} {
		opt.Session = id
		if _, err := openclaw.Open(t.Context(), db.path, opt); err == nil || !strings.Contains(err.Error(), db.path) {
			t.Errorf("%s: %v", id, err)
		}
	}
}
