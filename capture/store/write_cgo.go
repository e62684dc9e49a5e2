//go:build cgo

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/mattn/go-sqlite3"

	"pacms/session/files"
)

// maxKnown is how many items the writer knows the ids of without asking.
const maxKnown = 200_000

// write stores entries and losses, all or nothing but for entries that the database
// does not take: those are in refused with the cause.
func (f *file) write(ctx context.Context, entries []*entry, losses map[string]int) (refused map[*entry]error, err error) {
	if len(entries) == 0 && len(losses) == 0 {
		return nil, nil
	}
	err = files.Transaction(ctx, f.db, func(tx *sql.Tx) error {
		if err := f.refresh(ctx, tx); err != nil {
			return err
		}
		refused = make(map[*entry]error)
		for _, e := range entries {
			switch err := f.insert(ctx, tx, e); {
			case err == nil:
			case isOwn(err):
				refused[e] = err
			default:
				return err
			}
		}
		now := time.Now().UnixNano()
		for cause, n := range losses {
			if _, err := tx.ExecContext(ctx, "INSERT INTO loss (time, count, cause) VALUES (?, ?, ?)", now, n, cause); err != nil {
				return fmt.Errorf("note what was lost: %w", err)
			}
		}
		return f.measure(ctx, tx)
	})
	if err != nil {
		clear(f.known) // what was added to it is not there
		return nil, fault(err)
	}
	return refused, nil
}

// isOwn reports whether an error is one of the entry itself, which would come again.
func isOwn(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && (e.Code == sqlite3.ErrTooBig || e.Code == sqlite3.ErrConstraint || e.Code == sqlite3.ErrMismatch || e.Code == sqlite3.ErrRange)
}

// refresh forgets the ids of items where another process may have removed some.
func (f *file) refresh(ctx context.Context, tx *sql.Tx) error {
	var version int64
	if err := tx.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version); err != nil {
		return fmt.Errorf("see whether it changed: %w", err)
	}
	if version != f.version || len(f.known) > maxKnown {
		clear(f.known)
		f.version = version
	}
	return nil
}

// insert stores one entry.
func (f *file) insert(ctx context.Context, tx *sql.Tx, e *entry) error {
	var session int64
	if err := tx.QueryRowContext(ctx, "INSERT INTO session (key) VALUES (?) ON CONFLICT DO UPDATE SET key = excluded.key RETURNING id", e.session).Scan(&session); err != nil {
		return fmt.Errorf("store a session: %w", err)
	}
	ids := make([]int64, len(e.list))
	for i := range e.list {
		id, err := f.itemID(ctx, tx, &e.list[i])
		if err != nil {
			return fmt.Errorf("store an item: %w", err)
		}
		ids[i] = id
	}
	result, err := tx.ExecContext(ctx, `INSERT INTO capture (time, session, turn, request, question, strategy, budget, effective,
			item_count, kept_count, pool_tokens, kept_tokens, partial, redacted, items, record)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.time, session, e.turn, e.request, e.question, e.strategy, e.budget, e.effective,
		e.items, e.kept, e.poolTokens, e.keptTokens, e.partial, e.redacted, packItems(ids), e.record)
	if err != nil {
		return fmt.Errorf("store a capture: %w", err)
	}
	if e.from.ID, err = result.LastInsertId(); err != nil {
		return fmt.Errorf("store a capture: %w", err)
	}
	return nil
}

// itemID stores an item, unless it is there, and gives its id.
func (f *file) itemID(ctx context.Context, tx *sql.Tx, it *item) (int64, error) {
	if id, ok := f.known[it.hash]; ok {
		return id, nil
	}
	var id int64
	err := tx.QueryRowContext(ctx, "SELECT id FROM item WHERE hash = ?", it.hash[:]).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		var result sql.Result
		result, err = tx.ExecContext(ctx, "INSERT INTO item (hash, body) VALUES (?, ?)", it.hash[:], pack(it.body))
		if err == nil {
			id, err = result.LastInsertId()
		}
	}
	if err != nil {
		return 0, err //nolint:wrapcheck // the caller does
	}
	f.known[it.hash] = id
	return id, nil
}

// setAside renames the database at path and what belongs to it, where it is damaged
// and one of captures. An earlier one keeps its place.
func setAside(path string) (aside string, err error) {
	if !Is(path) {
		return "", errForeign
	}
	aside = path + ".damaged-" + time.Now().UTC().Format("20060102T150405.000000000")
	// The log goes first: left beside a new database it would be taken for its own.
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("it is damaged and cannot be set aside: %w", err)
		}
	}
	return aside, nil
}
