package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pacms/selector"
	"pacms/tui/overlay"
	"pacms/tui/paint"
	"pacms/tui/safe"
	"pacms/tui/why"
)

// airyHeight is the height from which the page has lines to spare.
const airyHeight = 28

func openWhy(m *Model, _ string) tea.Cmd {
	return tea.Batch(m.open(pageWhy), m.inquire())
}

// whyKeys are the keys of the main screen that act on the page as they do there.
var whyKeys = []string{"p", "m", ";", "u", "ctrl+r", "y", "Y", "ctrl+y", "-", "+", "_", "*", "="}

// readWhy is a key on the open page that means something there alone, and whether it
// does.
func (m *Model) readWhy(key string) (tea.Cmd, bool) {
	switch {
	case key == "enter" && m.page.link() > 0:
		return m.jump(), true
	case key == "left", key == "right":
		m.chooseLink(map[string]int{"left": -1, "right": 1}[key])
		return nil, true
	case key == "r":
		return m.toggleRaw(), true
	case key == "o":
		return m.askOptimum(), true
	case key == "b":
		return m.applyBudget(), true
	case key == "x", key == "X":
		return m.applyBan(key), true
	case len(key) == 1 && key[0] >= '1' && key[0] <= '9', slices.Contains(whyKeys, key):
		return m.press(key), true
	case key == ",", key == ".":
		return m.stepWhy(key), true
	case (key == "n" || key == "N") && m.page.find == "" && noWalk(m) == "":
		m.page.Offset, m.page.chosen = 0, -1
		cmd := walk(m, key)
		m.fillPage()
		return tea.Batch(cmd, m.inquire()), true
	}
	return nil, false
}

// link is the number of the candidate that enter goes to, 0 where there is none.
func (p *page) link() int {
	if len(p.links) == 0 {
		return 0
	}
	return p.links[p.target]
}

// whyHints are the keys of the page that act now and that the page itself does not
// name.
func (m *Model) whyHints() []hint {
	hints := []hint{{"↑ ↓", "text"}}
	if link := m.page.link(); link > 0 {
		hints = append(hints, hint{"enter", "to #" + strconv.Itoa(link)})
	}
	if len(m.page.links) > 1 {
		hints = append(hints, hint{"← →", "choose"})
	}
	if m.page.find != "" || noWalk(m) == "" {
		hints = append(hints, hint{"n", "next"})
	}
	hints = append(hints, hint{", .", "turn"}, hint{"- +", "budget"}, hint{"/", "find"}, hint{"r", "record"}, hint{"y", "copy"}, hint{"p", "pin"})
	return append(hints, hint{"PgUp PgDn", "page"}, hint{"Home End", "ends"})
}

// whyHelp are the keys of the page that shows why, for the list of keys.
func whyHelp() [][2]string {
	return [][2]string{
		{"enter", "go on to the item that is lit: what covers it, or what it covers"},
		{"← →", "light another of the items that are named"},
		{"b", "set the nearest budget that turns the verdict"},
		{"x X", "ban what stands in its way, the first or the second; a kept item itself"},
		{"p", "pin it; p again takes the pin away"},
		{"m ;", "mark it for this turn: must keep, must drop, no more; a note on the mark"},
		{"1-" + strconv.Itoa(len(selector.Strategies())), "switch the strategy"},
		{", .", "the turn before and the next one, where they offer it"},
		{"o", "try every set, where few are free to choose from: is there a better one?"},
		{"r", "the stored record in the place of the text"},
	}
}

// jump puts the cursor on the chosen link.
func (m *Model) jump() tea.Cmd {
	i := m.shown.find(m.page.link())
	if i < 0 {
		return nil
	}
	m.page.Offset, m.page.chosen = 0, -1
	cmd := m.point(i)
	m.fillPage()
	return tea.Batch(cmd, m.inquire())
}

