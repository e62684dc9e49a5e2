//go:build cgo

package openclaw

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// peekDatabase says which sessions the agent database at path holds, the most
// recently updated first.
func peekDatabase(ctx context.Context, path string) ([]Stored, error) {
	var out []Stored
	err := withDatabase(ctx, path, func(db *sql.DB) error {
		out = nil
		keys, err := listKeys(ctx, db, path)
		if err != nil {
			return err
		}
		columns, err := columnsOf(ctx, db, "transcript_events")
		if err != nil {
			return fmt.Errorf("openclaw: look into %s: %w", path, err)
		}
		for _, k := range keys {
			s, err := k.peek(ctx, db, columns)
			if err != nil {
				return fmt.Errorf("openclaw: look into %s: %w", path, err)
			}
			out = append(out, s)
		}
		archives, err := listArchives(ctx, db)
		if err != nil {
			return fmt.Errorf("openclaw: look into %s: %w", path, err)
		}
		for i := range archives {
			s, err := archives[i].peek(ctx, db)
			if err != nil {
				return fmt.Errorf("openclaw: look into %s: %w", path, err)
			}
			out = append(out, s)
		}
		return nil
	})
	for i := range out {
		out[i].Path = path
	}
	return out, err
}

// peek counts what is stored of a session.
func (k *storedSession) peek(ctx context.Context, db *sql.DB, events columnSet) (Stored, error) {
	s := Stored{Store: "openclaw-sqlite", Key: k.key, Turns: -1}
	if k.updated > 0 {
		s.Last = time.UnixMilli(k.updated).UTC()
	}
	for _, w := range k.windows {
		s.IDs = append(s.IDs, w.id)
	}
	var err error
	if s.Bytes, err = k.size(ctx, db, events); err != nil || s.Bytes > maxPeek {
		return s, err
	}
	if s.Turns, err = k.turns(ctx, db, events); err != nil {
		return s, err
	}
	s.First, err = k.first(ctx, db, events)
	return s, err
}

// turns counts the stored user entries of the session. A packed event has its
// role in the digest that the host keeps beside it.
func (k *storedSession) turns(ctx context.Context, db *sql.DB, events columnSet) (int, error) {
	text, _ := eventColumns(events)
	digest := "NULL"
	if events.has("navigation_json") {
		digest = "navigation_json"
	}
	query := "SELECT COUNT(*) FROM transcript_events WHERE session_id = ? AND " + saysUser("COALESCE("+text+", "+digest+")")
	total := 0
	for _, w := range k.windows {
		n := 0
		if err := db.QueryRowContext(ctx, query, w.id).Scan(&n); err != nil {
			return 0, fmt.Errorf("turns of session %s: %w", w.id, err)
		}
		total += n
	}
	return total, nil
}

// saysUser is the condition that the JSON of a column is a user entry's, as programs
// space it.
func saysUser(column string) string {
	var ways []string
	for _, colon := range []string{":", ": ", " : "} {
		ways = append(ways, fmt.Sprintf("instr(%s, '%s%s%s') > 0", column, roleKey, colon, userValue))
	}
	return "(" + strings.Join(ways, " OR ") + ")"
}

// firstTried is how many stored user entries are looked at for one of a person.
const firstTried = 20

// first is the beginning of the first thing that a person said in the session,
// packed events aside.
func (k *storedSession) first(ctx context.Context, db *sql.DB, events columnSet) (string, error) {
	text, _ := eventColumns(events)
	query := fmt.Sprintf("SELECT %s FROM transcript_events WHERE session_id = ? AND %s ORDER BY seq LIMIT %d", text, saysUser(text), firstTried)
	for _, w := range k.windows {
		lines, err := queryStrings(ctx, db, query, w.id)
		if err != nil {
			return "", fmt.Errorf("beginning of session %s: %w", w.id, err)
		}
		for _, line := range lines {
			if said := personSaid([]byte(line)); said != "" {
				return said, nil
			}
		}
	}
	return "", nil
}
