package grid

import (
	"pacms/themes"
	"pacms/tui/paint"
)

// Render draws the lines of f.
func (a *Arrangement) Render(b *paint.Block, t *themes.Table, f Frame) {
	for line := f.Top; line < f.Top+f.Height; line++ {
		if line >= a.Height() {
			b.End()
			continue
		}
		row, part := a.rows[line/a.tall], line%a.tall
		if part == 0 {
			a.head(b, t, row, f.Margin)
		} else {
			b.To("", f.Margin+a.label)
		}
		for place := row.from; place < row.to; place++ {
			i := a.placed(place)
			if a.pitch > 2 {
				a.large(b, t, &a.cells[i], f.light(i), part)
			} else {
				a.cell(b, t, &a.cells[i], f.light(i))
			}
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

// cell draws a cell of at most two columns.
func (a *Arrangement) cell(b *paint.Block, t *themes.Table, c *Cell, l Light) {
	sign, style, shade := look(c, t, l)
	b.Cell(style, sign)
	switch {
	case a.pitch == 1:
		return
	case t.Glyphs.Solid && c.Verdict != themes.Required && !c.Needed && !c.Banned && c.Mark == Unmarked:
		b.Cell(style, sign)
		return
	case shade == themes.Changed || l.Related:
		style = "" // what sets a cell apart is no wider than its sign
	}
	b.Cell(style, " ")
}

// large draws one line of a cell that is wider than two columns, the part-th from
// its top: a body that says whether it is kept, and on it the sign of the cell.
func (a *Arrangement) large(b *paint.Block, t *themes.Table, c *Cell, l Light, part int) {
	width, height, x, y := a.pitch, a.tall, (a.pitch-1)/2, (a.tall-1)/2
	if !t.Glyphs.Solid { // a gap tells neighbours apart
		width, height, x, y = a.pitch-1, max(a.tall-1, 1), 0, 0
		if c.Verdict == themes.Dropped && l.Glow != Cursor { // a sign without a body
			height = 1
		}
	}
	if part >= height {
		b.Repeat("", " ", a.pitch)
		return
	}
	l.Related = l.Related && part == height-1 // one line under a cell
	sign, style, shade := look(c, t, l)
	if shade == themes.MarkedCursor && part < height-1 {
		style = t.Cell(c.Kind, c.Verdict, themes.Marked)
	}
	fill, behind := " ", style
	lit := shade == themes.Cursor || shade == themes.MarkedCursor || c.Needed && c.Verdict != themes.Dropped
	switch {
	case lit: // a colour behind the sign fills the cell
	case c.Verdict != themes.Dropped || t.Glyphs.Solid:
		body := Cell{Kind: c.Kind, Verdict: min(c.Verdict, themes.Kept), Change: c.Change}
		fill, behind, _ = look(&body, t, l)
	default:
		behind = ""
	}
	if part != y {
		sign, style = fill, behind
	}
	before := 0
	if part == y {
		before = x
	}
	b.Repeat(behind, fill, before)
	b.Cell(style, sign)
	b.Repeat(behind, fill, width-before-1)
	b.Repeat("", " ", a.pitch-width)
}

// look is the sign of a cell and how it is drawn. The sign is the verdict. A change
// puts the cell on a ground, or has signs of its own where no ground is seen; a line
// under it says that the cell has to do with the one under the cursor; and what the
// turn needs has a sign and a colour of its own whether it is dropped or kept.
func look(c *Cell, t *themes.Table, l Light) (sign string, style themes.Style, shade themes.Shade) {
	sign, shade = Sign(c, t), themes.Plain
	switch {
	case c.Needed:
		shade = themes.Marked
	case c.Change != Same:
		shade = themes.Changed
	case l.Glow == Hit:
		shade = themes.Found
	}
	switch {
	case l.Glow == Cursor && c.Needed && c.Verdict != themes.Dropped:
		shade = themes.MarkedCursor
	case l.Glow == Cursor:
		shade = themes.Cursor
	case l.Glow == Other && !c.Needed && l.Related:
		return sign, t.FaintLined, themes.Plain
	case l.Glow == Other && !c.Needed:
		return sign, t.Faint, themes.Plain
	}
	if l.Related {
		if t.Glyphs.Lined != "" && c.Verdict == themes.Kept && !c.Needed {
			sign = t.Glyphs.Lined
		}
		return sign, t.Lined(c.Kind, c.Verdict, shade), shade
	}
	return sign, t.Cell(c.Kind, c.Verdict, shade), shade
}

// Sign is the sign of a cell.
func Sign(c *Cell, t *themes.Table) string {
	g, changed := t.Glyphs, t.Signed && c.Change != Same
	switch {
	case c.Mark == MarkMissed:
		return g.Miss
	case c.Mark == MarkMet:
		return g.Had
	case c.Needed && c.Verdict == themes.Dropped:
		return g.Needed
	case c.Needed:
		return g.Required
	case changed && c.Verdict == themes.Required:
		return g.CameInRequired
	case c.Verdict == themes.Required:
		return g.Required
	case changed && c.Verdict == themes.Kept:
		return g.CameIn
	case c.Verdict == themes.Kept:
		return g.Kept
	case c.Banned:
		return g.Banned
	case changed:
		return g.Gone
	default:
		return g.Dropped
	}
}
