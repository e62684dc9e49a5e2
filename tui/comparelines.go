package tui

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pacms/session"
	"pacms/themes"
	versus "pacms/tui/compare"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// comparePaneKey is everything that the compare view is drawn from.
type comparePaneKey struct {
	table       *themes.Table
	duel        *duel
	both        *bothWhys
	cursor, top int
	moved       bool
	layout      versus.Layout
	wanted      contestKey
	failed      error
}

// layCompare lays the compare view out.
func (m *Model) layCompare() {
	c := m.contest
	n := m.itemCount()
	c.layout = versus.Arrange(m.layout.Width, m.layout.Height-2, n, m.session.Turns[len(m.session.Turns)-1].Number)
	c.scroll()
}

// compareLines draws the compare view.
func (m *Model) compareLines() []string {
	c := m.contest
	key := comparePaneKey{m.table, c.shown, c.both, c.cursor, c.top, c.moved, c.layout, m.contestKey(), c.failed}
	return m.panes.compare.draw(key, m.glyphs, m.layout.Width, func(b *paint.Block) {
		if c.shown == nil {
			m.compareWaits(b)
			return
		}
		m.compareView().Render(b, m.table)
	})
}

// compareWaits is the view before the first comparison is there.
func (m *Model) compareWaits(b *paint.Block) {
	t, c := m.table, m.contest
	b.Put(t.TitleStrong, " compare  ")
	b.Put(t.Title, m.name())
	b.EndIn(t.Title)
	b.Blank(1)
	b.Put(t.Text, " A "+c.sides[0].strategy.String()+" and B "+c.sides[1].strategy.String())
	if c.failed != nil {
		b.Put(t.Accent, ": "+safe.Line(safe.Error(c.failed)))
	} else {
		b.Put(t.Muted, ": running both …")
	}
	b.End()
	b.Blank(c.layout.Height - b.Height())
}

// compareView is the comparison as it is drawn.
func (m *Model) compareView() *versus.View {
	c := m.contest
	d := c.shown
	turn := &m.session.Turns[d.turn]
	last := m.session.Turns[len(m.session.Turns)-1].Number
	where := m.name() + " · turn " + strconv.Itoa(turn.Number) + "/" + strconv.Itoa(last)
	if m.want.turn != d.turn && c.failed == nil {
		where += " " + m.glyphs.More + " " + strconv.Itoa(m.session.Turns[m.want.turn].Number)
	}
	v := &versus.View{
		Items: d.items, Agreement: d.agreement, Only: d.only,
		Text:  func(e versus.Entry, width int) string { return d.text(e.Item, width) },
		Title: "compare", Where: where, Asked: safe.Line(paint.Head(turn.Query, m.layout.Width)),
		Factors: strings.Join(d.factors(), ", "), Basis: m.basis, Budget: m.want.budget,
		Cursor: c.cursor, Top: c.top, Moved: c.moved, Layout: c.layout,
	}
	switch _, source := m.budgetOf(d.turn); source {
	case "slider", "typed":
	default:
		v.Source = source
	}
	for k, f := range d.sides {
		v.Sides[k] = m.comparedSide(f)
		v.Pool = max(v.Pool, f.sel.Tokens.Pool)
	}
	if c.layout.Detail.H > 0 && len(d.items) > 0 {
		v.Detail = m.compareDetail()
	}
	return v
}

// comparedSide is one side as it is drawn.
func (m *Model) comparedSide(f *faced) versus.Side {
	name := f.strategy.String()
	if k := slices.IndexFunc(m.labels, func(l string) bool { return l[2:] == name }); k >= 0 {
		name = m.labels[k]
	}
	s := versus.Side{
		Name: name, Own: m.ownOf(f), Items: f.cell.Items, Tokens: f.cell.Tokens, Over: max(f.cell.Tokens-f.cell.Effective, 0),
		Estimated: f.estimated, Needs: f.cell.Needs, Missed: f.cell.Missed, Budget: f.options.Budget.Value,
	}
	for _, n := range f.needs {
		s.Estimate = s.Estimate || n.Estimate()
	}
	counts := make(map[session.Kind]int)
	for _, i := range f.sel.KeptIndices {
		counts[f.pool.Candidates[i].Kind]++
	}
	for _, k := range session.Kinds {
		if slices.ContainsFunc(f.pool.Candidates, func(c session.Candidate) bool { return c.Kind == k }) {
			s.Kinds = append(s.Kinds, versus.Count{Name: shortKind(k), N: counts[k]})
		}
	}
	return s
}

