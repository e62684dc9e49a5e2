//go:build cgo

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"github.com/mattn/go-sqlite3"

	"pacms/session/files"
)

const (
	// logBytes bounds what is left of the write-ahead log after it was merged.
	logBytes = 4 << 20
	// options: wait 5 s for another process; a transaction takes the write lock as it
	// begins. A commit is on the disk when it returns (FULL), so that a capture that
	// counts as written outlives a loss of power too, and not only the end of the
	// process: writes are off the path of a request and come in batches, so that this
	// costs nobody anything.
	options = "?mode=rw&_busy_timeout=5000&_foreign_keys=1&_synchronous=FULL&_txlock=immediate"
)

// migrations make the tables: the statement at i brings a database of schema i to
// the next. They are only ever added to.
//
// A record and the body of an item are JSON, compressed with zstd. An item is stored
// once, whatever the number of pools that have it; hash is the SHA-256 of its body
// before it was compressed, and the items of a capture are a list of ids (packItems).
// The columns of a capture beside its record are what a list of captures shows.
var migrations = []string{`
CREATE TABLE session (
	id  INTEGER PRIMARY KEY,
	key TEXT UNIQUE NOT NULL
) STRICT;
CREATE TABLE item (
	id   INTEGER PRIMARY KEY,
	hash BLOB UNIQUE NOT NULL,
	body BLOB NOT NULL
) STRICT;
CREATE TABLE capture (
	id          INTEGER PRIMARY KEY AUTOINCREMENT,
	time        INTEGER NOT NULL,
	session     INTEGER NOT NULL REFERENCES session,
	turn        INTEGER NOT NULL,
	request     TEXT NOT NULL,
	question    TEXT NOT NULL,
	strategy    TEXT NOT NULL,
	budget      INTEGER NOT NULL,
	effective   INTEGER NOT NULL,
	item_count  INTEGER NOT NULL,
	kept_count  INTEGER NOT NULL,
	pool_tokens INTEGER NOT NULL,
	kept_tokens INTEGER NOT NULL,
	partial     INTEGER NOT NULL,
	redacted    INTEGER NOT NULL,
	items       BLOB NOT NULL,
	record      BLOB NOT NULL
) STRICT;
CREATE INDEX capture_session ON capture (session, id);
CREATE INDEX capture_time ON capture (time);
CREATE TABLE loss (
	id    INTEGER PRIMARY KEY,
	time  INTEGER NOT NULL,
	count INTEGER NOT NULL,
	cause TEXT NOT NULL
) STRICT;
`}

// file is the database of a store.
type file struct {
	db      *sql.DB // of one connection
	path    string
	made    os.FileInfo // what path was when it was opened
	bytes   int64       // that are in use
	known   map[hash]int64
	version int64 // of the data when known was true
}

// openFile opens the database at path and makes it if there is none. It changes
// nothing in a database that is none of captures, or one of a newer schema; one of an
// older schema is copied before it is brought to the present one.
func openFile(ctx context.Context, path string, overwrite bool, migrations []string) (*file, error) {
	made, err := files.MakePrivate(path)
	if err != nil {
		return nil, fmt.Errorf("make the file of the captures: %w", err)
	}
	secure := "&_secure_delete=OFF"
	if overwrite {
		secure = "&_secure_delete=ON"
	}
	db, err := sql.Open("sqlite3", files.DatabaseURI(path)+options+secure)
	if err != nil {
		return nil, fmt.Errorf("open it: %w", err)
	}
	// One connection is one writer, and the settings of the connection hold for it.
	db.SetMaxOpenConns(1)
	f := &file{db: db, path: path, made: made, known: make(map[hash]int64)}
	if err := f.prepare(ctx, migrations); err != nil {
		db.Close()
		return nil, unusable(path, err)
	}
	return f, nil
}

// errForeign says that a file is something else.
var errForeign = errors.New("it is no file of captures; name another path")

// unusable is why the file at path cannot be opened.
func unusable(path string, err error) error {
	if err = fault(err); errors.Is(err, errDamaged) && !Is(path) {
		return errForeign
	}
	return err
}

