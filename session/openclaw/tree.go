package openclaw

import (
	"context"
	"slices"
)

// tree is the parent links of a transcript as the host resolves them.
type tree struct {
	entries []*entry
	parent  []string       // of each entry, after all corrections; empty for a root
	byID    map[string]int // the last entry with an id
	leaf    string

	// What was wrong with the links.
	missingParents, cycles, badLeafRows int
}

// scan is the state while the links of a transcript are resolved in file order.
type scan struct {
	*tree
	// appendTo is where the host would append next; it differs from the leaf
	// after a leaf row that says so.
	appendTo string
	// stands is, of each leaf row, the entry that it stands for as far as was
	// looked, and met the search that came by it last.
	stands      []string
	met         []int
	searches    int
	reset       bool
	afterReset  map[string]bool // ids that descend from the last reset, it included
	badLeafRows map[string]bool // rows that point nowhere
}

// newTree resolves the links of entries. No link fails: one that leads nowhere
// continues at the leaf of that moment, as in the host. The error is that of ctx.
func newTree(ctx context.Context, entries []*entry) (*tree, error) {
	t := &tree{entries: entries, parent: make([]string, len(entries)), byID: make(map[string]int, len(entries))}
	s := &scan{
		tree: t, stands: make([]string, len(entries)), met: make([]int, len(entries)),
		afterReset: map[string]bool{}, badLeafRows: map[string]bool{},
	}
	for i := range entries {
		if err := givenUp(ctx, i); err != nil {
			return nil, err
		}
		switch e := entries[i]; {
		case e.typ == typeHeader:
		case e.typ == typeLeaf:
			s.leafRow(i)
		case canonical(e.typ):
			s.entry(i)
		case e.parent.set:
			s.add(i, e.parent.id)
			s.appendTo = e.id
		}
	}
	return t, nil
}

// givenUp is the error of ctx, asked for at every 1024th entry alone.
func givenUp(ctx context.Context, i int) error {
	if i%1024 != 0 {
		return nil
	}
	return ctx.Err()
}

// add places entry i below parent.
func (s *scan) add(i int, parent string) {
	e := s.entries[i]
	s.parent[i] = parent
	if e.typ == typeLeaf {
		s.stands[i] = s.throughLeafRows(parent)
	}
	s.byID[e.id] = i
	if e.typ == typeReset {
		s.reset = true
		s.afterReset = map[string]bool{e.id: true} // clearing one that was large takes long
	} else if parent != "" && s.afterReset[parent] {
		s.afterReset[e.id] = true
	}
}

// known reports whether a leaf row may point to id; the empty id is the root.
func (s *scan) known(id string) bool {
	_, ok := s.byID[id]
	return id == "" || ok && !s.badLeafRows[id]
}

// leafRow moves the leaf to where a leaf row points. Once there was a reset, a
// row that points before it changes nothing.
func (s *scan) leafRow(i int) {
	e := s.entries[i]
	if !e.target.set || !e.parent.set {
		s.tree.badLeafRows++
		return
	}
	target, appendTo := e.target.id, e.target.id
	if e.appendParent.set {
		appendTo = e.appendParent.id
	}
	if s.reset && s.leaf != "" && !s.afterReset[target] {
		target, appendTo = s.leaf, s.leaf
	}
	if !s.known(target) || !s.known(appendTo) {
		s.tree.badLeafRows++
		s.badLeafRows[e.id] = true
		s.add(i, e.parent.id)
		return
	}
	s.add(i, target)
	s.leaf, s.appendTo = target, appendTo
}

// entry places an entry that moves the leaf, unless it was appended beside the branch.
func (s *scan) entry(i int) {
	e := s.entries[i]
	parent := e.parent.id
	_, exists := s.byID[parent]
	missing := e.parent.set && parent != "" && !exists
	if missing {
		s.missingParents++
	}
	switch {
	case !e.parent.set: // a file without links is a single branch
		parent = s.leaf
	case e.side:
	case s.reset && !s.afterReset[parent],
		missing && s.leaf != "",
		parent == s.appendTo && s.leaf != s.appendTo:
		parent = s.leaf
	}
	s.add(i, s.throughLeafRows(parent))
	s.appendTo = e.id
	if !e.side {
		s.leaf = e.id
	}
}

// throughLeafRows follows id through leaf rows to the entry that they stand for,
// and notes that at all of them: a chain of rows is gone along once. Rows that
// point at each other in a circle stand for one of them.
func (s *scan) throughLeafRows(id string) string {
	s.searches++
	var rows []int
	for {
		i, ok := s.byID[id]
		if id == "" || !ok || s.entries[i].typ != typeLeaf || s.met[i] == s.searches {
			break
		}
		s.met[i] = s.searches
		rows = append(rows, i)
		id = s.stands[i]
	}
	for _, i := range rows {
		s.stands[i] = id
	}
	return id
}

// path is the active branch, root first, as indices into the entries. A cycle
// ends it.
func (t *tree) path() []int {
	var path []int
	seen := make(map[int]bool, len(t.entries))
	for id := t.leaf; id != ""; {
		i, ok := t.byID[id]
		if !ok {
			break
		}
		if seen[i] {
			t.cycles++
			break
		}
		seen[i] = true
		if t.entries[i].typ != typeLeaf {
			path = append(path, i)
		}
		id = t.parent[i]
	}
	slices.Reverse(path)
	return path
}
