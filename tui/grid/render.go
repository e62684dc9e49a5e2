package grid

import (
	"pacms/themes"
	"pacms/tui/paint"
)

// Render draws height lines from line top on, margin columns from the left; cursor is the cell under the
// cursor, or -1.
func (a *Arrangement) Render(b *paint.Block, t *themes.Table, margin, cursor, top, height int) {
	for r := top; r < top+height; r++ {
		if r >= len(a.rows) {
			b.End()
			continue
		}
		row := a.rows[r]
		a.head(b, t, row, margin)
		for place := row.from; place < row.to; place++ {
			i := a.placed(place)
			a.cell(b, t, &a.cells[i], i == cursor)
		}
		if row.lane >= 0 {
			a.counts(b, t, row.lane)
		}
		b.End()
	}
}

// head writes the label of a row: the turn of its first cell that has one, or
// its kind.
func (a *Arrangement) head(b *paint.Block, t *themes.Table, r row, margin int) {
	b.To("", margin)
	switch {
	case a.lanes == nil:
		for _, c := range a.cells[r.from:r.to] {
			if c.Turn > 0 {
				b.Put(t.Muted, "t")
				b.Count(t.Muted, c.Turn)
				break
			}
		}
	case r.lane >= 0:
		b.Put(t.Kinds[min(r.lane, themes.KindCount-1)], a.lanes[r.lane].Name)
	}
	b.To("", margin+a.label)
}

// counts writes what is kept of a lane at the right edge.
func (a *Arrangement) counts(b *paint.Block, t *themes.Table, lane int) {
	l := a.lanes[lane]
	b.To("", b.Width()-totals+1)
	b.Count(t.Muted, l.Kept)
	b.Put(t.Muted, "/")
	b.Count(t.Muted, l.Offered)
	b.To("", b.Width()-6)
	b.Tokens(t.Muted, l.Tokens)
}

func (a *Arrangement) cell(b *paint.Block, t *themes.Table, c *Cell, cursor bool) {
	sign, shade := look(c, t.Glyphs)
	switch {
	case cursor && c.Needed && c.Verdict != themes.Dropped:
		shade = themes.MarkedCursor
	case cursor:
		shade = themes.Cursor
	}
	style := t.Cell(c.Kind, c.Verdict, shade)
	b.Cell(style, sign)
	if a.pitch == 1 {
		return
	}
	second := " "
	switch {
	case t.Glyphs.Solid && (sign == t.Glyphs.Kept || sign == t.Glyphs.Dropped):
		second = sign
	case shade == themes.Changed:
		style = "" // the line under a changed cell is no wider than its sign
	}
	b.Cell(style, second)
}

// look is the sign and the shade of a cell that the cursor is not on. The sign is
// the verdict: a change underlines it, and what the turn needs has a sign and a
// colour of its own whether it is dropped or kept.
func look(c *Cell, g *themes.Glyphs) (sign string, shade themes.Shade) {
	if c.Needed {
		if c.Verdict == themes.Dropped {
			return g.Needed, themes.Marked
		}
		return g.Required, themes.Marked
	}
	if c.Change != Same {
		shade = themes.Changed
	}
	switch c.Verdict {
	case themes.Required:
		return g.Required, shade
	case themes.Kept:
		return g.Kept, shade
	default:
		return g.Dropped, shade
	}
}
