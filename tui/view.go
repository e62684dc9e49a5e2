package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pacms/themes"
	"pacms/tui/paint"
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
	title string // of the terminal's window
	frame string
	rows  []row
	// blank is an empty line, walled the wall in the styles of wallOf.
	blank  string
	walled string
	wallOf *themes.Table
	// swept counts the reports that the timeline has taken over.
	swept int

	head     pane[headKey]
	flips    pane[flipsKey]
	grid     pane[gridKey]
	legend   pane[legendKey]
	box      pane[boxKey]
	changes  pane[sideKey]
	others   pane[sideKey]
	item     pane[itemKey]
	beside   pane[besideKey]
	timeline pane[timelineKey]
	foot     pane[footKey]
	page     pane[pageKey]
	compare  pane[comparePaneKey]
	life     pane[lifePaneKey]
}

// View draws the screen.
func (m *Model) View() tea.View {
	if m.panes.dirty {
		m.panes.dirty = false
		m.panes.frame = m.compose()
		if m.ownGround() {
			m.panes.frame = m.table.Paint(m.panes.frame)
		}
	}
	v := tea.NewView(m.panes.frame)
	v.AltScreen = true
	if m.ownGround() { // the edges that no cell covers; the terminal has its own again afterwards
		v.BackgroundColor, v.ForegroundColor = m.cfg.Theme.Background, m.cfg.Theme.Text
	}
	v.WindowTitle = m.panes.title
	if !m.cfg.NoMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// ownGround reports whether the theme's own background is behind everything: a theme
// that was named is for that one, whatever the terminal's is.
func (m *Model) ownGround() bool { return m.cfg.Theme != nil && m.profile > colorprofile.ASCII }

// windowTitle is what the terminal's own title bar says.
func (m *Model) windowTitle() string {
	title := "pacms · " + m.name()
	if s := m.cfg.Story; s != nil {
		title += " · " + s.Label
	}
	return m.glyphs.Text(title)
}

// row is one line of the screen in up to four parts, so that panes that stand
// side by side need not be joined twice.
type row [4]string

// compose joins the lines of the screen, exactly as many as it is high.
func (m *Model) compose() string {
	rows := m.rows()
	m.panes.rows = rows
	size := 0
	for i := range rows {
		for _, part := range rows[i] {
			size += len(part)
		}
		size++
	}
	var b strings.Builder
	b.Grow(size)
	for i := range rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, part := range rows[i] {
			b.WriteString(part)
		}
	}
	return b.String()
}

// rows draws the screen.
func (m *Model) rows() []row {
	l := m.layout
	rows := m.panes.rows[:0]
	put := func(lines []string) {
		for _, line := range lines {
			rows = append(rows, row{line})
		}
	}
	switch {
	case l.Width <= 0 || l.Height <= 0:
	case l.Small:
		put(m.smallLines())
	case m.page != nil && m.page.kind == pageCompare:
		put(m.compareLines())
		put(m.footLines())
	case m.page != nil:
		put(m.pageLines())
		if m.page.kind == pageWhy {
			put(m.lifeLines())
		}
		put(m.footLines())
	case m.shown == nil:
		put(m.loadingLines())
		put(m.footLines())
	default:
		rows = m.mainRows(rows)
	}
	return rows
}

// mainRows draws the main screen.
func (m *Model) mainRows(rows []row) []row {
	l := m.layout
	if len(m.panes.blank) != l.Width {
		m.panes.blank = strings.Repeat(" ", l.Width)
	}
	for range l.Height {
		rows = append(rows, row{m.panes.blank})
	}
	place := func(r rect, lines []string) {
		for i := range min(r.H, len(lines)) {
			rows[r.Y+i] = row{lines[i]}
		}
	}
	head := m.headLines()
	place(rect{0, 0, l.Width, l.Bar.Y + 1}, head)
	place(rect{0, l.Budget.Y, l.Width, 2}, head[l.Bar.Y+1:])
	if l.Flips.H > 0 {
		place(l.Flips, m.flipsLines())
	}
	place(rect{0, l.Timeline.Y, l.Width, l.Timeline.H + l.Strategies.H}, m.timelineLines())
	place(rect{0, l.Status.Y, l.Width, 2}, m.footLines())
	if l.Wide {
		m.placeWide(rows)
		return rows
	}
	place(l.Legend, m.legendLines())
	place(l.Grid, m.gridLines())
	if l.Box.H > 0 {
		place(l.Box, m.boxLines())
	}
	if l.Changes.H > 0 {
		m.placeLists(rows)
	}
	if l.Item.H > 0 {
		place(l.Item, m.itemLines())
	}
	return rows
}

// placeWide draws the part of a wide screen that stands beside the inspector.
func (m *Model) placeWide(rows []row) {
	l := m.layout
	width := l.Item.X - 1
	wall := m.panes.wall(m.table)
	for i, line := range m.besideLines() {
		rows[l.Item.Y+i] = row{m.panes.blank[:width], "", wall, line}
	}
	place := func(r rect, part int, lines []string) {
		for i := range min(r.H, len(lines)) {
			rows[r.Y+i][part] = lines[i]
		}
	}
	place(l.Legend, 0, m.legendLines())
	place(l.Grid, 0, m.gridLines())
	if l.Box.H > 0 {
		place(l.Box, 0, m.boxLines())
	}
	if l.Changes.H > 0 {
		m.placeLists(rows)
	}
}

// placeLists draws what changed and the strategies side by side.
func (m *Model) placeLists(rows []row) {
	l := m.layout
	changes, others := m.changesLines(), m.othersLines()
	for i := range l.Changes.H {
		r := &rows[l.Changes.Y+i]
		r[0], r[1] = m.panes.blank[:l.Changes.W], m.panes.blank[:l.Others.W]
		if i < len(changes) {
			r[0] = changes[i]
		}
		if i < len(others) {
			r[1] = others[i]
		}
	}
}

// wall is the line between what stands side by side.
func (p *panes) wall(t *themes.Table) string {
	if p.wallOf != t {
		p.wallOf, p.walled = t, string(t.Faint)+t.Glyphs.Wall+string(themes.Reset)
	}
	return p.walled
}
