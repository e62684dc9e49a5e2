package openclaw

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"pacms/session"
)

// databaseName is the name of an agent's database.
const databaseName = "openclaw-agent.sqlite"

// transcripts are the transcripts of one session key, one after another: the one
// that the host writes, and those that it put aside while they were followed.
type transcripts struct {
	home    string // where the host writes
	earlier []*growing
	now     *growing

	// index is what the host says of its session keys.
	index     map[string]indexed
	indexSeen fileState
	// others are the sessions of other keys; unsure is set where one of them began
	// another since now was begun.
	others map[string]bool
	unsure bool

	// database is the agent's, to which the session may move, as it was when it was
	// last looked into.
	database string
	looked   databaseState
	rested   bool // it was at rest then
}

func newTranscripts(path string) *transcripts {
	t := &transcripts{home: path, now: &growing{}}
	// Transcripts are in a folder beside that of the database.
	if dir, err := filepath.Abs(filepath.Dir(path)); err == nil {
		t.database = filepath.Join(filepath.Dir(dir), "agent", databaseName)
	}
	return t
}

func (t *transcripts) parts() []*part {
	var parts []*part
	for _, g := range t.earlier {
		parts = append(parts, g.all())
	}
	return append(parts, t.now.all())
}

func (t *transcripts) source() session.Source {
	return session.Source{Path: cmp.Or(t.now.path, t.home), Store: "openclaw-jsonl"}
}

func (t *transcripts) folders() []string {
	return []string{filepath.Dir(t.home), filepath.Dir(t.database)}
}

func (t *transcripts) look(ctx context.Context, f *Follower, l *Look) (bool, error) {
	first := f.last == nil
	moved, err := t.move(ctx, f, l)
	if err != nil || moved != nil {
		if err == nil {
			f.store = moved
			return moved.look(ctx, f, l)
		}
		return false, err
	}
	t.readIndex(f.key, f.now())
	t.goOn(f.key)
	before, id := len(t.now.entries), t.now.id
	what, err := t.readNow(ctx, f, l)
	if err != nil {
		return false, err
	}
	switch {
	case what == rewritten && !first:
		l.Events = append(l.Events, "the transcript was written anew, and was read again from the beginning")
	case what == grown && !first && t.now.id == id && before < len(t.now.entries):
		l.Events = append(l.Events, told(t.now.entries[before:])...)
	}
	l.Pending, l.Settled = t.now.pending, t.now.checked && t.rested
	if first && what != asBefore {
		if err := f.checkSession(t); err != nil {
			return false, err
		}
	}
	changed := what != asBefore
	if f.key == "" {
		f.key = t.keyOf(cmp.Or(t.now.id, nameOf(t.now.path)))
		changed = changed || f.key != ""
	}
	return changed, nil
}

// checkSession is an error where the transcript is not of the session that was asked for.
func (f *Follower) checkSession(t *transcripts) error {
	want := f.opt.Session
	if want == "" || want == t.now.id || want == t.keyOf(t.now.id) {
		return nil
	}
	return fmt.Errorf("openclaw: %s holds the session %s, not %q", t.home, t.now.id, want)
}

// readIndex reads the index beside the transcripts, where that may have changed.
func (t *transcripts) readIndex(key string, now time.Time) {
	path := filepath.Join(filepath.Dir(t.home), indexName)
	info, err := os.Stat(path)
	if err != nil {
		return // what was known of the key still holds
	}
	state := stateOfFile(info)
	if state == t.indexSeen && rests(now, state) {
		return
	}
	if index := indexOf(filepath.Dir(t.home)); index != nil { // otherwise it is being written
		t.noteOthers(key, index)
		t.index, t.indexSeen = index, state
	}
}

// goOn moves on to the transcript that the index names for the key, once it is there.
func (t *transcripts) goOn(key string) {
	next, ok := t.index[key]
	if key == "" || !ok || next.SessionID == "" || next.SessionID == t.now.id {
		return
	}
	for _, name := range []string{next.SessionID + ".jsonl", filepath.Base(filepath.FromSlash(next.SessionFile))} {
		path := filepath.Join(filepath.Dir(t.home), name)
		if what, err := identifyFile(path); err == nil && what == isTranscript {
			t.home = path
			return
		}
	}
}

// keyOf is the session key that the index has for a session id.
func (t *transcripts) keyOf(id string) string {
	keys := keysOf(t.index)
	return keys[id]
}

// nextIsEmpty is what a transcript waits for that has been begun, and no more.
const nextIsEmpty = "nothing is in the next transcript of the session yet"

