package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pacms/session"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// askTurn lists the turns of the session. One is chosen with the cursor, or by
// typing its number, a time or words of its question.
func askTurn(m *Model, _ string) tea.Cmd {
	rows := make([]pickRow, len(m.session.Turns))
	for i := range rows {
		rows[i] = m.turnRow(i)
	}
	return m.openPick(&picker{
		title: "go to turn", empty: "no question says that: a number or a time (15:04) will do", enter: "go there", rows: rows,
		named: func(typed string) (int, bool) {
			i, err := turnNamed(m.session, typed)
			return i, err == nil || i == noSuchTurn
		},
		choose: func(m *Model, row int, typed string, _ bool) tea.Cmd {
			if row < 0 {
				_, err := turnNamed(m.session, typed)
				m.say(err.Error())
				return nil
			}
			if m.session.Turns[row].Branch != session.BranchActive {
				return m.openLeft(row)
			}
			m.back()
			m.listWith(row)
			return m.goTo(row)
		},
	}, m.want.turn)
}

// listWith makes sure that the turn at an index is among those on screen.
func (m *Model) listWith(turn int) {
	if _, listed := slices.BinarySearch(m.turns, turn); !listed {
		m.internals = true
		m.listTurns(m.internals)
	}
}

// leftBefore is how many turns between the turn at an index and the one before it
// are on a branch that the host does not follow any more.
func (m *Model) leftBefore(turn int) int {
	n := 0
	for turn--; turn >= 0 && m.session.Turns[turn].Branch != session.BranchActive; turn-- {
		n++
	}
	return n
}

// turnRow is a turn as the list writes it: number, time, question and marks.
func (m *Model) turnRow(i int) pickRow {
	t := &m.session.Turns[i]
	r := pickRow{key: fmt.Sprintf("%*d", len(strconv.Itoa(len(m.session.Turns))), t.Number)}
	if !t.Time.IsZero() {
		r.text = t.Time.UTC().Format("2006-01-02 15:04") + "  "
	}
	if query := safe.Line(paint.Head(t.Query, m.layout.Width)); query != "" {
		r.text += "“" + query + "”"
	} else {
		r.text += "(without text)"
	}
	var marks []string
	if t.Internal != "" {
		marks = append(marks, safe.Line(t.Internal))
	}
	if t.Boundary != nil {
		marks = append(marks, m.glyphs.Cut+" "+safe.Line(t.Boundary.Kind)+" before it")
	}
	if s, known := m.sweep.found[i]; known && s.needs {
		if s.missesBy(m.running()) {
			mark := m.glyphs.Miss + " likely miss"
			if s.live {
				mark = m.glyphs.Miss + " miss"
			}
			marks = append(marks, mark)
		} else {
			marks = append(marks, m.glyphs.Had)
		}
	}
	if n := m.sweep.found[i].unmet; n > 0 {
		marks = append(marks, m.glyphs.Miss+" "+paint.Plural(n, "mark")+" missed")
	}
	if t.Branch != session.BranchActive {
		marks = append(marks, leftBranch+": enter shows it")
	}
	r.extra = strings.Join(marks, " · ")
	return r
}

// turnError says why a person cannot go to a turn.
type turnError string

func (e turnError) Error() string { return string(e) }

// What turnNamed gives beside an error.
const (
	noSuchTurn = -1 // it is a number or a time, and no turn's
	notATurn   = -2 // it is neither
)

// findTurn is turnNamed for a turn that can be on screen: one on a branch that was
// left is an error.
func findTurn(s *session.Session, text string) (int, error) {
	i, err := turnNamed(s, text)
	if err == nil && s.Turns[i].Branch != session.BranchActive {
		return 0, turnError("turn " + text + " is on a branch that was left: nothing was offered for it, g shows it")
	}
	return i, err
}

// turnNamed is the index of the turn that a person names by its number or by a
// time, then the first turn not before it on the branch that the host follows. A
// time without a day is on the day of the session's last turn; times are in UTC.
func turnNamed(s *session.Session, text string) (int, error) {
	if number, err := strconv.Atoi(text); err == nil {
		i := slices.IndexFunc(s.Turns, func(t session.Turn) bool { return t.Number == number })
		if i < 0 {
			return noSuchTurn, turnError("there is no turn " + text + ": they are " + strconv.Itoa(s.Turns[0].Number) + " to " + strconv.Itoa(s.Turns[len(s.Turns)-1].Number))
		}
		return i, nil
	}
	switch i, isTime := s.TurnAt(text); {
	case i >= 0:
		return i, nil
	case isTime:
		return noSuchTurn, turnError("no turn is as late as " + text)
	}
	return notATurn, turnError("“" + text + "” is neither the number of a turn nor a time (15:04)")
}
