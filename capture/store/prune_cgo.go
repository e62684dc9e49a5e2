//go:build cgo

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"pacms/session/files"
)

// errDry ends a transaction that was only to be tried.
var errDry = errors.New("it was only tried")

// prune removes what a policy does not keep.
func (f *file) prune(ctx context.Context, p Policy) (Removed, error) {
	return f.remove(ctx, p.DryRun, func(tx *sql.Tx, removed *Removed) error {
		if !p.Before.IsZero() {
			if err := removed.delete(ctx, tx, "time < ?", p.Before.UnixNano()); err != nil {
				return err
			}
			if err := f.sweep(ctx, tx, removed); err != nil {
				return err
			}
		}
		return f.fit(ctx, tx, p.KeepBytes, removed)
	})
}

// fit removes the oldest captures until the file has at most so many bytes in use. It
// goes somewhat below, so that the next capture does not need it again.
func (f *file) fit(ctx context.Context, tx *sql.Tx, limit int64, removed *Removed) error {
	if limit <= 0 {
		return nil
	}
	for first := true; ; first = false {
		if err := f.measure(ctx, tx); err != nil {
			return err
		}
		if first && f.bytes <= limit || f.bytes <= limit-limit/10 {
			return nil
		}
		var count int64
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM capture").Scan(&count); err != nil {
			return fmt.Errorf("count the captures: %w", err)
		}
		if count == 0 {
			return nil
		}
		if err := removed.delete(ctx, tx, "id IN (SELECT id FROM capture ORDER BY time, id LIMIT ?)", max(1, count/20)); err != nil {
			return err
		}
		if err := f.sweep(ctx, tx, removed); err != nil {
			return err
		}
	}
}

// delete removes the captures that a condition names, and counts them.
func (r *Removed) delete(ctx context.Context, tx *sql.Tx, condition string, args ...any) error {
	result, err := tx.ExecContext(ctx, "DELETE FROM capture WHERE "+condition, args...)
	if err != nil {
		return fmt.Errorf("remove captures: %w", err)
	}
	n, _ := result.RowsAffected() // the driver always knows
	r.Captures += int(n)
	return nil
}

// remove runs do, which removes something, in a transaction of which nothing stays
// where it is dry. Afterwards the file is as small as it can be.
func (f *file) remove(ctx context.Context, dry bool, do func(tx *sql.Tx, removed *Removed) error) (Removed, error) {
	var removed Removed
	err := files.Transaction(ctx, f.db, func(tx *sql.Tx) error {
		if err := f.measure(ctx, tx); err != nil {
			return err
		}
		before := f.bytes
		if err := do(tx, &removed); err != nil {
			return err
		}
		if err := f.measure(ctx, tx); err != nil {
			return err
		}
		removed.Bytes, removed.Left = before-f.bytes, f.bytes
		if dry {
			f.bytes = before
			return errDry
		}
		return nil
	})
	clear(f.known)
	if errors.Is(err, errDry) {
		return removed, nil
	}
	if err != nil {
		return Removed{}, fault(err)
	}
	if removed.Captures == 0 {
		return removed, nil
	}
	return removed, f.shrink(ctx)
}

// sweep removes the items that no capture has, and the sessions without one.
func (f *file) sweep(ctx context.Context, tx *sql.Tx, removed *Removed) error {
	var highest int64
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM item").Scan(&highest); err != nil {
		return fmt.Errorf("look at the items: %w", err)
	}
	used := make([]bool, highest+1)
	if err := each(ctx, tx, "SELECT items FROM capture", func(packed []byte) error {
		ids, err := unpackItems(packed)
		if err != nil {
			return fmt.Errorf("%w: a capture: %w", errDamaged, err)
		}
		for _, id := range ids {
			if id <= highest {
				used[id] = true
			}
		}
		return nil
	}); err != nil {
		return err
	}
	var unused []int64
	if err := each(ctx, tx, "SELECT id FROM item", func(id int64) error {
		if !used[id] {
			unused = append(unused, id)
		}
		return nil
	}); err != nil {
		return err
	}
	for _, id := range unused {
		if _, err := tx.ExecContext(ctx, "DELETE FROM item WHERE id = ?", id); err != nil {
			return fmt.Errorf("remove an item: %w", err)
		}
	}
	removed.Items += len(unused)
	if _, err := tx.ExecContext(ctx, "DELETE FROM session WHERE NOT EXISTS (SELECT 1 FROM capture WHERE capture.session = session.id)"); err != nil {
		return fmt.Errorf("remove sessions: %w", err)
	}
	return nil
}

// each calls do with the one column of each row that a query gives.
func each[T any](ctx context.Context, tx *sql.Tx, query string, do func(T) error) error {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return fmt.Errorf("read rows: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var value T
		if err := rows.Scan(&value); err != nil {
			return fmt.Errorf("read a row: %w", err)
		}
		if err := do(value); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read rows: %w", err)
	}
	return nil
}

// shrink gives the pages that nothing is in back to the file system, in the log too.
// The pragma frees one page for each row that is read.
func (f *file) shrink(ctx context.Context) error {
	rows, err := f.db.QueryContext(ctx, "PRAGMA incremental_vacuum")
	if err != nil {
		return fault(fmt.Errorf("make it smaller: %w", err))
	}
	defer rows.Close()
	for rows.Next() {
	}
	if err := rows.Err(); err != nil {
		return fault(fmt.Errorf("make it smaller: %w", err))
	}
	rows.Close()
	// What was removed is in the log until it is merged; a reader may keep some of it.
	if _, err := f.db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return fault(fmt.Errorf("make it smaller: %w", err))
	}
	return nil
}

// Prune removes what a policy does not keep from the file at path, and overwrites it.
func Prune(ctx context.Context, path string, p Policy) (Removed, error) {
	return change(ctx, path, func(f *file) (Removed, error) { return f.prune(ctx, p) })
}

// Remove removes the captures with some ids from the file at path, and overwrites
// them; those that are not there are in missing. With dryRun it only says what it
// would do.
func Remove(ctx context.Context, path string, ids []int64, dryRun bool) (removed Removed, missing []int64, err error) {
	removed, err = change(ctx, path, func(f *file) (Removed, error) {
		return f.remove(ctx, dryRun, func(tx *sql.Tx, removed *Removed) error {
			for _, id := range ids {
				before := removed.Captures
				if err := removed.delete(ctx, tx, "id = ?", id); err != nil {
					return err
				}
				if removed.Captures == before {
					missing = append(missing, id)
				}
			}
			return f.sweep(ctx, tx, removed)
		})
	})
	return removed, missing, err
}

// change opens a file of captures that is there, runs do and closes it.
func change(ctx context.Context, path string, do func(*file) (Removed, error)) (Removed, error) {
	fail := func(err error) (Removed, error) { return Removed{}, fmt.Errorf("store: %s: %w", path, err) }
	if err := isThere(path); err != nil {
		return fail(err)
	}
	f, err := openFile(ctx, path, true, migrations)
	if err != nil {
		return fail(err)
	}
	removed, err := do(f)
	if closed := f.end(context.WithoutCancel(ctx)); err == nil {
		err = closed
	}
	if err != nil {
		return fail(err)
	}
	return removed, nil
}