// ownOf says what a side has for itself beside its strategy.
func (m *Model) ownOf(f *faced) string {
	var own []string
	if f.place.Path != "" {
		own = append(own, safe.Line(filepath.Base(f.place.Path)))
	}
	if f.number != m.session.Turns[m.contest.shown.turn].Number || f.place.Path != "" {
		own = append(own, "turn "+strconv.Itoa(f.number))
	}
	if f.more != 0 {
		own = append(own, "at "+paint.Count(f.options.Budget.Value))
	}
	if f.place.Embedder != "" {
		own = append(own, f.sel.Embedder)
	}
	if f.place.Counter != "" {
		own = append(own, f.sel.Tokenizer)
	}
	if f.rules != nil {
		own = append(own, rulesInWords(f.rules))
	}
	return strings.Join(own, " · ")
}

// compareDetail are the lines on the item under the cursor.
func (m *Model) compareDetail() []versus.Detail {
	c := m.contest
	d, i := c.shown, c.cursor
	cand := d.candidate(i)
	head := " " + string(cand.Kind)
	if cand.Turn > 0 {
		head += " · turn " + strconv.Itoa(cand.Turn)
	}
	head += " · " + paint.Plural(cand.Tokens, "token") + "  " + d.text(i, m.layout.Width)
	detail := []versus.Detail{{Side: -1, Verdict: d.labels[i], Text: head}}
	for k, f := range d.sides {
		line := versus.Detail{Side: k, Verdict: "has not", Text: "it is not offered there"}
		if at := d.pairs[i][k]; at >= 0 {
			line.Verdict, line.Text = "drops it", f.cause(at).Words()
			if f.sel.Keeps(at) {
				line.Verdict = "keeps it"
			}
			if b := c.bothOf(i); b != nil && b.whys[k] != nil {
				line.Text = safe.Line(cmp.Or(b.whys[k].Verdict.Reason.Text, line.Text))
			}
		}
		detail = append(detail, line)
	}
	return detail
}

// compareNote says what the sides make of the item under the cursor, in short.
func (m *Model) compareNote() string {
	c := m.contest
	if c.shown == nil || len(c.shown.items) == 0 {
		return ""
	}
	d, i := c.shown, c.cursor
	var fates [2]string
	for k, f := range d.sides {
		switch at := d.pairs[i][k]; {
		case at < 0:
			fates[k] = sideNames[k] + " is not offered it"
		case f.sel.Keeps(at):
			fates[k] = sideNames[k] + " keeps it"
		default:
			fates[k] = sideNames[k] + " drops it (" + f.cause(at).Words() + ")"
		}
	}
	return d.labels[i] + " " + shortKind(d.candidate(i).Kind) + ": " + strings.Join(fates[:], ", ")
}

// leastText is the room from which the text of the item is worth its place in the
// status line.
const leastText = 16

// noteText is as much of the text of the item under the cursor as the status line has
// room for behind the note.
func (m *Model) noteText() string {
	room := m.layout.Width - ansi.StringWidth(m.compareNote()) - len(" · “” ")
	if room < leastText {
		return ""
	}
	text := safe.Line(paint.Head(m.contest.shown.candidate(m.contest.cursor).Content(), room))
	return " · “" + ansi.Truncate(text, room, m.glyphs.More) + "”"
}

// compareStatus is what the status line says in the compare view where nothing else is
// to be said.
func (m *Model) compareStatus() string {
	c := m.contest
	switch {
	case c.shown != nil && c.working:
		return "running both …"
	case c.failed != nil:
		return safe.Line(safe.Error(c.failed))
	case c.shown == nil:
		return ""
	case len(c.shown.items) == 0:
		return m.nothingOffered()
	case c.layout.Detail.H == 0:
		return m.compareNote() + m.noteText()
	}
	return ""
}
