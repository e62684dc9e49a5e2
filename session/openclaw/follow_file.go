package openclaw

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"pacms/session"
)

// growing is a transcript that is being written, as far as it was read. All that is
// taken for read are whole lines.
type growing struct {
	path string
	info os.FileInfo // of the file, to know it by another name
	part
	rest part // the last line without its end, where it is a record already

	seen    fileState
	checked bool // all that was read is in the file as it was, as of seen
	offset  int64
	line    int
	sum     uint32 // of all bytes before offset
	end     []byte // the last of them
	pending int    // bytes after the last whole line that are no record yet
}

const (
	// quickCheck is how many bytes before the offset are compared with what was
	// read, each time that a file has grown.
	quickCheck = 4 << 10
	// wholeCheck is up to which size a file is compared as a whole each time; a
	// larger one is once it rests.
	wholeCheck = 8 << 20
)

// What read found a file to be.
type fate int

const (
	asBefore fate = iota
	grown
	rewritten // not what was read before: all of it was read again
)

// read reads what is new of the file at path.
func (g *growing) read(ctx context.Context, d *decoder, now time.Time, path string) (fate, error) {
	f, err := os.Open(path)
	if err != nil {
		return asBefore, fmt.Errorf("openclaw: read transcript: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return asBefore, fmt.Errorf("openclaw: read transcript: %w", err)
	}
	state := stateOfFile(info)
	resting := state == g.seen && rests(now, state)
	if state == g.seen && g.path == path && (g.checked || !resting) {
		return asBefore, nil
	}
	same, err := g.holds(f, info.Size(), resting)
	if err != nil {
		return asBefore, fmt.Errorf("openclaw: read transcript %s: %w", path, err)
	}
	moved := g.path != path
	next, what := *g, asBefore
	if !same {
		next, what = growing{}, rewritten
	}
	next.path, next.info, next.seen, next.checked = path, info, state, resting
	more, err := next.readOn(ctx, d, f, info.Size())
	if err != nil {
		return asBefore, fmt.Errorf("openclaw: read transcript %s: %w", path, err)
	}
	if what == asBefore && (more || moved) {
		what = grown
	}
	*g = next
	return what, nil
}

// holds reports whether f, of a size, still begins with what was read: all of it
// where whole is set or the file is small, else the end of it.
func (g *growing) holds(f *os.File, size int64, whole bool) (bool, error) {
	if size < g.offset {
		return false, nil
	}
	end := make([]byte, len(g.end))
	if _, err := f.ReadAt(end, g.offset-int64(len(end))); err != nil && !errors.Is(err, io.EOF) {
		return false, err //nolint:wrapcheck // read wraps
	}
	if !bytes.Equal(end, g.end) {
		return false, nil
	}
	if !whole && g.offset > wholeCheck {
		return true, nil
	}
	sum, err := sumOf(0, io.NewSectionReader(f, 0, g.offset))
	return sum == g.sum, err
}

// castagnoli sums at the speed of memory.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumOf continues a sum with the bytes of r.
func sumOf(sum uint32, r io.Reader) (uint32, error) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := r.Read(buffer)
		sum = crc32.Update(sum, castagnoli, buffer[:n])
		if errors.Is(err, io.EOF) {
			return sum, nil
		}
		if err != nil {
			return sum, err //nolint:wrapcheck // read wraps
		}
	}
}

// readOn reads the lines of f, of a size, that are not read yet, and says whether
// they hold anything.
func (g *growing) readOn(ctx context.Context, d *decoder, f *os.File, size int64) (bool, error) {
	whole, err := lastLineEnd(f, g.offset, size)
	if err != nil {
		return false, err
	}
	// The sum comes first: where the file changes meanwhile, the next check sees it.
	sum, err := sumOf(g.sum, io.NewSectionReader(f, g.offset, whole-g.offset))
	if err != nil {
		return false, err
	}
	entries, skipped, err := g.decode(ctx, d, f, g.offset, whole)
	if err != nil {
		return false, err
	}
	had := len(g.rest.entries)
	g.sum, g.offset, g.part = sum, whole, g.with(entries, skipped)
	g.end = make([]byte, min(whole, quickCheck))
	if _, err := f.ReadAt(g.end, whole-int64(len(g.end))); err != nil && !errors.Is(err, io.EOF) {
		return false, err //nolint:wrapcheck // read wraps
	}
	if err := g.readRest(ctx, d, f, size); err != nil {
		return false, err
	}
	if g.id == "" {
		if h := headerOf(g.all().entries); h != nil {
			g.id, g.created = h.id, h.time
		}
	}
	return len(entries)+len(skipped) > 0 || had != len(g.rest.entries), nil
}

// decode decodes the lines of f from one place to another.
func (g *growing) decode(ctx context.Context, d *decoder, f *os.File, from, to int64) ([]*entry, []session.Skip, error) {
	if from == to {
		return nil, nil, nil
	}
	buffered := bufio.NewReaderSize(io.NewSectionReader(f, from, to-from), int(min(to-from, sniffBytes)))
	src := newLines(buffered, to)
	src.line, src.offset = g.line, from
	entries, skipped, err := decodeAll(ctx, src, d, false, nil)
	g.line = src.line
	return entries, skipped, err
}

// readRest looks at what stands behind the last whole line. A whole record counts,
// though its line has no end yet; a part of one is pending.
func (g *growing) readRest(ctx context.Context, d *decoder, f *os.File, size int64) error {
	g.rest, g.pending = part{}, 0
	if size <= g.offset {
		return nil
	}
	g.pending = int(size - g.offset)
	if g.pending > maxRecord {
		return nil
	}
	data := make([]byte, g.pending)
	if _, err := f.ReadAt(data, g.offset); err != nil {
		return nil //nolint:nilerr // it has become shorter, which the next look sees
	}
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte(bom)))
	if len(data) == 0 || data[0] != '{' || !jsontext.Value(data).IsValid(lenient) {
		return nil
	}
	line := g.line
	entries, skipped, err := g.decode(ctx, d, f, g.offset, size)
	g.line, g.rest, g.pending = line, part{entries: entries, skipped: skipped}, 0
	return err
}

// lastLineEnd is the offset behind the last line end of f between from and to; from
// where there is none.
func lastLineEnd(f *os.File, from, to int64) (int64, error) {
	buffer := make([]byte, 64<<10)
	for to > from {
		start := max(from, to-int64(len(buffer)))
		piece := buffer[:to-start]
		if _, err := f.ReadAt(piece, start); err != nil && !errors.Is(err, io.EOF) {
			return from, err //nolint:wrapcheck // read wraps
		}
		if at := bytes.LastIndexByte(piece, '\n'); at >= 0 {
			return start + int64(at) + 1, nil
		}
		to = start
	}
	return from, nil
}

// all is what was read, with the record that has no line end yet.
func (g *growing) all() *part {
	p := g.with(g.rest.entries, g.rest.skipped)
	path := g.path
	p.fetch = func(e *entry) []byte { return readAgain(path, e.rec) }
	return &p
}
