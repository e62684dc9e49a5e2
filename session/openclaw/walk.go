package openclaw

import (
	"context"
	"sort"

	"pacms/session"
)

// spanList is an ordered list of candidates. Its snapshots share memory: what
// is added after one starts a span of its own.
type spanList struct {
	spans    []session.Span
	has      []int // by candidate, the round in which it was added
	round    int
	sealed   bool
	repaired int
}

// add appends a candidate unless the list has it.
func (l *spanList) add(candidate int, repaired bool) {
	if n := candidate + 1 - len(l.has); n > 0 {
		l.has = append(l.has, make([]int, n)...)
	}
	if l.has[candidate] > l.round {
		return
	}
	l.has[candidate] = l.round + 1
	if repaired {
		l.repaired++
	}
	if n := len(l.spans); !l.sealed && n > 0 && l.spans[n-1].To == candidate {
		l.spans[n-1].To++
		return
	}
	l.spans = append(l.spans, session.Span{From: candidate, To: candidate + 1})
	l.sealed = false
}

// empty begins again. What tells which candidates the list has stays, for it is as
// long as the session.
func (l *spanList) empty() { *l = spanList{has: l.has, round: l.round + 1} }

func (l *spanList) snapshot() []session.Span {
	l.sealed = true
	return l.spans[:len(l.spans):len(l.spans)]
}

// walker goes along the active branch of a window and notes at each user
// message what the host would have offered for it.
type walker struct {
	*builder
	entries []*entry
	path    []int
	items   []item
	itemAt  []int // by the place on the path, -1 where no message is
	// placeOf is the place on the path by id, kept the first item from each one on
	// that a boundary may begin with, len(items) where there is none.
	placeOf  map[string]int
	kept     []int
	offered  spanList
	start    int // the first item that the host still knows
	boundary *session.Boundary
	turn     *session.Turn
}

// walk makes the turns of a window. The error is that of ctx.
func (b *builder) walk(ctx context.Context, w *window, t *tree, path []int, items []item) error {
	wk := &walker{builder: b, entries: w.entries, path: path, items: items, itemAt: make([]int, len(path))}
	for at := range wk.itemAt {
		wk.itemAt[at] = -1
	}
	for k := range items {
		wk.itemAt[items[k].at] = k
	}
	wk.index()
	turnOf := wk.number(t)
	if w.later {
		wk.boundary = &session.Boundary{Kind: session.BoundaryReset, EntryID: w.id, Time: w.created}
	}
	for at, i := range path {
		if err := givenUp(ctx, at); err != nil {
			return err
		}
		e := w.entries[i]
		if e.typ == typeCompaction || e.typ == typeReset {
			if err := ctx.Err(); err != nil { // what is kept may be all before it
				return err
			}
			wk.cross(at, e)
			continue
		}
		if n := turnOf[i]; n >= 0 {
			wk.begin(&b.session.Turns[n])
		}
		if k := wk.itemAt[at]; k >= 0 {
			wk.say(k)
		}
	}
	return nil
}

// index fills in placeOf and kept.
func (w *walker) index() {
	w.placeOf = make(map[string]int, len(w.path))
	for at, i := range w.path {
		if id := w.entries[i].id; id != "" {
			w.placeOf[id] = at // on a path an id is once
		}
	}
	w.kept = make([]int, len(w.items)+1)
	w.kept[len(w.items)] = len(w.items)
	for k := len(w.items) - 1; k >= 0; k-- {
		w.kept[k] = k
		if w.items[k].said.role == "compactionSummary" {
			w.kept[k] = w.kept[k+1]
		}
	}
}

// begin notes what is offered for a turn.
func (w *walker) begin(t *session.Turn) {
	t.Window = w.offered.snapshot()
	t.Key = w.key.snapshot()
	t.IDsRepaired = w.offered.repaired
	t.Boundary, w.boundary = w.boundary, nil
	w.turn = t
}

// say appends item k to what is offered from now on.
func (w *walker) say(k int) {
	it := &w.items[k]
	c := &w.session.Candidates[it.candidate]
	if w.turn != nil {
		if c.Turn == 0 {
			c.Turn = w.turn.Number
		}
		if it.said.kind == session.Assistant && it.said.words != "" {
			w.turn.Answer = it.said.words
		}
		if w.turn.Reported == 0 {
			w.turn.Reported = it.said.reported
		}
	}
	w.offer(k)
	if it.removedBy < 0 {
		w.key.add(it.candidate, it.repaired)
	}
}

