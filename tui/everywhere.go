package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/session"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// everywhere is the search for a text in all that is stored.
type everywhere struct {
	text       string // what was looked for last
	generation int
	stop       context.CancelFunc
	list       *everyList // what the open page lists; nil without one
}

// everyList is where a text was found, and what becomes of that turn by turn.
type everyList struct {
	text   string
	stored int // items that were looked at
	looked []session.Occurrence
	// byWords is set where nothing says the text as it stands, and what says all of
	// its words was found.
	byWords bool
	places  *session.Places
	// turns are those from the first that can tell of it on, and told what they
	// tell, by index in Session.Turns.
	turns []int
	told  map[int]everyTurn

	request request // what the turns are selected with
	picker  *picker
}

// everyTurn is what became of the items in one turn.
type everyTurn struct {
	sightings []selector.Sighting
	line      string
	best      selector.State // of the item that fared best
	aim       int            // the number of that item, 0 where none is offered
}

// Messages of the search: where the text was found, and what some turns tell.
type (
	everyFoundMsg struct {
		generation int
		list       *everyList
		err        error
	}
	everyTurnsMsg struct {
		generation int
		told       map[int]everyTurn
		rest       []int
		err        error
	}
)

// askEverywhere asks for a text to be found in all that is stored.
func askEverywhere(m *Model, _ string) tea.Cmd {
	m.play.stop()
	m.stopEverywhere()
	m.prompt = &prompt{
		label: "find everywhere", hint: "also what was compacted or reset",
		text: m.everywhere.text, offered: m.everywhere.text != "",
		done: func(m *Model, text string) (tea.Cmd, error) {
			needle, err := session.NewNeedle(text)
			if err != nil {
				return nil, errors.New("type some words of what is to be found")
			}
			m.everywhere.text = text
			return m.findEverywhere(text, needle), nil
		},
	}
	return nil
}

// stopEverywhere gives up the search on its way.
func (m *Model) stopEverywhere() {
	e := &m.everywhere
	if e.stop != nil {
		e.stop()
	}
	e.stop, e.list = nil, nil
	e.generation++
}

// findEverywhere starts the search.
func (m *Model) findEverywhere(text string, needle session.Needle) tea.Cmd {
	m.stopEverywhere()
	ctx, cancel := context.WithCancel(m.ctx)
	m.everywhere.stop = cancel
	s, mode, generation, r := m.session, m.cfg.PoolMode, m.everywhere.generation, m.want
	m.say("looking for “" + safe.Line(text) + "” …")
	return func() tea.Msg {
		l := &everyList{text: text, stored: len(s.Candidates) + len(s.Aside) + len(s.Host), request: r, told: make(map[int]everyTurn)}
		var err error
		if l.looked, l.byWords, err = s.Lookup(ctx, needle); err != nil {
			return everyFoundMsg{generation, nil, err}
		}
		l.places = session.NewPlaces(s, mode)
		for i := range s.Turns {
			if ctx.Err() != nil {
				return everyFoundMsg{generation, nil, ctx.Err()}
			}
			if len(l.turns) > 0 || slices.ContainsFunc(l.looked, func(o session.Occurrence) bool {
				return l.places.Find(i, &o).Absence != session.SaidLater
			}) {
				l.turns = append(l.turns, i)
			}
		}
		return everyFoundMsg{generation, l, nil}
	}
}

// foundEverywhere lists where the text was found, and starts on the turns.
func (m *Model) foundEverywhere(msg everyFoundMsg) tea.Cmd {
	if msg.generation != m.everywhere.generation || m.page != nil || m.prompt != nil {
		return nil
	}
	m.status = ""
	l := msg.list
	switch {
	case msg.err != nil:
		m.say(msg.err.Error())
		return nil
	case len(l.looked) == 0:
		m.say("“" + safe.Line(l.text) + "” is in none of " + paint.Plural(l.stored, "stored item"))
		return nil
	}
	m.everywhere.list = l
	l.picker = &picker{
		title: "“" + safe.Line(l.text) + "” in all that is stored", empty: "no line says that", enter: "go there",
		rows: m.everyRows(l), choose: m.everyChosen(l), wraps: true,
	}
	m.fillEvery(l, nil)
	open := m.openPick(l.picker, 1)
	order := slices.Clone(l.turns)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(distance(a, l.request.turn), distance(b, l.request.turn)) })
	return tea.Batch(open, m.tellTurns(order))
}

func distance(a, b int) int { return max(a-b, b-a) }

// everyWhile is how long turns are looked at between two reports: each has the list
// drawn again, which takes a while where that is long.
const everyWhile = 100 * time.Millisecond

