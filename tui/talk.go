package tui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"pacms/session"
	"pacms/themes"
	"pacms/tui/grid"
	"pacms/tui/overlay"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// beside is what stands beside the grid of a wide screen.
type beside uint8

const (
	besideItem   beside = iota // the candidate under the cursor
	besideAnswer               // the recorded answer
	besideTalk                 // the conversation around the cursor
)

const (
	// besideWidth and besideHeight are the size from which the answer and the
	// conversation stand beside the grid; on smaller screens they are pages.
	besideWidth  = 120
	besideHeight = 24
)

// Lines of a message in the conversation: of the one under the cursor, of people
// and agents, of tools.
const (
	talkHere  = 8
	talkLines = 3
	talkTool  = 1
)

// talkReach is how many messages before and after the cursor a page shows.
const talkReach = 150

func openAnswer(m *Model, _ string) tea.Cmd { return m.openBeside(besideAnswer, pageAnswer) }
func openTalk(m *Model, _ string) tea.Cmd   { return m.openBeside(besideTalk, pageTalk) }

// openBeside opens something beside the grid where there is room, and as a page
// where there is not, where it stands there already, and over the comparison.
func (m *Model) openBeside(what beside, as pageKind) tea.Cmd {
	if m.layout.Width < besideWidth || m.layout.Height < besideHeight || m.beside == what || m.comparePage() != nil {
		return m.open(as)
	}
	m.beside = what
	m.relayout()
	m.say("beside the grid: once more for the whole page, esc for the message again")
	return m.settled()
}

// closeBeside puts the candidate beside the grid again.
func (m *Model) closeBeside() tea.Cmd {
	m.beside = besideItem
	m.relayout()
	return m.settled()
}

type besideKey struct {
	table   *themes.Table
	picture *picture
	what    beside
	cursor  int
	session *session.Session
	size    rect
}

// besideLines draws what stands beside the grid.
func (m *Model) besideLines() []string {
	if m.beside == besideItem {
		return m.itemLines()
	}
	size := m.layout.Item
	key := besideKey{m.table, m.shown, m.beside, m.cursor, m.session, size}
	return m.panes.beside.draw(key, m.glyphs, size.W, func(b *paint.Block) {
		title, lines, hint := " THE CONVERSATION", m.talkAround(size.W, size.H-2), "t the whole page"
		if m.beside == besideAnswer {
			title, lines, hint = " THE RECORDED ANSWER", m.answerIn(size.W, size.H-2), "a the whole page"
		}
		b.Put(m.table.Muted, title)
		b.Right(paint.Span{Style: m.table.Muted, Text: hint + " "})
		b.End()
		b.End()
		for _, line := range lines[:min(len(lines), size.H-2)] {
			b.Spans(line...)
			b.End()
		}
		b.Blank(size.H - b.Height())
	})
}

// answerIn is the question and the answer of the turn on height lines.
func (m *Model) answerIn(width, height int) []overlay.Line {
	t, turn := m.table, &m.session.Turns[m.shown.turn]
	var lines []overlay.Line
	put := func(style themes.Style, text string, limit int) {
		wrapped, more := paint.Wrap(safe.Text(text), width-2, limit)
		for i, line := range wrapped {
			if more && i == len(wrapped)-1 {
				line += "…"
			}
			lines = append(lines, overlay.Line{{Style: style, Text: " " + line}})
		}
	}
	put(t.Muted, turn.Query, talkHere)
	lines = append(lines, nil)
	if turn.Answer == "" {
		put(t.Muted, "no answer was recorded for this turn", 2)
	}
	put(t.Text, turn.Answer, max(height-len(lines), 1))
	return lines
}

