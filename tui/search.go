package tui

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pacms/session"
	"pacms/tui/grid"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// search is what a person looks for among the candidates; all of its terms must
// hold.
type search struct {
	text  string
	terms []term
}

// term reports whether it holds for the candidate at pool index i; text is what
// that candidate says, in small letters.
type term func(p *picture, i int, text string) bool

// words are the terms of one word.
func words() map[string]term {
	return map[string]term{
		"kept":    func(p *picture, i int, _ string) bool { return p.sel.Keeps(i) },
		"dropped": func(p *picture, i int, _ string) bool { return !p.sel.Keeps(i) },
		"needed":  func(p *picture, i int, _ string) bool { return p.cells[i].Needed },
		"changed": func(p *picture, i int, _ string) bool { return p.cells[i].Change != grid.Same },
		"pinned":  func(p *picture, i int, _ string) bool { return i < len(p.pinned) && p.pinned[i] },
		"banned":  func(p *picture, i int, _ string) bool { return p.cells[i].Banned },
	}
}

// searchHint says what may be looked for.
const searchHint = "words · kept dropped pinned banned · kind:tool turn:3-9 reason:older"

// parseSearch reads what a person typed; nil where that is nothing.
func parseSearch(text string) (*search, error) {
	s := &search{text: text}
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		t, err := parseTerm(word)
		if err != nil {
			return nil, err
		}
		s.terms = append(s.terms, t)
	}
	if s.terms == nil {
		return nil, nil
	}
	return s, nil
}

func parseTerm(word string) (term, error) {
	if t, ok := words()[word]; ok {
		return t, nil
	}
	name, value, found := strings.Cut(word, ":")
	if found {
		switch name {
		case "kind":
			return kindTerm(value)
		case "turn":
			return turnTerm(value)
		case "reason":
			return func(p *picture, i int, _ string) bool { return strings.HasPrefix(string(p.sel.Code(i)), value) }, nil
		case "text":
			word = value
		}
	}
	return func(_ *picture, _ int, text string) bool { return strings.Contains(text, word) }, nil
}

func kindTerm(value string) (term, error) {
	of := func(k session.Kind) bool { return strings.HasPrefix(string(k), value) }
	if !slices.ContainsFunc(session.Kinds, of) {
		return nil, fmt.Errorf("no kind %s: user assistant tool memory summary document system", value)
	}
	return func(p *picture, i int, _ string) bool { return of(p.pool.Candidates[i].Kind) }, nil
}

func turnTerm(value string) (term, error) {
	low, high, isRange := strings.Cut(value, "-")
	from, to := 0, 0
	var err, err2 error
	if low != "" {
		from, err = strconv.Atoi(low)
		to = from
	}
	if isRange && high != "" {
		to, err2 = strconv.Atoi(high)
	}
	if err != nil || err2 != nil {
		return nil, errors.New("turn: takes a number or a range, turn:12 or turn:3-9")
	}
	if value == "" || isRange && high == "" { // still being typed
		to = int(^uint(0) >> 1)
	}
	return func(p *picture, i int, _ string) bool {
		turn := p.pool.Candidates[i].Turn
		return turn >= from && turn <= to
	}, nil
}

// hits are the candidates of a picture that a search finds.
type hits struct {
	search  *search
	picture *picture
	is      []bool // by pool index
	list    []int  // pool indices
}

// in looks through a picture. It is made for commands: it reads all texts.
func (s *search) in(p *picture) *hits {
	h := &hits{search: s, picture: p, is: make([]bool, len(p.cells))}
	for i := range p.cells {
		text := strings.ToLower(p.pool.Candidates[i].Content())
		h.is[i] = !slices.ContainsFunc(s.terms, func(t term) bool { return !t(p, i, text) })
		if h.is[i] {
			h.list = append(h.list, i)
		}
	}
	return h
}

// searchedMsg carries what a search found in the picture on screen.
type searchedMsg struct{ hits *hits }