// offer appends item k unless the host would not send it: it was forgotten with
// its poll, or its tool call lies before what the host still knows.
func (w *walker) offer(k int) {
	it := &w.items[k]
	if it.removedBy >= w.start || it.callAt >= 0 && it.callAt < w.start {
		return
	}
	w.offered.add(it.candidate, it.repaired)
}

// cross applies the compaction or reset at a place of the path.
func (w *walker) cross(at int, e *entry) {
	w.boundary = &session.Boundary{Kind: e.typ, EntryID: e.id, Time: e.time, Earlier: w.boundary}
	w.offered.empty()
	if summary := w.itemAt[at]; summary >= 0 {
		w.say(summary)
		w.boundary.Summary = w.items[summary].candidate + 1
	}
	first := w.firstKept(at, e)
	w.start = w.kept[sort.Search(len(w.items), func(k int) bool { return w.items[k].at >= first })]
	if w.start < len(w.items) && w.items[w.start].at < at {
		w.boundary.KeptFrom = w.items[w.start].candidate + 1
	}
	for k := w.start; k < len(w.items) && w.items[k].at < at; k++ {
		if keptAcross(e.typ, &w.items[k]) {
			w.offer(k)
		}
	}
}

// keptAcross reports whether the host keeps an item before a boundary when the
// boundary says that its part is kept: a reset keeps only the conversation, and
// no earlier compaction's summary survives a later boundary.
func keptAcross(boundary string, it *item) bool {
	if boundary == typeReset {
		switch it.said.role {
		case "user", "assistant":
			return true
		case "toolResult":
			return it.callAt >= 0
		}
		return false
	}
	return it.said.role != "compactionSummary"
}

// firstKept is the place on the path from which the host keeps what lies before
// a boundary. A compaction that names an entry which is not there keeps
// everything: no history is lost because of a bad reference.
func (w *walker) firstKept(at int, e *entry) int {
	if place, ok := w.placeOf[e.firstKept]; ok && place < at {
		return place
	}
	if e.firstKept != "" || e.typ == typeCompaction {
		w.defects.lostKept = append(w.defects.lostKept, e.id)
	}
	if e.typ == typeCompaction {
		return 0
	}
	return at
}

// number makes a turn of each user message, in the order of the store, and
// returns the index of the turn that each entry starts, -1 where it starts none.
func (w *walker) number(t *tree) []int {
	const offPath = -1
	placeOf := make([]int, len(w.entries)) // on the path
	turnOf := make([]int, len(w.entries))
	for i := range w.entries {
		placeOf[i], turnOf[i] = offPath, -1
	}
	for at, i := range w.path {
		placeOf[i] = at
	}
	owner := make(map[string]int) // the turn that each entry off the path belongs to
	for i, e := range w.entries {
		at := placeOf[i]
		if turn, ok := w.newTurn(e, at); ok {
			turnOf[i] = len(w.session.Turns)
			w.session.Turns = append(w.session.Turns, turn)
		}
		if e.msg != nil && (at == offPath || e.msg.excluded) {
			w.aside = append(w.aside, aside{entry: e, turn: len(w.session.Turns)})
		}
		if at != offPath {
			continue
		}
		n := turnOf[i]
		if n < 0 {
			var ok bool
			if n, ok = owner[t.parent[i]]; !ok {
				continue
			}
		}
		owner[e.id] = n
		if e.msg != nil && e.msg.kind == session.Assistant && e.msg.words != "" {
			w.session.Turns[n].Answer = e.msg.words
		}
	}
	return turnOf
}

// newTurn is the turn that an entry starts; at is its place on the path,
// negative for one that was left behind. Further lines of a message and messages
// that were stored before start none.
func (w *walker) newTurn(e *entry, at int) (t session.Turn, ok bool) {
	if e.msg == nil || e.msg.role != "user" || e.msg.excluded {
		return t, false
	}
	t = session.Turn{
		Number: len(w.session.Turns) + 1, EntryID: e.id, Time: e.msg.time,
		Branch: session.BranchOther, Internal: e.msg.internal, Query: e.msg.words,
	}
	if at < 0 {
		_, again := w.replayed(e)
		return t, !again
	}
	k := w.itemAt[at]
	if k < 0 || w.items[k].replay {
		return t, false
	}
	t.Branch = session.BranchActive
	t.EntryID = w.session.Candidates[w.items[k].candidate].ID
	t.Query = w.items[k].said.words
	return t, true
}
