//go:build cgo

package openclaw

import (
	"context"
	"database/sql"
	"fmt"

	"pacms/session"
)

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

// databaseSessions lists the keys of the sessions in the agent database at path, the
// most recently updated first, and the ids of all their windows.
func databaseSessions(ctx context.Context, path string) (keys, ids []string, err error) {
	err = withDatabase(ctx, path, func(db *sql.DB) error {
		stored, err := listKeys(ctx, db, path)
		keys, ids = nil, nil
		for _, k := range stored {
			keys = append(keys, k.key)
			for _, w := range k.windows {
				ids = append(ids, w.id)
			}
		}
		return err
	})
	return keys, ids, err
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
		windows[i] = &window{id: w.id, later: i > 0, created: w.created, entries: entries, fetch: keptBytes}
	}
	if err := assemble(ctx, s, d, windows); err != nil {
		return nil, fmt.Errorf("openclaw: read session %s of %s: %w", k.key, path, err)
	}
	return s, nil
}
