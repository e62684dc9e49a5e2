package openclaw

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// maxRecord is the size in bytes above which a single record is skipped rather
// than held in memory.
const maxRecord = 64 << 20

// bom is the UTF-8 byte order mark that some editors put before a file.
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
		dst = dst[:start]
		var err error
		for {
			var chunk []byte
			chunk, err = l.r.ReadSlice('\n')
			rec.size += len(chunk)
			if rec.size <= l.maxLen+len("\r\n") {
				dst = append(dst, chunk...)
			} else {
				dst = dst[:start]
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return dst[:start], rec, fmt.Errorf("read line %d: %w", rec.line, err)
		}
		if rec.size == 0 {
			return dst[:start], rec, io.EOF
		}
		l.line++
		l.offset += int64(rec.size)
		rec.torn = err != nil
		if rec.size > l.maxLen+len("\r\n") {
			rec.cause = fmt.Sprintf("the line is longer than %d MiB", l.maxLen>>20)
			return dst[:start], rec, nil
		}
		text := dst[start:]
		if rec.offset == 0 && bytes.HasPrefix(text, []byte(bom)) {
			start += len(bom)
			rec.offset += int64(len(bom))
			text = text[len(bom):]
		}
		text = bytes.TrimRight(text, "\r\n")
		rec.size = len(text)
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		return dst[:start+len(text)], rec, nil
	}
}
