//go:build cgo

package cache

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pacms/session/files"
)

const plenty = 8 << 20

// open opens a store that has to say nothing but what was expected, in order.
func open(t *testing.T, path string, maxBytes int64, expected ...string) *Store {
	t.Helper()
	var n notices
	s := Open(path, maxBytes, n.say)
	t.Cleanup(func() {
		_ = s.Close()
		if len(n.said) != len(expected) {
			t.Errorf("the store said %q, not %q", n.said, expected)
			return
		}
		for i, part := range expected {
			if !strings.Contains(n.said[i], part) {
				t.Errorf("the store said %q, not %q", n.said[i], part)
			}
		}
	})
	return s
}

// alter runs SQL on the database at path.
func alter(t *testing.T, path, query string) {
	t.Helper()
	db, err := sql.Open("sqlite3", files.DatabaseURI(path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(query); err != nil {
		t.Fatal(err)
	}
}

// integrity fails the test unless SQLite finds the file sound.
func integrity(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite3", files.DatabaseURI(path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var said string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&said); err != nil || said != "ok" {
		t.Errorf("%s: %q, %v", path, said, err)
	}
}

// fill stores the vectors of texts in a new file.
func fill(t *testing.T, path string, texts ...string) {
	t.Helper()
	s := open(t, path, plenty)
	check(t, s.Wrap(&embedder{}, "model"), texts...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// missing returns the texts that the file does not have, in order.
func missing(t *testing.T, path string, texts ...string) []string {
	t.Helper()
	s := open(t, path, plenty)
	defer s.Close()
	inner := &embedder{}
	check(t, s.Wrap(inner, "model"), texts...)
	return inner.take()
}

func TestStored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "of", "our own?", "#100%.db")
	fill(t, path, numbered(0, 40)...)
	if got := missing(t, path, numbered(0, 50)...); !slices.Equal(got, documents(numbered(40, 50)...)) {
		t.Errorf("asked for %q", got)
	}
	integrity(t, path)
}

// What was embedded is stored even if the caller has gone meanwhile.
func TestCancelledMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	s := open(t, path, plenty)
	ctx, cancel := context.WithCancel(t.Context())
	inner := &embedder{fail: func([]string) ([][]float32, error) {
		cancel()
		return nil, nil
	}}
	if _, err := s.Wrap(inner, "model").Documents(ctx, []string{"a"}); err != nil {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := missing(t, path, "a"); got != nil {
		t.Errorf("asked for %q", got)
	}
}

func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has other permissions")
	}
	folder := filepath.Join(t.TempDir(), "new", "folder")
	path := filepath.Join(folder, "c.db")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(folder, "old.db")
	if err := os.WriteFile(old, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	deeper := filepath.Join(folder, "deeper", "c.db")
	for _, p := range []string{path, old, deeper} {
		s := open(t, p, plenty)
		check(t, s.Wrap(&embedder{}, "model"), "a")
		for _, suffix := range []string{"", "-wal", "-shm"} {
			file, err := os.Stat(p + suffix)
			if err != nil {
				t.Fatal(err)
			}
			if got := file.Mode().Perm(); got != 0o600 {
				t.Errorf("%s has mode %o", p+suffix, got)
			}
		}
	}
	for dir, want := range map[string]os.FileMode{folder: 0o755, filepath.Dir(deeper): 0o700} {
		if file, err := os.Stat(dir); err != nil || file.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", dir, file.Mode().Perm(), want)
		}
	}
}

