package tui

import (
	"slices"
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"pacms/themes"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// boxKey is everything that the box is drawn from.
type boxKey struct {
	table   *themes.Table
	picture *picture
	others  *other
	cursor  int
	search  bool
	story   storyState
	playing bool
	size    rect
}

// wantsBox reports whether there is something to show in the box.
func (m *Model) wantsBox() bool {
	return len(m.shown.missed) > 0 || m.storyTelling() || m.story == storyTold && m.atMark()
}

// boxLines draws what the turn needs and the strategy drops, and who keeps it; or
// how far the story has come.
func (m *Model) boxLines() []string {
	size := m.layout.Box
	key := boxKey{table: m.table, picture: m.shown, cursor: m.cursor, search: m.search != nil, story: m.story, playing: m.play.on, size: size}
	if len(m.others) > 0 {
		key.others = &m.others[0]
	}
	return m.panes.box.draw(key, m.glyphs, size.W, func(b *paint.Block) {
		t := m.table
		switch {
		case m.storyTelling():
			m.storySoFar(b)
			return
		case len(m.shown.missed) == 0:
			m.outcome(b)
			return
		}
		b.Put(t.Accent, " needed by this turn and dropped: "+strconv.Itoa(len(m.shown.missed)))
		var walk []paint.Span
		if m.search == nil && m.cursor != m.shown.cheapest(m.shown.lead) {
			walk = []paint.Span{{Style: t.Key, Text: " n"}, {Style: t.Muted, Text: " goes to it "}}
		}
		if lead := m.shown.lead; lead.Estimate() {
			why := "  (an estimate: " + lead.Sign.Evidence() + ")"
			if len(why) > b.RoomBefore(walk...) {
				why = "  (estimate)"
			}
			b.Put(t.Muted, why)
		}
		b.Right(walk...)
		b.End()
		m.needLine(b, m.shown.cheapest(m.shown.lead))
		m.keepersLine(b)
	})
}

// needLine is one needed candidate in a line.
func (m *Model) needLine(b *paint.Block, i int) {
	t, p := m.table, m.shown
	c := &p.pool.Candidates[i]
	indent, gap, end := "   ", "  ", "    "
	if b.Width() < 72 {
		indent, gap, end = " ", " ", " "
	}
	tokens := paint.Span{Style: t.Muted, Text: end + paint.Plural(c.Tokens, "token") + " "}
	b.Put(t.Strong, indent+"#"+strconv.Itoa(p.numbers[i])+gap)
	b.Put(t.Kinds[p.cells[i].Kind], string(c.Kind))
	if c.Turn > 0 {
		b.Put(t.Muted, gap+"turn "+strconv.Itoa(c.Turn))
	}
	b.Put("", indent)
	b.Quote(t.Strong, safe.Line(paint.Head(c.Content(), b.Width())), b.RoomBefore(tokens))
	b.Right(tokens)
	b.End()
}

// keepersLine names the strategies that keep what is needed within the same budget,
// as found by running them.
func (m *Model) keepersLine(b *paint.Block) {
	t := m.table
	if m.others == nil {
		b.Put(t.Muted, "   trying the other strategies within the same budget …")
		b.End()
		return
	}
	keepers := m.keepers()
	if len(keepers) == 0 {
		b.Put(t.Muted, "   no strategy keeps it within "+paint.Tokens(m.shown.budget)+": more with + or b")
		b.End()
		return
	}
	invite := "press " + strconv.Itoa(keepers[0]+1) + " to see it come back"
	if s := m.cfg.Story; s != nil && m.atMark() && keepers[0] == 0 {
		invite = s.Invite
	}
	end := paint.Span{Style: t.Accent, Text: "  " + invite + " "}
	b.Put(t.Muted, "   kept by ")
	b.Put(t.Text, m.names(keepers, b.RoomBefore(end)))
	b.Right(end)
	b.End()
}

// names lists strategies with their numbers on at most width columns; those that
// have no room are counted.
func (m *Model) names(strategies []int, width int) string {
	text := ""
	for n, k := range strategies {
		next := m.labels[k]
		if n > 0 {
			next = text + " · " + next
		}
		rest := 0
		if left := len(strategies) - n - 1; left > 0 {
			rest = len(" +") + len(strconv.Itoa(left))
		}
		if ansi.StringWidth(next)+rest > width && n > 0 {
			return text + " +" + strconv.Itoa(len(strategies)-n)
		}
		text = next
	}
	return text
}

// keepers are the places, in m.strategies, of those that keep what the box is about.
func (m *Model) keepers() []int {
	var keepers []int
	for k := range m.others {
		if m.others[k].keeps {
			keepers = append(keepers, k)
		}
	}
	return keepers
}

// outcome says what happened when the story's needed candidate came back.
func (m *Model) outcome(b *paint.Block) {
	t, i := m.table, m.shown.indexOf(m.cfg.Story.Mark.Needed)
	if i < 0 {
		return
	}
	b.Put(t.Accent, " "+m.glyphs.In+" ")
	outcome := m.storyOutcome(i)
	if ansi.StringWidth(outcome) > b.Room()-1 {
		outcome = m.outcomeInShort(i) + "keeps it"
	}
	b.Put(t.Strong, outcome)
	b.End()
	m.needLine(b, i)
	if m.others == nil {
		b.End()
		return
	}
	var drop []int
	keep := m.keepers()
	for k := range m.strategies {
		if !slices.Contains(keep, k) {
			drop = append(drop, k)
		}
	}
	again := []paint.Span{{Style: t.Key, Text: "  D"}, {Style: t.Muted, Text: " plays it again "}}
	if len(drop) > 0 {
		b.Put(t.Muted, "   still dropped by ")
		b.Put(t.Text, m.names(drop, b.RoomBefore(again...)))
	}
	b.Right(again...)
	b.End()
}
