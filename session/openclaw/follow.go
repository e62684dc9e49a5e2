package openclaw

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"pacms/session"
)

// ErrBusy says that a store cannot be read now because its writer holds it. A later
// look will do.
var ErrBusy = errors.New("openclaw: the store is busy")

// Follower reads a session again and again while its host goes on with it. What was
// decoded stays, so that a look costs what is new and the putting together of the
// session; the session is the same as one that is read from the beginning.
//
// It keeps to the session key, wherever that goes on: in a new transcript after a
// reset, behind the archives of the old ones, or in a database. It is not safe for
// concurrent use.
type Follower struct {
	opt  Options
	path string
	d    *decoder
	now  func() time.Time

	key   string // of the session, once it is known
	store followed
	last  *session.Session
	stale bool // there is more than last has
}

// followed is a store that is read bit by bit.
type followed interface {
	// look reads what is new. It notes in l what happened and what it waits for, and
	// leaves the Session of l to its caller.
	look(ctx context.Context, f *Follower, l *Look) (changed bool, err error)
	// parts are the windows as far as they were read, oldest first.
	parts() []*part
	source() session.Source
	// folders are where its files are.
	folders() []string
}

// Look is what one look at a store gave.
type Look struct {
	// Session is what is stored now; nil where that is as it was at the look before.
	// It shares memory with those of other looks and is not to be changed.
	Session *session.Session
	// Events say in a sentence each what happened, besides that something was added.
	Events []string
	// Waiting says for what, where there is nothing to read now: the last session
	// stands. It is empty otherwise.
	Waiting string
	// Pending is how many bytes there are of a record whose end is still to come.
	Pending int
	// Settled is set where a look again would give the same, unless files change in a
	// way that their sizes or times show.
	Settled bool
}

// Follow returns a follower of the session at path: a transcript, an agent database
// or a folder with some, of which it takes the session used last. Nothing is read
// yet, and nothing need be there yet.
func Follow(path string, opt Options) (*Follower, error) {
	if opt.Counter == nil {
		return nil, errNoCounter
	}
	return &Follower{opt: opt, path: path, d: newDecoder(opt.Counter), now: time.Now}, nil
}

// Look reads what is new. Where that fails, what was read before stands and a later
// look may do: ErrBusy is a matter of time. A file that is no session gives a
// *NotSessionError.
func (f *Follower) Look(ctx context.Context) (Look, error) {
	var l Look
	if f.store == nil {
		if err := f.begin(ctx, &l); err != nil || f.store == nil {
			return Look{Waiting: l.Waiting, Settled: true}, err
		}
	}
	changed, err := f.store.look(ctx, f, &l)
	if err != nil {
		return Look{Events: l.Events}, err
	}
	f.stale = f.stale || changed
	if !f.stale {
		if f.last == nil && l.Waiting == "" {
			l.Waiting = "nothing is in " + f.Where() + " yet"
		}
		return l, nil
	}
	s, err := f.build(ctx)
	if err != nil {
		return Look{Events: l.Events}, err
	}
	l.Events = append(l.Events, happened(f.last, s)...)
	l.Session, f.last, f.stale = s, s, false
	return l, nil
}

// Folders are where a change of the session shows first.
func (f *Follower) Folders() []string {
	if f.store != nil {
		return f.store.folders()
	}
	if info, err := os.Stat(f.path); err == nil && info.IsDir() {
		return []string{f.path}
	}
	return []string{filepath.Dir(f.path)}
}

// Where is the file that the session is read from now; empty before there is one.
func (f *Follower) Where() string {
	if f.store == nil {
		return ""
	}
	return f.store.source().Path
}

// begin finds the store that is to be read, or says in l what it waits for.
func (f *Follower) begin(ctx context.Context, l *Look) error {
	path := f.path
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		if path, err = newestIn(ctx, path); err == nil && path == "" {
			l.Waiting = "there is no session in " + f.path + " yet"
			return nil
		}
	}
	what := ""
	if err == nil {
		what, err = identifyFile(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.Waiting = "there is no file " + f.path + " yet"
		return nil
	case err != nil:
		return err
	case what == isTranscript:
		f.store = newTranscripts(path)
	case what == isDatabase:
		f.store, err = newFollowedDatabase(path, f.opt.Session)
	case unfinished(path):
		l.Waiting = "nothing is in " + path + " yet"
	default:
		err = &NotSessionError{Path: path, What: what}
	}
	return err
}