// find looks for what is wanted in the picture on screen.
func (m *Model) find() tea.Cmd {
	s, p := m.search, m.shown
	if s == nil || p == nil || m.hits != nil && m.hits.search == s && m.hits.picture == p {
		return nil
	}
	return func() tea.Msg { return searchedMsg{s.in(p)} }
}

// searched takes over what was found.
func (m *Model) searched(h *hits) {
	if h != nil && h.search == m.search && h.picture == m.shown {
		m.hits = h
	}
}

// marked says of each candidate whether it was found; nil without a search, and
// as long as it is on its way.
func (m *Model) marked() []bool {
	if m.search == nil || m.hits == nil || m.hits.picture != m.shown {
		return nil
	}
	return m.hits.is
}

func askSearch(m *Model, _ string) tea.Cmd {
	text := ""
	if m.search != nil {
		text = m.search.text
	}
	m.play.stop()
	m.prompt = &prompt{
		label: "find", hint: searchHint, text: text,
		changed: func(m *Model, text string) tea.Cmd {
			s, err := parseSearch(text)
			if err != nil {
				m.say(err.Error())
				return nil
			}
			m.search = s
			return m.find()
		},
		done: func(m *Model, text string) (tea.Cmd, error) {
			s, err := parseSearch(text)
			if err != nil || s == nil || m.marked() == nil || len(m.hits.list) == 0 || m.hits.is[m.cursor] {
				return nil, err
			}
			return walk(m, "n"), nil
		},
		left: func(m *Model) { m.search, m.hits = nil, nil },
	}
	return nil
}

// walked is what n and N walk in pool order, and what it is called.
func (m *Model) walked() (set []int, one, of string) {
	if m.search != nil {
		return m.hits.list, "hit ", " for " + m.search.text
	}
	return m.shown.changed, "change ", " since " + m.shown.since
}

// walkMissing puts the cursor on what the turn needs and has not, which n walks
// before anything else; false where there is nothing of that, or no more.
func (m *Model) walkMissing(key string) (tea.Cmd, bool) {
	missing := m.shown.missing()
	if m.search != nil || len(missing) == 0 {
		return nil, false
	}
	at := slices.Index(missing, m.cursor)
	switch {
	case key == "n" && at != 0 && m.passed != m.shown, len(m.shown.changed) == 0 && at == len(missing)-1:
		at = 0
	case (key == "n" || len(m.shown.changed) == 0) && at >= 0 && at+1 < len(missing):
		at++
	case len(m.shown.changed) == 0:
		at = 0
	default:
		return nil, false
	}
	m.passed = m.shown
	m.say("needed and dropped: " + paint.Count(at+1) + " of " + paint.Count(len(missing)))
	return m.point(missing[at]), true
}

// walk puts the cursor on the next or the previous candidate that was found, or
// without a search on one that changed.
func walk(m *Model, key string) tea.Cmd {
	if cmd, found := m.walkMissing(key); found {
		return cmd
	}
	set, one, of := m.walked()
	at, found := slices.BinarySearch(set, m.cursor)
	switch {
	case key == "N":
		at--
	case found:
		at++
	}
	at = (at + len(set)) % len(set)
	m.say(one + paint.Count(at+1) + " of " + paint.Count(len(set)) + of)
	return m.point(set[at])
}

func noWalk(m *Model) string {
	switch {
	case m.search == nil || m.shown == nil:
		return noChanges(m)
	case m.marked() == nil:
		return "still looking for " + m.search.text
	case len(m.hits.list) == 0:
		return "nothing here matches " + m.search.text + ": esc ends the search"
	}
	return ""
}

// foundSpan is what the legend says of the search.
func (m *Model) foundSpan() paint.Span {
	text := " / " + safe.Line(m.search.text)
	if m.marked() != nil {
		text += "  " + paint.Count(len(m.hits.list)) + " of " + paint.Count(len(m.shown.cells)) + " match"
	}
	return paint.Span{Style: m.table.Accent, Text: text}
}
