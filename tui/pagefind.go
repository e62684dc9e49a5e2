package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pacms/themes"
	"pacms/tui/overlay"
	"pacms/tui/paint"
)

// askInPage looks for words on the open page.
func (m *Model) askInPage() tea.Cmd {
	m.prompt = &prompt{
		label: "find in the text", hint: "n N walk · enter keeps it · esc ends it", text: m.page.find,
		changed: func(m *Model, text string) tea.Cmd {
			m.findInPage(text)
			return nil
		},
		done: func(*Model, string) (tea.Cmd, error) { return nil, nil },
		left: func(m *Model) { m.findInPage("") },
	}
	return nil
}

// findInPage marks the lines with a text and scrolls to the first from the present
// one on.
func (m *Model) findInPage(text string) {
	if m.page == nil {
		return
	}
	m.page.find = text
	m.fillPage()
	if len(m.page.found) > 0 {
		m.walkPage(0)
	}
}

// walkPage scrolls to the next (1) or previous (-1) line that was found, or with 0
// to the first one that is not above the present line.
func (m *Model) walkPage(dir int) {
	p := m.page
	if len(p.found) == 0 {
		m.say("“" + p.find + "” is not on this page")
		return
	}
	switch n := len(p.found); dir {
	case 0:
		p.at = 0
		for p.at < n-1 && p.found[p.at] < p.Offset {
			p.at++
		}
	default:
		p.at = (p.at + dir + n) % n
	}
	h := m.pageHeight()
	if line := p.found[p.at]; line < p.Offset || line >= p.Offset+h {
		p.Offset = line - h/3
		p.Scroll(0, h)
	}
	m.say("line " + paint.Count(p.at+1) + " of " + paint.Count(len(p.found)) + " with “" + p.find + "”")
}

// markFound makes the lines stand out in which the page's search is found.
func (p *page) markFound(t *themes.Table) {
	p.found = p.found[:0]
	want := strings.ToLower(p.find)
	if want == "" {
		return
	}
	for i, line := range p.Lines {
		var text strings.Builder
		for _, span := range line {
			text.WriteString(span.Text)
		}
		if strings.Contains(strings.ToLower(text.String()), want) {
			p.Lines[i] = overlay.Line{{Style: t.Accent, Text: text.String()}}
			p.found = append(p.found, i)
		}
	}
	p.at = min(p.at, max(len(p.found)-1, 0))
}