// readNow reads what is new of the transcript that the host writes, and goes on to
// the next one where that has begun.
func (t *transcripts) readNow(ctx context.Context, f *Follower, l *Look) (fate, error) {
	now := f.now()
	info, err := os.Stat(t.home)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t.finish(ctx, f, l, now)
	case err != nil:
		return asBefore, fmt.Errorf("openclaw: read transcript: %w", err)
	case t.now.info == nil:
		return t.now.read(ctx, f.d, now, t.home)
	case os.SameFile(info, t.now.info):
		next := *t.now
		what, err := next.read(ctx, f.d, now, t.home)
		if err != nil {
			return asBefore, err
		}
		if !t.now.replacedBy(&next, what) {
			t.now = &next
			return what, nil
		}
	}
	what, err := identifyFile(t.home)
	if err != nil {
		return asBefore, err
	}
	if what != isTranscript {
		had, err := t.finish(ctx, f, l, now)
		l.Waiting = nextIsEmpty
		return had, err
	}
	next := &growing{}
	if _, err := next.read(ctx, f.d, now, t.home); err != nil {
		return asBefore, err
	}
	had, err := t.finish(ctx, f, l, now)
	if err != nil {
		return had, err
	}
	if len(next.all().entries) == 0 {
		l.Waiting = nextIsEmpty
		return had, nil
	}
	l.Waiting = ""
	last := t.now
	if !t.kept(last) || next.id == last.id {
		t.now = next
		return rewritten, nil
	}
	between, unsure, err := t.between(ctx, f.d, now, last, next)
	if err != nil {
		return had, err
	}
	t.now, t.unsure = next, false
	t.earlier = append(t.earlier, last)
	for _, g := range append(between, next) {
		l.Events = append(l.Events, fmt.Sprintf("the session goes on in a new transcript: %s after %s", short(g.id), short(last.id)))
		last = g
	}
	t.earlier = append(t.earlier, between...)
	for _, name := range unsure {
		l.Events = append(l.Events, "what was put aside as "+name+" may be of this session, too, and is not shown: it came and went between two looks")
	}
	return grown, nil
}

// kept reports whether a transcript that the host writes no more is still there.
func (t *transcripts) kept(g *growing) bool { return g.id != "" && g.path != t.home }

// finish reads the rest of the transcript that is not at home any more, where that
// is beside it under another name.
func (t *transcripts) finish(ctx context.Context, f *Follower, l *Look, now time.Time) (fate, error) {
	l.Waiting = "the transcript is gone: " + t.home
	if t.now.info == nil {
		t.now.checked = true
		return asBefore, nil
	}
	dir := filepath.Dir(t.home)
	for _, find := range []func() string{
		func() string { return t.now.placeIn(dir) },
		func() string { return archiveOf(dir, t.now.id) },
	} {
		path := find()
		if path == "" {
			continue
		}
		next := *t.now
		what, err := next.read(ctx, f.d, now, path)
		if err != nil {
			return asBefore, err
		}
		if t.now.replacedBy(&next, what) {
			continue
		}
		if path != t.now.path {
			l.Events = append(l.Events, "the transcript was put aside as "+filepath.Base(path))
		}
		l.Waiting = "the next transcript of the session has not begun yet"
		t.now = &next
		return what, nil
	}
	t.now.checked = true // what was read of it is all that there is
	return asBefore, nil
}

// replacedBy reports whether next, of which reading g on found what, is another
// transcript: a new file may have the place of one that is gone, and its number too.
func (g *growing) replacedBy(next *growing, what fate) bool {
	return what == rewritten && g.id != "" && next.id != g.id
}

// placeIn is where the file is that was read, in its place or under another name of a
// folder; empty where it is not.
func (g *growing) placeIn(dir string) string {
	if info, err := os.Stat(g.path); err == nil && os.SameFile(info, g.info) {
		return g.path
	}
	return otherName(dir, g.info)
}

// otherName is the path of a file of a folder under any name; empty where it is not
// there.
func otherName(dir string, info os.FileInfo) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if other, err := e.Info(); err == nil && os.SameFile(info, other) {
			return filepath.Join(dir, e.Name())
		}
	}
	return ""
}

// move is the database that has the session now; nil where none has it.
func (t *transcripts) move(ctx context.Context, f *Follower, l *Look) (followed, error) {
	state, err := stateOf(t.database)
	if err != nil {
		t.rested = true
		return nil, nil //nolint:nilerr // there is none, as a rule
	}
	if state == t.looked && t.rested {
		return nil, nil
	}
	key := f.key
	if f.last == nil {
		key = "" // whoever names a transcript wants that, unless it is in there
	}
	id := t.now.id
	if id == "" {
		head, _ := readHead(t.home) // what cannot be read has no id
		id = headerID(head)
	}
	want, err := heldSession(ctx, t.database, key, id)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, ErrBusy):
		t.rested = false
		return nil, nil // it is looked into again
	}
	t.looked, t.rested = state, rests(f.now(), state[:]...)
	if want == "" { // or there is no telling, as long as it is as it is
		return nil, nil
	}
	store, err := newFollowedDatabase(t.database, want)
	if err == nil {
		l.Events = append(l.Events, "the session has moved to the database "+t.database)
	}
	return store, err
}
