package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pacms/tui/overlay"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// pageKind is what a page shows.
type pageKind uint8

const (
	pageWhy pageKind = iota
	pageAnswer
	pageTalk
	pageLeft
	pagePick
)

// maxPageLines is how many lines of a text a page holds.
const maxPageLines = 5_000

// page is a view that covers the main screen.
type page struct {
	overlay.Page
	kind pageKind
	pick *picker // of a pagePick
	turn int     // the index of the turn of a pageLeft
	// raw is the stored record of the candidate with the id rawID, shown in the
	// place of its text; "" where the text is shown.
	raw, rawID string
	// find is what is looked for, found the lines with it, at the one of them that
	// was gone to last.
	find  string
	found []int
	at    int
	// placed is set once a conversation was scrolled to the cursor.
	placed bool
	// width and picture are what the lines were made for.
	width   int
	picture *picture
}

func openWhy(m *Model, _ string) tea.Cmd { return m.open(pageWhy) }

func (m *Model) open(kind pageKind) tea.Cmd {
	m.play.stop()
	m.page = &page{kind: kind}
	m.fillPage()
	return nil
}

// fillPage writes the lines of the open page for the present width.
func (m *Model) fillPage() {
	p := m.page
	p.width, p.picture = m.layout.Width, m.shown
	switch p.kind {
	case pageWhy:
		m.fillWhy(p)
	case pageAnswer:
		m.fillAnswer(p)
	case pageTalk:
		m.fillTalk(p)
	case pageLeft:
		m.fillLeft(p)
	case pagePick:
		m.fillPick(p)
	}
	if p.kind != pagePick {
		p.markFound(m.table)
	}
	p.Scroll(0, m.pageHeight())
}

// pageHeight is the number of lines of text on a page: all but title, status
// and footer.
func (m *Model) pageHeight() int { return max(m.layout.Height-3, 0) }

// read is a key while a page is open.
func (m *Model) read(msg tea.KeyPressMsg) tea.Cmd {
	if m.page.pick != nil {
		return m.pickKey(msg)
	}
	h := m.pageHeight()
	switch key := msg.String(); key {
	case "q", "esc", "enter":
		m.page = nil
	case "?":
		return openHelp(m, key)
	case "up", "k":
		m.page.Scroll(-1, h)
	case "down", "j":
		m.page.Scroll(1, h)
	case "pgup", "ctrl+b", "b":
		m.page.Scroll(-h, h)
	case "pgdown", "ctrl+f", "space":
		m.page.Scroll(h, h)
	case "ctrl+u":
		m.page.Scroll(-h/2, h)
	case "ctrl+d":
		m.page.Scroll(h/2, h)
	case "home", "g":
		m.page.Scroll(-len(m.page.Lines), h)
	case "end", "G":
		m.page.Scroll(len(m.page.Lines), h)
	case "ctrl+c":
		return interrupt(m, key)
	case "ctrl+z":
		return tea.Suspend
	default:
		switch {
		case key == "/":
			return m.askInPage()
		case m.page.find != "" && (key == "n" || key == "N"):
			m.walkPage(map[string]int{"n": 1, "N": -1}[key])
			return nil
		case m.page.kind == pageWhy && key == "r":
			return m.toggleRaw()
		}
		if m.page.kind == pageWhy && slices.Contains([]string{"p", "x", "u", "ctrl+r", "y", "Y", "ctrl+y"}, key) {
			return m.press(key)
		}
		if m.page.kind != pageWhy && key == "y" {
			return m.copyPage()
		}
		if m.page.kind != pageWhy || noWalk(m) != "" || key != "n" && key != "N" {
			m.say("q goes back to the main screen, where this key may act")
			return nil
		}
		cmd := walk(m, key)
		m.page.Offset = 0
		m.fillPage()
		return cmd
	}
	return nil
}

