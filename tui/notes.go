package tui

import (
	"slices"

	"github.com/charmbracelet/x/ansi"

	"pacms/session"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// The warnings of a selection are shown where they matter: those on the question
// beside it, those on the budget beside that, those on a candidate with it, and
// what is left in the status line.

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

// statusNote is the first of the warnings that have no other place, or how many
// there are where it has no room: the why page lists them all.
func (m *Model) statusNote() string {
	var notes []string
	for _, w := range m.shown.sel.Warnings {
		if !elsewhere(w.Code) {
			notes = append(notes, safe.Line(w.Message))
		}
	}
	if len(notes) == 0 {
		return ""
	}
	room := m.layout.Width - 2
	if label := m.storyLabel(); label != "" {
		room -= len(label) + 2
	}
	text, count := "note: "+notes[0], paint.Plural(len(notes), "note")+": enter"
	if len(notes) > 1 {
		text += " · " + count
	}
	if ansi.StringWidth(text) > room {
		return count
	}
	return text
}
