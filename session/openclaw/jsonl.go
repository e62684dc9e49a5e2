package openclaw

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"

	"pacms/session"
)

// sniffBytes is how much of a file is looked at to say what it is.
const sniffBytes = 256 << 10

// errNoCounter is returned where Options.Counter is missing.
var errNoCounter = errors.New("openclaw: Options.Counter is required")

// Read reads a JSONL transcript; name is what errors and Source.Path call it.
// An input that is none gives a *NotSessionError. The stored lines are kept in
// memory for Session.Raw.
func Read(ctx context.Context, r io.Reader, name string, opt Options) (*session.Session, error) {
	return readTranscript(ctx, r, name, 0, opt, nil)
}

// readFile reads the JSONL transcript at path. The stored lines are read again
// where Session.Raw is asked for them.
func readFile(ctx context.Context, path string, opt Options) (*session.Session, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("openclaw: read transcript: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("openclaw: read transcript: %w", err)
	}
	s, err := readTranscript(ctx, f, path, info.Size(), opt, func(e *entry) []byte { return readAgain(path, e.rec) })
	if err != nil {
		return nil, err
	}
	if key := keyOf(path, s.Key); key != "" {
		s.Key = key
	}
	return s, nil
}

// readTranscript reads a transcript of size bytes, 0 if unknown; fetch reads the
// bytes of an entry again, nil where they are to be kept.
func readTranscript(ctx context.Context, r io.Reader, name string, size int64, opt Options, fetch func(*entry) []byte) (*session.Session, error) {
	if opt.Counter == nil {
		return nil, errNoCounter
	}
	buffered := bufio.NewReaderSize(r, sniffBytes)
	head, err := buffered.Peek(sniffBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("openclaw: read %s: %w", name, err)
	}
	if what := identify(name, head); what != isTranscript {
		return nil, &NotSessionError{Path: name, What: what}
	}
	d := newDecoder(opt.Counter)
	entries, skipped, err := decodeAll(ctx, newLines(buffered, size), d, fetch == nil, opt.Progress)
	if err != nil {
		return nil, fmt.Errorf("openclaw: read transcript %s: %w", name, err)
	}
	s := &session.Session{Source: session.Source{Path: name, Store: "openclaw-jsonl"}, Skipped: skipped}
	for i := range entries {
		if entries[i].typ == typeHeader {
			s.Key, s.Source.Version = entries[i].id, entries[i].version
			if s.Source.Version == 0 {
				s.Source.Version = 1
			}
			break
		}
	}
	if opt.Session != "" && opt.Session != s.Key && opt.Session != keyOf(name, s.Key) {
		return nil, fmt.Errorf("openclaw: %s holds the session %s, not %q", name, s.Key, opt.Session)
	}
	if fetch == nil {
		fetch = func(e *entry) []byte { return e.raw }
	}
	assemble(s, d, opt, []*window{{id: s.Key, entries: entries}}, func(_ int, e *entry) []byte { return fetch(e) })
	return s, nil
}

// assemble builds the session of the windows of a key; fetch gives the stored
// bytes of an entry, nil where they are gone.
func assemble(s *session.Session, d *decoder, opt Options, windows []*window, fetch func(window int, e *entry) []byte) {
	s.Tokenizer, s.Estimated = opt.Counter.Name(), opt.Counter.Estimated()
	b := newBuilder(s)
	for i, w := range windows {
		b.add(i, w)
	}
	s.Warnings = b.defects.warnings(len(s.Skipped))
	index := make(map[string]int, len(s.Candidates))
	for i := range s.Candidates {
		index[s.Candidates[i].ID] = i
	}
	s.Raw = func(id string) [][]byte {
		i, ok := index[id]
		if !ok {
			return nil
		}
		var lines [][]byte
		for e := b.refs[i].entry; e != nil; e = e.more {
			data := fetch(b.refs[i].window, e)
			if data == nil || maphash.Bytes(d.seed, data) != e.hash {
				return nil // the store has changed since it was read
			}
			lines = append(lines, data)
		}
		return lines
	}
}

// readAgain reads the bytes of a record of a file once more.
func readAgain(path string, rec record) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close() //nolint:errcheck // only read
	data := make([]byte, rec.size)
	if _, err := f.ReadAt(data, rec.offset); err != nil {
		return nil
	}
	return data
}

// maxIndex bounds the index of sessions that is read beside a transcript.
const maxIndex = 16 << 20

// keyOf finds the session key of a transcript in the sessions.json beside it;
// empty where there is none.
func keyOf(path, sessionID string) string {
	index := filepath.Join(filepath.Dir(path), "sessions.json")
	info, err := os.Stat(index)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIndex {
		return ""
	}
	data, err := os.ReadFile(index)
	if err != nil {
		return ""
	}
	var sessions map[string]struct {
		SessionID string `json:"sessionId"`
	}
	if json.Unmarshal(bytes.TrimPrefix(data, []byte(bom)), &sessions) != nil {
		return ""
	}
	best := ""
	for key, s := range sessions { // the smallest, so that the answer does not depend on the map
		if s.SessionID == sessionID && sessionID != "" && (best == "" || key < best) {
			best = key
		}
	}
	return best
}