// The file never grows beyond its bound, and forgets what was not used for longest.
func TestSizeBound(t *testing.T) {
	const bound = 256 << 10
	path := filepath.Join(t.TempDir(), "c.db")
	s := open(t, path, bound)
	inner := &embedder{}
	e := s.Wrap(inner, "model")
	for i := range 100 {
		check(t, e, numbered(16*i, 16*i+16)...)
		s.memory = newMemory(memoryBytes) // ask the file
		check(t, e, "keep this")
		if err := merge(s); err != nil {
			t.Fatal(err)
		}
		if file, err := os.Stat(path); err != nil || file.Size() > bound {
			t.Fatalf("after %d texts the file has %d bytes, %v", 16*i+16, file.Size(), err)
		}
	}
	if asked := inner.take(); slices.Index(asked[17:], "d:keep this") >= 0 {
		t.Error("what is used all the time was forgotten")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	// A query of all texts, the newest first, finds the newest and no old one.
	var texts []string
	for i := 1599; i >= 0; i-- {
		texts = append(texts, fmt.Sprintf("text %d", i))
	}
	gone := missing(t, path, texts...)
	if len(gone) > 1500 || !slices.Equal(gone, documents(texts[1600-len(gone):]...)) {
		t.Errorf("%d are forgotten, and not the oldest: %q", len(gone), gone[:min(9, len(gone))])
	}
	integrity(t, path)
}

// merge moves the write-ahead log into the file.
func merge(s *Store) error {
	_, err := s.disk.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// A smaller bound makes the file smaller.
func TestShrink(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	fill(t, path, numbered(0, 2000)...)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	const bound = 128 << 10
	s := open(t, path, bound)
	check(t, s.Wrap(&embedder{}, "model"), "text 1999")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil || before.Size() < 2*bound || after.Size() > bound {
		t.Errorf("from %d to %d bytes, %v", before.Size(), after.Size(), err)
	}
	integrity(t, path)
}

// A bound that nothing fits in keeps nothing, and says nothing.
func TestNoRoom(t *testing.T) {
	for _, bound := range []int64{-1, 0, 1, emptyBytes, emptyBytes + 4096} {
		s := open(t, filepath.Join(t.TempDir(), "c.db"), bound)
		check(t, s.Wrap(&embedder{}, "model"), numbered(0, 40)...)
		check(t, s.Wrap(&embedder{}, "model"), numbered(0, 40)...)
	}
}

// Of a batch that is larger than the file may be, the last part is kept.
func TestBatchBeyondBound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	s := open(t, path, emptyBytes+3*sizeOnDisk(entry{vector: make([]float32, dim)}))
	check(t, s.Wrap(&embedder{}, "model"), numbered(0, 16)...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := missing(t, path, numbered(0, 16)...); !slices.Equal(got, documents(numbered(0, 13)...)) {
		t.Errorf("asked for %q", got)
	}
}

// A database of another version or of something else is left as it is.
func TestLeftAlone(t *testing.T) {
	for name, c := range map[string]struct{ query, says string }{
		"newer":   {fmt.Sprintf("PRAGMA user_version = %d", schema+1), "schema 3, this one has 2"},
		"foreign": {"PRAGMA application_id = 7", "something else"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "c.db")
			fill(t, path, "a")
			alter(t, path, c.query)
			leftAlone(t, path, c.says)
		})
	}
	t.Run("unmarked", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "c.db")
		alter(t, path, "CREATE TABLE mine (x)")
		leftAlone(t, path, "something else")
	})
}

// leftAlone checks that the file is not changed, and that it is said once why.
func leftAlone(t *testing.T, path, says string) {
	t.Helper()
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, path, plenty, "in memory only: open "+path+": ")
	e := s.Wrap(&embedder{}, "model")
	check(t, e, "a", "b")
	check(t, e, "b")
	var n notices
	Open(path, plenty, n.say)
	if len(n.said) != 1 || !strings.Contains(n.said[0], says) {
		t.Errorf("it said %q, not %q", n.said, says)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file was changed, %v", err)
	}
	if file, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && file.Mode().Perm() != 0o640 {
		t.Errorf("the file has mode %o, %v", file.Mode().Perm(), err)
	}
}

// A damaged file is set aside with a sentence, and a new one begun.
func TestDamaged(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"not a database": func([]byte) []byte { return []byte(strings.Repeat("no database ", 999)) },
		"cut off":        func(b []byte) []byte { return b[:len(b)/2] },
		"pages lost":     func(b []byte) []byte { return append(slices.Clone(b[:100]), make([]byte, len(b)-100)...) },
		"one bit of a vector": func(b []byte) []byte {
			vector := encode(vectorOf("d:text 7"))
			flipped := slices.Clone(vector)
			flipped[20] ^= 1
			return bytes.ReplaceAll(b, vector, flipped) // SQLite leaves old copies in its pages
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "c.db")
			fill(t, path, numbered(0, 40)...)
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			content = damage(content)
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			s := open(t, path, plenty, "is damaged")
			check(t, s.Wrap(&embedder{}, "model"), numbered(0, 40)...)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if aside, err := os.ReadFile(path + ".damaged"); err != nil || !bytes.Equal(aside, content) {
				t.Errorf("it is not set aside: %v", err)
			}
			integrity(t, path)
			check(t, open(t, path, plenty).Wrap(&embedder{}, "model"), numbered(0, 40)...)
		})
	}
}

// A sound page that leads to the vector of another text is damage as well.
func TestMixedUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	fill(t, path, numbered(0, 8)...)
	alter(t, path, "UPDATE vector SET id = -id; UPDATE vector SET id = 9 + id")
	check(t, open(t, path, plenty, "is damaged").Wrap(&embedder{}, "model"), numbered(0, 8)...)
}

// What an older version has stored is made again, without a word.
func TestOlder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	fill(t, path, numbered(0, 8)...)
	alter(t, path, fmt.Sprintf("UPDATE vector SET sum = 0; PRAGMA user_version = %d", schema-1))
	for _, want := range [][]string{documents(numbered(0, 8)...), nil} {
		if got := missing(t, path, numbered(0, 8)...); !slices.Equal(got, want) {
			t.Errorf("asked for %q, want %q", got, want)
		}
	}
	integrity(t, path)
}