// tellTurns finds out what the first of turns tell, and reports.
func (m *Model) tellTurns(turns []int) tea.Cmd {
	if len(turns) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.everywhere.stop = cancel
	l, generation := m.everywhere.list, m.everywhere.generation
	work := make([]func(context.Context) (everyTurn, error), len(turns))
	for k, turn := range turns {
		work[k] = m.tellTurn(l, turn)
	}
	return func() tea.Msg {
		defer cancel()
		msg := everyTurnsMsg{generation: generation, told: make(map[int]everyTurn)}
		for k, start := 0, time.Now(); k < len(turns) && time.Since(start) < everyWhile; k++ {
			if msg.told[turns[k]], msg.err = work[k](ctx); msg.err != nil {
				break
			}
			msg.rest = turns[k+1:]
		}
		return msg
	}
}

// tellTurn makes the work for one turn; it is made for commands and touches no
// state.
func (m *Model) tellTurn(l *everyList, i int) func(context.Context) (everyTurn, error) {
	prepare, turn := m.prepare(i), &m.session.Turns[i]
	r := l.request
	r.turn = i
	r.budget, _ = m.budgetOf(i)
	opt := m.options(r)
	return func(ctx context.Context) (everyTurn, error) {
		var pool *session.Pool
		var sel *selector.Selection
		if selector.Offered(l.places, i, l.looked) {
			p, err := prepare(ctx, nil)
			if err != nil {
				return everyTurn{}, err
			}
			if sel, err = p.Select(ctx, opt); err != nil {
				return everyTurn{}, fmt.Errorf("tui: select for turn %d: %w", turn.Number, err)
			}
			pool = p.Pool
		}
		sightings := selector.Sight(l.places, i, l.looked, pool, sel, true)
		told := everyTurn{sightings: sightings, line: selector.Line(turn, l.looked, sightings, func(s selector.Sighting) string {
			if s.Index < 0 {
				return s.Why()
			}
			return sel.Explain(s.Index).Reason.Text
		})}
		if groups := selector.Groups(sightings); len(groups) > 0 {
			told.best = groups[0].State
			if told.best == selector.StateKept || told.best == selector.StateDropped {
				told.aim = l.looked[groups[0].Of[0]].Number
			}
		}
		return told, ctx.Err()
	}
}

// toldTurns takes over what some turns tell, and goes on.
func (m *Model) toldTurns(msg everyTurnsMsg) tea.Cmd {
	l := m.everywhere.list
	if msg.generation != m.everywhere.generation || l == nil {
		return nil
	}
	if m.page == nil || m.page.pick != l.picker {
		m.stopEverywhere() // nobody looks at it any more
		return nil
	}
	if msg.err != nil {
		m.say(msg.err.Error())
		return nil
	}
	for turn, told := range msg.told {
		l.told[turn] = told
	}
	m.fillEvery(l, msg.told)
	l.picker.narrow()
	m.fillPage()
	return m.tellTurns(msg.rest)
}

// everyChosen goes where a line of the list points.
func (m *Model) everyChosen(l *everyList) func(m *Model, row int, typed string, moved bool) tea.Cmd {
	return func(m *Model, row int, _ string, _ bool) tea.Cmd {
		var turn, aim int
		switch k := row - 1; {
		case row < 0:
			return nil
		case k < l.items():
			o := &l.looked[k]
			if turn = l.offeredAt(o); turn < 0 {
				turn = m.leftTurn(o.Turn)
			}
			if turn < 0 {
				m.say(safe.Line(o.Name()) + " is in no pool: " + l.nowhere(o, len(m.session.Turns)-1))
				return nil
			}
			aim = o.Number
		default:
			turn = l.turns[k-l.items()-1]
			aim = l.told[turn].aim
		}
		told := l.told[turn]
		m.stopEverywhere()
		if m.session.Turns[turn].Branch != session.BranchActive {
			return m.openLeft(turn)
		}
		if aim == 0 && told.line != "" {
			m.say("turn " + strconv.Itoa(m.session.Turns[turn].Number) + ": " + safe.Line(told.line))
		}
		m.page = nil
		m.listWith(turn)
		return m.goAt(turn, aim)
	}
}

// leftTurn is the index of the turn with a number if that is on a branch that was
// left, else -1.
func (m *Model) leftTurn(number int) int {
	i := m.turnByNumber(number)
	if i >= 0 && m.session.Turns[i].Branch == session.BranchActive {
		return -1
	}
	return i
}

// offeredAt is the index of a turn in whose pool an item is: the one on screen, or
// else the last; -1 if there is none.
func (l *everyList) offeredAt(o *session.Occurrence) int {
	if l.places.Find(l.request.turn, o).Index >= 0 {
		return l.request.turn
	}
	for k := len(l.turns) - 1; k >= 0; k-- {
		if l.places.Find(l.turns[k], o).Index >= 0 {
			return l.turns[k]
		}
	}
	return -1
}

// nowhere says why an item is in no pool, as seen from the turn at index last.
func (l *everyList) nowhere(o *session.Occurrence, last int) string {
	sightings := selector.Sight(l.places, last, []session.Occurrence{*o}, nil, nil, false)
	if len(sightings) == 0 || sightings[0].State == selector.StateUnsaid {
		return "no turn came after it"
	}
	return sightings[0].Why()
}
