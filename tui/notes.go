package tui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pacms/session"
	"pacms/tui/overlay"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// The warnings of a selection are shown where they matter: those on the question
// beside it, those on the budget beside that, those on a candidate with it, and
// what is left in the status line. All of them are on the page of notes.

// warning is the warning of a selection with a code, nil without one.
func (p *picture) warning(code string) *session.Warning {
	i := slices.IndexFunc(p.sel.Warnings, func(w session.Warning) bool { return w.Code == code })
	if i < 0 {
		return nil
	}
	return &p.sel.Warnings[i]
}

// askedNote is what there is to say of the question, "" where it is as usual, and
// whether a person should know before believing the picture.
func (p *picture) askedNote() (text string, beware bool) {
	switch {
	case p.sel.QuerySource == "none", p.warning("query_empty") != nil:
		return " says nothing to select by", true
	case p.warning("nothing_relevant") != nil:
		return " nothing here is like it", true
	case p.warning("weak_query") != nil:
		return " weak: like nothing here", true
	case p.sel.QuerySource == "widened":
		return " widened by the messages before", false
	}
	return "", false
}

// budgetNote is what there is to say of the budget, "" where it is as usual.
func (p *picture) budgetNote() string {
	switch {
	case p.sel.OverBudget:
		return "what is required takes " + paint.Tokens(p.sel.Tokens.Kept-p.sel.EffectiveBudget) + " more"
	case p.warning("reserve_clamped") != nil:
		return "reserve cut to " + paint.Tokens(p.sel.BudgetTerms["reserve"].Value)
	}
	return ""
}

// noteOf is what a warning with a code says of the candidates that it names, ""
// where their reasons say it already.
func noteOf(code string) string {
	switch code {
	case "opaque_blob":
		return "part of it is base64 data, which costs tokens and is not compared"
	case "query_widened":
		return "the question was widened with it"
	case "thinking_unsigned":
		return "its thinking block has no text or signature: a provider may refuse it"
	case "ban_refused":
		return "your ban does not hold here: it is required"
	}
	return ""
}

// notesOn are what the warnings say of the candidate at pool index i.
func (p *picture) notesOn(i int) []string {
	var notes []string
	for _, w := range p.sel.Warnings {
		if note := noteOf(w.Code); note != "" && slices.Contains(w.IDs, p.pool.Candidates[i].ID) {
			notes = append(notes, note)
		}
	}
	return notes
}

// elsewhere reports whether warnings with a code are shown in another place than
// the status line.
func elsewhere(code string) bool {
	switch code {
	case "query_empty", "query_widened", "nothing_relevant", "weak_query", "over_budget", "reserve_clamped":
		return true
	}
	return false
}

// turnNotes are the warnings on the turn on screen, all of them or those that have no
// other place.
func (m *Model) turnNotes(all bool) []string {
	var notes []string
	for _, w := range m.shown.sel.Warnings {
		if all || !elsewhere(w.Code) {
			notes = append(notes, safe.Line(w.Message))
		}
	}
	return notes
}

// sessionNotes are what a person should know of the session as a whole: what of it
// could not be used, and what else was odd when it was opened.
func (m *Model) sessionNotes() []string {
	notes := slices.Clone(m.noted)
	if n := len(m.session.Skipped); n > 0 {
		notes = append(notes, paint.Plural(n, "record")+" of the store could not be used and "+were(n)+" left out")
	}
	for _, w := range m.session.Warnings {
		notes = append(notes, safe.Line(w.Message))
	}
	return notes
}

func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// note says what a person should know, and keeps it for the page of notes.
func (m *Model) note(what string) {
	m.say(what)
	if !slices.Contains(m.noted, what) {
		m.noted = append(m.noted, what)
	}
}

// statusNote is the first of the notes, those on the turn before those on the
// session, with how many there are; only that where the note has no room.
func (m *Model) statusNote() string {
	notes := slices.Concat(m.turnNotes(false), m.sessionNotes())
	switch n := len(notes); n {
	case 0:
		return ""
	case 1:
		return m.noteLine(notes[0], "", "1 note: i")
	default:
		count := paint.Count(n) + " notes: i"
		return m.noteLine(notes[0], " · "+count, count)
	}
}

// greeting is the first note on the session, for when it is opened.
func (m *Model) greeting() string {
	notes := m.sessionNotes()
	if len(notes) == 0 {
		return ""
	}
	return m.noteLine(notes[0], " · i: all notes", "there are notes on this session: i")
}

// noteLine is a note and what follows it, or instead where that has no room.
func (m *Model) noteLine(note, end, instead string) string {
	room := m.layout.Width - 2
	if label := m.storyLabel(); label != "" {
		room -= len(label) + 2
	}
	if text := "note: " + note + end; ansi.StringWidth(text) <= room {
		return text
	}
	return instead
}

// noNotes says why there are no notes to list.
func noNotes(m *Model) string {
	if m.shown == nil || len(m.turnNotes(true))+len(m.sessionNotes())+len(m.expected.Marks)+len(m.live.events) > 0 {
		return noPicture(m)
	}
	return "there is nothing to note on this turn or on the session"
}

func openNotes(m *Model, _ string) tea.Cmd { return m.open(pageNotes) }

// maxSkips is how many of the records that were left out are listed.
const maxSkips = 500

// fillNotes lists all notes whole: those on the turn, those on the session, and the
// records that were left out.
func (m *Model) fillNotes(p *page) {
	t := m.table
	p.Title = []paint.Span{
		{Style: t.TitleStrong, Text: "notes  "},
		{Style: t.TitleMuted, Text: "on turn " + strconv.Itoa(m.shown.number) + " and on the session"},
	}
	p.Lines = nil // a new slice, by which the pane knows that the page is another
	list := func(heading string, notes []string, none string) {
		m.rule(p, heading)
		if len(notes) == 0 {
			p.Lines = append(p.Lines, overlay.Line{{Style: t.Muted, Text: " " + none}})
		}
		for _, note := range notes {
			m.wrapped(p, note)
		}
	}
	list("this turn", m.turnNotes(true), "nothing to note")
	p.Lines = append(p.Lines, nil)
	list("the session", m.sessionNotes(), "nothing to note")
	m.listMarks(p)
	if len(m.live.events) > 0 {
		p.Lines = append(p.Lines, nil)
		list("what happened while it was followed", m.live.events, "")
	}
	skipped := m.session.Skipped
	if len(skipped) == 0 {
		return
	}
	p.Lines = append(p.Lines, nil)
	records := make([]string, 0, min(len(skipped), maxSkips)+1)
	for i := range skipped[:min(len(skipped), maxSkips)] {
		records = append(records, safe.Line(skipped[i].String()))
	}
	if n := len(skipped) - maxSkips; n > 0 {
		records = append(records, "and "+paint.Count(n)+" more")
	}
	list("left out", records, "")
}
