package tui

import (
	"testing"

	"pacms/selector"
)

// The grid underlines what has to do with the item under the cursor and nothing else,
// and says how many that are; a cursor on an item that stands alone underlines nothing.
func TestRelation(t *testing.T) {
	cfg := config(t)
	cfg.Strategy, _ = selector.ParseStrategy("pacms")
	drive(t, cfg, 120, 36, func(r *robot) {
		lit := 0
		for i := range r.m.shown.cells {
			r.start(r.m.point(i))
			r.settle()
			want := make([]bool, len(r.m.shown.cells))
			n := 0
			related, _ := r.m.shown.related(i)
			for _, k := range related {
				if !want[k] && k != i {
					want[k] = true
					n++
				}
			}
			relation := r.m.lit()
			switch {
			case n == 0:
				if relation != nil {
					t.Errorf("item %d has to do with nothing, and %d are underlined", i, relation.count)
				}
				r.seesNot("underlined: ")
				continue
			case relation == nil || relation.count != n:
				t.Fatalf("of %d related to item %d the relation is %+v", n, i, relation)
			}
			lit++
			r.sees("underlined: ")
			for k, is := range relation.cells() {
				if is != want[k] {
					t.Errorf("item %d: %d is underlined: %t, want %t", i, k, is, want[k])
				}
			}
		}
		if lit == 0 {
			t.Error("nothing was ever underlined")
		}
		// What belongs to another picture is not shown.
		r.m.relation = &relation{picture: nil, index: r.m.cursor}
		if r.m.lit() != nil {
			t.Error("the relation of another picture is shown")
		}
	})
}
