package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/tui/overlay"
	"pacms/tui/paint"
	"pacms/tui/safe"
	"pacms/tui/why"
)

// bothWhys is the reasoning of both sides on one item; nil where it is not offered.
type bothWhys struct {
	duel *duel
	item int
	whys [2]*selector.Why
}

// bothMsg carries the reasoning on an item.
type bothMsg struct{ both *bothWhys }

// bothOf is the reasoning on an item, nil while it is not known.
func (c *contest) bothOf(item int) *bothWhys {
	if b := c.both; b != nil && b.duel == c.shown && b.item == item {
		return b
	}
	return nil
}

// askBoth looks up the reasoning on the item under the cursor.
func (m *Model) askBoth() tea.Cmd {
	c := m.contest
	if c == nil || c.shown == nil || c.cursor >= len(c.shown.items) || c.bothOf(c.cursor) != nil {
		return nil
	}
	d, i := c.shown, c.cursor
	return func() tea.Msg {
		b := &bothWhys{duel: d, item: i}
		for k, f := range d.sides {
			if at := d.pairs[i][k]; at >= 0 {
				w := f.sel.Why(at)
				b.whys[k] = &w
			}
		}
		return bothMsg{b}
	}
}

// toldBoth takes over the reasoning on an item.
func (m *Model) toldBoth(msg bothMsg) {
	if c := m.contest; c != nil && msg.both.duel == c.shown && msg.both.item == c.cursor {
		c.both = msg.both
		m.refill()
	}
}

// openBoth opens the page with the reasoning of both sides on the item under the
// cursor.
func (m *Model) openBoth() tea.Cmd {
	if c := m.contest; c.shown == nil || len(c.shown.items) == 0 {
		m.say("there is no item to ask about yet")
		return nil
	}
	m.open(pageBoth)
	return m.askBoth()
}

// readBoth is a key on that page that means something there alone, and whether it
// does.
func (m *Model) readBoth(key string) (tea.Cmd, bool) {
	switch key {
	case "n", "N":
		if m.page.find != "" {
			return nil, false
		}
		m.page.Offset = 0
		cmd := m.nextDifference(map[string]int{"n": 1, "N": -1}[key])
		m.fillPage()
		return cmd, true
	case "enter":
		return m.takeSide(), true
	}
	return nil, false
}

// takeSide runs the side on which the item matters on the main screen, and opens there
// why it keeps or drops the item, with what would turn that.
func (m *Model) takeSide() tea.Cmd {
	d, i := m.contest.shown, m.contest.cursor
	k := d.side(i)
	f := d.sides[k]
	if !d.onScreen(k) {
		m.say("the main screen has other rules, texts or vectors than " + sideNames[k] + ": what would turn it can be asked there only")
		return nil
	}
	r := m.want
	r.strategy, r.budget = f.strategy, f.options.Budget.Value
	if r.budget != m.want.budget {
		m.moved, m.budgetSource = true, "slider"
	}
	m.leaveCompare()
	return tea.Batch(m.ask(r), openWhy(m, ""))
}

// onScreen reports whether the main screen can show a side.
func (d *duel) onScreen(k int) bool {
	f := d.sides[k]
	return f.place == (Place{}) && f.rules == nil && f.turn == d.turn
}

// fillBoth writes the page with the reasoning of both sides.
func (m *Model) fillBoth(p *page) {
	c, t := m.contest, m.table
	p.Lines = nil // a new slice, by which the pane knows that the page is another
	d, i := c.shown, c.cursor
	if d == nil || i >= len(d.items) {
		p.Title, p.Lines = nil, []overlay.Line{{{Style: t.Muted, Text: " there is no item"}}}
		return
	}
	cand := d.candidate(i)
	p.Title = []paint.Span{
		{Style: t.TitleStrong, Text: d.labels[i] + " "},
		{Style: t.Title, Text: string(cand.Kind) + m.titledTool(toolLabel(cand))},
		{Style: t.TitleMuted, Text: "  why A and B keep or drop it"},
	}
	first := d.side(i)
	for n, k := range []int{first, 1 - first} {
		if n > 0 {
			p.Lines = append(p.Lines, nil)
		}
		m.rule(p, sideNames[k]+" "+strings.TrimSpace(d.sides[k].strategy.String()+" "+m.ownOf(d.sides[k])))
		m.fillSide(p, k)
		if n == 0 && d.onScreen(k) {
			p.Lines = append(p.Lines, overlay.Line{{Style: t.Key, Text: " enter"}, {Style: t.Muted, Text: " takes " + sideNames[k] + " to the main screen, with what would turn it"}})
		}
	}
	p.Lines = append(p.Lines, nil)
	m.rule(p, "text")
	m.wrapped(p, safe.Text(cand.Content()))
}

// fillSide writes what one side says of the item.
func (m *Model) fillSide(p *page, k int) {
	c, t := m.contest, m.table
	at := c.shown.pairs[c.cursor][k]
	b := c.bothOf(c.cursor)
	switch {
	case at < 0:
		p.Lines = append(p.Lines, overlay.Line{{Style: t.Text, Text: " it is not offered there"}})
		return
	case b == nil:
		p.Lines = append(p.Lines, overlay.Line{{Style: t.Muted, Text: " looking up what was decided …"}})
		return
	}
	w := b.whys[k]
	view := &why.View{Kept: w.Verdict.Kept, Headline: safe.Line(w.Headline)}
	for _, s := range w.Steps {
		view.Steps = append(view.Steps, why.Step{Label: s.Label, Text: safe.Line(s.Text)})
	}
	lines := view.Reasoning(t, p.width)
	p.Lines = append(p.Lines, slices.Clip(lines)...)
}
