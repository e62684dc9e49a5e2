//go:build cgo

package cache

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
	// applicationID marks a database as one of these ("pacm").
	applicationID = 0x7061636d
	// schema is the version of the tables below.
	schema = 2
	// options: wait 5 s for another process; a lost power may cost the last
	// writes, and no more; a transaction takes the write lock as it begins.
	options = "?mode=rw&_busy_timeout=5000&_synchronous=NORMAL&_txlock=immediate"
	// logBytes bounds what is left of the write-ahead log after it was merged.
	logBytes = 4 << 20
)

// create makes the tables; it takes the two numbers above. "used" is the number
// of the last use, counted over all of them; it stands apart from the vectors, so
// that noting a use writes little. "sum" is the CRC-32 of the key and "numbers", which
// are little-endian float32: a damaged page may also lead to the numbers of another key.
const create = `
DROP TABLE IF EXISTS entry;
DROP TABLE IF EXISTS vector;
CREATE TABLE entry (
	id   INTEGER PRIMARY KEY,
	key  BLOB UNIQUE NOT NULL,
	used INTEGER NOT NULL
) STRICT;
CREATE INDEX entry_used ON entry (used);
CREATE TABLE vector (
	id      INTEGER PRIMARY KEY,
	sum     INTEGER NOT NULL,
	numbers BLOB NOT NULL
) STRICT;
PRAGMA application_id = %d;
PRAGMA user_version = %d;
`

// disk is the database.
type disk struct {
	db       *sql.DB // of one connection
	path     string
	maxBytes int64
	file     os.FileInfo // what path was when it was opened
}

// openDisk opens the database at path and makes it if there is none. It empties one of
// an older version, whose vectors can be made again, and changes nothing in a database
// that is no cache, or one of a newer version.
func openDisk(ctx context.Context, path string, maxBytes int64) (*disk, error) {
	file, err := files.MakePrivate(path)
	if err != nil {
		return nil, fmt.Errorf("make the cache: %w", err)
	}
	db, err := sql.Open("sqlite3", files.DatabaseURI(path)+options)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	// One connection is one writer, and the settings below hold for it.
	db.SetMaxOpenConns(1)
	d := &disk{db, path, maxBytes, file}
	if err := d.prepare(ctx); err != nil {
		db.Close()
		return nil, d.fault("open", err)
	}
	return d, nil
}

// prepare checks what the database is, makes the tables in an empty one, and
// brings it below its bound.
func (d *disk) prepare(ctx context.Context) error {
	var id, version, tables int
	err := d.db.QueryRowContext(ctx, `SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id, pragma_user_version`).Scan(&id, &version, &tables)
	if err != nil {
		return fmt.Errorf("read its beginning: %w", err)
	}
	fresh := id == 0 && version == 0 && tables == 0
	switch {
	case fresh:
		// Only before the first table, and needed to make a file smaller.
		if _, err := d.db.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL"); err != nil {
			return fmt.Errorf("set it up: %w", err)
		}
	case id != applicationID:
		return errors.New("it is a database of something else; name another path for the cache")
	case version > schema:
		return fmt.Errorf("it is of a newer version of pacms (schema %d, this one has %d) and is left alone", version, schema)
	}
	// The files of the log get the permissions of the database.
	if err := os.Chmod(d.path, 0o600); err != nil {
		return fmt.Errorf("make it private: %w", err)
	}
	if _, err := d.db.ExecContext(ctx, fmt.Sprintf("PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = %d", logBytes)); err != nil {
		return fmt.Errorf("set up its log: %w", err)
	}
	if err := files.Transaction(ctx, d.db, func(tx *sql.Tx) error {
		// Another process may have made them in between.
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
			return fmt.Errorf("read its version: %w", err)
		}
		if version < schema {
			if _, err := tx.ExecContext(ctx, fmt.Sprintf(create, applicationID, schema)); err != nil {
				return fmt.Errorf("make the tables: %w", err)
			}
		}
		return d.evict(ctx, tx, 0)
	}); err != nil {
		return err
	}
	return d.shrink(ctx)
}

// shrink gives the pages that nothing is in back to the file system. The pragma
// frees one page for each row that is read.
func (d *disk) shrink(ctx context.Context) error {
	rows, err := d.db.QueryContext(ctx, "PRAGMA incremental_vacuum")
	if err != nil {
		return fmt.Errorf("make it smaller: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("make it smaller: %w", err)
	}
	return nil
}

// fault wraps an error of the database, and tells damage from what may pass.
func (d *disk) fault(doing string, err error) error {
	var e sqlite3.Error
	if errors.Is(err, errSum) || errors.As(err, &e) && (e.Code == sqlite3.ErrCorrupt || e.Code == sqlite3.ErrNotADB) {
		return &damagedError{d.file, err}
	}
	return fmt.Errorf("%s %s: %w", doing, d.path, err)
}

// close closes the database.
func (d *disk) close() error {
	if err := d.db.Close(); err != nil {
		return fmt.Errorf("cache: close %s: %w", d.path, err)
	}
	return nil
}
