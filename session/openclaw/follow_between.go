package openclaw

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// resetMark stands in the name of a transcript that was put aside by a reset.
const resetMark = ".jsonl.reset."

// noteOthers remembers which sessions are those of other keys than the one that is
// followed, and whether one of them began another since the transcript that is read now
// was begun. index is what the host says now, t.index what it said before.
func (t *transcripts) noteOthers(key string, index map[string]indexed) {
	if key == "" {
		return
	}
	if t.others == nil {
		t.others = make(map[string]bool)
	}
	for other, s := range t.index {
		t.others[s.SessionID] = t.others[s.SessionID] || other != key
	}
	for other, s := range index {
		before, had := t.index[other]
		t.unsure = t.unsure || t.index != nil && other != key && (!had || before.SessionID != s.SessionID)
		t.others[s.SessionID] = t.others[s.SessionID] || other != key
	}
}

// archiveOf is the path in a folder of the transcript of a session that was put aside by
// a reset; empty where there is none. It need not be the file that was read: that may
// have been written anew before.
func archiveOf(dir, id string) string {
	entries, err := os.ReadDir(dir)
	if err != nil || id == "" {
		return ""
	}
	for _, e := range entries {
		if !strings.Contains(e.Name(), resetMark) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if head, err := readHead(path); err == nil && headerID(head) == id {
			return path
		}
	}
	return ""
}

// between reads the transcripts that were begun and put aside after last and before
// next, while nobody looked, the oldest first. unsure are the names of those that may be
// of another key, which has begun new ones meanwhile, too.
func (t *transcripts) between(ctx context.Context, d *decoder, now time.Time, last, next *growing) (between []*growing, unsure []string, err error) {
	dir := filepath.Dir(t.home)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, nil //nolint:nilerr // what cannot be listed cannot be told
	}
	known := func(id string) bool {
		return id == "" || id == last.id || id == next.id || t.others[id] ||
			slices.ContainsFunc(t.earlier, func(g *growing) bool { return g.id == id })
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !strings.Contains(e.Name(), resetMark) {
			continue
		}
		if head, err := readHead(path); err != nil || known(headerID(head)) {
			continue // it may have gone again
		}
		g := new(growing)
		if _, err := g.read(ctx, d, now, path); err != nil {
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			continue
		}
		switch {
		case !g.created.After(last.created) || !g.created.Before(next.created):
		case t.unsure:
			unsure = append(unsure, e.Name())
		default:
			between = append(between, g)
		}
	}
	slices.SortFunc(between, func(a, b *growing) int { return cmp.Or(a.created.Compare(b.created), cmp.Compare(a.path, b.path)) })
	return between, unsure, nil
}