// Damage in a file that is in use is found too; a second time it is given up.
func TestDamagedInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	s := open(t, path, plenty, "is damaged", "in memory only")
	e := s.Wrap(&embedder{}, "model")
	for i := range 3 {
		check(t, e, numbered(0, 16)...)
		if s.disk != nil {
			if _, err := s.disk.db.Exec("UPDATE vector SET sum = sum + 1"); err != nil {
				t.Fatal(err)
			}
		}
		if i < 2 {
			s.memory = newMemory(memoryBytes)
		}
	}
	if s.disk != nil {
		t.Error("it is used after it was damaged twice")
	}
}

// A file that another process has replaced already is not set aside again.
func TestSetAsideOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	fill(t, path, "old")
	old, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, path+".damaged"); err != nil {
		t.Fatal(err)
	}
	fill(t, path, "new")
	if _, err := setAside(path, old); err != nil {
		t.Fatal(err)
	}
	if got := missing(t, path, "new"); got != nil {
		t.Error("the new file was set aside")
	}
}

// Whatever happens to the bytes of the file, there is no crash and no wrong vector.
func TestAnyDamage(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "c.db")
	fill(t, whole, numbered(0, 32)...)
	content, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "c.db")
	rapid.Check(t, func(t *rapid.T) {
		b := slices.Clone(content)
		for range rapid.IntRange(1, 4).Draw(t, "places") {
			at := rapid.IntRange(0, len(b)-1).Draw(t, "at")
			copy(b[at:], rapid.SliceOfN(rapid.Byte(), 1, 64).Draw(t, "bytes"))
		}
		b = b[:rapid.SampledFrom([]int{len(b), rapid.IntRange(0, len(b)).Draw(t, "length")}).Draw(t, "cut")]
		for _, suffix := range []string{"-wal", "-shm"} {
			_ = os.Remove(path + suffix)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		s := Open(path, plenty, func(string) {})
		defer s.Close()
		check(t, s.Wrap(&embedder{}, "model"), numbered(0, 36)...)
		s.memory = newMemory(memoryBytes)
		check(t, s.Wrap(&embedder{}, "model"), numbered(0, 36)...)
	})
}

// A place where no file can be is said once, and costs nothing else.
func TestNoPlace(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		filepath.Join(file, "c.db"): "make the folder", folder: "is a folder", "": "make the cache",
	} {
		e := open(t, path, plenty, says).Wrap(&embedder{}, "model")
		check(t, e, "a", "b")
		check(t, e, "b", "c")
	}
}

func TestReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	fill(t, path, "a")
	s := open(t, path, plenty, "in memory only: write "+path)
	if _, err := s.disk.db.Exec("PRAGMA query_only = 1"); err != nil {
		t.Fatal(err)
	}
	inner := &embedder{}
	e := s.Wrap(inner, "model")
	check(t, e, "a", "b")
	check(t, e, "a", "b")
	if got := inner.take(); !slices.Equal(got, documents("b")) {
		t.Errorf("asked for %q", got)
	}
}

// A full disk is said once; what was read before stays known.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.db")
	s := open(t, path, plenty, "full")
	e := s.Wrap(&embedder{}, "model")
	check(t, e, "a")
	if _, err := s.disk.db.Exec("PRAGMA max_page_count = 1"); err != nil { // it takes the present size
		t.Fatal(err)
	}
	for i := range 20 {
		check(t, e, numbered(16*i, 16*i+16)...)
	}
	if s.disk != nil {
		t.Error("the full disk was not noticed")
	}
	if got := missing(t, path, "a"); got != nil {
		t.Errorf("asked for %q", got)
	}
}

// The log is written ahead, so that one process reads while another writes.
func TestWriteAheadLog(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "c.db"), plenty)
	var mode string
	if err := s.disk.db.QueryRowContext(context.Background(), "PRAGMA journal_mode").Scan(&mode); err != nil || mode != "wal" {
		t.Errorf("the mode is %q, %v", mode, err)
	}
}

func BenchmarkDisk(b *testing.B) {
	vector := make([]float32, 768)
	for i := range vector {
		vector[i] = 1
	}
	entries := make([]entry, 64)
	keys := make([]key, len(entries))
	s := Open(filepath.Join(b.TempDir(), "c.db"), 64<<20, func(s string) { b.Fatal(s) })
	defer s.Close()
	n := 0
	b.Run("put", func(b *testing.B) {
		for b.Loop() {
			for i := range entries {
				n++
				keys[i] = keyOf("model", documentPrefix, fmt.Sprint(n))
				entries[i] = entry{keys[i], vector}
			}
			s.put(b.Context(), entries)
		}
	})
	b.Run("get", func(b *testing.B) {
		for b.Loop() {
			s.memory = newMemory(memoryBytes)
			s.get(b.Context(), keys)
		}
	})
	b.Run("memory", func(b *testing.B) {
		for b.Loop() {
			s.get(b.Context(), keys)
		}
	})
}
