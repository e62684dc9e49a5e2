package openclaw

import "pacms/session"

// spanList is an ordered list of candidates. Its snapshots share memory: what
// is added after one starts a span of its own.
type spanList struct {
	spans    []session.Span
	has      map[int]bool
	sealed   bool
	repaired int
}

func newSpanList() *spanList { return &spanList{has: make(map[int]bool)} }

// add appends a candidate unless the list has it.
func (l *spanList) add(candidate int, repaired bool) {
	if l.has[candidate] {
		return
	}
	l.has[candidate] = true
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

func (l *spanList) snapshot() []session.Span {
	l.sealed = true
	return l.spans[:len(l.spans):len(l.spans)]
}

// walker goes along the active branch of a window and notes at each user
// message what the host would have offered for it.
type walker struct {
	*builder
	entries  []*entry
	path     []int
	items    []item
	itemAt   map[int]int // items by their place on the path
	offered  *spanList
	start    int // the first item that the host still knows
	boundary *session.Boundary
	turn     *session.Turn
}

// walk makes the turns of a window.
func (b *builder) walk(w *window, t *tree, path []int, items []item) {
	turns := b.turnsOf(w, path, items)
	b.otherAnswers(t, path, turns)
	wk := &walker{builder: b, entries: w.entries, path: path, items: items, itemAt: make(map[int]int, len(items)), offered: newSpanList()}
	for k := range items {
		wk.itemAt[items[k].at] = k
	}
	if w.later {
		wk.boundary = &session.Boundary{Kind: typeReset, EntryID: w.id, Time: w.created}
	}
	for at, i := range path {
		e := w.entries[i]
		if e.typ == typeCompaction || e.typ == typeReset {
			wk.cross(at, e)
			continue
		}
		if n, ok := turns[i]; ok {
			wk.begin(&b.session.Turns[n])
		}
		if k, ok := wk.itemAt[at]; ok {
			wk.say(k)
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
	w.boundary = &session.Boundary{Kind: e.typ, EntryID: e.id, Time: e.time}
	summary, hasSummary := w.itemAt[at]
	w.offered = newSpanList()
	if hasSummary {
		w.say(summary)
	}
	first := w.firstKept(at, e)
	w.start = len(w.items)
	for k := range w.items {
		if it := &w.items[k]; it.at >= first && it.said.role != "compactionSummary" {
			w.start = k
			break
		}
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
	for k, i := range w.path[:at] {
		if w.entries[i].id == e.firstKept {
			return k
		}
	}
	if e.firstKept != "" || e.typ == typeCompaction {
		w.defects.lostKept = append(w.defects.lostKept, e.id)
	}
	if e.typ == typeCompaction {
		return 0
	}
	return at
}

// turnsOf numbers the user messages of a window in the order of the store and
// appends them to the session's turns. It returns the turn of each entry.
func (b *builder) turnsOf(w *window, path []int, items []item) map[int]int {
	itemOf := make(map[int]*item, len(items))
	for k := range items {
		itemOf[path[items[k].at]] = &items[k]
	}
	onPath := indexSet(path)
	turns := make(map[int]int)
	for i := range w.entries {
		e := w.entries[i]
		if e.msg == nil || e.msg.role != "user" || e.msg.excluded {
			continue
		}
		t := session.Turn{
			Number: len(b.session.Turns) + 1, EntryID: e.id, Time: e.msg.time,
			Branch: session.BranchOther, Internal: e.msg.internal, Query: e.msg.words,
		}
		if onPath[i] {
			it, ok := itemOf[i]
			if !ok || it.replay {
				continue // a further line of a message, or a message that was stored before
			}
			t.Branch = session.BranchActive
			t.EntryID = b.session.Candidates[it.candidate].ID
			t.Query = it.said.words
		} else if _, again := b.replayed(e); again {
			continue
		}
		turns[i] = len(b.session.Turns)
		b.session.Turns = append(b.session.Turns, t)
	}
	return turns
}

// otherAnswers fills in the answers of the turns that were left behind: the
// last text of the agent below the user message.
func (b *builder) otherAnswers(t *tree, path []int, turns map[int]int) {
	onPath := indexSet(path)
	owner := make(map[string]int) // the turn that each entry off the path belongs to
	for i := range t.entries {
		if onPath[i] {
			continue
		}
		e := t.entries[i]
		n, ok := turns[i]
		if !ok {
			n, ok = owner[t.parent[i]]
		}
		if !ok {
			continue
		}
		owner[e.id] = n
		if e.msg != nil && e.msg.kind == session.Assistant && e.msg.words != "" {
			b.session.Turns[n].Answer = e.msg.words
		}
	}
}

func indexSet(indices []int) map[int]bool {
	set := make(map[int]bool, len(indices))
	for _, i := range indices {
		set[i] = true
	}
	return set
}
