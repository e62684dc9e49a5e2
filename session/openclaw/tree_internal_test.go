package openclaw

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Leaf rows lead where going along all of them would, and each remembers it.
func TestThroughLeafRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "entries")
		entries := make([]*entry, n)
		for i := range entries {
			entries[i] = &entry{id: strconv.Itoa(i), typ: rapid.SampledFrom([]string{typeLeaf, typeLeaf, typeLeaf, typeMessage}).Draw(t, "type")}
		}
		s := &scan{
			tree:   &tree{entries: entries, parent: make([]string, n), byID: map[string]int{}},
			stands: make([]string, n), met: make([]int, n), afterReset: map[string]bool{}, badLeafRows: map[string]bool{},
		}
		for i := range entries { // a parent that comes later makes circles
			s.add(i, strconv.Itoa(rapid.IntRange(-1, n).Draw(t, "parent")))
		}
		for i, e := range entries {
			want := e.id
			circle := false
			for steps := 0; ; steps++ {
				at, ok := s.byID[want]
				if !ok || entries[at].typ != typeLeaf {
					break
				}
				if circle = steps > n; circle {
					break
				}
				want = s.parent[at]
			}
			got := s.throughLeafRows(e.id)
			if at, ok := s.byID[got]; circle && (!ok || entries[at].typ != typeLeaf) {
				t.Fatalf("row %d, on a circle of rows, leads to %q", i, got)
			}
			if !circle && got != want {
				t.Fatalf("row %d leads to %q, not %q", i, got, want)
			}
			if e.typ == typeLeaf && s.stands[i] != got {
				t.Fatalf("row %d does not remember that it stands for %q", i, got)
			}
		}
	})
}
