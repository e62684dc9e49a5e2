//go:build cgo

package openclaw

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/mattn/go-sqlite3"

	"pacms/session/files"
)

// A database that changed, in a way that could have torn what was read, is read
// again: readAttempts times at most, after a pause that doubles from firstPause.
const (
	readAttempts = 5
	firstPause   = 20 * time.Millisecond
)

// errChanged says that a database changed while it was read without a lock.
var errChanged = errors.New("the database changed while it was read")

// busyWait is how long a reader waits for a writer that has locked a database.
const busyWait = 5 * time.Second

// withDatabase calls read with the database at path, again where the database
// changed meanwhile. Errors of read are passed on.
func withDatabase(ctx context.Context, path string, read func(*sql.DB) error) error {
	return withDatabaseFor(ctx, path, busyWait, read)
}

// withDatabaseFor is withDatabase that waits for a lock as long as busy.
func withDatabaseFor(ctx context.Context, path string, busy time.Duration, read func(*sql.DB) error) error {
	// SQLite keeps a log and a journal beside the file itself, not beside a link to it.
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("openclaw: open database: %w", err)
	}
	pause := firstPause
	for attempt := range readAttempts {
		if attempt > 0 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(pause):
			}
			pause *= 2
		}
		if err = tryDatabase(ctx, target, busy, read); !errors.Is(err, errChanged) {
			return err
		}
	}
	return fmt.Errorf("openclaw: read %s: %w %d times: try again", path, err, readAttempts)
}

// access is a way to read a database without creating anything beside it.
type access int

const (
	// locked: SQLite reads it beside its writer.
	locked access = iota
	// immutable: without its log SQLite would make one, so it is declared to be
	// at rest and is checked for changes afterwards.
	immutable
	// copied: SQLite would have to write beside it, an index of a log that a copy
	// left behind or what a crash left undone, so it reads a copy of all.
	copied
)

// accessTo says how the database at path can be read now.
func accessTo(path string) (access, error) {
	if hot, err := hotJournal(path); err != nil || hot {
		return copied, err
	}
	switch {
	case exists(path + "-wal"):
		if exists(path + "-shm") {
			return locked, nil
		}
		return copied, nil
	case logged(path):
		return immutable, nil
	}
	return locked, nil
}

// hotJournal reports whether a transaction stands half done in the database at
// path: the journal to take it back begins with zero or is gone after each end.
func hotJournal(path string) (bool, error) {
	head, err := firstBytes(path+"-journal", 1)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return false, fmt.Errorf("openclaw: read the journal of a database: %w", err)
	}
	return len(head) > 0 && head[0] != 0, nil
}

// logged reports whether the header of a database says that it has a write-ahead
// log while it is open.
func logged(path string) bool {
	const readVersion, withLog = 19, 2
	head, _ := firstBytes(path, readVersion+1) // SQLite says what is wrong with the file
	return len(head) > readVersion && head[readVersion] == withLog
}

// firstBytes are the first n bytes of a file, fewer where it is shorter.
func firstBytes(path string, n int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err //nolint:wrapcheck // the callers wrap
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, n)) //nolint:wrapcheck // the callers wrap
}

// tryDatabase calls read with the database at path, which is no link. The error
// is errChanged where what was read may be torn.
func tryDatabase(ctx context.Context, path string, busy time.Duration, read func(*sql.DB) error) error {
	before, err := stateOf(path)
	if err != nil {
		return fmt.Errorf("openclaw: open database: %w", err)
	}
	how, err := accessTo(path)
	if err != nil {
		return err
	}
	target, query := path, fmt.Sprintf("mode=ro&_query_only=1&_busy_timeout=%d", busy.Milliseconds())
	switch how {
	case locked:
	case immutable:
		query += "&immutable=1"
	case copied:
		copyPath, remove, err := copyDatabase(ctx, path)
		if err != nil {
			return err
		}
		defer remove()
		if changed(path, before) {
			return errChanged
		}
		target, query = copyPath, "mode=rw"
	}
	db, err := sql.Open("sqlite3", files.DatabaseURI(target)+"?"+query)
	if err != nil {
		return fmt.Errorf("openclaw: open database %s: %w", path, err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	err = read(db)
	switch {
	case ctx.Err() != nil:
		return err
	case how == immutable && changed(path, before), neededRollback(err):
		return errChanged
	}
	return err
}

// neededRollback reports whether a writer died after its journal was looked for.
func neededRollback(err error) bool {
	sqliteErr, ok := errors.AsType[sqlite3.Error](err)
	return ok && sqliteErr.ExtendedCode == sqlite3.ErrReadonlyRollback
}

// changed reports whether a database is no longer in a state.
func changed(path string, before databaseState) bool {
	after, err := stateOf(path)
	return err != nil || after != before
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// copyDatabase copies the files of a database to a folder of its own. A log or a
// journal that is gone when it is to be copied is left out: the caller looks for
// changes.
func copyDatabase(ctx context.Context, path string) (copyPath string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "pacms-")
	if err != nil {
		return "", nil, fmt.Errorf("openclaw: copy database: %w", err)
	}
	remove = func() { _ = os.RemoveAll(dir) }
	copyPath = filepath.Join(dir, "copy.sqlite")
	for _, suffix := range suffixes {
		err := copyFile(ctx, path+suffix, copyPath+suffix)
		if err != nil && (suffix == "" || !errors.Is(err, os.ErrNotExist)) {
			remove()
			return "", nil, fmt.Errorf("openclaw: copy database: %w", err)
		}
	}
	return copyPath, remove, nil
}

// copyPiece is how many bytes are copied before a cancelled context is noticed.
const copyPiece = 8 << 20

// copyFile copies a file to a path where there is none.
func copyFile(ctx context.Context, from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	for err == nil && ctx.Err() == nil {
		_, err = io.CopyN(dst, src, copyPiece)
	}
	closeErr := dst.Close()
	switch {
	case err == nil:
		return ctx.Err()
	case !errors.Is(err, io.EOF):
		return fmt.Errorf("copy %s: %w", from, err)
	case closeErr != nil:
		return fmt.Errorf("copy %s: %w", from, closeErr)
	}
	return nil
}
