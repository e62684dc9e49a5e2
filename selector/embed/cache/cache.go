// Package cache remembers the vectors of texts, so that a slow embedder is asked
// once for each: in memory, and in a SQLite database where that can be used.
//
// Nothing here keeps the program from working: a file that cannot be read or
// written costs only the time to embed again.
package cache

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"sync"
)

// memoryBytes bounds what is held in memory: about 20,000 vectors of 768 numbers.
const memoryBytes = 64 << 20

// key is the hash of what a vector depends on: what embeds, whether it is a
// stored text or a question, and the text.
type key [sha256.Size]byte

// keyOf returns the key of a text under the key of an embedder and the name of
// its prefix. The quotes keep the parts apart.
func keyOf(embedder, prefix, text string) key {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %s", embedder, prefix, text))
}

// entry is a vector and what it is stored under.
type entry struct {
	key    key
	vector []float32
}

// damagedError says that a database is not what was written.
type damagedError struct {
	file  os.FileInfo // the damaged file
	cause error
}

// Error is what is wrong with the file.
func (e *damagedError) Error() string { return e.cause.Error() }

// Store holds vectors. It is safe for concurrent use, and several processes may
// use one file.
type Store struct {
	path     string
	maxBytes int64
	notice   func(string)

	mu     sync.Mutex // guards the fields below
	memory *memory
	disk   *disk // nil where vectors are in memory only
	mended bool  // a damaged file was set aside
}

// Open returns the store in the database at path, which it creates if need be,
// readable by its owner alone. The file grows to at most maxBytes; beyond that
// the vectors that were not used for longest are forgotten. Close it after use.
//
// Where the file cannot be used, now or later, the store goes on in memory and
// says so once: notice is called with a sentence for a person. It must not call
// the store.
func Open(path string, maxBytes int64, notice func(string)) *Store {
	s := &Store{
		path: path, maxBytes: maxBytes, notice: notice,
		memory: newMemory(min(maxBytes, memoryBytes)),
	}
	s.open(context.Background())
	return s
}

// Close ends the use of the file. The store then goes on in memory.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.disk == nil {
		return nil
	}
	err := s.disk.close()
	s.disk = nil
	return err
}

func (s *Store) open(ctx context.Context) {
	d, err := openDisk(ctx, s.path, s.maxBytes)
	if err != nil {
		s.fail(ctx, err)
		return
	}
	s.disk = d
}

// fail ends the use of the file after an error. A damaged file is set aside, the
// first time, and a new one begun.
func (s *Store) fail(ctx context.Context, err error) {
	if s.disk != nil {
		_ = s.disk.close() // it has failed already
		s.disk = nil
	}
	var damaged *damagedError
	if errors.As(err, &damaged) && !s.mended {
		s.mended = true
		aside, moved := setAside(s.path, damaged.file)
		if moved == nil {
			s.notice(fmt.Sprintf("the cache of embeddings %s is damaged (%v): it is set aside as %s, and a new one begun", s.path, damaged, aside))
			s.open(ctx)
			return
		}
		err = moved
	}
	s.notice(fmt.Sprintf("embeddings are remembered in memory only: %v", err))
}

// setAside renames the database at path and what belongs to it, if it still is
// the given file: another process may have done it already.
func setAside(path string, file os.FileInfo) (aside string, err error) {
	aside = path + ".damaged"
	now, err := os.Stat(path)
	if err != nil || !os.SameFile(now, file) {
		return aside, nil //nolint:nilerr // it has gone
	}
	// The log goes first: left beside a new database it would be taken for its own.
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s is damaged and cannot be set aside: %w", path, err)
		}
	}
	return aside, nil
}

// get returns the vectors of the keys, nil for each that is not known.
func (s *Store) get(ctx context.Context, keys []key) [][]float32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	vectors := make([][]float32, len(keys))
	var hits, rest []key
	for i, k := range keys {
		if vectors[i] = s.memory.get(k); vectors[i] != nil {
			hits = append(hits, k)
		} else {
			rest = append(rest, k)
		}
	}
	if s.disk == nil {
		return vectors
	}
	found, err := s.disk.get(ctx, rest)
	if err != nil {
		s.fail(ctx, err)
		return vectors
	}
	for i, k := range keys {
		if v := found[k]; vectors[i] == nil && v != nil {
			s.memory.put(k, v)
			vectors[i] = v
			hits = append(hits, k)
		}
	}
	if err := s.disk.touch(ctx, hits); err != nil {
		s.fail(ctx, err)
	}
	return vectors
}

// put remembers the vectors that say something: of a text that could not be
// embedded nothing is known the next time either.
func (s *Store) put(ctx context.Context, entries []entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	useful := make([]entry, 0, len(entries))
	for _, e := range entries {
		if sound(e.vector) {
			s.memory.put(e.key, e.vector)
			useful = append(useful, e)
		}
	}
	if s.disk == nil || len(useful) == 0 {
		return
	}
	if err := s.disk.put(ctx, useful); err != nil {
		s.fail(ctx, err)
	}
}

// sound reports whether v is finite and not zero.
func sound(v []float32) bool {
	square := 0.0
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	return square > 0 && !math.IsInf(square, 0) // NaN is not above 0
}