// wrapped adds a text, broken to the width of the page, to its lines.
func (m *Model) wrapped(p *page, text string) {
	lines, more := paint.Wrap(text, p.width-2, maxPageLines)
	for _, line := range lines {
		p.Lines = append(p.Lines, overlay.Line{{Text: " "}, {Style: m.table.Text, Text: line}})
	}
	if more {
		p.Lines = append(p.Lines, nil, overlay.Line{{Style: m.table.Muted, Text: " … the text goes on: only its first " + paint.Count(maxPageLines) + " lines are shown here"}})
	}
}

// rule adds a heading with a line on both sides.
func (m *Model) rule(p *page, heading string) {
	rest := max(p.width-len(heading)-4, 0)
	p.Lines = append(p.Lines, overlay.Line{
		{Style: m.table.Faint, Text: strings.Repeat(m.glyphs.Rule, 2)},
		{Style: m.table.Muted, Text: " " + heading + " "},
		{Style: m.table.Faint, Text: strings.Repeat(m.glyphs.Rule, rest)},
	})
}

func (m *Model) fillWhy(p *page) {
	t := m.table
	item := m.item(p.width * maxPageLines)
	turn := m.session.Turns[m.shown.turn].Number
	p.Title = []paint.Span{
		{Style: t.TitleStrong, Text: "why  "},
		{Style: t.Title, Text: "#" + strconv.Itoa(item.Number) + " " + item.Name},
		{Style: t.TitleMuted, Text: "  for turn " + strconv.Itoa(turn) + " · " + m.shown.strategy.String() + " · budget " + paint.Tokens(m.shown.budget)},
	}
	style := t.Accent
	if item.Kept {
		style = t.Strong
	}
	p.Lines = []overlay.Line{nil} // a new slice, by which the pane knows that the page is another
	reason, _ := paint.Wrap(item.Reason, max(p.width-11, 20), 8)
	for i, line := range reason {
		head := paint.Span{Style: style, Text: " " + item.Verdict()}
		if i > 0 {
			head.Text = ""
		}
		p.Lines = append(p.Lines, overlay.Line{head, {Text: strings.Repeat(" ", max(10-len(head.Text), 0))}, {Style: t.Strong, Text: line}})
	}
	p.Lines = append(p.Lines, nil)
	fact := func(name, value string) {
		lines, _ := paint.Wrap(value, max(p.width-14, 20), 8)
		for _, line := range lines {
			p.Lines = append(p.Lines, overlay.Line{{Style: t.Muted, Text: " " + name + strings.Repeat(" ", max(12-len(name), 1))}, {Style: t.Text, Text: line}})
			name = ""
		}
	}
	offered := item.Name
	if item.Tool != "" {
		offered += " " + item.Tool
	}
	if item.Turn > 0 {
		offered = "turn " + strconv.Itoa(item.Turn) + " · " + offered
	}
	fact("offered", offered+" · "+item.Cost())
	for _, f := range item.Facts {
		fact(f[0], f[1])
	}
	for _, w := range m.shown.sel.Warnings {
		fact("note", safe.Line(w.Message))
	}
	p.Lines = append(p.Lines, nil)
	if p.raw != "" && p.rawID == m.shown.pool.Candidates[m.cursor].ID {
		m.rule(p, "stored record")
		m.wrapped(p, p.raw)
		return
	}
	p.raw = ""
	m.rule(p, "text")
	if item.Text == "" {
		p.Lines = append(p.Lines, overlay.Line{{Style: t.Muted, Text: " (no visible text)"}})
		return
	}
	m.wrapped(p, item.Text)
}

func (m *Model) fillAnswer(p *page) {
	t := m.table
	turn := &m.session.Turns[m.shown.turn]
	p.Title = []paint.Span{
		{Style: t.TitleStrong, Text: "answer  "},
		{Style: t.TitleMuted, Text: "recorded at turn " + strconv.Itoa(turn.Number) + ", in the agent's own context"},
	}
	p.Lines = nil // a new slice, by which the pane knows that the page is another
	m.rule(p, "asked")
	m.wrapped(p, safe.Text(turn.Query))
	p.Lines = append(p.Lines, nil)
	m.rule(p, "answered")
	m.wrapped(p, safe.Text(turn.Answer))
}
