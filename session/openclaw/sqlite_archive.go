//go:build cgo

package openclaw

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"pacms/session"
)

// archiveTable holds the transcripts that a host put aside inside its database:
// each whole, as lines, packed or not.
const archiveTable = "session_transcript_archives"

// maxArchiveCount is how large a packed transcript may be to be unpacked only to
// count its turns.
const maxArchiveCount = 4 << 20

// archive is a transcript that was put aside.
type archive struct {
	id, reason, encoding string
	created              int64 // milliseconds since 1970
	size                 int64 // as it is stored
}

// listArchives lists what was put aside in a database, the newest of each
// session, the newest first. Older schemas have nothing of it.
func listArchives(ctx context.Context, db *sql.DB) ([]archive, error) {
	columns, err := columnsOf(ctx, db, archiveTable)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"session_id", "reason", "encoding", "archive_blob", "created_at"} {
		if !columns.has(name) {
			return nil, nil
		}
	}
	rows, err := db.QueryContext(ctx, "SELECT session_id, reason, encoding, created_at, octet_length(archive_blob) FROM "+
		archiveTable+" ORDER BY created_at DESC, session_id")
	if err != nil {
		return nil, fmt.Errorf("list archives: %w", err)
	}
	defer rows.Close()
	seen := make(map[string]bool)
	var out []archive
	for rows.Next() {
		var a archive
		if err := rows.Scan(&a.id, &a.reason, &a.encoding, &a.created, &a.size); err != nil {
			return nil, fmt.Errorf("list archives: %w", err)
		}
		if !seen[a.id] {
			seen[a.id] = true
			out = append(out, a)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list archives: %w", err)
	}
	return out, nil
}

// open returns the lines of an archive. The caller closes them.
func (a *archive) open(ctx context.Context, db *sql.DB) (io.ReadCloser, error) {
	var blob []byte
	err := db.QueryRowContext(ctx, "SELECT archive_blob FROM "+archiveTable+
		" WHERE session_id = ? ORDER BY created_at DESC LIMIT 1", a.id).Scan(&blob)
	if err != nil {
		return nil, fmt.Errorf("read the archive of session %s: %w", a.id, err)
	}
	if a.encoding != "zstd" {
		return io.NopCloser(bytes.NewReader(blob)), nil
	}
	d, err := zstd.NewReader(bytes.NewReader(blob), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxRecord))
	if err != nil {
		return nil, fmt.Errorf("unpack the archive of session %s: %w", a.id, err)
	}
	return d.IOReadCloser(), nil
}

// readArchive reads the session with an id that was put aside in the database at
// path; nil where there is none.
func readArchive(ctx context.Context, db *sql.DB, path string, opt Options) (*session.Session, error) {
	archives, err := listArchives(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("openclaw: read database %s: %w", path, err)
	}
	at := slices.IndexFunc(archives, func(a archive) bool { return a.id == opt.Session })
	if at < 0 {
		return nil, nil
	}
	lines, err := archives[at].open(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("openclaw: read database %s: %w", path, err)
	}
	defer func() { _ = lines.Close() }() // nothing but memory
	opt.Session = ""                     // a damaged header does not know its id
	s, err := Read(ctx, lines, path, opt)
	if err != nil {
		return nil, err
	}
	s.Source.Store, s.Key = "openclaw-sqlite", archives[at].id
	return s, nil
}

// peek says what is known of an archive.
func (a *archive) peek(ctx context.Context, db *sql.DB) (Stored, error) {
	s := Stored{
		Store: "openclaw-sqlite", Key: a.id, IDs: []string{a.id}, Archived: a.reason,
		Turns: -1, Bytes: a.size, Last: time.UnixMilli(a.created).UTC(),
	}
	if a.size > maxArchiveCount {
		return s, nil
	}
	lines, err := a.open(ctx, db)
	if err != nil {
		return s, err
	}
	defer func() { _ = lines.Close() }() // nothing but memory
	head := make([]byte, sniffBytes)
	n, err := io.ReadFull(lines, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return s, nil // what cannot be unpacked says why when it is opened
	}
	s.First = firstSaid(head[:n])
	if s.Turns, err = countTurns(ctx, io.LimitReader(io.MultiReader(bytes.NewReader(head[:n]), lines), maxPeek)); err != nil {
		s.Turns = -1
	}
	return s, ctx.Err()
}
