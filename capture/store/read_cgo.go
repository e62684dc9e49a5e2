//go:build cgo

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"pacms/session"
	"pacms/session/files"
)

// Reader reads a file of captures, also while others write to it. It changes nothing
// in it.
type Reader struct {
	db   *sql.DB // of one connection
	path string
	// items are those that were read already: pools share most of them.
	items map[int64]session.Candidate
}

// OpenReader opens the file of captures at path. Close it after use.
func OpenReader(ctx context.Context, path string) (*Reader, error) {
	if err := isThere(path); err != nil {
		return nil, fmt.Errorf("store: %s: %w", path, err)
	}
	r := &Reader{path: path, items: make(map[int64]session.Candidate)}
	// With leave to write, SQLite tidies up after a writer that was killed.
	err := r.open(ctx, "mode=rw&_query_only=1")
	if _, statErr := os.Stat(path + "-wal"); err != nil && !errors.Is(err, errDamaged) && os.IsNotExist(statErr) {
		// In a folder that cannot be written to, a file at rest.
		if r.open(ctx, "mode=ro&immutable=1") == nil {
			err = nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", path, err)
	}
	return r, nil
}

func (r *Reader) open(ctx context.Context, query string) error {
	db, err := sql.Open("sqlite3", files.DatabaseURI(r.path)+"?_busy_timeout=5000&"+query)
	if err != nil {
		return fmt.Errorf("open it: %w", err)
	}
	db.SetMaxOpenConns(1)
	id, schema, empty, err := headOf(ctx, db)
	switch {
	case err != nil:
		err = unusable(r.path, err)
	case empty:
		err = errors.New("nothing was captured in it yet")
	default:
		if err = checkHead(id, schema, len(migrations)); err == nil && schema < len(migrations) {
			err = fmt.Errorf("it is of an older pacms (its schema is %d, that of this pacms is %d): pacms captures prune brings it to the present one and keeps a copy", schema, len(migrations))
		}
	}
	if err != nil {
		db.Close()
		return err
	}
	r.db = db
	return nil
}

// Close closes the file.
func (r *Reader) Close() error {
	if err := r.db.Close(); err != nil {
		return fmt.Errorf("store: close %s: %w", r.path, err)
	}
	return nil
}

// wrap says which file an error is about.
func (r *Reader) wrap(doing string, err error) error {
	return fmt.Errorf("store: %s %s: %w", doing, r.path, fault(err))
}

// Info says what is known of the file as a whole.
func (r *Reader) Info(ctx context.Context) (*Info, error) {
	i := new(Info)
	err := r.db.QueryRowContext(ctx, `SELECT user_version, (SELECT count(*) FROM capture), (SELECT count(*) FROM item), (page_count - freelist_count) * page_size
		FROM pragma_user_version, pragma_page_count, pragma_freelist_count, pragma_page_size`).Scan(&i.Schema, &i.Captures, &i.Items, &i.Bytes)
	if err != nil {
		return nil, r.wrap("look at", err)
	}
	i.Losses, err = all(ctx, r.db, "SELECT time, count, cause FROM loss ORDER BY id", nil, func(rows *sql.Rows, l *Loss) error {
		var at int64
		err := rows.Scan(&at, &l.Count, &l.Cause)
		l.Time = timeOf(at)
		return err //nolint:wrapcheck // all does
	})
	if err != nil {
		return nil, r.wrap("read what was lost in", err)
	}
	return i, nil
}

// all reads the rows that a query gives.
func all[T any](ctx context.Context, db *sql.DB, query string, args []any, scan func(*sql.Rows, *T) error) ([]T, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read rows: %w", err)
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		var v T
		if err := scan(rows, &v); err != nil {
			return nil, fmt.Errorf("read a row: %w", err)
		}
		list = append(list, v)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read rows: %w", err)
	}
	return list, nil
}

// Sessions lists the sessions of which there are captures, the latest used first.
func (r *Reader) Sessions(ctx context.Context) ([]Stored, error) {
	list, err := all(ctx, r.db, `SELECT key, count(*), max(time),
			(SELECT question FROM capture AS f WHERE f.session = capture.session ORDER BY id LIMIT 1)
		FROM capture JOIN session ON session.id = capture.session GROUP BY session.id ORDER BY max(time) DESC, key`, nil,
		func(rows *sql.Rows, s *Stored) error {
			var last int64
			err := rows.Scan(&s.Key, &s.Captures, &last, &s.First)
			s.Last = timeOf(last)
			return err //nolint:wrapcheck // all does
		})
	if err != nil {
		return nil, r.wrap("list the sessions of", err)
	}
	return list, nil
}

