//go:build cgo

package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// driven is a writer that a test drives itself, attempt by attempt.
func driven(t *testing.T, path string, opt Options) *writer {
	t.Helper()
	s, _, err := newStore(t.Context(), path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	w := &writer{Store: s}
	t.Cleanup(w.close)
	return w
}

// next hands in a capture and takes it from the queue, ready to be written.
func (w *writer) next(t *testing.T, c Capture) []*entry {
	t.Helper()
	if !w.Record(c) {
		t.Fatalf("dropped: %+v", w.Stats())
	}
	captures, _ := w.take(t.Context())
	return w.encode(captures)
}

// While another process holds the file, captures wait, the trouble can be seen, and
// nothing is lost once it lets go.
func TestLocked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.sqlite")
	w := driven(t, path, Options{})
	if !w.attempt(t.Context(), nil) {
		t.Fatalf("%+v", w.Stats())
	}
	if _, err := w.file.db.Exec("PRAGMA busy_timeout = 1"); err != nil {
		t.Fatal(err)
	}
	release := holdLock(t, path)
	entries := w.next(t, simple(1, 3))
	for i := range 3 {
		if w.attempt(t.Context(), entries) {
			t.Fatal("it was written to a file that is locked")
		}
		st := w.Stats()
		if !strings.Contains(st.Fault, "another process holds it") || st.Busy != uint64(i+1) || st.Queued != 1 || st.Lost() != 0 || st.Since.IsZero() {
			t.Errorf("%+v", st)
		}
	}
	release()
	if !w.attempt(t.Context(), entries) {
		t.Errorf("%+v", w.Stats())
	}
	if st := w.Stats(); st.Fault != "" || !st.Since.IsZero() || st.Written != 1 || st.Queued != 0 {
		t.Errorf("%+v", st)
	}
	if list := stored(t, path); len(list) != 1 {
		t.Errorf("%d captures", len(list))
	}
}

// Record never waits, whatever the file does.
func TestRecordNeverWaits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.sqlite")
	shut(t, open(t, path, Options{}))
	release := holdLock(t, path)
	s := open(t, path, Options{Queue: 4})
	took, start := 0, time.Now()
	for i := range 100 {
		if s.Record(simple(i+1, 2)) {
			took++
		}
	}
	if spent := time.Since(start); took != 4 || spent >= 5*time.Second { // as long as one write waits for the lock
		t.Errorf("%d of 100 captures were taken in %v", took, spent)
	}
	release()
	flush(t, s)
	if st := s.Stats(); st.Written != 4 || st.Dropped != 96 {
		t.Errorf("%+v", st)
	}
}

// A full file keeps the captures waiting until there is room.
func TestFull(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.sqlite")
	w := driven(t, path, Options{})
	if !w.attempt(t.Context(), w.next(t, simple(1, 3))) {
		t.Fatalf("%+v", w.Stats())
	}
	if _, err := w.file.db.Exec("PRAGMA max_page_count = 1"); err != nil { // of what it has already
		t.Fatal(err)
	}
	entries := w.next(t, simple(2, 500))
	if w.attempt(t.Context(), entries) {
		t.Fatal("it was written to a file that is full")
	}
	if st := w.Stats(); !strings.Contains(st.Fault, "full") || st.Queued != 1 || st.Written != 1 {
		t.Errorf("%+v", st)
	}
	if list := stored(t, path); len(list) != 1 {
		t.Errorf("%d captures are in the full file", len(list))
	}
	if !w.attempt(t.Context(), entries) { // the limit was one of that connection
		t.Errorf("%+v", w.Stats())
	}
	if list := stored(t, path); len(list) != 2 || len(list[1].Pool.Candidates) != 500 {
		t.Errorf("%d captures", len(list))
	}
}

// Where the file cannot be used until the store is closed, what waits is lost, and
// counted, and said.
func TestLostAtClose(t *testing.T) {
	t.Parallel()
	folder := t.TempDir() // in the place of the file
	s := open(t, folder, Options{})
	hand(t, s, simple(1, 2))
	hand(t, s, simple(2, 2))
	err := s.Close(t.Context())
	st := s.Stats()
	if st.Failed != 2 || st.Written != 0 || st.Queued != 0 || !strings.Contains(st.Fault, "a folder") {
		t.Errorf("%+v", st)
	}
	if err == nil || !strings.Contains(err.Error(), "2 captures could not be written") || !strings.Contains(err.Error(), folder) {
		t.Errorf("Close says %v", err)
	}
}

