//go:build cgo

package openclaw_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacms/session/openclaw"
)

// A link to a database is as good as its own name: the log is looked for beside
// the file.
func TestLinkedDatabase(t *testing.T) {
	db := newStore(t, "wal", schema)
	db.add("s1", 0, newScript().user("u1", "a").bytes(), true) // all of it is in the log
	links := t.TempDir()
	link := func(to, name string) string {
		path := filepath.Join(links, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one := link(db.path, "one.sqlite")
	relative, err := filepath.Rel(links, db.path)
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]string{
		"a link":                one,
		"a link to a link":      link(one, "two.sqlite"),
		"a relative link":       link(relative, "relative.sqlite"),
		"a folder with a link":  filepath.Dir(link(db.path, "folder/openclaw-agent.sqlite")),
		"a link to a folder":    link(filepath.Dir(db.path), "linked-folder"),
		"a file in such a link": filepath.Join(link(filepath.Dir(db.path), "another"), filepath.Base(db.path)),
	}
	before := fileNames(t, links)
	for name, path := range paths {
		t.Run(name, func(t *testing.T) {
			if s := open(t, path); len(s.Turns) != 1 {
				t.Errorf("%d turns", len(s.Turns))
			}
			if info, err := os.Stat(path); err != nil || info.IsDir() {
				return // only files are looked into
			}
			stored, err := openclaw.Peek(t.Context(), path)
			if err != nil || len(stored) != 1 || stored[0].Turns != 1 || stored[0].Path != path {
				t.Errorf("stored %+v, %v", stored, err)
			}
		})
	}
	if after := fileNames(t, links); !maps.Equal(before, after) {
		t.Errorf("files before %v, after %v", before, after)
	}
}

// What a writer has not committed is not read, whether it is still at it or died.
func TestUncommittedChanges(t *testing.T) {
	const turns = 60
	for _, mode := range []string{"delete", "truncate", "persist"} {
		t.Run(mode, func(t *testing.T) {
			db := newStore(t, mode, schema)
			script := newScript()
			for i := range turns {
				script.user(fmt.Sprintf("u%d", i), strings.Repeat("committed ", 200))
			}
			db.exec("BEGIN")
			db.add("s1", 0, script.bytes(), false)
			db.exec("COMMIT")
			check := func(when string) {
				t.Helper()
				files := fileNames(t, filepath.Dir(db.path))
				before := contents(t, files)
				s := open(t, filepath.Dir(db.path))
				if len(s.Turns) != turns || len(s.Skipped) > 0 || strings.Contains(s.Candidates[0].Text, "unfinished") {
					t.Errorf("%s: %d turns, skipped %v, the first says %.20q", when, len(s.Turns), s.Skipped, s.Candidates[0].Text)
				}
				if after := fileNames(t, filepath.Dir(db.path)); !maps.Equal(files, after) {
					t.Errorf("%s: files before %v, after %v", when, files, after)
				}
				for path, data := range contents(t, files) {
					if !bytes.Equal(data, before[path]) {
						t.Errorf("%s: %s was changed", when, path)
					}
				}
			}
			check("at rest")
			db.exec("PRAGMA cache_size = 5") // so that changed pages go to the file before the end
			db.exec("BEGIN IMMEDIATE")
			db.exec("UPDATE transcript_events SET event_json = replace(event_json, 'committed', 'unfinished')")
			db.exec("DELETE FROM transcript_events WHERE seq > 10")
			if data, err := os.ReadFile(db.path); err != nil || !bytes.Contains(data, []byte("unfinished")) {
				t.Fatalf("nothing unfinished is in the file: %v", err)
			}
			check("while it is written")
			dir := t.TempDir() // the files as they are when the writer dies now
			for _, suffix := range []string{"", "-journal"} {
				data, err := os.ReadFile(db.path + suffix)
				if err != nil {
					t.Fatal(err)
				}
				writeFile(t, filepath.Join(dir, "crashed.sqlite"+suffix), data)
			}
			db.exec("ROLLBACK")
			check("after it was taken back")
			db.path = filepath.Join(dir, "crashed.sqlite")
			check("after a crash")
		})
	}
}