// List lists captures, the newest first.
func (r *Reader) List(ctx context.Context, f Filter) ([]Entry, error) {
	query, args := entryQuery, []any{}
	if f.Session != "" {
		query, args = query+" WHERE key = ?", append(args, f.Session)
	}
	query += " ORDER BY capture.id DESC"
	if f.Newest > 0 {
		query, args = query+" LIMIT ?", append(args, f.Newest)
	}
	list, err := all(ctx, r.db, query, args, scanEntry)
	if err != nil {
		return nil, r.wrap("list", err)
	}
	return list, nil
}

const entryQuery = `SELECT capture.id, time, key, turn, request, question, strategy, budget, effective,
	item_count, kept_count, pool_tokens, kept_tokens, partial, redacted FROM capture JOIN session ON session.id = capture.session`

func scanEntry(rows *sql.Rows, e *Entry) error {
	var at int64
	err := rows.Scan(&e.ID, &at, &e.Session, &e.Turn, &e.RequestID, &e.Question, &e.Strategy, &e.Budget, &e.Effective,
		&e.Items, &e.Kept, &e.PoolTokens, &e.KeptTokens, &e.Partial, &e.Redacted)
	e.Time = timeOf(at)
	return err //nolint:wrapcheck // all does
}

// row is a capture as it is stored.
type row struct {
	Capture
	items, record []byte
}

const rowQuery = `SELECT capture.id, time, key, turn, request, redacted, items, record FROM capture JOIN session ON session.id = capture.session`

func scanRow(rows *sql.Rows, c *row) error {
	var at int64
	err := rows.Scan(&c.ID, &at, &c.Session, &c.Turn, &c.RequestID, &c.Redacted, &c.items, &c.record)
	c.Time = timeOf(at)
	return err //nolint:wrapcheck // all does
}

// Capture reads the capture with an id. The error is a NotFoundError where there is
// none.
func (r *Reader) Capture(ctx context.Context, id int64) (*Capture, error) {
	list, err := r.captures(ctx, " WHERE capture.id = ?", id)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &NotFoundError{Path: r.path, ID: id}
	}
	return list[0], nil
}

// Captures reads the captures of a session, or of all where the key is empty, the
// oldest first. Those that cannot be read are passed over, and damaged says why.
func (r *Reader) Captures(ctx context.Context, session string) (list []*Capture, damaged []error, err error) {
	condition, args := "", []any{}
	if session != "" {
		condition, args = " WHERE key = ?", []any{session}
	}
	rows, err := all(ctx, r.db, rowQuery+condition+" ORDER BY capture.id", args, scanRow)
	if err != nil {
		return nil, nil, r.wrap("read", err)
	}
	for i := range rows {
		switch c, err := r.read(ctx, &rows[i]); {
		case err == nil:
			list = append(list, c)
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		default:
			damaged = append(damaged, fmt.Errorf("capture %d: %w", rows[i].ID, err))
		}
		rows[i] = row{} // it is large
	}
	return list, damaged, nil
}

// Before reads the newest capture of a session from before a time; nil where there is
// none.
func (r *Reader) Before(ctx context.Context, session string, at time.Time) (*Capture, error) {
	list, err := r.captures(ctx, " WHERE key = ? AND time < ? ORDER BY capture.id DESC LIMIT 1", session, at.UnixNano())
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list[0], nil
}

func (r *Reader) captures(ctx context.Context, condition string, args ...any) ([]*Capture, error) {
	rows, err := all(ctx, r.db, rowQuery+condition, args, scanRow)
	if err != nil {
		return nil, r.wrap("read", err)
	}
	list := make([]*Capture, len(rows))
	for i := range rows {
		if list[i], err = r.read(ctx, &rows[i]); err != nil {
			return nil, r.wrap(fmt.Sprintf("read capture %d of", rows[i].ID), err)
		}
	}
	return list, nil
}

// read makes a capture of a row.
func (r *Reader) read(ctx context.Context, stored *row) (*Capture, error) {
	ids, err := unpackItems(stored.items)
	if err != nil {
		return nil, err
	}
	if err := r.fetch(ctx, ids); err != nil {
		return nil, err
	}
	list, err := candidates(ids, r.items)
	if err != nil {
		return nil, err
	}
	decoded, err := decodeRecord(stored.record)
	if err != nil {
		return nil, err
	}
	c := stored.Capture
	c.Pool, c.Selection, err = decoded.capture(list)
	return &c, err
}

// fetch reads the items that are not known yet.
func (r *Reader) fetch(ctx context.Context, ids []int64) error {
	for _, id := range ids {
		if _, known := r.items[id]; known {
			continue
		}
		var body []byte
		if err := r.db.QueryRowContext(ctx, "SELECT body FROM item WHERE id = ?", id).Scan(&body); err != nil {
			return fmt.Errorf("look up item %d: %w", id, err)
		}
		c, err := decodeItem(body)
		if err != nil {
			return err
		}
		r.items[id] = c
	}
	return nil
}
