package tui

import (
	"slices"
	"strconv"
	"strings"

	"pacms/selector"
	"pacms/session"
	"pacms/themes"
	"pacms/tui/grid"
	"pacms/tui/inspect"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

type (
	gridKey struct {
		table       *themes.Table
		view        grid.View
		hits        *hits
		search      *search
		cursor, top int
		size        rect
	}
	legendKey struct {
		table  *themes.Table
		view   grid.View
		hits   *hits
		search *search
		top    int
		size   rect
		lanes  bool
		bans   int
	}
	itemKey struct {
		table   *themes.Table
		picture *picture
		verdict *selector.Verdict
		cursor  int
		size    rect
	}
)

// gridLines draws the candidates.
func (m *Model) gridLines() []string {
	size := m.layout.Grid
	key := gridKey{m.table, m.view, m.hits, m.search, m.cursor, m.top, size}
	return m.panes.grid.draw(key, m.glyphs, size.W, func(b *paint.Block) {
		m.view.Render(b, m.table, grid.Frame{Margin: 1, Cursor: m.cursor, Top: m.top, Height: size.H, Hits: m.marked()})
	})
}

// legendLines draws the line above the grid: its order, what is out of sight,
// and its signs.
func (m *Model) legendLines() []string {
	size := m.layout.Legend
	key := legendKey{m.table, m.view, m.hits, m.search, m.top, m.layout.Grid, m.lanes, len(m.shown.choices.Bans)}
	return m.panes.legend.draw(key, m.glyphs, size.W, func(b *paint.Block) {
		t, g := m.table, m.glyphs
		if m.search != nil {
			b.Spans(m.foundSpan())
		} else {
			b.Put(t.Muted, " "+m.order())
		}
		above, below := m.view.Hidden(m.top, m.layout.Grid.H)
		if above+below > 0 {
			b.Put(t.Accent, "  "+paint.Count(above)+" above · "+paint.Count(below)+" below")
		}
		long := []paint.Span{
			{Style: t.Text, Text: g.Kept},
			{Style: t.Muted, Text: " kept  "},
			{Style: t.Text, Text: g.Dropped},
			{Style: t.Muted, Text: " dropped  "},
			{Style: t.Text, Text: g.Required},
			{Style: t.Muted, Text: " required  "},
			{Style: t.Alarm, Text: g.Needed},
			{Style: t.Muted, Text: " needed, dropped "},
		}
		banned := []paint.Span{{Style: t.Text, Text: g.Banned}, {Style: t.Muted, Text: " banned  "}}
		switch {
		case len(m.shown.choices.Bans) > 0 && b.Right(append(banned, long...)...):
		case b.Right(long...):
		default:
			b.Right(long[:4]...)
		}
		b.End()
	})
}

// itemLines draws the candidate under the cursor.
func (m *Model) itemLines() []string {
	size := m.layout.Item
	key := itemKey{m.table, m.shown, m.verdict, m.cursor, size}
	return m.panes.item.draw(key, m.glyphs, size.W, func(b *paint.Block) {
		if len(m.shown.cells) == 0 {
			b.Put(m.table.Muted, " nothing was offered for this turn: there is no history before it")
			b.End()
			b.Blank(size.H - 1)
			return
		}
		item := m.item(size.W * size.H)
		if m.layout.Wide {
			item.Column(b, m.table, size.H, "enter the whole text")
			return
		}
		item.Facts = nil
		item.Strip(b, m.table, size.H, "enter why")
	})
}

// item is the candidate under the cursor with what is known of it, and as much of
// its text as may be seen on a number of cells.
func (m *Model) item(seen int) inspect.Item {
	p, i := m.shown, m.cursor
	c := &p.pool.Candidates[i]
	it := inspect.Item{
		Number: p.numbers[i], Kind: p.cells[i].Kind, Name: string(c.Kind), Tool: toolLabel(c),
		Turn: c.Turn, Tokens: c.Tokens, Estimated: m.session.Estimated,
		Kept: p.sel.Keeps(i), Text: safe.Text(paint.Head(c.Content(), seen)),
	}
	if m.verdict == nil || m.verdict.Index != i {
		return it
	}
	v := m.verdict
	it.Reason = safe.Line(v.Reason.Text)
	if it.Reason == "" {
		it.Reason = string(v.Reason.Code)
	}
	it.Facts = m.facts(v)
	return it
}

// facts are the numbers behind a verdict.
func (m *Model) facts(v *selector.Verdict) [][2]string {
	facts := [][2]string{{"relevance", number(v.Relevance) + " to the question"}}
	if v.Rank > 0 {
		facts = append(facts, [2]string{"rank", strconv.Itoa(v.Rank) + " of " + paint.Count(len(m.shown.cells))})
	}
	if v.Gain != 0 {
		facts = append(facts, [2]string{"adds", number(v.Gain)})
	}
	if len(v.Reason.By) > 0 {
		var by []string
		for _, s := range v.Reason.By {
			text := "#" + strconv.Itoa(m.catalog.byID[s.ID])
			if s.Share > 0 {
				text += " " + strconv.Itoa(int(s.Share*100+0.5)) + " %"
			}
			by = append(by, text)
		}
		facts = append(facts, [2]string{"by", strings.Join(by, " · ")})
	}
	if v.Reason.Newer {
		facts = append(facts, [2]string{"beware", "it is newer than what covers it: perhaps an update"})
	}
	if group := m.members(v.Index); len(group) > 1 {
		facts = append(facts, [2]string{"group", "kept or dropped together: " + strings.Join(group, " ")})
	}
	return facts
}

// members are the numbers of the candidates that share a group, "#17" each.
func (m *Model) members(i int) []string {
	var members []string
	for _, k := range m.groupOf(i) {
		members = append(members, "#"+strconv.Itoa(m.shown.numbers[k]))
	}
	return members
}

// number writes a finding with the digits that mean something.
func number(x float64) string {
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// toolLabel is the tool of a result or of a message's first call, with what it
// was called with.
func toolLabel(c *session.Candidate) string {
	use := c.Tool
	if use == nil && len(c.Calls) > 0 {
		use = &c.Calls[0]
	}
	if use == nil {
		return ""
	}
	label := use.Name
	if args := strings.Trim(string(clipBytes(use.Args, 120)), "{}"); args != "" {
		label += " " + args
	}
	if use.Error {
		label += " (failed)"
	}
	return safe.Line(label)
}

func clipBytes(b []byte, n int) []byte { return b[:min(len(b), n)] }

// boxKey is everything that the box is drawn from.
type boxKey struct {
	table   *themes.Table
	picture *picture
	others  *other
	told    bool
	size    rect
}

// boxLines draws what the turn needs and the strategy drops, and who keeps it.
func (m *Model) boxLines() []string {
	size := m.layout.Box
	key := boxKey{table: m.table, picture: m.shown, told: m.story == storyTold && m.atMark(), size: size}
	if len(m.others) > 0 {
		key.others = &m.others[0]
	}
	return m.panes.box.draw(key, m.glyphs, size.W, func(b *paint.Block) {
		t := m.table
		if len(m.shown.missed) == 0 {
			m.outcome(b)
			return
		}
		b.Put(t.Accent, " needed by this turn and dropped: "+strconv.Itoa(len(m.shown.missed)))
		if m.shown.estimated {
			b.Put(t.Muted, "  (an estimate: the recorded answer quotes it)")
		}
		b.End()
		m.needLine(b, m.shown.missed[0].Holders[0])
		m.keepersLine(b, m.shown.missed[0].Holders[0])
	})
}

// needLine is one needed candidate in a line.
func (m *Model) needLine(b *paint.Block, i int) {
	t, p := m.table, m.shown
	c := &p.pool.Candidates[i]
	b.Put(t.Strong, "   #"+strconv.Itoa(p.numbers[i])+"  ")
	b.Put(t.Kinds[p.cells[i].Kind], string(c.Kind))
	if c.Turn > 0 {
		b.Put(t.Muted, "  turn "+strconv.Itoa(c.Turn))
	}
	tokens := "    " + paint.Plural(c.Tokens, "token") + " "
	b.Put("", "   ")
	b.Clip(t.Strong, "“"+safe.Line(paint.Head(c.Content(), b.Width()))+"”", b.Room()-len(tokens))
	b.Right(paint.Span{Style: t.Muted, Text: tokens})
	b.End()
}

// keepersLine names the strategies that keep a needed candidate within the same
// budget, as found by running them.
func (m *Model) keepersLine(b *paint.Block, i int) {
	t := m.table
	if m.others == nil {
		b.Put(t.Muted, "   trying the other strategies within the same budget …")
		b.End()
		return
	}
	keepers := m.keepers(i)
	if len(keepers) == 0 {
		b.Put(t.Muted, "   no strategy keeps it within "+paint.Tokens(m.shown.budget)+": move the budget with + or b")
		b.End()
		return
	}
	names := make([]string, len(keepers))
	for n, k := range keepers {
		names[n] = m.labels[k]
	}
	invite := "press " + strconv.Itoa(keepers[0]+1) + " to see it come back"
	if s := m.cfg.Story; s != nil && m.atMark() && keepers[0] == 0 {
		invite = s.Invite
	}
	b.Put(t.Muted, "   kept by ")
	b.Clip(t.Text, strings.Join(names, " · "), b.Room()-len(invite)-3)
	b.Right(paint.Span{Style: t.Accent, Text: invite + " "})
	b.End()
}

// keepers are the places, in m.strategies, of those that keep the candidate at a
// pool index.
func (m *Model) keepers(i int) []int {
	at := slices.Index(m.shown.needed, i)
	var keepers []int
	for k, o := range m.others {
		if at >= 0 && o.keeps[at] {
			keepers = append(keepers, k)
		}
	}
	return keepers
}

// outcome says what happened when the story's needed candidate came back.
func (m *Model) outcome(b *paint.Block) {
	t, i := m.table, m.shown.find(m.catalog.byID[m.cfg.Story.Mark.Needed])
	b.Put(t.Accent, " "+m.glyphs.In+" ")
	b.Put(t.Strong, m.storyOutcome(i))
	b.End()
	m.needLine(b, i)
	if m.others == nil {
		b.End()
		return
	}
	var drop []string
	keep := m.keepers(i)
	for k := range m.strategies {
		if !slices.Contains(keep, k) {
			drop = append(drop, m.labels[k])
		}
	}
	if len(drop) > 0 {
		b.Put(t.Muted, "   still dropped by ")
		b.Put(t.Text, strings.Join(drop, " · "))
	}
	b.Right(paint.Span{Style: t.Key, Text: "D"}, paint.Span{Style: t.Muted, Text: " plays it again "})
	b.End()
}
