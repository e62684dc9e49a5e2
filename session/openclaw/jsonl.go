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
	"strings"

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
	defer f.Close()
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
	if h := headerOf(entries); h != nil {
		s.Key, s.Source.Version = h.id, versionOf(entries)
	}
	if s.Key == "" { // the header is missing or damaged
		s.Key = nameOf(name)
	}
	if opt.Session != "" && opt.Session != s.Key && opt.Session != keyOf(name, s.Key) {
		return nil, fmt.Errorf("openclaw: %s holds the session %s, not %q", name, s.Key, opt.Session)
	}
	if fetch == nil {
		fetch = keptBytes
	}
	if err := assemble(ctx, s, d, []*window{{id: s.Key, entries: entries, fetch: fetch}}); err != nil {
		return nil, fmt.Errorf("openclaw: read transcript %s: %w", name, err)
	}
	return s, nil
}

// nameOf is what a transcript without a header is called.
func nameOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ".jsonl") }

// headerOf is the header of a transcript, nil where it has none.
func headerOf(entries []*entry) *entry {
	for _, e := range entries {
		if e.typ == typeHeader {
			return e
		}
	}
	return nil
}

// versionOf is the version in the header of a transcript. The first version had
// no number; without a header it is unknown and 0.
func versionOf(entries []*entry) int {
	if h := headerOf(entries); h != nil {
		return max(h.version, 1)
	}
	return 0
}

// assemble builds the session of the windows of a key, whose entries it changes. The
// error is that of ctx.
func assemble(ctx context.Context, s *session.Session, d *decoder, windows []*window) error {
	s.Tokenizer, s.Estimated = d.counter.Name(), d.counter.Estimated()
	entries := 0
	for _, w := range windows {
		entries += len(w.entries)
	}
	b := newBuilder(s, entries)
	for _, w := range windows {
		if err := b.add(ctx, w); err != nil {
			return err
		}
	}
	b.setAside()
	s.Warnings = b.defects.warnings(len(s.Skipped))
	s.Raw = func(id string) [][]byte {
		c, ok := b.ids[id]
		if !ok {
			return nil
		}
		var lines [][]byte
		for e := b.stores[c].entry; e != nil; e = e.more {
			data := b.stores[c].window.fetch(e)
			if data == nil || maphash.Bytes(d.seed, data) != e.hash {
				return nil // the store has changed since it was read
			}
			lines = append(lines, data)
		}
		return lines
	}
	return nil
}

// keptBytes are the bytes of an entry that was decoded with them.
func keptBytes(e *entry) []byte { return e.raw }

// readAgain reads the bytes of a record of a file once more.
func readAgain(path string, rec record) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
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
func keyOf(path, sessionID string) string { return Keys(filepath.Dir(path))[sessionID] }

// indexed is what the index beside transcripts says of a session key.
type indexed struct {
	SessionID   string `json:"sessionId"`
	SessionFile string `json:"sessionFile"`
}

// indexName is the name of the index beside transcripts.
const indexName = "sessions.json"

// indexOf is the index in a folder, by session key; nil where there is none or it
// cannot be read.
func indexOf(dir string) map[string]indexed {
	index := filepath.Join(dir, indexName)
	info, err := os.Stat(index)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIndex {
		return nil
	}
	data, err := os.ReadFile(index)
	if err != nil {
		return nil
	}
	var sessions map[string]indexed
	if json.Unmarshal(bytes.TrimPrefix(data, []byte(bom)), &sessions) != nil {
		return nil
	}
	return sessions
}

// Keys returns the session keys by session id as the sessions.json in a folder
// has them; none where there is no such file or it cannot be read.
func Keys(dir string) map[string]string { return keysOf(indexOf(dir)) }

// keysOf are the session keys of an index by session id.
func keysOf(sessions map[string]indexed) map[string]string {
	keys := make(map[string]string, len(sessions))
	for key, s := range sessions { // the smallest, so that the answer does not depend on the map
		if best, ok := keys[s.SessionID]; s.SessionID != "" && (!ok || key < best) {
			keys[s.SessionID] = key
		}
	}
	return keys
}
