//go:build cgo

package openclaw

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/mattn/go-sqlite3"

	"pacms/session"
)

// followBusy is how long a look waits for a writer before it says that the store is
// busy: whoever looks at a screen is told soon, and the next look comes soon.
const followBusy = 250 * time.Millisecond

// followedDatabase is a session key of an agent database as far as it was read.
type followedDatabase struct {
	path, target string // as it was given, and without links
	want         string // the key or id that was asked for, until the key is known
	windows      []*rowsRead
	seen         databaseState
	checked      bool   // all that was read is in the store as it was, as of seen
	waiting      string // for what, as of seen
}

// rowsRead is a window of a database as far as it was read.
type rowsRead struct {
	part
	upTo  int   // the seq of the last row, -1 before the first
	count int   // how many there are up to that
	bytes int64 // as they are stored
	sum   uint32
}

func newFollowedDatabase(path, want string) (followed, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("openclaw: open database: %w", err)
	}
	return &followedDatabase{path: path, target: target, want: want}, nil
}

func (t *followedDatabase) parts() []*part {
	parts := make([]*part, len(t.windows))
	for i, w := range t.windows {
		parts[i] = &w.part
	}
	return parts
}

func (t *followedDatabase) source() session.Source {
	return session.Source{Path: t.path, Store: "openclaw-sqlite"}
}

func (t *followedDatabase) folders() []string { return []string{filepath.Dir(t.target)} }

func (t *followedDatabase) look(ctx context.Context, f *Follower, l *Look) (bool, error) {
	state, err := stateOf(t.target)
	if errors.Is(err, fs.ErrNotExist) {
		l.Waiting = "the database is gone: " + t.path
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("openclaw: follow %s: %w", t.path, err)
	}
	resting := rests(f.now(), state[:]...)
	whole := state == t.seen && resting
	if whole && t.checked {
		l.Settled, l.Waiting = true, t.waiting
		return false, nil
	}
	var r reading
	err = withDatabaseFor(ctx, t.target, followBusy, func(db *sql.DB) error {
		r = reading{followedDatabase: t, f: f, whole: whole}
		return r.read(ctx, db)
	})
	if err != nil {
		return false, busyOr(err)
	}
	t.seen, t.checked, t.waiting = state, whole, r.waiting
	l.Settled, l.Waiting = whole, r.waiting
	if r.waiting != "" {
		return false, nil
	}
	if len(t.windows) > 0 {
		l.Events = append(l.Events, r.events...)
	}
	t.windows, f.key = r.windows, r.key
	return r.changed, nil
}

// busyOr is ErrBusy where an error is a matter of time.
func busyOr(err error) error {
	sqliteErr, ok := errors.AsType[sqlite3.Error](err)
	if errors.Is(err, errChanged) || ok && (sqliteErr.Code == sqlite3.ErrBusy || sqliteErr.Code == sqlite3.ErrLocked) {
		return fmt.Errorf("%w: %w", ErrBusy, err)
	}
	return err
}

// reading is one look into a database. It changes nothing of what was read before,
// for it may have to be done again.
type reading struct {
	*followedDatabase
	f     *Follower
	whole bool // compare all that was read

	key     string
	windows []*rowsRead
	changed bool
	events  []string
	waiting string
}

func (r *reading) read(ctx context.Context, db *sql.DB) error {
	keys, err := listKeys(ctx, db, r.path)
	if no, ok := errors.AsType[*NotSessionError](err); ok && no.What == emptyDatabase {
		r.waiting = "nothing is in " + r.path + " yet"
		return nil
	}
	if err != nil {
		return err
	}
	k, err := r.pick(keys)
	if err != nil || k == nil {
		return err
	}
	r.key = k.key
	columns, err := columnsOf(ctx, db, "transcript_events")
	if err != nil {
		return fmt.Errorf("openclaw: follow %s: %w", r.path, err)
	}
	known := make(map[string]*rowsRead)
	for _, w := range r.followedDatabase.windows {
		known[w.id] = w
	}
	for _, w := range k.windows {
		before := known[w.id]
		delete(known, w.id)
		next, err := r.readWindow(ctx, db, columns, w, before)
		if err != nil {
			return fmt.Errorf("openclaw: read session %s of %s: %w", w.id, r.path, err)
		}
		r.windows = append(r.windows, next)
		if before == nil && len(r.windows) > 1 {
			r.events = append(r.events, fmt.Sprintf("the session goes on in a new window (%s): %s after %s",
				r.reason(ctx, db, w.id), short(w.id), short(r.windows[len(r.windows)-2].id)))
		}
	}
	if len(known) > 0 {
		r.changed = true
		r.events = append(r.events, session.Counted(len(known), "window")+" "+isOrAre(len(known))+" not part of the session any more")
	}
	if !slices.EqualFunc(r.windows, r.followedDatabase.windows, func(a, b *rowsRead) bool { return a.id == b.id }) || r.key != r.f.key {
		r.changed = true
	}
	return nil
}