// Close does not wait for longer than it may.
func TestCloseInTime(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.sqlite")
	shut(t, open(t, path, Options{}))
	release := holdLock(t, path)
	defer release()
	s := open(t, path, Options{})
	hand(t, s, simple(1, 2))
	err := s.Close(canceled())
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "1 capture not written") {
		t.Errorf("Close says %v", err)
	}
}

// A file of a newer schema, of another program or of no program at all stays as it
// is, byte for byte, and all who are asked to use it say why they do not.
func TestForeign(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		make func(t *testing.T, path string)
		says []string
	}{
		"newer": {func(t *testing.T, path string) {
			shut(t, open(t, path, Options{}))
			alter(t, path, "PRAGMA user_version = 99")
		}, []string{"newer pacms", "schema is 99", "up to 1"}},
		"another program's": {func(t *testing.T, path string) {
			alter(t, path, "CREATE TABLE notes (text)")
		}, []string{"no file of captures"}},
		"garbage": {func(t *testing.T, path string) {
			if err := os.WriteFile(path, bytes.Repeat([]byte("dear diary "), 1000), 0o600); err != nil {
				t.Fatal(err)
			}
		}, []string{"no file of captures"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "c.sqlite")
			test.make(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			s := open(t, path, Options{})
			hand(t, s, simple(1, 2))
			fault := s.Stats().Fault
			closed := s.Close(t.Context())
			_, reading := OpenReader(t.Context(), path)
			_, pruning := Prune(t.Context(), path, Policy{KeepBytes: 1})
			_, _, removing := Remove(t.Context(), path, []int64{1}, false)
			for _, err := range []error{errors.New(fault), closed, reading, pruning, removing} {
				for _, part := range test.says {
					if err == nil || !strings.Contains(err.Error(), part) || !strings.Contains(err.Error(), path) {
						t.Errorf("%v does not say %q", err, part)
					}
				}
			}
			if st := s.Stats(); st.Failed != 1 || st.Aside != "" {
				t.Errorf("%+v", st)
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the file was changed: %v", err)
			}
			if found, _ := filepath.Glob(path + "?*"); found != nil {
				t.Errorf("beside it are %v", found)
			}
		})
	}
}

// A damaged file of captures is set aside, whole, and captures go on in a new one.
func TestDamaged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.sqlite")
	var aside []string
	for round := range 2 { // an earlier one is not written over
		s := open(t, path, Options{})
		hand(t, s, simple(1, 40))
		shut(t, s)
		damaged, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 100; i < len(damaged); i++ {
			damaged[i] = 0xaa
		}
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		s = open(t, path, Options{})
		hand(t, s, simple(2, 2))
		shut(t, s)
		st := s.Stats()
		if kept, err := os.ReadFile(st.Aside); err != nil || !bytes.Equal(kept, damaged) || slices.Contains(aside, st.Aside) {
			t.Errorf("round %d: set aside is not what was there: %+v, %v", round, st, err)
		}
		aside = append(aside, st.Aside)
		if list := stored(t, path); len(list) != 1 || list[0].Turn != 2 {
			t.Errorf("the new file has %d captures", len(list))
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// A file that is removed or replaced while it is in use is begun anew: nothing is
// written into nowhere.
func TestRemovedUnderneath(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.sqlite")
	s := open(t, path, Options{})
	hand(t, s, simple(1, 2))
	flush(t, s)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil {
			t.Fatal(err)
		}
	}
	hand(t, s, simple(2, 2))
	shut(t, s)
	if list := stored(t, path); len(list) != 1 || list[0].Turn != 2 {
		t.Errorf("the new file has %d captures", len(list))
	}
}

// An older schema is copied before it is brought to the present one; where that does
// not succeed, nothing has changed.
func TestMigration(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "c.sqlite")
	s := open(t, path, Options{})
	hand(t, s, simple(1, 3))
	shut(t, s)
	before := stored(t, path)

	broken := append(slices.Clone(migrations), "ALTER TABLE capture ADD COLUMN more TEXT; CREATE TABLE capture (id)")
	if _, err := openFile(ctx, path, false, broken); err == nil || !strings.Contains(err.Error(), "from schema 1 to 2") {
		t.Fatalf("a migration that cannot be says %v", err)
	}
	if list := stored(t, path); len(list) != 1 {
		t.Fatal("a migration that failed changed the file")
	}
	next := append(slices.Clone(migrations), "ALTER TABLE capture ADD COLUMN more TEXT", "UPDATE capture SET more = 'x'")
	f, err := openFile(ctx, path, false, next)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	var more string
	var schema int
	if err := f.db.QueryRow("SELECT more, user_version FROM capture, pragma_user_version").Scan(&more, &schema); err != nil || more != "x" || schema != 3 {
		t.Errorf("after it: %q, schema %d, %v", more, schema, err)
	}
	copied := backupPath(path, 1)
	list := stored(t, copied)
	if len(list) != 1 {
		t.Fatalf("the copy has %d captures", len(list))
	}
	same(t, list[0], *before[0])
	if info, err := os.Stat(copied); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the copy is %v, %v", info.Mode(), err)
	}
	if _, err := OpenReader(ctx, path); err == nil || !strings.Contains(err.Error(), "schema is 3") {
		t.Errorf("an older pacms says %v", err)
	}
}

