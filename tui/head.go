package tui

import (
	"slices"
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"pacms/session"
	"pacms/themes"
	"pacms/tui/choices"
	"pacms/tui/meter"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// headKey is everything that the upper lines are drawn from.
type headKey struct {
	table   *themes.Table
	picture *picture
	width   int
	wide    bool
	wanted  int // the turn that is on its way
	failed  error
	search  bool
	choices *choices.Choices
	budget  int
	source  string
	running string
	playing bool
	speed   int
	valid   [3]bool
	session *session.Session
	live    string
}

// headLines draws the lines above the grid.
func (m *Model) headLines() []string {
	_, source := m.budgetOf(m.want.turn)
	key := headKey{
		table: m.table, picture: m.shown, width: m.layout.Width, wide: m.layout.Wide,
		wanted: m.want.turn, failed: m.failure, search: m.search != nil, choices: m.want.choices, budget: m.want.budget, source: source, running: m.want.strategy.String(),
		playing: m.play.on, speed: m.play.speed,
		valid: [3]bool{noAnswer(m) == "", noChanges(m) == ""}, session: m.session, live: m.liveText(),
	}
	return m.panes.head.draw(key, m.glyphs, m.layout.Width, func(b *paint.Block) {
		m.titleLine(b)
		m.askedLine(b)
		m.sentenceLine(b)
		m.barLine(b)
		m.budgetLine(b)
		m.sinceLine(b)
	})
}

// pill is a strategy in the title bar, from one column up to another.
type pill struct {
	name     string
	from, to int
}

// pills are the strategies as the title bar writes them: with their names where
// there is room, otherwise by number but for the running one.
func (m *Model) pills() []pill {
	pills := make([]pill, len(m.strategies))
	x := m.layout.Width - 1
	short := m.layout.Width < 78 || m.layout.Width < 104 && (m.want.counts() != "" || m.follows())
	for i, s := range slices.Backward(m.strategies) {
		name := m.labels[i]
		if short && s.String() != m.want.strategy.String() {
			name = name[:1]
		}
		pills[i] = pill{name, x - len(name), x}
		x -= len(name) + 1
	}
	return pills
}

// name is what the title bar calls the session.
func (m *Model) name() string {
	if m.cfg.Story != nil {
		return "demo"
	}
	return safe.Line(m.cfg.Title)
}

// titleLine names the session, the turn, the state of playing and the strategies.
func (m *Model) titleLine(b *paint.Block) {
	t := m.table
	pills := m.pills()
	room := pills[0].from - 2
	turn := &m.session.Turns[m.shown.turn]
	last := m.session.Turns[len(m.session.Turns)-1].Number
	where := "  turn " + strconv.Itoa(turn.Number) + "/" + strconv.Itoa(last) + " "
	state := m.glyphs.Pause
	if m.play.on {
		state = m.glyphs.Play
	}
	if speed := m.play.speedName(); speed != "" && m.play.on {
		state += " " + speed
	}
	if text := m.liveText(); text != "" && !m.play.on {
		state = text
	}
	if m.want.turn != m.shown.turn && m.failure == nil {
		state += " " + m.glyphs.More + " " + strconv.Itoa(m.session.Turns[m.want.turn].Number)
	}
	b.Put(t.Title, " ")
	left := room - ansi.StringWidth(where) - ansi.StringWidth(state)
	b.Clip(t.TitleStrong, m.name(), left-b.Used())
	if s := m.cfg.Story; s != nil && b.Width() >= 120 {
		b.Clip(t.Title, "  "+s.Title, left-b.Used())
	}
	b.Clip(t.Title, where, room-b.Used())
	b.Clip(t.TitleStrong, state, room-b.Used())
	if counts := m.want.counts(); counts != "" {
		b.Clip(t.TitleStrong, "   "+counts, room-b.Used())
	}
	if s := m.cfg.Story; s != nil && b.Width() >= labelWidth && room-b.Used() > len(s.Label)+2 {
		b.Put(t.TitleMuted, "   "+s.Label)
	}
	for i, p := range pills {
		running := m.strategies[i].String() == m.want.strategy.String()
		if !running {
			b.To(t.Title, p.from)
			b.Put(t.TitleMuted, p.name)
			continue
		}
		b.To(t.Title, p.from-1)
		b.Cell(t.PillEdge, m.glyphs.PillLeft)
		b.Put(t.Pill, p.name)
		b.Cell(t.PillEdge, m.glyphs.PillRight)
	}
	b.EndIn(t.Title)
}

// askedLine is the question of the turn and where it comes from.
func (m *Model) askedLine(b *paint.Block) {
	t := m.table
	turn := &m.session.Turns[m.shown.turn]
	var hints []paint.Span
	if b.Width() >= 100 && !turn.Time.IsZero() {
		hints = append(hints, paint.Span{Style: t.Muted, Text: "  " + turn.Time.UTC().Format("2006-01-02 15:04 UTC") + " "})
	}
	if noAnswer(m) == "" {
		hints = append(hints, paint.Span{Style: t.Key, Text: " a"}, paint.Span{Style: t.Muted, Text: " answer "})
	}
	source, beware := m.shown.askedNote()
	style := t.Muted
	if beware {
		style = t.Accent
	}
	if turn.Internal != "" {
		source += " " + safe.Line(turn.Internal)
	}
	b.Put(t.Muted, " ASKED ")
	if query := safe.Line(paint.Head(turn.Query, b.Width())); query != "" {
		b.Quote(t.Strong, query, b.RoomBefore(hints...)-ansi.StringWidth(source))
	} else {
		b.Put(t.Muted, "a question that came without its text")
	}
	b.Put(style, source)
	b.Right(hints...)
	b.End()
}

// sentenceLine is what happened in one sentence.
func (m *Model) sentenceLine(b *paint.Block) {
	t, sel := m.table, m.shown.sel
	kept, offered := len(sel.KeptIndices), len(m.shown.cells)
	b.Put("", " ")
	if m.captured(m.shown) {
		b.Put(t.Strong, "The agent saw ")
	} else {
		b.Put(t.Strong, m.shown.strategy.String())
		b.Put(t.Strong, " would keep ")
	}
	b.Count(t.Strong, kept)
	b.Put(t.Strong, " of ")
	b.Count(t.Strong, offered)
	if offered == 1 {
		b.Put(t.Strong, " item")
	} else {
		b.Put(t.Strong, " items")
	}
	b.Put(t.Text, " · ")
	b.Tokens(t.Text, sel.Tokens.Kept)
	if b.Width() < 72 {
		b.Put(t.Text, "/")
	} else {
		b.Put(t.Text, " of ")
	}
	b.Tokens(t.Text, sel.Tokens.Pool)
	b.Put(t.Text, " tokens")
	if m.session.Estimated {
		b.Put(t.Text, " est.")
	}
	if sel.OverBudget { // where it has no room, the line of the budget says it
		by := paint.Tokens(sel.Tokens.Kept - sel.EffectiveBudget)
		if long := " · over the budget by " + by; ansi.StringWidth(long) <= b.Room() {
			b.Put(t.Accent, long)
		} else if short := " · over by " + by; ansi.StringWidth(short) <= b.Room() {
			b.Put(t.Accent, short)
		}
	}
	var digits [24]byte
	if b.Room() >= len(" - dropped ")+len(strconv.AppendInt(digits[:0], int64(offered-kept), 10))*4/3 {
		b.Put(t.Muted, " · ")
		b.Count(t.Muted, offered-kept)
		b.Put(t.Muted, " dropped")
	}
	b.End()
}

// barLine is the meter with the handle of the budget on it.
func (m *Model) barLine(b *paint.Block) {
	bar := meter.Meter{
		Kinds: m.shown.kinds, Pool: m.shown.sel.Tokens.Pool, Budget: m.want.budget,
		Host: m.hostBudgetOf(m.shown.turn), Basis: m.basis,
	}
	b.Put("", " ")
	bar.Render(b, m.table, b.Room()-1)
	b.End()
}

// budgetLine names the budget, its share and its source, and the pool.
func (m *Model) budgetLine(b *paint.Block) {
	t := m.table
	b.Put(t.Accent, " budget ")
	b.Count(t.Accent, m.want.budget)
	if m.basis > 0 {
		b.Put(t.Muted, " (")
		b.Count(t.Muted, (m.want.budget*100+m.basis/2)/m.basis)
		b.Put(t.Muted, " %)")
	}
	switch _, source := m.budgetOf(m.want.turn); source {
	case "", "slider", "typed": // set by hand: there is nothing to explain
	default:
		b.Put(t.Muted, " ")
		b.Put(t.Muted, source)
	}
	if note := m.shown.budgetNote(); note != "" {
		b.Put(t.Accent, " · "+note)
	}
	if b.Room() > len("  - + next change") {
		b.Put(t.Key, "  - +")
		b.Put(t.Muted, " next change")
	}
	// The colours of the kinds are what makes the bar and the grid readable; the
	// size of the pool is in the sentence too.
	pool := paint.Span{Style: t.Muted, Text: "pool " + paint.Tokens(m.shown.sel.Tokens.Pool) + " tokens "}
	bar := meter.Meter{Kinds: m.shown.kinds}
	if !bar.Legend(b, t, m.kinds, b.RoomBefore(pool)) {
		bar.Legend(b, t, m.kinds, b.Room())
	}
	b.Right(pool)
	b.End()
}

// sinceLine says what the last change of turn, strategy or budget did.
func (m *Model) sinceLine(b *paint.Block) {
	t, p := m.table, m.shown
	if boundary := m.session.Turns[p.turn].Boundary; boundary != nil {
		b.Put(t.Accent, " "+safe.Line(boundary.Kind)+" before this turn ")
	}
	if n := m.leftBefore(p.turn); n > 0 {
		b.Put(t.Accent, " "+paint.Plural(n, "turn")+" before this one on a branch that was left ")
	}
	if p.since == "" {
		b.End()
		return
	}
	for short := range 3 { // as much of it as has room
		if spans := m.sinceSpans(short); b.RoomBefore(spans...) > 0 {
			b.Spans(spans...)
			break
		}
	}
	if p.in == 0 && p.left == 0 {
		b.End()
		return
	}
	next := []paint.Span{{Style: t.Muted, Text: " · "}, {Style: t.Key, Text: "n"}, {Style: t.Muted, Text: " next "}}
	switch {
	case len(p.changed) == 0:
	case m.search != nil: // n walks what was found
		b.Right(append(m.changeSigns(), paint.Span{Text: " "})...)
	default:
		if !b.Right(append(m.changeSigns(), next...)...) {
			b.Right(next[1:]...)
		}
	}
	b.End()
}

// sinceSpans are how many items came in and left since what: without the number of one
// of them from short 1 on, and without words from 2 on.
func (m *Model) sinceSpans(short int) []paint.Span {
	t, p := m.table, m.shown
	since := paint.Span{Style: t.Muted, Text: " since " + p.since + ": "}
	if p.in == 0 && p.left == 0 {
		return []paint.Span{since, {Style: t.Muted, Text: "nothing changed"}}
	}
	in, first, left := paint.Count(p.in), "", paint.Count(p.left)
	if short < 2 {
		in, left = in+" came in", left+" left"
	}
	if number := m.firstIn(); number > 0 && short < 1 {
		first = " (#" + strconv.Itoa(number) + more(p.in > 1) + ")"
	}
	return []paint.Span{
		since,
		{Style: t.Strong, Text: m.glyphs.In + " "},
		{Style: t.Text, Text: in},
		{Style: t.Muted, Text: first},
		{Style: t.Strong, Text: "  " + m.glyphs.Left + " "},
		{Style: t.Text, Text: left},
	}
}

// changeSigns say how the grid shows what has changed.
func (m *Model) changeSigns() []paint.Span {
	t, g := m.table, m.glyphs
	if t.Signed {
		signs := g.CameIn + " " + g.Gone
		return []paint.Span{{Style: t.Muted, Text: "changes are "}, {Style: t.Text, Text: signs}}
	}
	return []paint.Span{{Style: t.Muted, Text: "changes are "}, {Style: t.Ground, Text: "shaded"}}
}

func more(yes bool) string {
	if yes {
		return " …"
	}
	return ""
}

// firstIn is the number of the candidate to name among those that came in: one
// that the turn needs before any other.
func (m *Model) firstIn() int {
	p := m.shown
	first := 0
	for _, i := range p.changed {
		if !p.sel.Keeps(i) {
			continue
		}
		if p.cells[i].Needed {
			return p.numbers[i]
		}
		if first == 0 {
			first = p.numbers[i]
		}
	}
	return first
}
