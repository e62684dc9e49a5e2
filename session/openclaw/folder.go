package openclaw

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"pacms/session"
)

// Limits of the search in a folder: an agent's folder has its database and its
// transcripts two levels down.
const (
	maxFolderDepth = 3
	maxFolderFiles = 500
)

// found is a file of a folder and what it is.
type found struct{ path, what string }

// openFolder opens the only file with sessions in a folder.
func openFolder(ctx context.Context, dir string, opt Options) (*session.Session, error) {
	stores, files, err := storesIn(ctx, dir)
	switch {
	case err != nil:
		return nil, err
	case len(stores) == 1:
		return Open(ctx, stores[0], opt)
	case len(stores) == 0:
		return nil, noSession(dir, files)
	}
	return nil, fmt.Errorf("openclaw: the folder %s holds several sessions, open one of them:%s", dir, list(dir, files))
}

// noSession says what is in a folder that holds no session.
func noSession(dir string, files []found) error {
	return fmt.Errorf("openclaw: the folder %s holds no session:%s", dir, list(dir, files))
}

// storesIn are the databases and the transcripts of a folder, and all that was looked
// at. A transcript is no second session where the folder has the same session in a
// database, or in a transcript of the name that the host gives to the current one.
func storesIn(ctx context.Context, dir string) (stores []string, files []found, err error) {
	dir, err = filepath.EvalSymlinks(dir) // a walk does not follow a link that it begins with
	if err != nil {
		return nil, nil, fmt.Errorf("openclaw: open: %w", err)
	}
	files, err = search(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	var databases, transcripts []string
	stored := make(map[string]bool) // ids of the sessions in databases
	for i, f := range files {
		switch f.what {
		case isTranscript:
			transcripts = append(transcripts, f.path)
		case isDatabase:
			_, ids, err := databaseSessions(ctx, f.path)
			if no, ok := errors.AsType[*NotSessionError](err); ok {
				files[i].what = no.What
				continue
			} else if err != nil {
				files[i].what = "not readable: " + err.Error()
				continue
			}
			databases = append(databases, f.path)
			for _, id := range ids {
				stored[id] = true
			}
		}
	}
	return slices.Concat(databases, withoutCopies(transcripts, stored)), files, nil
}

// withoutCopies leaves out the transcripts of sessions that are stored, and the
// archives and checkpoints beside a session's own transcript, ID.jsonl.
func withoutCopies(transcripts []string, stored map[string]bool) []string {
	ids := make(map[string]string, len(transcripts))
	current := make(map[string]bool)
	for _, path := range transcripts {
		head, _ := readHead(path) // what cannot be read has no id
		id := headerID(head)
		ids[path] = id
		current[id] = current[id] || filepath.Base(path) == id+".jsonl"
	}
	return slices.DeleteFunc(transcripts, func(path string) bool {
		id := ids[path]
		return stored[id] || current[id] && filepath.Base(path) != id+".jsonl"
	})
}

// search identifies the files of a folder, in the order of their names.
func search(ctx context.Context, dir string) ([]found, error) {
	var files []found
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			files = append(files, found{path, "not readable: " + err.Error()})
			return nil
		}
		if d.IsDir() {
			if rel, err := filepath.Rel(dir, path); err == nil && strings.Count(rel, string(filepath.Separator)) >= maxFolderDepth {
				return fs.SkipDir
			}
			return nil
		}
		if len(files) == maxFolderFiles {
			return fs.SkipAll
		}
		what, err := identifyFile(path)
		if err != nil {
			what = "not readable: " + err.Error()
		}
		files = append(files, found{path, what})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("openclaw: look through the folder %s: %w", dir, err)
	}
	return files, nil
}

// list writes one line a file.
func list(dir string, files []found) string {
	if len(files) == 0 {
		return " it is empty"
	}
	var b strings.Builder
	for _, f := range files {
		name := f.path
		if rel, err := filepath.Rel(dir, f.path); err == nil {
			name = rel
		}
		fmt.Fprintf(&b, "\n  %s: %s", name, f.what)
	}
	if len(files) == maxFolderFiles {
		fmt.Fprintf(&b, "\n  … only the first %d files were looked at", maxFolderFiles)
	}
	return b.String()
}

// headerID is the session id in the header of a transcript, by the first bytes
// of the file; empty if it has none.
func headerID(head []byte) string {
	for line := range bytes.Lines(bytes.TrimPrefix(head, []byte(bom))) {
		if o := outlineOf(line); o.strings["type"] == typeHeader {
			return o.strings["id"]
		}
	}
	return ""
}
