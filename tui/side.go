package tui

import (
	"strconv"
	"strings"

	"pacms/themes"
	"pacms/tui/grid"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// sideKey is everything that the two lists of a wide screen are drawn from.
type sideKey struct {
	table   *themes.Table
	picture *picture
	others  *other
	search  bool
	size    rect
}

// changesLines lists what came in and left, with the text of each.
func (m *Model) changesLines() []string {
	size := m.layout.Changes
	return m.panes.changes.draw(sideKey{table: m.table, picture: m.shown, search: m.search != nil, size: size}, m.glyphs, size.W, func(b *paint.Block) {
		t, p := m.table, m.shown
		b.Put(t.Muted, " WHAT CHANGED")
		if p.since != "" {
			b.Put(t.Muted, " since "+p.since)
		}
		b.End()
		room := size.H - 2
		for n, i := range p.changed {
			if n == room-1 && len(p.changed) > room {
				b.Put(t.Muted, " and "+paint.Count(len(p.changed)-n)+" more")
				if m.search == nil {
					b.Put(t.Muted, ": n walks them")
				}
				b.End()
				return
			}
			m.changeLine(b, i)
		}
		switch {
		case p.since == "":
			b.Put(t.Muted, " there is no picture before this one")
			b.End()
		case len(p.changed) == 0:
			b.Put(t.Muted, " nothing")
			b.End()
		}
	})
}

func (m *Model) changeLine(b *paint.Block, i int) {
	t, p := m.table, m.shown
	c := &p.pool.Candidates[i]
	sign, style := m.glyphs.Left, t.Muted
	if p.cells[i].Change == grid.In {
		sign, style = m.glyphs.In, t.Text
	}
	b.Put(style, " "+sign+" ")
	b.Put(style, "#"+strconv.Itoa(p.numbers[i])+" ")
	b.Put(t.Kinds[p.cells[i].Kind], string(c.Kind)+" ")
	b.Clip(style, safe.Line(paint.Head(c.Content(), b.Width())), b.Room()-2)
	b.End()
}

// othersLines is the table of strategies on this turn within this budget.
func (m *Model) othersLines() []string {
	size := m.layout.Others
	key := sideKey{table: m.table, picture: m.shown, size: size}
	if len(m.others) > 0 {
		key.others = &m.others[0]
	}
	return m.panes.others.draw(key, m.glyphs, size.W, func(b *paint.Block) {
		t := m.table
		b.Put(t.Muted, "STRATEGIES")
		b.To("", 15)
		b.Put(t.Muted, "items  tokens")
		if lead := m.shown.lead; lead != nil {
			b.Put(t.Muted, "  #"+strconv.Itoa(m.shown.numbers[m.shown.cheapest(lead)]))
		}
		b.End()
		if m.others == nil {
			b.Put(t.Muted, "running them …")
			b.End()
			return
		}
		for k := range m.others {
			m.otherLine(b, k)
		}
	})
}

func (m *Model) otherLine(b *paint.Block, k int) {
	t, o := m.table, &m.others[k]
	style := t.Text
	if o.strategy.String() == m.shown.strategy.String() {
		style = t.Strong
	}
	b.Clip(style, m.labels[k], 14)
	b.To("", 15)
	b.Put(style, right(paint.Count(o.kept), 5)+right(paint.Tokens(o.tokens), 8))
	switch {
	case m.shown.lead == nil:
	case o.keeps:
		b.Put(style, "  kept")
	default:
		b.Put(t.Muted, "  dropped")
	}
	b.End()
}

// right puts a number at the right of a column.
func right(s string, width int) string {
	return strings.Repeat(" ", max(width-len(s), 0)) + s
}