// fault tells the errors of a database apart that need different things.
func fault(err error) error {
	e, ok := errors.AsType[sqlite3.Error](err)
	if !ok {
		return err
	}
	switch e.Code {
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return fmt.Errorf("%w: %w", errBusy, err)
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB:
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	return err
}

// headOf says what a database is: whose, of which schema, and whether it is empty.
func headOf(ctx context.Context, db *sql.DB) (id, schema int, empty bool, err error) {
	var tables int
	err = db.QueryRowContext(ctx, `SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id, pragma_user_version`).Scan(&id, &schema, &tables)
	if err != nil {
		return 0, 0, false, fmt.Errorf("read its beginning: %w", err)
	}
	return id, schema, tables == 0 && schema == 0 && id == 0, nil
}

// checkHead is an error where a database is none of captures, or one of a schema that
// is not known here.
func checkHead(id, schema, known int) error {
	switch {
	case id != applicationID:
		return errForeign
	case schema > known:
		return fmt.Errorf("it was written by a newer pacms (its schema is %d, this pacms knows those up to %d) and is left as it is: use that pacms, or name another path", schema, known)
	}
	return nil
}

// prepare checks what the database is, and brings it to the present schema.
func (f *file) prepare(ctx context.Context, migrations []string) error {
	id, schema, empty, err := headOf(ctx, f.db)
	if err != nil {
		return err
	}
	if empty {
		// Only before the first table, and needed to make a file smaller.
		if _, err := f.db.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL"); err != nil {
			return fmt.Errorf("set it up: %w", err)
		}
	} else if err := checkHead(id, schema, len(migrations)); err != nil {
		return err
	}
	// The files of the log get the permissions of the database.
	if mode := f.made.Mode().Perm(); mode&0o077 != 0 {
		if err := os.Chmod(f.path, mode&^0o077); err != nil {
			return fmt.Errorf("make it private: %w", err)
		}
	}
	if err := f.useLog(ctx); err != nil {
		return fmt.Errorf("set up its log: %w", err)
	}
	if schema < len(migrations) {
		if err := f.migrate(ctx, migrations); err != nil {
			return err
		}
	}
	return f.measure(ctx, f.db)
}

// useLog lets the database have a write-ahead log, with which readers and the writer do
// not wait for each other. It is not asked for where there is one: that would wait for
// a writer.
func (f *file) useLog(ctx context.Context) error {
	var mode string
	if err := f.db.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err //nolint:wrapcheck // the caller does
	}
	query := fmt.Sprintf("PRAGMA journal_size_limit = %d", logBytes)
	if mode != "wal" {
		query = "PRAGMA journal_mode = WAL; " + query
	}
	_, err := f.db.ExecContext(ctx, query)
	return err //nolint:wrapcheck // the caller does
}

// backupPath is where a database is copied to before it leaves a schema.
func backupPath(path string, schema int) string {
	return fmt.Sprintf("%s.schema-%d", path, schema)
}

// migrate brings the database to the present schema, all or nothing. What was there
// is copied before.
func (f *file) migrate(ctx context.Context, migrations []string) error {
	if err := f.backUp(ctx); err != nil {
		return err
	}
	return files.Transaction(ctx, f.db, func(tx *sql.Tx) error {
		// Another process may have done some of it meanwhile.
		var schema int
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&schema); err != nil {
			return fmt.Errorf("read its schema: %w", err)
		}
		for ; schema < len(migrations); schema++ {
			if _, err := tx.ExecContext(ctx, migrations[schema]); err != nil {
				return fmt.Errorf("bring it from schema %d to %d: %w", schema, schema+1, err)
			}
		}
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(migrations))); err != nil {
			return fmt.Errorf("note its schema: %w", err)
		}
		return nil
	})
}

// backUp copies a database that has something in it.
func (f *file) backUp(ctx context.Context) error {
	_, schema, empty, err := headOf(ctx, f.db)
	if err != nil || empty {
		return err
	}
	to := backupPath(f.path, schema)
	// One that is there may be half of one.
	if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("replace an older copy: %w", err)
	}
	if _, err := files.MakePrivate(to); err != nil { // SQLite would let others read it
		return fmt.Errorf("copy it before it is changed: %w", err)
	}
	if _, err := f.db.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
		return fmt.Errorf("copy it to %s before it is changed: %w", to, err)
	}
	return nil
}

// querier is a connection or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// measure finds how many bytes of the file are in use.
func (f *file) measure(ctx context.Context, q querier) error {
	if err := q.QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size
		FROM pragma_page_count, pragma_freelist_count, pragma_page_size`).Scan(&f.bytes); err != nil {
		return fmt.Errorf("measure it: %w", err)
	}
	return nil
}

// gone reports whether another file, or none, is in the place of this one.
func (f *file) gone() bool {
	now, err := os.Stat(f.path)
	return err != nil || !os.SameFile(now, f.made)
}

// end merges the log into the file and closes it.
func (f *file) end(ctx context.Context) error {
	_, err := f.db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	if closed := f.db.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("close it: %w", err)
	}
	return nil
}

// close closes a file that has failed already.
func (f *file) close() { _ = f.db.Close() }