// pick is the session to read: the one that is followed, by whatever key, or at first
// the one that was asked for. It is nil where that is not there, and waiting says so.
func (r *reading) pick(keys []*storedSession) (*storedSession, error) {
	if r.f.key == "" && len(r.followedDatabase.windows) == 0 {
		if len(keys) == 0 {
			r.waiting = "no session is in " + r.path + " yet"
			return nil, nil
		}
		k, err := pickKey(keys, r.want)
		if err != nil {
			return nil, fmt.Errorf("openclaw: %s %w", r.path, err)
		}
		return k, nil
	}
	has := func(k *storedSession) bool {
		return slices.ContainsFunc(k.windows, func(w storedWindow) bool {
			return w.id == r.want || slices.ContainsFunc(r.followedDatabase.windows, func(old *rowsRead) bool { return old.id == w.id })
		})
	}
	at := slices.IndexFunc(keys, func(k *storedSession) bool { return k.key == r.f.key })
	if at < 0 { // a session may get its key after its first event
		at = slices.IndexFunc(keys, has)
	}
	if at < 0 {
		r.waiting = "the session is not in the database any more"
		return nil, nil
	}
	return keys[at], nil
}

// readWindow reads what is new of a window; before is what was read of it, nil for
// nothing.
func (r *reading) readWindow(ctx context.Context, db *sql.DB, columns columnSet, w storedWindow, before *rowsRead) (*rowsRead, error) {
	next, same := rowsRead{part: part{id: w.id, fetch: keptBytes}, upTo: -1}, false
	if before != nil {
		var err error
		if same, err = before.holds(ctx, db, columns, r.whole); err != nil {
			return nil, err
		}
		if same {
			next = *before
		}
	}
	if !next.created.Equal(w.created) {
		next.created, r.changed = w.created, true
	}
	src := &summed{rows: newRows(db, columns, w.id), rowsRead: &next}
	src.after = next.upTo
	defer src.close()
	entries, skipped, err := decodeAll(ctx, src, r.f.d, true, nil)
	if err != nil {
		return nil, err
	}
	next.part = next.with(entries, skipped)
	switch {
	case before == nil:
		r.changed = true
	case next.sum == before.sum && next.count == before.count: // they may have been packed
	case same:
		r.changed = true
		r.events = append(r.events, told(entries)...)
	default:
		r.changed = true
		r.events = append(r.events, "the store was written anew, and was read again from the beginning")
	}
	return &next, nil
}

// holds reports whether the store still has the rows that were read: as many and as
// large ones, or where whole is set the very same.
func (w *rowsRead) holds(ctx context.Context, db *sql.DB, columns columnSet, whole bool) (bool, error) {
	if !whole {
		text, packed := eventColumns(columns)
		rows, bytes := 0, int64(0)
		query := fmt.Sprintf("SELECT COUNT(*), COALESCE(SUM(COALESCE(octet_length(%s), octet_length(%s), 0)), 0)"+
			" FROM transcript_events WHERE session_id = ? AND seq <= ?", text, packed)
		if err := db.QueryRowContext(ctx, query, w.id, w.upTo).Scan(&rows, &bytes); err != nil {
			return false, fmt.Errorf("compare events: %w", err)
		}
		return rows == w.count && bytes == w.bytes, nil
	}
	again := rowsRead{upTo: -1}
	src := &summed{rows: newRows(db, columns, w.id), rowsRead: &again}
	defer src.close()
	buffer := make([]byte, 0, batchBytes)
	for again.upTo < w.upTo {
		var err error
		if buffer, _, err = src.next(ctx, buffer[:0]); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return false, err
		}
	}
	return again.upTo == w.upTo && again.count == w.count && again.sum == w.sum, nil
}

// summed notes how far the rows of a window were read, and what they were.
type summed struct {
	*rows
	*rowsRead
}

func (s *summed) next(ctx context.Context, dst []byte) ([]byte, record, error) {
	start, done := len(dst), s.done
	dst, rec, err := s.rows.next(ctx, dst)
	if err != nil {
		return dst, rec, err
	}
	s.upTo = rec.line
	s.count++
	s.bytes += s.done - done
	s.sum = crc32.Update(s.sum, castagnoli, binary.LittleEndian.AppendUint64(nil, uint64(rec.line)))
	s.sum = crc32.Update(s.sum, castagnoli, []byte(rec.cause))
	s.sum = crc32.Update(s.sum, castagnoli, dst[start:])
	return dst, rec, nil
}

// reason is why a window was begun, in the host's word.
func (r *reading) reason(ctx context.Context, db *sql.DB, id string) string {
	var reason sql.NullString
	// Older schemas do not tell, and nothing depends on it.
	_ = db.QueryRowContext(ctx, "SELECT reason FROM session_windows WHERE session_id = ?", id).Scan(&reason)
	if reason.String == "" {
		return "of a reason that is not stored"
	}
	return reason.String
}

// heldSession is what picks a session in the database at path: its key, or its id
// where it has no key there; empty where it is not there.
func heldSession(ctx context.Context, path, key, id string) (string, error) {
	want := ""
	err := withDatabaseFor(ctx, path, followBusy, func(db *sql.DB) error {
		want = ""
		keys, err := listKeys(ctx, db, path)
		for _, k := range keys {
			if key != "" && k.key == key {
				want = key
			}
		}
		for _, k := range keys {
			if want == "" && slices.ContainsFunc(k.windows, func(w storedWindow) bool { return w.id == id }) {
				want = id
			}
		}
		return err
	})
	return want, busyOr(err)
}
