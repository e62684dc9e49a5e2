package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"

	"pacms/session"
	"pacms/session/files"
)

// DefaultPath is where captures are kept where nobody names a file.
func DefaultPath() string { return filepath.Join(xdg.StateHome, "pacms", "captures.sqlite") }

// Policy says which captures are kept: those of Before and later, and of those the
// newest that take at most KeepBytes. Zero values keep all.
type Policy struct {
	Before    time.Time
	KeepBytes int64
	// DryRun changes nothing, and only says what would be done.
	DryRun bool
}

// Removed says what was removed: captures, the items that only they had, and how
// many bytes of the file that freed. Left is how many are still in use.
type Removed struct {
	Captures int   `json:"captures"`
	Items    int   `json:"items"`
	Bytes    int64 `json:"bytes"`
	Left     int64 `json:"left_bytes"`
}

// Entry is a capture as a list shows it.
type Entry struct {
	ID        int64     `json:"id"`
	Time      time.Time `json:"time"`
	Session   string    `json:"session"`
	Turn      int       `json:"turn"`
	RequestID string    `json:"request_id"`
	// Question is the beginning of what was asked.
	Question string `json:"question"`
	Strategy string `json:"strategy"`
	// Budget is what was asked for and Effective what of it was there for the pool, in
	// tokens.
	Budget    int `json:"budget"`
	Effective int `json:"effective_budget"`
	// Items of the pool and Kept ones, and their tokens.
	Items      int  `json:"items"`
	Kept       int  `json:"kept"`
	PoolTokens int  `json:"pool_tokens"`
	KeptTokens int  `json:"kept_tokens"`
	Partial    bool `json:"partial"`
	Redacted   bool `json:"redacted"`
}

// Filter says which captures are listed. The zero value is all of them.
type Filter struct {
	// Session is the key of a session; empty: all.
	Session string
	// Newest is how many of the newest are listed; 0: all.
	Newest int
}

// Stored is a session of which there are captures.
type Stored struct {
	Key      string `json:"session"`
	Captures int    `json:"captures"`
	// First is the beginning of what was asked first; Last is when the last capture
	// was made.
	First string    `json:"first"`
	Last  time.Time `json:"last"`
}

// Loss is what could not be stored, with the time at which that was noted.
type Loss struct {
	Time  time.Time `json:"time"`
	Count int       `json:"count"`
	Cause string    `json:"cause"`
}

// Info is what is known of a file of captures as a whole.
type Info struct {
	Schema   int
	Captures int
	Items    int
	// Bytes is what is in use of the file.
	Bytes  int64
	Losses []Loss
}

// Lost is how many captures could not be stored.
func (i *Info) Lost() int {
	n := 0
	for _, l := range i.Losses {
		n += l.Count
	}
	return n
}

// NotFoundError says that a file has no capture of an id.
type NotFoundError struct {
	Path string
	ID   int64
}

// Error names the file and the id.
func (e *NotFoundError) Error() string { return fmt.Sprintf("%s has no capture %d", e.Path, e.ID) }

// Is reports whether the file at path is a database of captures, by the mark in its
// first bytes.
func Is(path string) bool {
	const headBytes, idAt = 100, 68
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, headBytes))
	return err == nil && len(head) == headBytes && bytes.HasPrefix(head, []byte("SQLite format 3\x00")) &&
		binary.BigEndian.Uint32(head[idAt:]) == applicationID
}

// isThere is an error unless a regular file is at path. Opening one to change it
// would make it.
func isThere(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file: nothing was captured yet, or it is elsewhere")
	case err != nil:
		return err //nolint:wrapcheck // it names the path
	case !info.Mode().IsRegular():
		return fmt.Errorf("it is %s: %w", files.Kind(info.Mode()), files.ErrNotRegular)
	}
	return nil
}

// applicationID marks a database as one of these ("pacc").
const applicationID = 0x70616363

// candidates are items as a pool has them: a copy, as a pool may be changed.
func candidates(ids []int64, known map[int64]session.Candidate) ([]session.Candidate, error) {
	list := make([]session.Candidate, len(ids))
	for i, id := range ids {
		c, ok := known[id]
		if !ok {
			return nil, fmt.Errorf("%w: item %d is missing", errDamaged, id)
		}
		list[i] = c
	}
	return list, nil
}
