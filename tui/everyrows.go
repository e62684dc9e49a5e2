package tui

import (
	"fmt"
	"slices"
	"strconv"

	"pacms/selector"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// mostPlaces is how many of the items a list names.
const mostPlaces = 500

// everyRows are the lines of the list, as long as nothing is told: the items, and
// then the turns.
func (m *Model) everyRows(l *everyList) []pickRow {
	turns := m.session.Turns
	head := "in "
	if l.byWords {
		head = "all of its words in "
	}
	head += paint.Count(len(l.looked)) + " of " + paint.Plural(l.stored, "stored item") + ", as they are at turn " + strconv.Itoa(turns[l.request.turn].Number)
	if len(l.looked) > mostPlaces {
		head += "; the first " + paint.Count(mostPlaces)
	}
	rows := make([]pickRow, 0, l.items()+len(l.turns)+2)
	rows = append(rows, pickRow{kind: rowHeading, text: head})
	for k := range l.items() {
		rows = append(rows, m.everyItemRow(l, k, selector.Sighting{}))
	}
	rows = append(rows, pickRow{kind: rowHeading})
	for _, i := range l.turns {
		rows = append(rows, m.everyTurnRow(l, i))
	}
	return rows
}

// items is how many items the list names.
func (l *everyList) items() int { return min(len(l.looked), mostPlaces) }

// fillEvery writes into the lines of the list what some turns tell.
func (m *Model) fillEvery(l *everyList, told map[int]everyTurn) {
	rows, first := l.picker.rows, l.items()+2 // the first turn
	heading := "turn by turn, as " + l.request.strategy.String() + " would choose"
	if n := len(l.told); n < len(l.turns) {
		heading += " · " + paint.Count(n) + " of " + paint.Count(len(l.turns)) + " looked at"
	}
	rows[first-1].text = heading
	for i := range told {
		if k, found := slices.BinarySearch(l.turns, i); found {
			rows[first+k] = m.everyTurnRow(l, i)
		}
	}
	if here, now := told[l.request.turn]; now {
		for _, s := range here.sightings {
			if s.Of < l.items() {
				rows[1+s.Of] = m.everyItemRow(l, s.Of, s)
			}
		}
	}
}

// everyItemRow is the line of item k, with what becomes of it in the turn on screen.
func (m *Model) everyItemRow(l *everyList, k int, s selector.Sighting) pickRow {
	o := &l.looked[k]
	r := pickRow{key: m.everySign(s.State) + " " + safe.Line(o.Name()), text: safe.Line(paint.Head(o.Excerpt, m.layout.Width)), extra: string(o.Kind) + talkWhere(&o.Candidate)}
	if s.State == selector.StateNotOffered || s.State == selector.StateDropped {
		r.extra = s.Why() + " · " + r.extra
	}
	if o.Count > 1 {
		r.extra += " · " + paint.Count(o.Count) + " times"
	}
	return r
}

// everyTurnRow is the line of the turn at an index.
func (m *Model) everyTurnRow(l *everyList, i int) pickRow {
	told, known := l.told[i]
	digits := len(strconv.Itoa(len(m.session.Turns)))
	r := pickRow{key: fmt.Sprintf("%s %*d", m.everySign(told.best), digits, m.session.Turns[i].Number), text: safe.Line(told.line)}
	if !known {
		r.text = "…"
	}
	if i == l.request.turn {
		r.extra = "on screen"
	}
	return r
}

// everySign is the sign of a state.
func (m *Model) everySign(s selector.State) string {
	switch s {
	case selector.StateKept:
		return m.glyphs.Kept
	case selector.StateDropped:
		return m.glyphs.Dropped
	case selector.StateNotOffered, selector.StateUnsaid:
	}
	return " "
}
