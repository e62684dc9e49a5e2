package openclaw

import (
	"context"
	"fmt"
	"os"
)

// Entry is one of the sessions at a path.
type Entry struct {
	// Path is the file that holds it, Session the key that picks it there; empty in
	// a transcript.
	Path, Session string
}

// List lists the sessions at a path, each of which Open opens: those of an agent
// database, the most recently updated first, all of a folder in the order of its
// files, or the one of a transcript. There is at least one. Archives inside a
// database are not listed.
func List(ctx context.Context, path string) ([]Entry, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("openclaw: open: %w", err)
	}
	stores := []string{path}
	if info.IsDir() {
		var files []found
		if stores, files, err = storesIn(ctx, path); err != nil {
			return nil, err
		}
		if len(stores) == 0 {
			return nil, noSession(path, files)
		}
	}
	var entries []Entry
	for _, store := range stores {
		what, err := identifyFile(store)
		switch {
		case err != nil:
			return nil, err
		case what == isTranscript:
			entries = append(entries, Entry{Path: store})
		case what == isDatabase:
			keys, _, err := databaseSessions(ctx, store)
			if err != nil {
				return nil, err
			}
			for _, key := range keys {
				entries = append(entries, Entry{Path: store, Session: key})
			}
		default:
			return nil, &NotSessionError{Path: store, What: what}
		}
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("openclaw: %s is an agent database without any session", path)
	}
	return entries, nil
}
