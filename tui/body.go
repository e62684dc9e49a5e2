package tui

import (
	"slices"
	"strconv"
	"strings"

	"pacms/selector"
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
		relation    *relation
		cursor, top int
		size        rect
	}
	legendKey struct {
		table    *themes.Table
		view     grid.View
		hits     *hits
		search   *search
		relation *relation
		top      int
		size     rect
		lanes    bool
		shown    *picture
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
	key := gridKey{m.table, m.view, m.hits, m.search, m.lit(), m.cursor, m.top, size}
	return m.panes.grid.draw(key, m.glyphs, size.W, func(b *paint.Block) {
		m.view.Render(b, m.table, grid.Frame{Margin: 1, Cursor: m.cursor, Top: m.top, Height: size.H, Hits: m.marked(), Related: m.lit().cells()})
	})
}

// legendLines draws the line above the grid: its order, what is out of sight,
// and its signs.
func (m *Model) legendLines() []string {
	size := m.layout.Legend
	key := legendKey{m.table, m.view, m.hits, m.search, m.lit(), m.top, m.layout.Grid, m.lanes, m.shown}
	return m.panes.legend.draw(key, m.glyphs, size.W, func(b *paint.Block) {
		t := m.table
		lit := m.lit()
		switch {
		case m.search != nil:
			b.Spans(m.foundSpan())
		case lit != nil:
			b.Put("", " ")
			b.Spans(lit.legend(t)...)
		default:
			b.Put(t.Muted, " "+m.order()+m.lanesHead()+m.earlierHead())
		}
		above, below := m.view.Hidden(m.top, m.layout.Grid.H)
		switch {
		case above > 0 && below > 0:
			b.Put(t.Accent, "  "+paint.Count(above)+" above · "+paint.Count(below)+" below")
		case below > 0:
			b.Put(t.Accent, "  "+paint.Count(below)+" more below")
		case above > 0:
			b.Put(t.Accent, "  "+paint.Count(above)+" more above")
		}
		m.signs(b)
		b.End()
	})
}

// signs explains at the right of the line the signs of the grid that are on
// screen, as many of them as there is room for.
func (m *Model) signs(b *paint.Block) {
	t, g := m.table, m.glyphs
	var on struct{ required, missed, back, banned, unmet, met bool }
	for i := range m.shown.cells {
		c := &m.shown.cells[i]
		on.missed = on.missed || c.Needed && c.Verdict == themes.Dropped
		on.back = on.back || c.Needed && c.Verdict != themes.Dropped
		on.required = on.required || !c.Needed && c.Verdict == themes.Required
		on.banned = on.banned || c.Banned
		on.unmet = on.unmet || c.Mark == grid.MarkMissed
		on.met = on.met || c.Mark == grid.MarkMet
	}
	// What is needed comes before what is required, and that before what is rare.
	signs := [...]struct {
		on         bool
		sign, word paint.Span
	}{
		{on.unmet, paint.Span{Style: t.Alarm, Text: g.Miss}, paint.Span{Style: t.Muted, Text: " mark missed  "}},
		{on.met, paint.Span{Style: t.Text, Text: g.Had}, paint.Span{Style: t.Muted, Text: " mark met  "}},
		{on.missed, paint.Span{Style: t.Alarm, Text: g.Needed}, paint.Span{Style: t.Muted, Text: " needed, dropped "}},
		{on.back, paint.Span{Style: t.Cell(0, themes.Kept, themes.Marked), Text: g.Required}, paint.Span{Style: t.Muted, Text: " needed, kept  "}},
		{on.required, paint.Span{Style: t.Text, Text: g.Required}, paint.Span{Style: t.Muted, Text: " rule/pin  "}},
		{on.banned, paint.Span{Style: t.Text, Text: g.Banned}, paint.Span{Style: t.Muted, Text: " banned  "}},
	}
	spans := make([]paint.Span, 0, 4+2*len(signs))
	spans = append(spans, paint.Span{Style: t.Text, Text: g.Kept}, paint.Span{Style: t.Muted, Text: " kept  "},
		paint.Span{Style: t.Text, Text: g.Dropped}, paint.Span{Style: t.Muted, Text: " dropped  "})
	short := len(spans)
	for n := len(signs); n >= 0; n-- {
		spans = spans[:short]
		for _, s := range slices.Backward(signs[:n]) {
			if s.on {
				spans = append(spans, s.sign, s.word)
			}
		}
		if b.Right(spans...) {
			return
		}
	}
}

// itemLines draws the candidate under the cursor.
func (m *Model) itemLines() []string {
	size := m.layout.Item
	key := itemKey{m.table, m.shown, m.verdict, m.cursor, size}
	return m.panes.item.draw(key, m.glyphs, size.W, func(b *paint.Block) {
		if len(m.shown.cells) == 0 {
			lines, _ := paint.Wrap(m.nothingOffered(), size.W-2, size.H)
			for _, line := range lines {
				b.Put(m.table.Muted, " "+line)
				b.End()
			}
			b.Blank(size.H - len(lines))
			return
		}
		item := m.item(size.W * size.H)
		if m.layout.Wide {
			item.Column(b, m.table, size.H, "enter the whole text")
			return
		}
		item.Facts = nil
		for _, note := range m.shown.notesOn(m.cursor) {
			item.Reason += " · " + note
		}
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

// mostNamed is how many of those that caused a verdict are named, the greatest
// share first.
const mostNamed = 5

// facts are the numbers behind a verdict.
func (m *Model) facts(v *selector.Verdict) [][2]string {
	facts := [][2]string{{"relevance", number(v.Relevance) + " to the question"}}
	if v.Rank > 0 {
		facts = append(facts, [2]string{"rank", strconv.Itoa(v.Rank) + " of " + paint.Count(m.shown.sel.Ranked())})
	}
	if v.Gain != 0 {
		facts = append(facts, [2]string{"adds", number(v.Gain)})
	}
	if len(v.Reason.By) > 0 {
		var by []string
		for n, s := range v.Reason.By {
			if n == mostNamed && len(v.Reason.By) > mostNamed+1 {
				by = append(by, "and "+paint.Count(len(v.Reason.By)-n)+" others")
				break
			}
			text := safe.Line(s.ID)
			if i := m.shown.indexOf(s.ID); i >= 0 {
				text = "#" + strconv.Itoa(m.shown.numbers[i])
			}
			if s.Share > 0 {
				text += " " + strconv.Itoa(int(s.Share*100+0.5)) + " %"
			}
			by = append(by, text)
		}
		facts = append(facts, [2]string{"by", strings.Join(by, " · ")})
	}
	for _, note := range m.shown.notesOn(v.Index) {
		facts = append(facts, [2]string{"note", note})
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
