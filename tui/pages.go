package tui

import (
	"strconv"

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
	pageNotes
	pagePick
	pageMatrix
	pageChart
	pageCompare
	pageBoth
)

// maxPageLines is how many lines of a text a page holds.
const maxPageLines = 5_000

// page is a view that covers the main screen.
type page struct {
	overlay.Page
	kind pageKind
	pick *picker // of a pagePick
	turn int     // the index of the turn of a pageLeft
	// under is what is shown again when the page is closed, nil: the main screen.
	under *page
	// raw is the stored record of the candidate with the id rawID, shown in the
	// place of its text; "" where the text is shown.
	raw, rawID string
	// links are the numbers of the candidates that one can go to from here, target
	// the place of the one that enter goes to, and chosen that of the one that a
	// person chose, -1 none.
	links          []int
	target, chosen int
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

func (m *Model) open(kind pageKind) tea.Cmd {
	m.play.stop()
	m.page = &page{kind: kind, chosen: -1, under: m.comparePage()}
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
	case pageNotes:
		m.fillNotes(p)
	case pagePick:
		m.fillPick(p)
	case pageMatrix:
		m.fillMatrix(p)
	case pageChart:
		m.fillChart(p)
	case pageCompare:
		m.layCompare()
	case pageBoth:
		m.fillBoth(p)
	}
	if p.kind != pagePick {
		p.markFound(m.table)
	}
	p.Scroll(0, m.pageHeight())
}

// pageHeight is the number of lines of text on a page: all but title, status
// and footer, and what stands below the reasons for a candidate.
func (m *Model) pageHeight() int {
	h := m.layout.Height - 3
	if m.page != nil && m.page.kind == pageWhy {
		h -= m.lifeHeight()
	}
	return max(h, 0)
}

// read is a key while a page is open.
func (m *Model) read(msg tea.KeyPressMsg) tea.Cmd {
	if m.page.pick != nil {
		return m.pickKey(msg)
	}
	h := m.pageHeight()
	switch m.page.kind {
	case pageWhy:
		if cmd, meant := m.readWhy(msg.String()); meant {
			return cmd
		}
	case pageBoth:
		if cmd, meant := m.readBoth(msg.String()); meant {
			return cmd
		}
	case pageCompare:
		return m.readCompare(msg.String())
	default:
	}
	if m.tabulated() {
		if cmd, meant := m.readTable(msg.String()); meant {
			return cmd
		}
	}
	switch key := msg.String(); key {
	case "q", "esc", "enter":
		m.back()
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
		case key == "y":
			return m.copyPage()
		default:
			m.say("q goes back to the main screen, where this key may act")
		}
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
