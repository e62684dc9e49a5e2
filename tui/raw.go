package tui

import (
	"bytes"
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"pacms/tui/safe"
)

// rawMsg carries the stored record of a candidate, ready to be shown; "" where the
// store has none.
type rawMsg struct{ id, text string }

// toggleRaw shows the stored record on the page in the place of the text, or the
// text again.
func (m *Model) toggleRaw() tea.Cmd {
	if m.page.raw != "" {
		m.page.raw = ""
		m.fillPage()
		return nil
	}
	read, id := m.session.Raw, m.shown.pool.Candidates[m.cursor].ID
	if read == nil {
		m.say("this store has no records to show: a file of pools holds only what is offered")
		return nil
	}
	return func() tea.Msg { return rawMsg{id, layOut(read(id))} }
}

// layOut writes stored lines for people: JSON is indented, anything else stays.
func layOut(lines [][]byte) string {
	var b bytes.Buffer
	for i, line := range lines {
		if i > 0 {
			b.WriteString("\n\n")
		}
		before := b.Len()
		if json.Indent(&b, line, "", "  ") != nil {
			b.Truncate(before)
			b.Write(line)
		}
	}
	return safe.Text(b.String())
}

// rawRead takes over a stored record.
func (m *Model) rawRead(msg rawMsg) {
	if m.page == nil || m.page.kind != pageWhy || m.shown.pool.Candidates[m.cursor].ID != msg.id {
		return
	}
	if msg.text == "" {
		m.say("the record is not there any more: the store has changed since it was read")
		return
	}
	m.page.raw, m.page.rawID = msg.text, msg.id
	m.fillPage()
}
