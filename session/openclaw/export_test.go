package openclaw

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"os"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"pacms/session"
)

// SetClock gives a follower another clock.
func (f *Follower) SetClock(now func() time.Time) { f.now = now }

// ReadWindows reads transcripts from the beginning as the windows of one session key.
// What stands behind the last line end is left out unless it is a record.
func ReadWindows(ctx context.Context, opt Options, key string, paths ...string) (*session.Session, error) {
	d := newDecoder(opt.Counter)
	s := &session.Session{Key: key, Source: session.Source{Path: paths[len(paths)-1], Store: "openclaw-jsonl"}}
	var windows []*window
	for i, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		end := bytes.LastIndexByte(data, '\n') + 1
		if rest := bytes.TrimSpace(data[end:]); !bytes.HasPrefix(rest, []byte("{")) || !jsontext.Value(rest).IsValid(lenient) {
			data = data[:end]
		}
		entries, skipped, err := decodeAll(ctx, newLines(bufio.NewReader(bytes.NewReader(data)), 0), d, true, nil)
		if err != nil {
			return nil, err
		}
		w := &window{later: i > 0, entries: entries, fetch: keptBytes}
		if h := headerOf(entries); h != nil {
			w.id, w.created = h.id, h.time
		}
		s.Source.Version = max(s.Source.Version, versionOf(entries))
		s.Skipped = append(s.Skipped, skipped...)
		windows = append(windows, w)
	}
	s.Key = cmp.Or(s.Key, windows[len(windows)-1].id, nameOf(s.Source.Path))
	return s, assemble(ctx, s, d, windows)
}
