package openclaw

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// Stored is a session as far as it is known without being read.
type Stored struct {
	// Path is the file that holds it, Store its kind as in session.Source.
	Path, Store string
	// Key is the session key, of an archive its session id; empty in a
	// transcript, which does not know its key.
	Key string
	// Archived says why the session was put aside inside a database, "reset" or
	// "deleted"; empty for any other.
	Archived string
	// IDs are the session ids of its windows, oldest first; at least one.
	IDs []string
	// Turns is the number of stored user entries, -1 where there is too much to
	// look for them.
	Turns int
	// First is the beginning of the first thing that a person said, in one line;
	// empty where the part that is looked at has none.
	First string
	// Last is when the last entry was written; zero where none says.
	Last time.Time
	// Bytes is the size of what is stored.
	Bytes int64
}

const (
	// maxPeek is how many bytes of a session are looked at to count its turns.
	maxPeek = 64 << 20
	// maxFirst is how many characters Stored.First has at most.
	maxFirst = 200
	// peekTail is how much of the end of a transcript is looked at for a time.
	peekTail = 64 << 10
)

// What peeking looks for. A field is in the stored form of an entry, and in no text:
// there the quotation marks are escaped.
const (
	roleKey   = `"role"`
	userValue = `"user"`
	timeKey   = `"timestamp"`
)

// Peek says which sessions the file at path holds: rows and lines are counted,
// not decoded. Anything but a store of sessions gives a *NotSessionError.
func Peek(ctx context.Context, path string) ([]Stored, error) {
	what, err := identifyFile(path)
	if err != nil {
		return nil, err
	}
	switch what {
	case isTranscript:
		s, err := peekTranscript(ctx, path)
		if err != nil {
			return nil, fmt.Errorf("openclaw: look into %s: %w", path, err)
		}
		return []Stored{s}, nil
	case isDatabase:
		return peekDatabase(ctx, path)
	}
	return nil, &NotSessionError{Path: path, What: what}
}

func peekTranscript(ctx context.Context, path string) (Stored, error) {
	f, err := os.Open(path)
	if err != nil {
		return Stored{}, fmt.Errorf("open: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Stored{}, fmt.Errorf("open: %w", err)
	}
	s := Stored{Path: path, Store: "openclaw-jsonl", Turns: -1, Bytes: info.Size()}
	head, err := readHead(path)
	if err != nil {
		return Stored{}, err
	}
	id := headerID(head)
	if id == "" {
		id = nameID(path)
	}
	s.IDs = []string{id}
	s.First = firstSaid(head)
	if s.Bytes <= maxPeek {
		if s.Turns, err = countTurns(ctx, io.LimitReader(f, maxPeek)); err != nil {
			return Stored{}, err
		}
	}
	tail := make([]byte, min(peekTail, s.Bytes))
	n, err := f.ReadAt(tail, s.Bytes-int64(len(tail)))
	if err != nil && !errors.Is(err, io.EOF) {
		return Stored{}, fmt.Errorf("read its end: %w", err)
	}
	if s.Last = lastTime(tail[:n]); s.Last.IsZero() {
		s.Last = info.ModTime().UTC()
	}
	return s, nil
}

// firstSaid is the first thing that a person says in the beginning of a transcript.
func firstSaid(head []byte) string {
	for line := range bytes.Lines(head) {
		if said := personSaid(line); said != "" {
			return said
		}
	}
	return ""
}

// personSaid is what a person says in a stored event, in one line and cut short;
// empty where the event is another one.
func personSaid(line []byte) string {
	if n, _ := countUsers(line); n == 0 {
		return ""
	}
	var e event
	if json.Unmarshal(bytes.TrimPrefix(line, []byte(bom)), &e, lenient) != nil || e.Message == nil || e.Message.Role != "user" {
		return ""
	}
	var text strings.Builder
	for i := range e.Message.Content {
		if b := &e.Message.Content[i]; b.Type == "text" {
			text.WriteString(string(b.Text) + "\n")
		}
	}
	if internalKind(&e.Message.Provenance.fields, text.String()) != "" {
		return ""
	}
	return beginning(stripEnvelope(text.String()))
}

// beginning is the first maxFirst characters of a text, in one line.
func beginning(text string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(text) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		if b.Len() > maxFirst*utf8.UTFMax {
			break
		}
	}
	runes := []rune(b.String())
	if len(runes) <= maxFirst {
		return string(runes)
	}
	return string(runes[:maxFirst-1]) + "…"
}

// nameID is the session id in the name of a transcript or of a copy of one.
func nameID(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".jsonl")
	name, _, _ = strings.Cut(name, ".checkpoint.")
	return name
}

// countTurns counts the user entries in r.
func countTurns(ctx context.Context, r io.Reader) (int, error) {
	buffer := make([]byte, batchBytes)
	count, kept := 0, 0 // bytes at the start of the buffer that may begin an entry's field
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := r.Read(buffer[kept:])
		data := buffer[:kept+n]
		users, from := countUsers(data)
		count += users
		if kept = copy(buffer, data[from:]); kept == len(buffer) {
			kept = 0 // no field is as long
		}
		if errors.Is(err, io.EOF) {
			return count, nil
		}
		if err != nil {
			return 0, fmt.Errorf("count its turns: %w", err)
		}
	}
}

// countUsers counts in data the fields that say that a user entry is one, however
// JSON is spaced. What comes from a place on may be the start of another.
func countUsers(data []byte) (users, from int) {
	for {
		at := bytes.Index(data[from:], []byte(roleKey))
		if at < 0 {
			return users, max(from, len(data)-len(roleKey)+1)
		}
		value, cut := valueAfter(data[from+at+len(roleKey):])
		if cut || len(value) < len(userValue) && bytes.HasPrefix([]byte(userValue), value) {
			return users, from + at
		}
		if bytes.HasPrefix(value, []byte(userValue)) {
			users++
		}
		from += at + len(roleKey)
	}
}

// valueAfter is what follows the colon after a key, a NUL where there is none, and
// cut where data ends before that can be told.
func valueAfter(data []byte) (value []byte, cut bool) {
	const spaces = " \t\r\n"
	data = bytes.TrimLeft(data, spaces)
	if len(data) == 0 {
		return nil, true
	}
	if data[0] != ':' {
		return []byte{0}, false
	}
	value = bytes.TrimLeft(data[1:], spaces)
	return value, len(value) == 0
}

// lastTime is the last time of an entry in the end of a transcript; zero where
// there is none.
func lastTime(tail []byte) time.Time {
	for {
		at := bytes.LastIndex(tail, []byte(timeKey))
		if at < 0 {
			return time.Time{}
		}
		if value, _ := valueAfter(tail[at+len(timeKey):]); bytes.HasPrefix(value, []byte(`"`)) {
			text, _, _ := bytes.Cut(value[1:], []byte(`"`))
			if t, err := time.Parse(time.RFC3339Nano, string(text)); err == nil {
				return t.UTC()
			}
		}
		tail = tail[:at]
	}
}
