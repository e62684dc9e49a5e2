package grid

import (
	"pacms/themes"
	"pacms/tui/paint"
)

// Render draws the lines of f.
func (a *Arrangement) Render(b *paint.Block, t *themes.Table, f Frame) {
	for r := f.Top; r < f.Top+f.Height; r++ {
		if r >= len(a.rows) {
			b.End()
			continue
		}
		row := a.rows[r]
		a.head(b, t, row, f.Margin)
		for place := row.from; place < row.to; place++ {
			i := a.placed(place)
			a.cell(b, t, &a.cells[i], f.light(i))
		}
		if row.lane >= 0 {
			a.lanes[row.lane].counts(b, t)
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
func (l *Lane) counts(b *paint.Block, t *themes.Table) {
	b.To("", b.Width()-totals+1)
	b.Count(t.Muted, l.Kept)
	b.Put(t.Muted, "/")
	b.Count(t.Muted, l.Offered)
	b.To("", b.Width()-6)
	b.Tokens(t.Muted, l.Tokens)
}

func (a *Arrangement) cell(b *paint.Block, t *themes.Table, c *Cell, l Light) {
	sign, style, shade := look(c, t, l)
	b.Cell(style, sign)
	kept, filled := sign == t.Glyphs.Kept, 0
	switch {
	case a.pitch == 1:
		return
	case t.Glyphs.Solid && (kept || sign == t.Glyphs.Dropped):
		b.Repeat(style, sign, a.pitch-1)
		return
	case kept: // what is kept fills a wide cell
		filled = a.pitch - 2
		b.Repeat(style, sign, filled)
	}
	if shade == themes.Changed || filled > 0 {
		style = "" // the line under a changed cell is no wider than its sign
	}
	b.Cell(style, " ")
	b.Repeat("", " ", a.pitch-2-filled)
}

// look is the sign of a cell and how it is drawn. The sign is the verdict: a
// change underlines it, and what the turn needs has a sign and a colour of its own
// whether it is dropped or kept.
func look(c *Cell, t *themes.Table, l Light) (sign string, style themes.Style, shade themes.Shade) {
	sign, shade = Sign(c, t.Glyphs), themes.Plain
	switch {
	case c.Needed:
		shade = themes.Marked
	case c.Change != Same:
		shade = themes.Changed
	case l == Hit:
		shade = themes.Found
	}
	switch {
	case l == Cursor && c.Needed && c.Verdict != themes.Dropped:
		shade = themes.MarkedCursor
	case l == Cursor:
		shade = themes.Cursor
	case l == Other && !c.Needed:
		return sign, t.Faint, themes.Plain
	}
	return sign, t.Cell(c.Kind, c.Verdict, shade), shade
}

// Sign is the sign of a cell.
func Sign(c *Cell, g *themes.Glyphs) string {
	switch {
	case c.Needed && c.Verdict == themes.Dropped:
		return g.Needed
	case c.Needed, c.Verdict == themes.Required:
		return g.Required
	case c.Verdict == themes.Kept:
		return g.Kept
	case c.Banned:
		return g.Banned
	default:
		return g.Dropped
	}
}
