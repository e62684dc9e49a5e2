//go:build cgo

package openclaw

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// storedWindow is one transcript in a database.
type storedWindow struct {
	id      string
	created time.Time // of its first event
	last    time.Time // of its last event
	events  int
}

// storedSession is a session key with its windows, oldest first.
type storedSession struct {
	key     string
	updated int64
	windows []storedWindow
}

// size is the number of bytes of all events of the session, as they are stored.
func (k *storedSession) size(ctx context.Context, db *sql.DB, events columnSet) (int64, error) {
	text, packed := eventColumns(events)
	query := fmt.Sprintf("SELECT COALESCE(SUM(COALESCE(octet_length(%s), 0) + COALESCE(octet_length(%s), 0)), 0)"+
		" FROM transcript_events WHERE session_id = ?", text, packed)
	total := int64(0)
	for _, w := range k.windows {
		n := int64(0)
		if err := db.QueryRowContext(ctx, query, w.id).Scan(&n); err != nil {
			return 0, fmt.Errorf("size of session %s: %w", w.id, err)
		}
		total += n
	}
	return total, nil
}

// listKeys lists the session keys of an agent database that have events, the
// most recently updated first. Columns and tables that an older schema lacks
// are done without: a session without a key is its own.
func listKeys(ctx context.Context, db *sql.DB, path string) ([]*storedSession, error) {
	fail := func(err error) ([]*storedSession, error) {
		return nil, fmt.Errorf("openclaw: read database %s: %w", path, err)
	}
	events, err := columnsOf(ctx, db, "transcript_events")
	if err != nil {
		return fail(err)
	}
	if !events.has("session_id") || !events.has("seq") || !events.has("event_json") && !events.has("event_zstd") {
		what, err := identifyTables(ctx, db)
		if err != nil {
			return fail(err)
		}
		return nil, &NotSessionError{Path: path, What: what}
	}
	windows, err := listWindows(ctx, db, events)
	if err != nil {
		return fail(err)
	}
	keys, err := listOwners(ctx, db)
	if err != nil {
		return fail(err)
	}
	byKey := make(map[string]*storedSession)
	var out []*storedSession
	for _, w := range windows {
		owner, ok := keys[w.id]
		if !ok {
			owner.key = w.id
		}
		k := byKey[owner.key]
		if k == nil {
			k = &storedSession{key: owner.key}
			byKey[owner.key] = k
			out = append(out, k)
		}
		k.updated = max(k.updated, owner.updated, w.last.UnixMilli())
		k.windows = append(k.windows, w)
	}
	for _, k := range out {
		slices.SortStableFunc(k.windows, func(a, b storedWindow) int { return a.created.Compare(b.created) })
	}
	slices.SortStableFunc(out, func(a, b *storedSession) int {
		return cmp.Or(cmp.Compare(b.updated, a.updated), cmp.Compare(a.key, b.key))
	})
	return out, nil
}

// listWindows lists all sessions that have events. No event is read for it but
// the first and the last of each.
func listWindows(ctx context.Context, db *sql.DB, events columnSet) ([]storedWindow, error) {
	created, last := "0", "0"
	if events.has("created_at") {
		const at = "(SELECT created_at FROM transcript_events f WHERE f.session_id = e.session_id ORDER BY seq %s LIMIT 1)"
		created, last = fmt.Sprintf(at, ""), fmt.Sprintf(at, "DESC")
	}
	rows, err := db.QueryContext(ctx, fmt.Sprintf(
		"SELECT session_id, COUNT(*), %s, %s FROM transcript_events e GROUP BY session_id ORDER BY session_id", created, last))
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	defer rows.Close()
	var out []storedWindow
	for rows.Next() {
		var w storedWindow
		var created, last int64
		if err := rows.Scan(&w.id, &w.events, &created, &last); err != nil {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		w.created, w.last = time.UnixMilli(created).UTC(), time.UnixMilli(last).UTC()
		out = append(out, w)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return out, nil
}

// owner is the session key that a session belongs to.
type owner struct {
	key     string
	updated int64 // milliseconds since 1970
}

// listOwners returns the owner of each session that the database knows one of.
func listOwners(ctx context.Context, db *sql.DB) (map[string]owner, error) {
	owners := make(map[string]owner)
	for _, q := range []struct{ table, id string }{{"session_nodes", "current_session_id"}, {"session_windows", "session_id"}} {
		columns, err := columnsOf(ctx, db, q.table)
		if err != nil {
			return nil, err
		}
		if !columns.has(q.id) || !columns.has("session_key") {
			continue
		}
		updated := "0"
		if columns.has("updated_at") {
			updated = "COALESCE(updated_at, 0)"
		}
		rows, err := db.QueryContext(ctx, fmt.Sprintf(
			"SELECT %s, session_key, %s FROM %s WHERE %s IS NOT NULL AND session_key IS NOT NULL", q.id, updated, q.table, q.id))
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", q.table, err)
		}
		if err := collectOwners(rows, owners); err != nil {
			return nil, fmt.Errorf("list %s: %w", q.table, err)
		}
	}
	return owners, nil
}

func collectOwners(rows *sql.Rows, owners map[string]owner) error {
	defer rows.Close()
	for rows.Next() {
		var id string
		var o owner
		if err := rows.Scan(&id, &o.key, &o.updated); err != nil {
			return fmt.Errorf("scan: %w", err)
		}
		o.updated = max(o.updated, owners[id].updated)
		owners[id] = o
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("scan: %w", err)
	}
	return nil
}

// pickKey returns the session with the key or the id want, the most recently
// updated where want is empty. The error continues the sentence "FILE …".
func pickKey(keys []*storedSession, want string) (*storedSession, error) {
	if len(keys) == 0 {
		return nil, errors.New("is an agent database without any session")
	}
	if want == "" {
		return keys[0], nil
	}
	for _, k := range keys {
		if k.key == want || slices.ContainsFunc(k.windows, func(w storedWindow) bool { return w.id == want }) {
			return k, nil
		}
	}
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "\n  %s", k.key)
		for _, w := range k.windows {
			fmt.Fprintf(&b, " (%s, %d events)", w.id, w.events)
		}
	}
	return nil, fmt.Errorf("has no session %q; it has:%s", want, b.String())
}

// emptyDatabase is what a database is that has no tables yet.
const emptyDatabase = "an empty SQLite database"

// identifyTables says what a database is that has no transcripts.
func identifyTables(ctx context.Context, db *sql.DB) (string, error) {
	tables, err := queryStrings(ctx, db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
	if err != nil {
		return "", err
	}
	has := func(name string) bool { return slices.Contains(tables, name) }
	switch {
	case has("conversations") && has("messages") && has("summaries"):
		return "a database of lossless-claw (lcm.db), which has no transcripts of OpenClaw", nil
	case has("agent_databases"):
		return "OpenClaw’s global database: open an agent’s, agents/NAME/agent/openclaw-agent.sqlite", nil
	case len(tables) == 0:
		return emptyDatabase, nil
	}
	return "a SQLite database without OpenClaw transcripts (its tables: " + strings.Join(tables[:min(5, len(tables))], ", ") + " …)", nil
}
