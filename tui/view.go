package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pacms/themes"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// pane keeps the lines of one part of the screen as long as its key, a value of
// everything that it is drawn from, stays the same.
type pane[K comparable] struct {
	key   K
	drawn bool
	block paint.Block
	lines []string
}

// draw gives the pane's lines, drawn anew by f where the key differs from the
// last one.
func (p *pane[K]) draw(key K, glyphs *themes.Glyphs, width int, f func(b *paint.Block)) []string {
	if p.drawn && p.key == key {
		return p.lines
	}
	p.block.Reset(glyphs, width)
	f(&p.block)
	p.key, p.drawn, p.lines = key, true, p.block.Lines()
	return p.lines
}

// panes are the parts of the screen with what is kept of them.
type panes struct {
	// dirty is set where the frame may differ from the one drawn last.
	dirty bool
	frame string
	rows  []string
	// swept counts the reports that the timeline has taken over.
	swept int

	head     pane[headKey]
	grid     pane[gridKey]
	legend   pane[legendKey]
	box      pane[boxKey]
	changes  pane[sideKey]
	others   pane[sideKey]
	item     pane[itemKey]
	timeline pane[timelineKey]
	foot     pane[footKey]
	page     pane[pageKey]
}

// View draws the screen.
func (m *Model) View() tea.View {
	if m.panes.dirty {
		m.panes.dirty = false
		m.panes.frame = m.compose()
	}
	v := tea.NewView(m.panes.frame)
	v.AltScreen = true
	v.WindowTitle = m.windowTitle()
	if !m.cfg.NoMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// windowTitle is what the terminal's own title bar says.
func (m *Model) windowTitle() string {
	title := "pacms · " + safe.Line(m.cfg.Title)
	if s := m.cfg.Story; s != nil {
		title += " · " + s.Label
	}
	return m.glyphs.Text(title)
}

// frameLines draws the screen as exactly as many lines as it is high.
func (m *Model) frameLines() []string {
	l := m.layout
	rows := m.panes.rows[:0]
	switch {
	case l.Width <= 0 || l.Height <= 0:
		return rows
	case l.Small:
		rows = append(rows, m.smallLines()...)
	case m.page != nil:
		rows = append(append(rows, m.pageLines()...), m.footLines()...)
	case m.shown == nil:
		rows = append(append(rows, m.loadingLines()...), m.footLines()...)
	default:
		rows = m.mainLines(rows)
	}
	return rows
}

// compose joins the lines of the screen.
func (m *Model) compose() string {
	m.panes.rows = m.frameLines()
	size := 0
	for _, row := range m.panes.rows {
		size += len(row) + 1
	}
	var b strings.Builder
	b.Grow(size)
	for i, row := range m.panes.rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(row)
	}
	return b.String()
}

// mainLines draws the main screen.
func (m *Model) mainLines(rows []string) []string {
	l := m.layout
	blank := blanks(l.Width)
	for range l.Height {
		rows = append(rows, blank)
	}
	place := func(r rect, draw func() []string) {
		if r.H > 0 {
			copy(rows[r.Y:r.Y+r.H], draw())
		}
	}
	place(rect{0, 0, l.Width, l.Since.Y + 1}, m.headLines)
	place(rect{0, l.Timeline.Y, l.Width, l.Timeline.H + l.Strategies.H}, m.timelineLines)
	place(rect{0, l.Status.Y, l.Width, 2}, m.footLines)
	if !l.Wide {
		place(l.Legend, m.legendLines)
		place(l.Grid, m.gridLines)
		place(l.Box, m.boxLines)
		place(l.Item, m.itemLines)
		return rows
	}
	m.placeWide(rows)
	return rows
}

// placeWide draws the part of a wide screen that stands beside the inspector.
func (m *Model) placeWide(rows []string) {
	l := m.layout
	left := blanks(l.Item.X - 1)
	half := blanks(l.Changes.W)
	wall := string(m.table.Faint) + m.glyphs.Wall + string(themes.Reset)
	item := m.itemLines()
	for y := l.Item.Y; y < l.Item.Y+l.Item.H; y++ {
		line := left
		switch {
		case l.Legend.contains(0, y):
			line = m.legendLines()[0]
		case l.Grid.contains(0, y):
			line = m.gridLines()[y-l.Grid.Y]
		case l.Box.contains(0, y):
			line = m.boxLines()[y-l.Box.Y]
		case l.Changes.contains(0, y):
			changes, others := half, ""
			if lines := m.changesLines(); y-l.Changes.Y < len(lines) {
				changes = lines[y-l.Changes.Y]
			}
			if lines := m.othersLines(); y-l.Others.Y < len(lines) {
				others = lines[y-l.Others.Y]
			} else {
				others = blanks(l.Others.W)
			}
			line = changes + others
		}
		rows[y] = line + wall + item[y-l.Item.Y]
	}
}

// blanks are n blanks.
func blanks(n int) string { return strings.Repeat(" ", max(n, 0)) }
