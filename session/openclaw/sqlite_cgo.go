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
	"strings"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"

	"pacms/session"
)

// readAttempts is how often a database is read again when it changed while it
// was read in a way that could have torn what was read.
const readAttempts = 3

// errChanged says that a database without a write-ahead log changed while it
// was read.
var errChanged = errors.New("the database changed while it was read")

// readDatabase reads a session from the agent database at path.
func readDatabase(ctx context.Context, path string, opt Options) (*session.Session, error) {
	var s *session.Session
	err := withDatabase(ctx, path, func(db *sql.DB) error {
		var err error
		s, err = readSession(ctx, db, path, opt)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// databaseSessions lists the ids of the sessions in the agent database at path.
func databaseSessions(ctx context.Context, path string) ([]string, error) {
	var ids []string
	err := withDatabase(ctx, path, func(db *sql.DB) error {
		keys, err := listKeys(ctx, db, path)
		ids = nil
		for _, k := range keys {
			for _, w := range k.windows {
				ids = append(ids, w.id)
			}
		}
		return err
	})
	return ids, err
}

// withDatabase calls read with the database at path, again where the database
// changed meanwhile. Errors of read are passed on.
func withDatabase(ctx context.Context, path string, read func(*sql.DB) error) error {
	var err error
	for range readAttempts {
		if err = tryDatabase(ctx, path, read); !errors.Is(err, errChanged) {
			return err
		}
	}
	return fmt.Errorf("openclaw: read %s: %w %d times: try again", path, err, readAttempts)
}

// tryDatabase reads a database without creating anything beside it. Where there
// is a write-ahead log, SQLite reads both, as it does while the host writes.
// Where there is none SQLite would make one, so the file is declared immutable
// and checked for changes afterwards.
func tryDatabase(ctx context.Context, path string, read func(*sql.DB) error) error {
	before, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("openclaw: open database: %w", err)
	}
	target, query := path, "mode=ro&_query_only=1&_busy_timeout=5000"
	live := exists(path + "-wal")
	switch {
	case !live:
		query = "mode=ro&immutable=1&_query_only=1"
	case !exists(path + "-shm"): // left behind by a copy: reading would create a -shm
		copied, remove, err := copyDatabase(path)
		if err != nil {
			return err
		}
		defer remove()
		target = copied
	}
	db, err := sql.Open("sqlite3", fileURI(target)+"?"+query)
	if err != nil {
		return fmt.Errorf("openclaw: open database %s: %w", path, err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	readErr := read(db)
	if ctx.Err() != nil {
		return readErr
	}
	if !live {
		after, err := os.Stat(path)
		if err != nil || exists(path+"-wal") || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
			return errChanged
		}
	}
	return readErr
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// fileURI is the path as a SQLite URI without parameters.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		path = "/" + path
	}
	return "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
}

// copyDatabase copies a database and its write-ahead log to a folder of its own.
func copyDatabase(path string) (copied string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "pacms-")
	if err != nil {
		return "", nil, fmt.Errorf("openclaw: copy database: %w", err)
	}
	remove = func() { _ = os.RemoveAll(dir) }
	copied = filepath.Join(dir, "copy.sqlite")
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(path+suffix, copied+suffix); err != nil {
			remove()
			return "", nil, fmt.Errorf("openclaw: copy database: %w", err)
		}
	}
	return copied, remove, nil
}

// copyFile copies a file to a path where there is none.
func copyFile(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	if _, err := io.Copy(dst, src); err != nil {
		_ = dst.Close()
		return fmt.Errorf("copy %s: %w", from, err)
	}
	if err := dst.Close(); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	return nil
}

// readSession reads the windows of the session that opt asks for.
func readSession(ctx context.Context, db *sql.DB, path string, opt Options) (*session.Session, error) {
	keys, err := listKeys(ctx, db, path)
	if err != nil {
		return nil, err
	}
	k, err := pickKey(keys, opt.Session)
	if err != nil {
		if s, archiveErr := readArchive(ctx, db, path, opt); s != nil || archiveErr != nil {
			return s, archiveErr
		}
		return nil, fmt.Errorf("openclaw: %s %w", path, err)
	}
	columns, err := columnsOf(ctx, db, "transcript_events")
	if err != nil {
		return nil, fmt.Errorf("openclaw: read database %s: %w", path, err)
	}
	var done, total int64
	if opt.Progress != nil {
		if total, err = k.size(ctx, db, columns); err != nil {
			return nil, fmt.Errorf("openclaw: read database %s: %w", path, err)
		}
	}
	s := &session.Session{Source: session.Source{Path: path, Store: "openclaw-sqlite"}, Key: k.key}
	d := newDecoder(opt.Counter)
	windows := make([]*window, len(k.windows))
	for i, w := range k.windows {
		src := newRows(db, columns, w.id)
		src.done, src.total = done, total
		entries, skipped, err := decodeAll(ctx, src, d, true, opt.Progress)
		src.close()
		if err != nil {
			return nil, fmt.Errorf("openclaw: read session %s of %s: %w", w.id, path, err)
		}
		done = src.done
		s.Skipped = append(s.Skipped, skipped...)
		s.Source.Version = max(s.Source.Version, versionOf(entries))
		windows[i] = &window{id: w.id, later: i > 0, created: w.created, entries: entries}
	}
	assemble(s, d, windows, func(e *entry) []byte { return e.raw })
	return s, nil
}
