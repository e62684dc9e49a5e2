package openclaw

import (
	"context"
	"slices"
	"strconv"
	"time"

	"pacms/session"
)

// window is one stored transcript of a session key.
type window struct {
	id      string
	later   bool // follows another window
	created time.Time
	entries []*entry
	// fetch reads the stored bytes of an entry; nil where they are gone.
	fetch func(*entry) []byte
}

// stored is where a candidate is stored; further lines of it hang on the entry.
type stored struct {
	*entry
	window *window
}

// builder makes one session of the windows of a session key, oldest first.
// Candidates are known by what was stored and by what was said, each as a hash.
type builder struct {
	session *session.Session
	stores  []stored       // by candidate
	ids     map[string]int // candidates by id
	numbers map[string]int // the number that was last put to an id that several have
	stored  map[uint64]int // candidates by the bytes of their entries
	spoken  map[uint64]int // candidates by who said what when
	key     spanList       // all windows so far
	aside   []aside
	defects defects
}

// item is a message on the active branch of a window, in order.
type item struct {
	at        int // index into the path
	candidate int
	replay    bool // was stored before, as the same candidate
	said      *said

	removedBy int // the item of the poll that the host forgets it with, else -1
	callAt    int // of a tool result: the item that made the call, else -1
	callIndex int // which of its calls
	repaired  bool
}

// newBuilder returns a builder for windows of so many entries in all.
func newBuilder(s *session.Session, entries int) *builder {
	return &builder{
		session: s,
		ids:     make(map[string]int, entries),
		numbers: map[string]int{},
		stored:  make(map[uint64]int, entries),
		spoken:  make(map[uint64]int, entries),
	}
}

// add appends a window: its messages as candidates, its user messages as turns.
// The error is that of ctx.
func (b *builder) add(ctx context.Context, w *window) error {
	if err := b.nameEntries(ctx, w); err != nil {
		return err
	}
	t, err := newTree(ctx, w.entries)
	if err != nil {
		return err
	}
	path := t.path()
	b.defects.addTree(t)
	items, err := b.place(ctx, w, path)
	if err != nil {
		return err
	}
	pairCalls(items)
	markForgotten(items)
	b.group(items)
	return b.walk(ctx, w, t, path, items)
}

// nameEntries gives an id to the entries of old files that have none, drops
// entries that are stored twice, and makes one of those that are further lines of
// a message under one id.
func (b *builder) nameEntries(ctx context.Context, w *window) error {
	seen := make(map[uint64]bool, len(w.entries))
	kept := w.entries[:0]
	var last written // of the last message
	for i, e := range w.entries {
		if err := givenUp(ctx, i); err != nil {
			return err
		}
		b.defects.addEntry(e)
		if e.id == "" && e.typ != typeHeader {
			e.id = "line-" + strconv.Itoa(e.rec.line)
		}
		if seen[e.hash] {
			b.defects.replays++
			continue
		}
		seen[e.hash] = true
		if e.msg != nil {
			if last.first != nil && last.first.id == e.id && continues(last.first.msg, e.msg) {
				last.add(e)
				continue
			}
			last.join()
			last = writtenIn(e)
		}
		kept = append(kept, e)
	}
	last.join()
	w.entries = kept
	return nil
}

// place makes a candidate of each message on the path. A message that was
// stored before stands for its first candidate, and a further line of the
// message before it extends that.
func (b *builder) place(ctx context.Context, w *window, path []int) ([]item, error) {
	items := make([]item, 0, len(path))
	first := len(b.session.Candidates)
	again := make(map[int]bool) // candidates of earlier windows that this one repeats
	b.session.Candidates = slices.Grow(b.session.Candidates, len(path))
	b.stores = slices.Grow(b.stores, len(path))
	var last written // of the last item
	extend := func() {
		if last.join() {
			it := &items[len(items)-1]
			it.said = last.first.msg
			fillCandidate(&b.session.Candidates[it.candidate], it.said)
		}
	}
	for at, i := range path {
		if err := givenUp(ctx, at); err != nil {
			return nil, err
		}
		e := w.entries[i]
		if e.msg == nil || e.msg.excluded {
			continue
		}
		c, replay := b.replayed(e)
		switch {
		case replay && (c >= first || again[c]):
			b.defects.replays++
		case replay:
			again[c] = true
		case len(items) > 0 && !items[len(items)-1].replay && continues(items[len(items)-1].said, e.msg):
			last.add(e)
			b.remember(items[len(items)-1].candidate, e)
			continue
		default:
			c = b.newCandidate(w, e)
		}
		extend()
		last = writtenIn(e)
		items = append(items, item{at: at, candidate: c, replay: replay, said: e.msg, removedBy: -1, callAt: -1})
	}
	extend()
	return items, nil
}

// replayed finds the candidate that an entry repeats.
func (b *builder) replayed(e *entry) (candidate int, ok bool) {
	if c, ok := b.stored[e.hash]; ok {
		return c, true
	}
	if e.msg.time.IsZero() {
		return 0, false
	}
	c, ok := b.spoken[e.msg.identity]
	return c, ok
}

func (b *builder) newCandidate(w *window, e *entry) int {
	c := len(b.session.Candidates)
	id := b.freeID(e.id, nil)
	b.ids[id] = c
	b.session.Candidates = append(b.session.Candidates, session.Candidate{ID: id, Time: e.msg.time})
	fillCandidate(&b.session.Candidates[c], e.msg)
	b.stores = append(b.stores, stored{e, w})
	b.remember(c, e)
	return c
}

// freeID is id, or where a candidate or one of others has that already, id with a
// number.
func (b *builder) freeID(id string, others map[string]bool) string {
	free := id
	for {
		if _, taken := b.ids[free]; !taken && !others[free] {
			return free
		}
		b.numbers[id] = max(b.numbers[id]+1, 2)
		free = id + "~" + strconv.Itoa(b.numbers[id])
	}
}

// remember makes later copies of an entry known as the candidate.
func (b *builder) remember(candidate int, e *entry) {
	b.stored[e.hash] = candidate
	if !e.msg.time.IsZero() {
		b.spoken[e.msg.identity] = candidate
	}
}

func fillCandidate(c *session.Candidate, m *said) {
	c.Kind = m.kind
	c.Text = m.text
	c.Tokens = m.tokens
	c.Calls = m.calls
	c.Images = m.images
	c.Internal = m.internal
	c.ThinkingUnsigned = m.unsigned
}

// group names the groups: an assistant message with calls and the results of
// those calls. A result without a call says so by having no group.
func (b *builder) group(items []item) {
	for i := range items {
		it := &items[i]
		c := &b.session.Candidates[it.candidate]
		switch {
		case it.said.kind == session.Tool && it.callAt >= 0:
			from := items[it.callAt]
			use := from.said.calls[it.callIndex]
			use.Error = it.said.isError
			if use.Name == "" {
				use.Name = it.said.toolName
			}
			c.Tool = &use
			c.Group = b.session.Candidates[from.candidate].ID
		case it.said.kind == session.Tool:
			c.Tool = &session.ToolUse{Name: it.said.toolName, CallID: it.said.toolCallID, Error: it.said.isError}
		case len(it.said.calls) > 0:
			c.Group = c.ID
		}
	}
}