// chooseLink moves to the next or the previous link.
func (m *Model) chooseLink(by int) {
	n := len(m.page.links)
	if n == 0 {
		m.say("no other item is named here")
		return
	}
	m.page.chosen = (m.page.target + by + n) % n
	m.fillPage()
}

// stepWhy goes to the turn before or after, if that offers the item too.
func (m *Model) stepWhy(key string) tea.Cmd {
	dir := 1
	if key == "," {
		dir = -1
	}
	turn := m.neighbour(dir)
	if turn >= 0 && !m.offeredAt(turn, m.shown.pool.Candidates[m.cursor].ID) {
		m.say("#" + strconv.Itoa(m.pointed()) + " is not offered for turn " + strconv.Itoa(m.session.Turns[turn].Number))
		return nil
	}
	return m.press(key)
}

// offeredAt reports whether the pool of the turn at an index holds a candidate.
func (m *Model) offeredAt(turn int, id string) bool {
	if m.session.Pools != nil {
		for i := range m.session.Pools[turn].Candidates {
			if m.session.Pools[turn].Candidates[i].ID == id {
				return true
			}
		}
		return false
	}
	for _, span := range spans(&m.session.Turns[turn], m.cfg.PoolMode) {
		for i := span.From; i < span.To; i++ {
			if m.session.Candidates[i].ID == id {
				return true
			}
		}
	}
	return false
}

// fillWhy writes the page: what there is to say of the candidate under the cursor,
// and below it its text or its stored record.
func (m *Model) fillWhy(p *page) {
	t := m.table
	item := m.item(p.width * maxPageLines)
	p.Title = []paint.Span{
		{Style: t.TitleStrong, Text: "why  "},
		{Style: t.Title, Text: "#" + strconv.Itoa(item.Number) + " " + item.Name + m.titledTool(item.Tool)},
		{Style: t.TitleMuted, Text: "  for turn " + strconv.Itoa(m.shown.number) + " · " + m.shown.strategy.String() + " · budget " + paint.Tokens(m.shown.budget)},
	}
	view := m.whyView()
	p.links, p.target = view.Links, view.Chosen
	p.Lines = nil // a new slice, by which the pane knows that the page is another
	if m.layout.Height >= airyHeight {
		p.Lines = append(p.Lines, nil)
	}
	p.Lines = append(p.Lines, view.Lines(t, p.width)...)
	if p.raw != "" && p.rawID == m.shown.pool.Candidates[m.cursor].ID {
		m.rule(p, "stored record")
		m.wrapped(p, p.raw)
		return
	}
	p.raw = ""
	at := len(p.Lines)
	m.rule(p, "text")
	if item.Text == "" {
		p.Lines = append(p.Lines, overlay.Line{{Style: t.Muted, Text: " (no visible text)"}})
		return
	}
	m.wrapped(p, item.Text)
	if n := len(p.Lines) - at - 1; n > 1 {
		rest := p.Lines[at+1:]
		p.Lines = p.Lines[:at]
		m.rule(p, "text · "+paint.Count(n)+" lines")
		p.Lines = append(p.Lines, rest...)
	}
}

// titledTool is a tool with what it was called with as far as the title has room.
func (m *Model) titledTool(tool string) string {
	const others = 68 // columns of the rest of the title
	if room := m.layout.Width - others; tool != "" && room > 8 {
		return " " + ansi.Truncate(tool, room, m.glyphs.More)
	}
	return ""
}

