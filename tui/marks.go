package tui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"pacms/session"
	"pacms/tui/choices"
	"pacms/tui/grid"
	"pacms/tui/overlay"
	"pacms/tui/paint"
	"pacms/tui/safe"
	"pacms/tui/why"
)

// A mark is what a person expects of an item in one turn. It changes nothing of what is
// kept, so that no picture is made anew for it.

// cycleMark marks the candidate under the cursor for the turn on screen: to be kept, to be
// dropped, and no more.
func cycleMark(m *Model, _ string) tea.Cmd {
	turn, id := m.shown.number, m.shown.pool.Candidates[m.cursor].ID
	name := "#" + strconv.Itoa(m.shown.numbers[m.cursor])
	switch was := m.expected.MarkOf(turn, id); {
	case was == nil:
		return m.mark(m.expected.Mark(choices.Mark{Turn: turn, ID: id, Keep: true}), markText(turn, name, true), " · m: must drop · ; a note")
	case was.Keep:
		return m.mark(m.expected.Mark(choices.Mark{Turn: turn, ID: id, Note: was.Note}), markText(turn, name, false), " · m: no mark · ; a note")
	}
	return m.mark(m.expected.Unmark(turn, id), name+" is no longer marked for turn "+strconv.Itoa(turn), " · u takes it back")
}

// markText says what a mark is.
func markText(turn int, name string, keep bool) string {
	if keep {
		return "marked: turn " + strconv.Itoa(turn) + " must keep " + name
	}
	return "marked: turn " + strconv.Itoa(turn) + " must drop " + name
}

// askNote asks for the note of the mark of the candidate under the cursor.
func askNote(m *Model, _ string) tea.Cmd {
	turn, id := m.shown.number, m.shown.pool.Candidates[m.cursor].ID
	mark := *m.expected.MarkOf(turn, id)
	name := "#" + strconv.Itoa(m.shown.numbers[m.cursor])
	m.prompt = &prompt{
		label: "note on the mark of " + name, hint: "what it is good for", text: mark.Note, offered: mark.Note != "",
		done: func(m *Model, text string) (tea.Cmd, error) {
			mark.Note = text
			return m.mark(m.expected.Mark(mark), "the note on the mark of "+name+" is taken", " · u takes it back"), nil
		},
	}
	return nil
}

// noMark says why there is no mark to note something on.
func noMark(m *Model) string {
	if why := noCells(m); why != "" {
		return why
	}
	if m.expected.MarkOf(m.shown.number, m.shown.pool.Candidates[m.cursor].ID) == nil {
		return "this item is not marked for this turn: m marks it"
	}
	return ""
}

// mark makes marks those that there are.
func (m *Model) mark(marks *choices.Choices, what, hint string) tea.Cmd {
	m.history.push(step{before: m.want.choices, marks: m.expected, what: what})
	m.sayWith(what, hint)
	return tea.Batch(m.remark(marks), m.save())
}

// remark shows other marks: in the picture, on the page that is open, and on the timeline.
func (m *Model) remark(marks *choices.Choices) tea.Cmd {
	m.expected = marks
	if m.shown == nil {
		return nil
	}
	p := *m.shown
	p.cells = slices.Clone(p.cells)
	verdict, others := m.verdict, m.others
	m.put(&p)
	m.verdict, m.others = verdict, others
	m.sweep.note(m.shown)
	m.panes.swept++
	m.refill()
	return tea.Batch(m.explain(), m.find(), m.settled(), m.inquire())
}

// mark puts the marks of the turn on the cells of a picture that is not on screen yet, and
// counts those that are not met.
func (p *picture) mark(marks *choices.Choices) {
	for i := range p.cells {
		p.cells[i].Mark = grid.Unmarked
	}
	p.expected = marks
	p.unmet = unmet(marks.MarksIn(p.number), p.pool, p.sel.Keeps)
	for _, mark := range marks.MarksIn(p.number) {
		i := p.indexOf(mark.ID)
		switch {
		case i < 0:
		case p.sel.Keeps(i) == mark.Keep:
			p.cells[i].Mark = grid.MarkMet
		default:
			p.cells[i].Mark = grid.MarkMissed
		}
	}
}

// unmet counts the marks of a turn that a selection of its pool does not meet. What is
// not offered is not kept.
func unmet(marks []choices.Mark, pool *session.Pool, keeps func(int) bool) int {
	n := 0
	for _, mark := range marks {
		i := slices.IndexFunc(pool.Candidates, func(c session.Candidate) bool { return c.ID == mark.ID })
		if kept := i >= 0 && keeps(i); kept != mark.Keep {
			n++
		}
	}
	return n
}

// markState says of a mark of the turn on screen what is expected and whether it is met.
func (m *Model) markState(mark *choices.Mark) string {
	state := "missed"
	i := m.shown.indexOf(mark.ID)
	switch kept := i >= 0 && m.shown.sel.Keeps(i); {
	case kept == mark.Keep:
		state = "met"
	case i < 0:
		state = "missed: it is not offered"
	}
	return state
}

// noteOn is the note of a mark as the end of a sentence, "" without one.
func noteOn(mark *choices.Mark) string {
	if mark.Note == "" {
		return ""
	}
	return " · " + safe.Line(mark.Note)
}

// whyMark is what the page that shows why says of the mark of its item; nil without one.
func (m *Model) whyMark() []why.Step {
	mark := m.expected.MarkOf(m.shown.number, m.shown.pool.Candidates[m.cursor].ID)
	if mark == nil {
		return nil
	}
	return []why.Step{{Label: "mark", Text: "this turn must " + mark.Verb() + " it: " + m.markState(mark) + noteOn(mark)}}
}

// listMarks adds all marks to the page of notes.
func (m *Model) listMarks(p *page) {
	if len(m.expected.Marks) == 0 {
		return
	}
	p.Lines = append(p.Lines, nil)
	m.rule(p, "marks")
	for k := range m.expected.Marks {
		mark := &m.expected.Marks[k]
		text := "turn " + strconv.Itoa(mark.Turn) + " must " + mark.Verb() + " " + m.nameOf(mark.ID)
		switch s, known := m.sweep.found[m.turnByNumber(mark.Turn)]; {
		case mark.Turn == m.shown.number:
			text += ": " + m.markState(mark)
		case known && s.unmet == 0:
			text += ": met"
		case known:
			text += ": " + paint.Plural(s.unmet, "mark") + " of that turn missed"
		}
		m.wrapped(p, text+noteOn(mark))
	}
	if m.keeper.file != nil {
		p.Lines = append(p.Lines, overlay.Line{{Style: m.table.Muted, Text: " pacms check PATH --marks checks them, with --write FILE a file of them is made"}})
	}
}
