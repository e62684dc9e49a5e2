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
	// about is the candidate that the strategies are asked about, -1 none.
	about int
	size  rect
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
		gone := p.in + p.left - len(p.changed) // what left is not always offered any more
		if gone > 0 {
			room = max(room-1, 1)
		}
		for n, i := range p.changed {
			if n == room-1 && len(p.changed) > room {
				b.Put(t.Muted, " and "+paint.Count(len(p.changed)-n)+" more")
				if m.search == nil {
					b.Put(t.Muted, ": n walks them")
				}
				b.End()
				break
			}
			m.changeLine(b, i)
		}
		switch {
		case gone > 0:
			b.Put(t.Muted, " "+m.glyphs.Left+" "+paint.Count(gone)+" not offered any more")
			b.End()
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
	key := sideKey{table: m.table, picture: m.shown, about: m.asksAbout(), size: size}
	if len(m.others) > 0 {
		key.others = &m.others[0]
	}
	return m.panes.others.draw(key, m.glyphs, size.W, func(b *paint.Block) {
		t, c := m.table, m.otherColumns(size.W)
		b.Put(t.Muted, "STRATEGIES")
		b.To("", c.items-5)
		b.Put(t.Muted, "items"+right("tokens", c.tokens-c.items)+right(c.head, max(c.misses-c.tokens, 0))+"  "+c.lead)
		b.End()
		if m.others == nil {
			b.Put(t.Muted, "running them …")
			b.End()
			return
		}
		for k := range m.others {
			m.otherLine(b, k, c)
		}
	})
}

// asksAbout is the candidate of which the table says who keeps it: what the turn needs,
// else the one under the cursor; -1 without any.
func (m *Model) asksAbout() int {
	switch p := m.shown; {
	case p.lead != nil:
		return p.cheapest(p.lead)
	case m.cursor < len(p.cells):
		return m.cursor
	}
	return -1
}

// otherColumns are where the numbers of the table of strategies end, and its words.
type otherColumns struct {
	items, tokens, misses int
	// Without room for the misses theirs is 0. head is that of the misses; lead is what the last column is about, keeps and
	// drops what it says of that.
	head, lead, keeps, drops string
}

// otherColumns lays the table out on a width.
func (m *Model) otherColumns(width int) otherColumns {
	c := otherColumns{items: 20, tokens: 28, head: "likely misses"}
	if width < 56 {
		c.items, c.tokens = 16, 23
	}
	p, about := m.shown, m.asksAbout()
	c.misses = c.tokens + 2 + len(c.head)
	if about < 0 {
		if c.misses >= width {
			c.head, c.misses = "", 0
		}
		return c
	}
	if p.lead != nil && !p.lead.Estimate() {
		c.head = "misses"
		c.misses = c.tokens + 2 + len(c.head)
	}
	number := "#" + strconv.Itoa(p.numbers[about])
	c.keeps, c.drops = "keeps "+number+" "+m.glyphs.Had, "drops "+number
	if c.misses+2+len("keeps ")+len(number)+2 >= width {
		c.lead, c.keeps, c.drops = number, "kept "+m.glyphs.Had, "dropped"
	}
	if c.misses+2+len(c.drops) >= width { // what the box is about comes first
		c.head, c.misses = "", 0
	}
	if max(c.misses, c.tokens)+2+len(c.drops) >= width {
		c.keeps, c.drops = m.glyphs.Had, m.glyphs.Miss
	}
	return c
}

func (m *Model) otherLine(b *paint.Block, k int, c otherColumns) {
	t, o := m.table, &m.others[k]
	style := t.Text
	if o.strategy.String() == m.shown.strategy.String() {
		style = t.Strong
	}
	b.Clip(style, m.labels[k], c.items-6)
	b.To("", c.items-5)
	b.Put(style, right(paint.Count(o.kept), 5)+right(paint.Tokens(o.tokens), c.tokens-c.items))
	missed := style
	if o.missed > 0 {
		missed = t.Alarm
	}
	switch {
	case c.misses == 0:
	case m.shown.lead == nil: // nothing is known to be needed, so that nothing can be missed
		b.Put(t.Muted, strings.Repeat(" ", c.misses-c.tokens-1)+"–")
	default:
		b.Put(missed, right(paint.Count(o.missed), c.misses-c.tokens))
	}
	switch about := m.asksAbout(); {
	case about < 0:
	case m.shown.lead != nil && o.keeps, m.shown.lead == nil && o.keepsItem(about):
		b.Put(style, "  "+c.keeps)
	default:
		b.Put(t.Muted, "  "+c.drops)
	}
	b.End()
}

// right puts a number at the right of a column.
func right(s string, width int) string {
	return strings.Repeat(" ", max(width-len(s), 0)) + s
}