// whyView is what is known so far of the candidate under the cursor.
func (m *Model) whyView() *why.View {
	q := m.asked()
	view := &why.View{Kept: m.shown.sel.Keeps(m.cursor), Trying: "trying what would turn it"}
	if m.verdict != nil && m.verdict.Index == m.cursor {
		view.Headline = safe.Line(m.verdict.Reason.Text)
	}
	if q == nil || q.why == nil {
		view.Steps = append(view.Steps, why.Step{Label: "working", Text: "looking up what was decided …"})
		return view
	}
	view.Headline = safe.Line(q.why.Headline)
	for _, s := range q.why.Steps {
		view.Steps = append(view.Steps, why.Step{Label: s.Label, Text: safe.Line(s.Text)})
	}
	numbers := m.mayName(q.why)
	view.Links = why.Named(view.Steps, numbers)
	view.Chosen = min(m.page.chosen, len(view.Links)-1)
	if view.Chosen < 0 { // the most telling one that is named
		at := slices.IndexFunc(numbers, func(n int) bool { return slices.Contains(view.Links, n) })
		view.Chosen = 0
		if at >= 0 {
			view.Chosen = slices.Index(view.Links, numbers[at])
		}
	}
	view.Notes, view.Turn = m.whyNotes(q), m.whyTurn(q)
	switch {
	case q.tried:
		view.Trying, view.Changes = "", m.changes(q)
	case q.failed != nil:
		view.Trying = ""
	}
	view.None = m.noChange(q)
	view.Later = q.later
	return view
}

// mostLinks is how many candidates of a kind the reasoning names at most.
const mostLinks = 10

// noChange says why nothing would turn the verdict.
func (m *Model) noChange(q *inquiry) string {
	switch {
	case q.failed != nil:
		return "could not be tried: " + safe.Line(q.failed.Error())
	case m.shown.sel.Code(m.cursor) == selector.Required:
		return "by nothing: it is required"
	default:
		return "by nothing that was tried: budgets, other strategies, a pin or a ban"
	}
}

// mayName are the numbers of the candidates that the reasoning may name, the most
// telling first.
func (m *Model) mayName(w *selector.Why) []int {
	var numbers []int
	for _, shares := range [][]selector.Share{w.CoveredBy, w.Covers, w.Verdict.Reason.By} {
		for _, s := range shares[:min(len(shares), mostLinks)] {
			if i := m.shown.indexOf(s.ID); i >= 0 && i != m.cursor {
				numbers = append(numbers, m.shown.numbers[i])
			}
		}
	}
	for _, i := range m.groupOf(m.cursor) {
		if i != m.cursor {
			numbers = append(numbers, m.shown.numbers[i])
		}
	}
	return numbers
}

// whyNotes are what else there is to say of the item.
func (m *Model) whyNotes(q *inquiry) []why.Step {
	var steps []why.Step
	if q.why.Verdict.Reason.Newer {
		steps = append(steps, why.Step{Label: "beware", Text: "it is newer than what covers it: perhaps an update"})
	}
	steps = append(steps, m.whyMark()...)
	for _, note := range m.shown.notesOn(m.cursor) {
		steps = append(steps, why.Step{Label: "note", Text: safe.Line(note)})
	}
	if story := m.lifeStory(); story != "" {
		steps = append(steps, why.Step{Label: "changed", Text: safe.Line(story)})
	}
	return steps
}

// whyTurn are the steps that the selection as a whole adds.
func (m *Model) whyTurn(q *inquiry) []why.Step {
	var steps []why.Step
	add := func(label, text string) {
		if text != "" {
			steps = append(steps, why.Step{Label: label, Text: safe.Line(text)})
		}
	}
	add("certificate", q.why.Certificate)
	optimum := q.optimum
	if free := m.shown.freeGroups(); optimum == "" && q.why.Certificate != "" && free <= mostExact {
		optimum = "o tries every set of the " + paint.Plural(free, "group") + " that are free to choose from"
	}
	add("optimum", optimum)
	add("prefix", q.prefix)
	for _, w := range m.shown.sel.Warnings {
		add("note", w.Message)
	}
	return steps
}

// rule adds a heading with a line on both sides.
func (m *Model) rule(p *page, heading string) {
	rest := max(p.width-len([]rune(heading))-4, 0)
	p.Lines = append(p.Lines, overlay.Line{
		{Style: m.table.Faint, Text: strings.Repeat(m.glyphs.Rule, 2)},
		{Style: m.table.Muted, Text: " " + heading + " "},
		{Style: m.table.Faint, Text: strings.Repeat(m.glyphs.Rule, rest)},
	})
}
