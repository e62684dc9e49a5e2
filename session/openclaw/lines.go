package openclaw

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
)

// maxRecord is the size in bytes above which a single record is skipped rather
// than held in memory.
const maxRecord = 64 << 20

// bom is the UTF-8 byte order mark that some editors put before a file. Where
// files were joined it stands before a later line.
const bom = "\xef\xbb\xbf"

// record says where a stored event stands.
type record struct {
	line   int   // from 1 in a file, the row's seq in a database
	offset int64 // of the first byte in the file, -1 in a database
	size   int   // in bytes, without the line end
	// torn is true for the last line of a file where it has no line end.
	torn bool
	// cause says why the record could not be read at all; empty where it could.
	cause string
}

// source hands out stored events one after another.
type source interface {
	// next appends the bytes of the next event to dst. It returns io.EOF after
	// the last one. A record with a cause comes without bytes.
	next(ctx context.Context, dst []byte) ([]byte, record, error)
	// progress says how many bytes of how many were read; the total is 0 where
	// it is unknown.
	progress() (done, total int64)
}

// lines reads the lines of a JSONL file; none is too long for it, and memory
// stays below maxLen for each.
type lines struct {
	r      *bufio.Reader
	line   int
	offset int64
	total  int64
	maxLen int
}

func newLines(r *bufio.Reader, total int64) *lines {
	return &lines{r: r, total: total, maxLen: maxRecord}
}

func (l *lines) progress() (done, total int64) { return l.offset, l.total }

func (l *lines) next(_ context.Context, dst []byte) ([]byte, record, error) {
	start := len(dst)
	for {
		rec := record{line: l.line + 1, offset: l.offset}
		text, size, err := l.readLine(dst[:start])
		if err != nil && !errors.Is(err, io.EOF) {
			return dst, rec, fmt.Errorf("read line %d: %w", rec.line, err)
		}
		if size == 0 {
			return dst, rec, io.EOF
		}
		dst = text
		l.line++
		l.offset += int64(size)
		rec.torn = err != nil
		line := dst[start:]
		if bytes.HasPrefix(line, []byte(bom)) {
			line = line[len(bom):]
			size -= len(bom)
			rec.offset += int64(len(bom))
		}
		end := len(line) - len(bytes.TrimRight(line, "\r\n"))
		line = line[:len(line)-end]
		rec.size = size - end
		if rec.size > l.maxLen {
			rec.cause = fmt.Sprintf("the line is longer than %d MiB", l.maxLen>>20)
			return dst[:start], rec, nil
		}
		switch {
		case len(bytes.TrimSpace(line)) == 0:
			// a blank line
		case &line[0] == &dst[start]:
			return dst[:start+len(line)], rec, nil
		default: // behind a byte order mark
			return append(dst[:start], line...), rec, nil
		}
	}
}

// readLine appends the next line with its line end to dst and returns its size;
// of a line that is too long only the end is there. The error is io.EOF where
// there is no line end.
func (l *lines) readLine(dst []byte) (line []byte, size int, err error) {
	start, limit := len(dst), l.maxLen+len(bom)+len("\r\n")
	for {
		chunk, err := l.r.ReadSlice('\n')
		size += len(chunk)
		if size > limit {
			dst = append(dst[:start], chunk[max(0, len(chunk)-len("\r\n")):]...)
		} else {
			if need := len(dst) + len(chunk); need > cap(dst) {
				// Doubling up to the limit: append would copy a long line many times.
				dst = slices.Grow(dst, max(len(chunk), min(len(dst), start+limit-len(dst))))
			}
			dst = append(dst, chunk...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return dst, size, err //nolint:wrapcheck // next wraps
		}
	}
}