// talkAround is the conversation on height lines, with the message under the
// cursor among them.
func (m *Model) talkAround(width, height int) []overlay.Line {
	n := len(m.shown.cells)
	if height <= 0 {
		return nil
	}
	if n == 0 {
		lines := m.earlierLines(width)
		return lines[max(len(lines)-height, 0):]
	}
	lines := m.said(m.cursor, width)
	here := len(lines)
	before := m.leftLines(m.cursor, width)
	lines, at := append(before, lines...), len(before)
	for up, down := m.cursor-1, m.cursor+1; len(lines) < 2*height && (up >= 0 || down <= n); up, down = up-1, down+1 {
		if up >= 0 {
			above := append(m.leftLines(up, width), m.said(up, width)...)
			lines, at = append(above, lines...), at+len(above)
		}
		if down <= n {
			lines = append(lines, m.leftLines(down, width)...)
		}
		if down < n {
			lines = append(lines, m.said(down, width)...)
		}
	}
	top := min(max(at-(height-here)/2, 0), max(len(lines)-height, 0))
	return lines[top:min(top+height, len(lines))]
}

// talkLimit is how many lines a message has in the conversation.
func talkLimit(c *session.Candidate) int {
	if c.Kind == session.Tool || c.Text == "" {
		return talkTool
	}
	return talkLines
}

// said is one message of the conversation with its verdict.
func (m *Model) said(i, width int) []overlay.Line {
	t, p := m.table, m.shown
	c, cell := &p.pool.Candidates[i], &p.cells[i]
	shade, limit, text := themes.Plain, talkLimit(c), t.Text
	if cell.Verdict == themes.Dropped {
		text = t.Muted
	}
	head := t.Muted
	if i == m.cursor {
		shade, limit, head = themes.Cursor, talkHere, t.Strong
	} else if cell.Needed {
		shade = themes.Marked
	}
	name := " #" + strconv.Itoa(p.numbers[i]) + " "
	lines := []overlay.Line{{
		{Text: " "},
		{Style: t.Cell(cell.Kind, cell.Verdict, shade), Text: grid.Sign(cell, t)},
		{Style: head, Text: name},
		{Style: t.Kinds[cell.Kind], Text: string(c.Kind)},
		{Style: head, Text: talkWhere(c)},
	}}
	for _, line := range clipped(c.Content(), width-5, limit) {
		lines = append(lines, overlay.Line{{Style: text, Text: "   " + line}})
	}
	return lines
}

// talkWhere is the turn of a message and its tool, in words.
func talkWhere(c *session.Candidate) string {
	where := ""
	if c.Tool != nil {
		where += " " + safe.Line(c.Tool.Name)
	}
	if c.Turn > 0 {
		where += " · turn " + strconv.Itoa(c.Turn)
	}
	return where
}

// fillTalk writes the conversation around the cursor as a page; the first time it
// scrolls to the cursor.
func (m *Model) fillTalk(p *page) {
	t := m.table
	from, to := max(m.cursor-talkReach, 0), min(m.cursor+talkReach+1, len(m.shown.cells))
	p.Title = []paint.Span{
		{Style: t.TitleStrong, Text: "conversation  "},
		{Style: t.TitleMuted, Text: "for turn " + strconv.Itoa(m.shown.number) + " · bright: what " + m.shown.strategy.String() + " keeps"},
	}
	p.Lines = make([]overlay.Line, 0, 4*(to-from))
	if from == 0 {
		p.Lines = append(p.Lines, m.earlierLines(p.width)...)
	}
	for i := from; i < to; i++ {
		p.Lines = append(p.Lines, m.leftLines(i, p.width)...)
		if i == m.cursor && !p.placed {
			p.placed = true
			p.Offset = max(len(p.Lines)-m.pageHeight()/3, 0)
		}
		p.Lines = append(p.Lines, m.said(i, p.width)...)
	}
	if to == len(m.shown.cells) {
		p.Lines = append(p.Lines, m.leftLines(to, p.width)...)
	}
	if from > 0 || to < len(m.shown.cells) {
		p.Lines = slices.Concat(p.Lines, []overlay.Line{nil, {{Style: t.Muted, Text: " messages " + paint.Count(from+1) + " to " + paint.Count(to) + " of " + paint.Count(len(m.shown.cells)) + ", those around the cursor"}}})
	}
}
