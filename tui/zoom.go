package tui

import (
	"math"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"pacms/themes"
	"pacms/tui/grid"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// zoomLevel is how near the candidates are looked at.
type zoomLevel uint8

const (
	zoomAuto  zoomLevel = iota // cells while all of them fit, else the strip
	zoomCells                  // a sign each
	zoomRows                   // a line each
	zoomStrip                  // a column for many
)

// boxGap is how many lines a long list leaves so that the box stands free.
const boxGap = 2

// zoomed is the level that is on screen.
func (m *Model) zoomed() zoomLevel {
	switch m.view.(type) {
	case *grid.Strip:
		return zoomStrip
	case *grid.List:
		return zoomRows
	default:
		return zoomCells
	}
}

func zoom(m *Model, _ string) tea.Cmd {
	switch m.zoomed() {
	case zoomCells:
		m.zoom = zoomRows
		m.say("rows: one item a line")
	case zoomRows:
		m.zoom = zoomStrip
		m.say("strip: a column for a piece, as high as its share kept")
	default:
		m.zoom = zoomCells
		m.say("cells: a sign for each item")
	}
	m.relayout()
	return m.ranks()
}

// wantsRanks reports whether what is on screen needs ranks.
func (m *Model) wantsRanks() bool { return m.lanes || m.zoom == zoomRows }

// arrangeCells lays the screen out with the cells in it, as near as they are
// wanted.
func (m *Model) arrangeCells(w wants) {
	cells, ranked := m.shown.cells, m.lanes && m.shown.ranked
	level := m.zoom
	if level == zoomAuto {
		level = zoomCells
		if !allFit(w) {
			level = zoomStrip
		}
	}
	// As high as the view can use; then the view is made for that height.
	w.Lines = max(w.Height, 1)
	m.layout = arrange(w)
	width, height := m.layout.Grid.W-2, m.layout.Grid.H
	switch {
	case level == zoomRows:
		m.view = grid.NewList(cells, ranked, m.rowCells)
	case level == zoomStrip:
		m.view = grid.NewStrip(cells, m.kinds, width, height*3/4)
	case ranked:
		m.view = grid.ByKind(cells, m.kinds, width, height)
	default:
		w.Lines = 0
		m.layout = arrange(w)
		m.view = grid.ByTime(cells, m.layout.space(w, width))
		return
	}
	w.Lines = max(m.view.Height(), 1)
	if w.Box && height > boxGap+gridLines {
		w.Lines = min(w.Lines, height-boxGap)
	}
	m.layout = arrange(w)
}

// allFit reports whether the largest pool of the session fits on the screen as
// cells.
func allFit(w wants) bool {
	w.Box, w.Lines = true, 0 // with the box, so that its coming and going does not change the level
	l := arrange(w)
	space := grid.Space{Width: l.Grid.W - 2, Height: l.GridTwo, Capacity: w.Cells, LastTurn: w.Turns}
	return l.Small || space.Lines() <= l.Grid.H
}

// order is the order of the candidates in words.
func (m *Model) order() string {
	switch v := m.view.(type) {
	case *grid.Strip:
		if n := v.PerColumn(); n > 1 {
			return "a column is " + strconv.Itoa(n) + " items"
		}
		return "oldest first"
	default:
		if m.lanes && m.shown.ranked {
			return "by rank"
		}
		return "oldest first"
	}
}

// lanesHead says what stands at the right of lanes, where the signs have room
// beside it.
func (m *Model) lanesHead() string {
	if m.layout.Legend.W < rowWithRank {
		return ""
	}
	if _, strip := m.view.(*grid.Strip); strip || m.lanes && m.shown.ranked && m.zoomed() == zoomCells {
		return " · right: kept/all, tokens"
	}
	return ""
}

// Widths from which a row has more columns.
const (
	rowWithReason = 72
	rowWithRank   = 100
)

// rowCells draws the row of the candidate at pool index i: its verdict, number,
// kind, turn, tokens, rank, reason and text, as far as there is room.
func (m *Model) rowCells(b *paint.Block, i int, l grid.Light) {
	t, p := m.table, m.shown
	c, cell := &p.pool.Candidates[i], &p.cells[i]
	sign, kind, text, muted := t.Cell(cell.Kind, cell.Verdict, themes.Plain), t.Kinds[cell.Kind], t.Text, t.Muted
	if cell.Verdict == themes.Dropped {
		text = t.Muted
	}
	switch {
	case l.Glow == grid.Cursor:
		sign = t.Cell(cell.Kind, cell.Verdict, themes.Cursor)
		kind, text, muted = sign, sign, sign
	case l.Glow == grid.Other:
		sign, kind, text, muted = t.Faint, t.Faint, t.Faint, t.Faint
	case cell.Needed:
		sign, text = t.Cell(cell.Kind, cell.Verdict, themes.Marked), t.Strong
	case cell.Change != grid.Same:
		sign = t.Cell(cell.Kind, cell.Verdict, themes.Changed)
	}
	if l.Related {
		sign = m.linedSign(cell, l)
	}
	b.Cell(sign, grid.Sign(cell, t))
	at := b.Used()
	column := func(width int) { at += width; b.To(muted, at) }
	b.Put(muted, " #")
	b.Count(muted, p.numbers[i])
	column(p.digits + 4)
	b.Clip(kind, string(c.Kind), 9)
	column(10)
	if c.Turn > 0 {
		b.Put(muted, "t")
		b.Count(muted, c.Turn)
	}
	column(6)
	b.Put(muted, right(paint.Tokens(c.Tokens), 6))
	column(7)
	if b.Width() >= rowWithRank {
		if cell.Rank > 0 && cell.Rank < math.MaxInt {
			b.Put(muted, right("r"+strconv.Itoa(cell.Rank), 6))
		}
		column(7)
	}
	if b.Width() >= rowWithReason {
		b.Put(muted, " ")
		b.Clip(muted, p.sel.Code(i).Words(), 14)
		column(16)
	}
	b.Clip(text, safe.Line(paint.Head(c.Content(), b.Room())), b.Room()-1)
	if l.Glow == grid.Cursor {
		b.To(text, b.Width()-1)
	}
}

// linedSign is the look of the sign in a row that the one under the cursor has to
// do with.
func (m *Model) linedSign(cell *grid.Cell, l grid.Light) themes.Style {
	switch {
	case l.Glow == grid.Other:
		return m.table.FaintLined
	case cell.Needed:
		return m.table.Lined(cell.Kind, cell.Verdict, themes.Marked)
	case cell.Change != grid.Same:
		return m.table.Lined(cell.Kind, cell.Verdict, themes.Changed)
	default:
		return m.table.Lined(cell.Kind, cell.Verdict, themes.Plain)
	}
}