// unfinished reports whether a file may become a transcript with what is written
// next: it has not one whole line.
func unfinished(path string) bool {
	head, err := readHead(path)
	return err == nil && len(head) < sniffBytes && !slices.Contains(head, '\n') &&
		(len(head) == 0 || head[0] == '{' && !jsontext.Value(head).IsValid(lenient))
}

// newestIn is the file in a folder with the session that was used last; empty where
// there is none.
func newestIn(ctx context.Context, dir string) (string, error) {
	target, err := filepath.EvalSymlinks(dir) // a walk does not follow a link that it begins with
	if err != nil {
		return "", fmt.Errorf("openclaw: follow: %w", err)
	}
	files, err := search(ctx, target)
	if err != nil {
		return "", err
	}
	newest, at := "", time.Time{}
	for _, file := range files {
		if file.what != isTranscript && file.what != isDatabase {
			continue
		}
		stored, err := Peek(ctx, file.path)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil {
			continue // it may be another program's; there is no other to take its place
		}
		for i := range stored {
			if s := &stored[i]; s.Archived == "" && (newest == "" || s.Last.After(at)) {
				newest, at = file.path, s.Last
			}
		}
	}
	return newest, nil
}

// part is a window of a followed session as far as it has been read. What it holds
// is never changed: a part that was read further is another.
type part struct {
	id      string
	created time.Time
	entries []*entry
	skipped []session.Skip
	fetch   func(*entry) []byte
}

// with is the part with what was read after it.
func (p *part) with(entries []*entry, skipped []session.Skip) part {
	next := *p
	next.entries = append(slices.Clip(p.entries), entries...)
	next.skipped = append(slices.Clip(p.skipped), skipped...)
	return next
}

// window is the part for a builder, which changes entries: it gets its own.
func (p *part) window(later bool) *window {
	all := make([]entry, len(p.entries))
	w := &window{id: p.id, later: later, created: p.created, entries: make([]*entry, len(all)), fetch: p.fetch}
	for i, e := range p.entries {
		all[i] = *e
		w.entries[i] = &all[i]
	}
	return w
}

// build puts the session together from all that was decoded.
func (f *Follower) build(ctx context.Context) (*session.Session, error) {
	s := &session.Session{Source: f.store.source(), Key: f.key}
	var windows []*window
	for i, p := range f.store.parts() {
		s.Skipped = append(s.Skipped, p.skipped...)
		s.Source.Version = max(s.Source.Version, versionOf(p.entries))
		windows = append(windows, p.window(i > 0))
	}
	if s.Key == "" {
		s.Key = windows[len(windows)-1].id
	}
	if s.Key == "" { // the header is missing or damaged
		s.Key = nameOf(s.Source.Path)
	}
	if err := assemble(ctx, s, f.d, windows); err != nil {
		return nil, fmt.Errorf("openclaw: read session %s of %s: %w", s.Key, s.Source.Path, err)
	}
	return s, nil
}

// told says what the host noted in new entries.
func told(entries []*entry) []string {
	var events []string
	for _, e := range entries {
		switch e.typ {
		case typeCompaction:
			events = append(events, "the host compacted the conversation")
		case typeReset:
			events = append(events, "the conversation was reset: what was said before is not offered any more")
		}
	}
	return events
}

// happened says what became of the turns of the session before, nil: there was none.
func happened(before, after *session.Session) []string {
	if before == nil {
		return nil
	}
	branch := make(map[string]string, len(after.Turns))
	for i := range after.Turns {
		branch[after.Turns[i].EntryID] = after.Turns[i].Branch
	}
	left, gone := 0, 0
	for i := range before.Turns {
		now, is := branch[before.Turns[i].EntryID]
		switch {
		case !is:
			gone++
		case now == session.BranchOther && before.Turns[i].Branch == session.BranchActive:
			left++
		}
	}
	var events []string
	if left > 0 {
		events = append(events, session.Counted(left, "turn")+" back: what was said since is on a branch that was left")
	}
	if gone > 0 {
		events = append(events, session.Counted(gone, "turn")+" of before "+isOrAre(gone)+" not in the store any more")
	}
	return events
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// short is enough of a session id to tell it from others.
func short(id string) string {
	const most = 8
	if r := []rune(id); len(r) > most {
		return string(r[:most])
	}
	return id
}
