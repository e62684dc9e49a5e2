// Package compare draws what two selections keep, one above the other in the same
// order of time: what A alone keeps, what B alone keeps, both and neither. Colours do
// not stand for kinds here, and no sign means something by its colour alone.
package compare

import (
	"pacms/selector/compare"
	"pacms/themes"
	"pacms/tui/paint"
)

// Fate is what became of an item on one side.
type Fate uint8

// The fates.
const (
	Absent Fate = iota // it is not offered there
	Dropped
	Kept
)

// Item is something that at least one side was offered.
type Item struct {
	Fates [2]Fate
	// Needed says of each side whether the turn seems to need it there.
	Needed [2]bool
	// Turn in which it was said; 0 unknown.
	Turn int
}

// Differs reports whether one side keeps the item and the other does not.
func (i Item) Differs() bool { return (i.Fates[0] == Kept) != (i.Fates[1] == Kept) }

// Side is one of the two selections.
type Side struct {
	// Name is the strategy, Own what else this side has for itself, such as its
	// budget or its turn; it may be empty.
	Name, Own string
	// Items and Tokens are kept; Over is by how many tokens they exceed the budget.
	Items, Tokens, Over int
	// Estimated is set where tokens are.
	Estimated bool
	// Kinds are what is kept by kind, in the order in which they are told.
	Kinds []Count
	// Needs is how much the turn seems to need of its pool and Missed how much of
	// that is dropped; Estimate is set where that is a guess.
	Needs, Missed int
	Estimate      bool
	// Budget in tokens.
	Budget int
}

// Count is a number of items with what they are.
type Count struct {
	Name string
	N    int
}

// Entry is an item in the list of what one side alone keeps.
type Entry struct {
	// Item is its place among the items.
	Item int
	// Label names it, Kind says what it is, Reason why the other side has it not.
	Label, Kind, Reason string
	Tokens              int
	Needed              bool
}

// View is a comparison as it is drawn. All texts are free of control characters.
type View struct {
	Sides     [2]Side
	Items     []Item
	Agreement compare.Agreement
	// Only are what each side alone keeps, in the order in which it is listed.
	Only [2][]Entry
	// Text gives what an entry says on at most width columns.
	Text func(e Entry, width int) string

	Title, Where string
	// Asked is the question; Factors are what the sides differ in.
	Asked, Factors string
	// Basis is what the whole bar stands for, Pool the tokens of the larger pool, and
	// Budget where the handle stands.
	Basis, Pool, Budget int
	Source              string

	// Cursor is the item under the cursor, Top the first line of the grids. Moved is
	// set once a person has put the cursor somewhere: the lists follow it from then on.
	Cursor, Top int
	Moved       bool
	// Detail are the lines on the item under the cursor.
	Detail []Detail
	Layout Layout
}

// Detail is a line on the item under the cursor: the side that it is of, -1 none, the
// verdict in a word and the rest in a sentence.
type Detail struct {
	Side          int
	Verdict, Text string
}

// sideNames are what the sides are called.
var sideNames = [2]string{"A", "B"}

// style is the colour of a side. The colours of two kinds are taken, which every theme
// keeps apart.
func style(t *themes.Table, side int) themes.Style {
	if side == 0 {
		return t.Kinds[1]
	}
	return t.Kinds[3]
}

// only is the sign of what a side alone keeps.
func only(g *themes.Glyphs, side int) string {
	if side == 0 {
		return g.OnlyA
	}
	return g.OnlyB
}

// Render draws all lines of the layout.
func (v *View) Render(b *paint.Block, t *themes.Table) {
	l := v.Layout
	upTo := func(y int) { b.Blank(y - b.Height()) }
	v.title(b, t)
	v.asked(b, t)
	v.bar(b, t)
	if l.Budget > 0 {
		v.budget(b, t)
	}
	for side := range v.Sides {
		upTo(l.Heads[side])
		v.head(b, t, side)
		v.grid(b, t, side)
	}
	upTo(l.Blend)
	v.blend(b, t)
	v.counts(b, t)
	upTo(l.Lists.Y)
	v.lists(b, t)
	if l.Detail.H > 0 {
		upTo(l.Detail.Y)
		v.detail(b, t)
	}
	upTo(l.Height)
}

// grid draws the cells of a side.
func (v *View) grid(b *paint.Block, t *themes.Table, side int) {
	l := v.Layout
	for line := v.Top; line < v.Top+l.Grid; line++ {
		from := line * l.Per
		row := v.Items[min(from, len(v.Items)):min(from+l.Per, len(v.Items))]
		b.Put("", " ")
		for i := range row {
			if row[i].Turn > 0 {
				b.Put(t.Muted, "t")
				b.Count(t.Muted, row[i].Turn)
				break
			}
		}
		b.To("", 1+l.Label)
		for i := range row {
			sign, look := v.cell(t, from+i, side)
			b.Cell(look, sign)
			if l.Pitch > 1 {
				b.Repeat("", " ", l.Pitch-1)
			}
		}
		b.End()
	}
}

// cell is the sign of an item on a side and its look.
func (v *View) cell(t *themes.Table, i, side int) (sign string, look themes.Style) {
	g, it := t.Glyphs, &v.Items[i]
	switch fate := it.Fates[side]; {
	case fate == Absent:
		sign, look = " ", t.Faint
	case fate == Dropped && it.Needed[side]:
		sign, look = g.Needed, t.Alarm
	case fate == Dropped:
		sign, look = g.Dropped, t.Faint
	case it.Fates[1-side] == Kept:
		sign, look = g.Full, t.Text
	default:
		sign, look = only(g, side), style(t, side)
	}
	if it.Fates[side] == Kept && it.Needed[side] {
		sign = g.Required
	}
	switch {
	case i == v.Cursor && it.Fates[side] == Kept && it.Needed[side]:
		look = t.Cell(0, themes.Kept, themes.MarkedCursor)
	case i == v.Cursor:
		look = t.Cell(0, themes.Kept, themes.Cursor)
	case it.Fates[side] == Kept && it.Needed[side]:
		look = t.Cell(0, themes.Kept, themes.Marked)
	}
	return sign, look
}
