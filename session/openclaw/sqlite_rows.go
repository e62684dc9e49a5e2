//go:build cgo

package openclaw

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// rowsPerQuery is how many events one statement reads, and bytesPerQuery after
// how many bytes it stops: no transaction of ours is open for long while the host
// writes, and long events are not in memory together.
const (
	rowsPerQuery  = 200
	bytesPerQuery = 4 << 20
)

// columnSet is the names of a table's columns.
type columnSet []string

func (c columnSet) has(name string) bool { return slices.Contains(c, name) }

// columnsOf lists the columns of a table; none where there is no such table.
func columnsOf(ctx context.Context, db *sql.DB, table string) (columnSet, error) {
	return queryStrings(ctx, db, "SELECT name FROM pragma_table_info(?)", table)
}

// queryStrings returns the only column of a query.
func queryStrings(ctx context.Context, db *sql.DB, query string, args ...any) ([]string, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, fmt.Errorf("query: %w", err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	return out, nil
}

// storedEvent is a row of transcript_events.
type storedEvent struct {
	seq    int
	text   []byte // neither this
	packed []byte // nor this, which is zstd, where the event is too long
	size   int    // in bytes, as it is stored
}

// rows reads the events of one session of a database in the order of their seq.
type rows struct {
	db      *sql.DB
	query   string
	session string
	after   int // the seq after which the next query starts
	buffer  []storedEvent
	last    bool // the store had no more rows than the buffer
	unpack  *zstd.Decoder

	done, total int64 // bytes
}

// eventColumns are the expressions for an event's text and for its packed form,
// of which older schemas have only the first.
func eventColumns(columns columnSet) (text, packed string) {
	text, packed = "NULL", "NULL"
	if columns.has("event_json") {
		text = "event_json"
	}
	if columns.has("event_zstd") {
		packed = "event_zstd"
	}
	return text, packed
}

func newRows(db *sql.DB, columns columnSet, sessionID string) *rows {
	text, packed := eventColumns(columns)
	return &rows{
		db: db, session: sessionID, after: -1,
		query: fmt.Sprintf("SELECT seq, %s, %s, COALESCE(octet_length(%s), octet_length(%s), 0)"+
			" FROM transcript_events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT %d",
			unlessLong(text), unlessLong(packed), text, packed, rowsPerQuery),
	}
}

// unlessLong is the expression for a column that leaves out what is too long.
func unlessLong(column string) string {
	return fmt.Sprintf("CASE WHEN octet_length(%s) <= %d THEN %s END", column, maxRecord, column)
}

func (r *rows) close() {
	if r.unpack != nil {
		r.unpack.Close()
	}
}

func (r *rows) progress() (done, total int64) { return r.done, r.total }

func (r *rows) next(ctx context.Context, dst []byte) ([]byte, record, error) {
	if len(r.buffer) == 0 && !r.last {
		if err := r.load(ctx); err != nil {
			return dst, record{}, err
		}
	}
	if len(r.buffer) == 0 {
		return dst, record{}, io.EOF
	}
	e := r.buffer[0]
	r.buffer = r.buffer[1:]
	r.done += int64(e.size)
	rec := record{line: e.seq, offset: -1, size: e.size}
	switch {
	case e.size > maxRecord:
		rec.cause = fmt.Sprintf("the event is longer than %d MiB", maxRecord>>20)
		return dst, rec, nil
	case len(e.text) > 0:
		return append(dst, e.text...), rec, nil
	case len(e.packed) == 0:
		rec.cause = "the row has no event"
		return dst, rec, nil
	}
	data, err := r.decompress(e.packed)
	if err != nil {
		rec.cause = "damaged zstd: " + err.Error()
		return dst, rec, nil
	}
	rec.size = len(data)
	return append(dst, data...), rec, nil
}

// load fills the buffer with the next rows.
func (r *rows) load(ctx context.Context) error {
	rs, err := r.db.QueryContext(ctx, r.query, r.session, r.after)
	if err != nil {
		return fmt.Errorf("read events after %d: %w", r.after, err)
	}
	defer rs.Close()
	bytes := 0
	for bytes < bytesPerQuery && rs.Next() {
		var e storedEvent
		if err := rs.Scan(&e.seq, &e.text, &e.packed, &e.size); err != nil {
			return fmt.Errorf("read events after %d: %w", r.after, err)
		}
		r.after = e.seq
		bytes += len(e.text) + len(e.packed)
		r.buffer = append(r.buffer, e)
	}
	if err := rs.Err(); err != nil {
		return fmt.Errorf("read events after %d: %w", r.after, err)
	}
	r.last = bytes < bytesPerQuery && len(r.buffer) < rowsPerQuery
	return nil
}

// decompress unpacks an event; one that would become larger than maxRecord is
// an error.
func (r *rows) decompress(packed []byte) ([]byte, error) {
	if r.unpack == nil {
		d, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxRecord), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, fmt.Errorf("start: %w", err)
		}
		r.unpack = d
	}
	data, err := r.unpack.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return data, nil
}