// Several stores may write to one file, and be asked at the same time.
func TestSeveralWriters(t *testing.T) {
	t.Parallel()
	const stores, each = 3, 20
	path := filepath.Join(t.TempDir(), "c.sqlite")
	var group sync.WaitGroup
	for k := range stores {
		s := open(t, path, Options{})
		group.Go(func() {
			for i := range each {
				if !s.Record(simple(100*k+i, 5+i)) {
					t.Error("dropped")
				}
				s.Stats()
			}
			if err := s.Flush(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	turns := make(map[int]bool)
	for _, c := range stored(t, path) {
		turns[c.Turn] = true
	}
	if len(turns) != stores*each {
		t.Errorf("%d captures of %d are there", len(turns), stores*each)
	}
}

// used are the ids of the items that captures have, which are to be all there are.
func checkItems(t interface{ Fatalf(string, ...any) }, path string, r *Reader) {
	var orphans, sessions int
	ids := make(map[int64]bool)
	rows, err := all(context.Background(), r.db, rowQuery, nil, scanRow)
	for i := range rows {
		list, damaged := unpackItems(rows[i].items)
		if damaged != nil {
			err = damaged
		}
		for _, id := range list {
			ids[id] = true
		}
	}
	if err == nil {
		err = r.db.QueryRow(`SELECT (SELECT count(*) FROM item), (SELECT count(*) FROM session WHERE id NOT IN (SELECT session FROM capture))`).Scan(&orphans, &sessions)
	}
	if err != nil || orphans != len(ids) || sessions != 0 {
		t.Fatalf("%s: %d items for %d that captures have, %d sessions without a capture, %v", path, orphans, len(ids), sessions, err)
	}
}

// However captures come, are removed and age, from whichever process, those that are
// left read back equal, and nothing else is left.
func TestRetention(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		path := filepath.Join(folder, fmt.Sprint(run), "c.sqlite")
		ctx := context.Background()
		s, err := Open(ctx, path, Options{})
		if err != nil {
			rt.Fatal(err)
		}
		defer s.Close(ctx)
		left := make(map[int64]Capture)
		last := int64(0)
		remove := func(id int64) { delete(left, id) }
		actions := map[string]func(*rapid.T){
			"record": func(rt *rapid.T) {
				n := rapid.IntRange(1, 6).Draw(rt, "captures")
				for range n {
					last++
					c := simple(int(last), rapid.IntRange(0, 30).Draw(rt, "candidates"))
					c.Session = rapid.SampledFrom([]string{"main", "other"}).Draw(rt, "session")
					if !s.Record(c) {
						rt.Fatalf("dropped: %+v", s.Stats())
					}
					left[last] = c
				}
				if err := s.Flush(ctx); err != nil {
					rt.Fatal(err)
				}
			},
			"remove": func(rt *rapid.T) {
				ids := rapid.SliceOfNDistinct(rapid.Int64Range(1, last+2), 1, 4, rapid.ID[int64]).Draw(rt, "ids")
				dry := rapid.Bool().Draw(rt, "dry")
				removed, missing, err := Remove(ctx, path, ids, dry)
				there := 0
				for _, id := range ids {
					if _, ok := left[id]; ok {
						there++
						if !dry {
							remove(id)
						}
					}
				}
				if err != nil || removed.Captures != there || len(missing) != len(ids)-there {
					rt.Fatalf("%+v without %v of %v, %v", removed, missing, ids, err)
				}
			},
			"age": func(rt *rapid.T) {
				turn := rapid.Int64Range(1, last+1).Draw(rt, "before")
				if _, err := Prune(ctx, path, Policy{Before: simple(int(turn), 0).Time}); err != nil {
					rt.Fatal(err)
				}
				for id := range turn {
					remove(id)
				}
			},
			"bytes": func(rt *rapid.T) {
				limit := rapid.Int64Range(1, 200_000).Draw(rt, "limit")
				removed, err := Prune(ctx, path, Policy{KeepBytes: limit})
				if err != nil || removed.Left > limit && removed.Captures < len(left) {
					rt.Fatalf("%+v for %d bytes, %v", removed, limit, err)
				}
				ids := slices.Sorted(maps.Keys(left))
				for _, id := range ids[:removed.Captures] { // the oldest
					remove(id)
				}
			},
		}
		check := func() {
			r, err := OpenReader(ctx, path)
			if err != nil {
				rt.Fatal(err)
			}
			defer r.Close()
			list, damaged, err := r.Captures(ctx, "")
			if err != nil || damaged != nil || len(list) != len(left) {
				rt.Fatalf("%d captures are left of %d: %v, %v", len(list), len(left), damaged, err)
			}
			for _, c := range list {
				want, ok := left[c.ID]
				if !ok {
					rt.Fatalf("capture %d is still there", c.ID)
				}
				same(rt, c, want)
			}
			checkItems(rt, path, r)
		}
		// Not rapid.T.Repeat, whose runs are long: each action waits for the disk.
		names := rapid.SampledFrom(slices.Sorted(maps.Keys(actions)))
		for _, name := range append([]string{"record"}, rapid.SliceOfN(names, 1, 7).Draw(rt, "actions")...) {
			actions[name](rt)
			check()
		}
		if err := s.Close(ctx); err != nil {
			rt.Fatal(err)
		}
		_ = os.RemoveAll(filepath.Dir(path)) // hundreds of them add up
	})
}

// A store keeps itself below its bounds: in bytes as it writes, in age from when it
// is opened.
func TestBounds(t *testing.T) {
	t.Parallel()
	const limit = 400_000
	path := filepath.Join(t.TempDir(), "c.sqlite")
	s := open(t, path, Options{MaxBytes: limit, Queue: 1000, QueueBytes: 1 << 30})
	for i := range 400 {
		c := simple(i+1, 20)
		for k := range c.Pool.Candidates {
			c.Pool.Candidates[k].Text += fmt.Sprint(" in turn ", i)
		}
		hand(t, s, c)
		if i%20 == 0 {
			flush(t, s)
		}
	}
	shut(t, s)
	if st := s.Stats(); st.Bytes > limit || st.Bytes < limit/2 || st.Written != 400 {
		t.Errorf("%+v", st)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > limit+(64<<10) {
		t.Errorf("the file has %d bytes, %v", info.Size(), err)
	}
	list := stored(t, path)
	if n := len(list); n == 0 || n == 400 || list[n-1].Turn != 400 || list[0].Turn != 400-n+1 {
		t.Errorf("%d captures are left", n)
	}
	// All of them are years old.
	s = open(t, path, Options{MaxAge: time.Hour})
	c := simple(500, 2)
	c.Time = time.Now()
	hand(t, s, c)
	shut(t, s)
	if list := stored(t, path); len(list) != 1 || list[0].Turn != 500 {
		t.Errorf("%d captures are left", len(list))
	}
}

// What a person removes is not in the file any more, nor beside it.
func TestOverwritten(t *testing.T) {
	t.Parallel()
	const secret = "sesame sesame sesame"
	path := filepath.Join(t.TempDir(), "c.sqlite")
	s := open(t, path, Options{})
	for i := range 3 {
		c := simple(i+1, 3)
		c.Pool.Query = secret
		hand(t, s, c)
	}
	shut(t, s)
	found := func() (n int) {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			b, _ := os.ReadFile(path + suffix)
			n += bytes.Count(b, []byte(secret))
		}
		return n
	}
	if found() == 0 {
		t.Fatal("the question cannot be found in the file even before")
	}
	if _, _, err := Remove(t.Context(), path, []int64{1, 2, 3}, false); err != nil {
		t.Fatal(err)
	}
	if n := found(); n != 0 {
		t.Errorf("it is still there %d times", n)
	}
}
