package tui

import (
	"slices"
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"pacms/session"
	"pacms/themes"
	"pacms/tui/overlay"
	"pacms/tui/paint"
	"pacms/tui/safe"
	"pacms/tui/timeline"
)

// sparkLegend is the room to the right of the timeline for what it means.
const sparkLegend = 26

// sparkWidth is the number of columns of the timeline.
func (m *Model) sparkWidth() int {
	w := m.layout.Width - 2
	if m.layout.Width >= 76 {
		w -= sparkLegend
	}
	return max(w, 1)
}

type timelineKey struct {
	table   *themes.Table
	picture *picture
	swept   int
	turns   int
	session *session.Session
	l       layout
}

// timelineLines draws the session as columns, the marks below them, and on a
// high screen a line for each strategy.
func (m *Model) timelineLines() []string {
	key := timelineKey{m.table, m.shown, m.panes.swept, len(m.turns), m.session, m.layout}
	return m.panes.timeline.draw(key, m.glyphs, m.layout.Width, func(b *paint.Block) {
		l := m.layout
		running := m.running()
		tl := timeline.Timeline{Turns: make([]timeline.Turn, len(m.turns)), Here: slices.Index(m.turns, m.shown.turn), Counted: m.layout.Strategies.H > 0}
		for i, turn := range m.turns {
			s, known := m.sweep.found[turn]
			tl.Turns[i] = timeline.Turn{Offered: m.offered[turn], Kept: timeline.Unknown, Cut: m.session.Turns[turn].Boundary != nil, Fork: m.leftBefore(turn) > 0}
			if known {
				tl.Turns[i].Kept = s.kept
				tl.Turns[i].Missed, tl.Turns[i].Live = s.needs && s.missesBy(running), s.live
				tl.Turns[i].Unmet = s.unmet > 0
			}
		}
		if tl.Here >= 0 {
			tl.Turns[tl.Here].Kept = m.shown.sel.Tokens.Kept
			tl.Turns[tl.Here].Missed, tl.Turns[tl.Here].Live = len(m.shown.missed) > 0, m.captured(m.shown)
			tl.Turns[tl.Here].Unmet = m.shown.unmet > 0
		}
		tl.Render(b, m.table, m.sparkWidth(), l.Spark, l.Timeline.H > l.Spark)
		if l.Strategies.H > 0 {
			m.strategyLines(b)
		}
	})
}

// strategyLines draws for each strategy at which turns it keeps what the turn
// needs, and at which it does not.
func (m *Model) strategyLines(b *paint.Block) {
	t := m.table
	columns := timeline.Columns{N: len(m.turns), Width: m.sparkWidth()}
	marks := make([]paint.Span, columns.Width)
	for k, s := range m.strategies {
		clear(marks)
		kept, missed := 0, 0
		for i, turn := range m.turns {
			found := m.sweep.found[turn]
			if !found.needs {
				continue
			}
			at := &marks[columns.Of(i)]
			if found.misses[k] {
				missed++
				*at = paint.Span{Style: t.Alarm, Text: m.glyphs.Miss}
			} else {
				kept++
				if at.Text == "" {
					*at = paint.Span{Style: t.Muted, Text: m.glyphs.Had}
				}
			}
		}
		b.Put("", " ")
		for _, mark := range marks {
			if mark.Text == "" {
				mark = paint.Span{Style: t.Faint, Text: m.glyphs.Nothing}
			}
			b.Cell(mark.Style, mark.Text)
		}
		style := t.Muted
		if s.String() == m.shown.strategy.String() {
			style = t.Strong
		}
		b.Put(style, "  ")
		b.Count(style, k+1)
		b.Put(style, " ")
		b.Put(style, s.Name())
		b.To("", b.Width()-10)
		b.Cell(t.Muted, m.glyphs.Had)
		b.Put("", " ")
		b.Count(t.Muted, kept)
		b.To("", b.Width()-5)
		b.Cell(t.Alarm, m.glyphs.Miss)
		b.Put("", " ")
		b.Count(t.Alarm, missed)
		b.End()
	}
}

type footKey struct {
	table    *themes.Table
	width    int
	status   string
	accent   bool
	prompt   string
	typed    string
	offered  bool
	page     *page
	find     string // what is looked for on the page
	link     int    // where enter goes from the page
	search   *search
	hits     *hits
	shown    *picture
	working  bool
	playing  bool
	internal bool
	allTurns bool // in the table of strategies
	lines    int  // of the page
	live     string
}

// footLines draws the status and the keys.
func (m *Model) footLines() []string {
	status, accent := m.statusText()
	key := footKey{
		table: m.table, width: m.layout.Width, status: status, accent: accent, page: m.page,
		search: m.search, hits: m.hits, shown: m.shown, working: m.working, playing: m.play.on, internal: m.internals,
		allTurns: m.lineup.all,
		live:     m.liveText(),
	}
	if m.page != nil {
		key.find, key.link, key.lines = m.page.find, m.page.link(), len(m.page.Lines)
	}
	if m.prompt != nil {
		key.prompt, key.typed, key.offered = m.prompt.label, m.prompt.text, m.prompt.offered
	}
	return m.panes.foot.draw(key, m.glyphs, m.layout.Width, func(b *paint.Block) {
		m.statusLine(b, status, accent)
		m.footerLine(b)
	})
}

// statusText is what the status line says, and whether it asks for attention.
func (m *Model) statusText() (text string, accent bool) {
	switch {
	case m.status != "":
		return safe.Line(m.status), true
	case m.failure != nil:
		return safe.Line(safe.Error(m.failure)), true
	case m.shown == nil:
		return "", false
	case m.booth.alone:
		return "any key takes over", true
	case m.working && m.loading.what != "":
		return "turn " + strconv.Itoa(m.session.Turns[m.pending.turn].Number) + ": " + m.loading.text(), false
	case m.stopSeek != nil:
		return "looking for the next budget at which something changes …", false
	}
	if m.page != nil && m.page.kind == pageCompare {
		return m.compareStatus(), false
	}
	if m.page != nil {
		return "", false
	}
	if note := m.liveNote(); note != "" {
		return note, false
	}
	return m.statusNote(), false
}

// storyLabel says how the session of a story came about, where the title bar has
// no room to say it.
func (m *Model) storyLabel() string {
	if m.cfg.Story == nil || m.layout.Width >= labelWidth {
		return ""
	}
	return m.cfg.Story.Label
}

func (m *Model) statusLine(b *paint.Block, status string, accent bool) {
	t := m.table
	b.Put("", " ")
	if p := m.prompt; p != nil {
		b.Put(t.Accent, p.label+": ")
		if p.offered {
			b.Put(t.Pill, safe.Line(p.text))
		} else {
			b.Put(t.Strong, safe.Line(p.text))
			b.Put(t.Pill, " ")
		}
		hint := p.hint
		if accent {
			hint = status
		}
		b.Put(t.Muted, "  "+hint)
		b.End()
		return
	}
	style := t.Muted
	if accent {
		style = t.Accent
	}
	b.Put(style, status)
	if label := m.storyLabel(); label != "" && m.page == nil {
		b.Right(paint.Span{Style: t.Muted, Text: label + " "})
	}
	b.End()
}

// hint is a key with what it does, for the footer.
type hint struct{ keys, what string }

// footerLine names the keys that act now; it ends in those for help and quitting
// unless letters are being typed.
func (m *Model) footerLine(b *paint.Block) {
	t := m.table
	end := []hint{{"?", "help"}, {"q", "quit"}}
	switch {
	case m.prompt != nil:
		end = nil // there they are text
	case m.page != nil && m.page.pick != nil:
		end = nil // there they are text, too
	case m.page != nil:
		end[1].what = "back"
	case m.stand():
		end[1].what = "next visitor"
	}
	wide := func(h hint) int { return ansi.StringWidth(h.keys) + len(h.what) + 3 } // with a gap
	need := 0
	for _, h := range end {
		need += wide(h)
	}
	gap := " "
	put := func(h hint) {
		b.Put("", gap)
		b.Put(t.Key, h.keys)
		b.Put(t.Muted, " ")
		b.Put(t.Muted, h.what)
		gap = "  "
	}
	for _, h := range m.hints() {
		if b.Room() < len(gap)-2+wide(h)+need {
			break
		}
		put(h)
	}
	for _, h := range end {
		put(h)
	}
	b.End()
}

// playsNothing reports whether no story plays or waits to go on.
func (m *Model) playsNothing() bool {
	return !m.play.on && (m.cfg.Story == nil || m.atMark())
}

// hints are the keys that act now, the most useful first.
func (m *Model) hints() []hint {
	switch {
	case m.prompt != nil:
		return []hint{{"enter", "take it"}, {"esc", "leave it"}}
	case m.page != nil && m.page.pick != nil:
		leave := hint{"esc", "back"}
		if m.choosing != nil {
			leave.what = "quit"
		}
		return []hint{{"↑ ↓", "choose"}, {"enter", m.page.pick.enter}, {"letters", "find"}, leave}
	case m.page != nil:
		switch m.page.kind {
		case pageWhy:
			return m.whyHints()
		case pageCompare:
			return m.compareHints()
		case pageMatrix:
			return m.matrixHints()
		case pageChart:
			return m.chartHints()
		default: // the others are texts to read
		}
		hints := []hint{{"↑ ↓", "line"}, {"PgUp PgDn", "page"}, {"/", "find"}}
		if m.page.find != "" {
			hints = append(hints, hint{"n", "next"})
		}
		return append(hints, hint{"Home End", "ends"})
	case m.shown == nil:
		return nil
	}
	hints := make([]hint, 0, len(m.keymap.footer))
	for _, b := range m.keymap.footer {
		if b.blocked != nil && b.blocked(m) != "" && (b.footer != "turn" || noTurnAfter(m) != "") {
			continue
		}
		what := b.footer
		if what == "speed" && !m.play.on {
			continue
		}
		switch {
		case what == "play" && !m.playsNothing():
			if m.play.on {
				what = "pause"
			}
			hints = slices.Insert(hints, 0, hint{b.short, what}) // nothing is more useful then
			continue
		case what == "changes" && m.search != nil:
			what = "hits"
		case b.short == "H" && !m.internals:
			what = m.folded
		}
		hints = append(hints, hint{b.short, what})
	}
	return hints
}

// text is the progress in words.
func (p progressMsg) text() string {
	if p.total <= 0 {
		return p.what
	}
	return p.what + " " + strconv.FormatInt(min(p.done, p.total)*100/p.total, 10) + " %"
}

// loadingLines draws the screen until the first picture is there.
func (m *Model) loadingLines() []string {
	b := paint.NewBlock(m.glyphs, m.layout.Width)
	t := m.table
	height := m.layout.Height - 2
	middle := height / 2
	for y := range height {
		switch y {
		case 0:
			b.Put(t.TitleStrong, " "+m.name())
			if s := m.cfg.Story; s != nil {
				b.Put(t.Title, "  "+s.Title)
				if m.storyLabel() == "" {
					b.RightIn(t.Title, paint.Span{Style: t.TitleMuted, Text: s.Label + " "})
				}
			}
			b.EndIn(t.Title)
			continue
		case middle - 1:
			b.Put(t.Strong, "   "+safe.Line(m.loading.text())+" …")
		case middle:
			m.progressBar(b)
		case middle + 1:
			b.Put(t.Muted, "   q leaves it")
		}
		b.End()
	}
	return b.Lines()
}

// progressBar draws how far the loading has come, if that is known.
func (m *Model) progressBar(b *paint.Block) {
	width := b.Width() - 6
	if m.loading.total <= 0 {
		return
	}
	full := int(min(m.loading.done, m.loading.total) * int64(width) / m.loading.total)
	b.Put("", "   ")
	b.Repeat(m.table.Accent, m.glyphs.Full, full)
	b.Repeat(m.table.Track, m.glyphs.Track, width-full)
}

// smallLines says how large the screen must be.
func (m *Model) smallLines() []string {
	b := paint.NewBlock(m.glyphs, m.layout.Width)
	b.Put(m.table.Text, "needs "+size(minWidth, minHeight)+", is "+size(m.layout.Width, m.layout.Height)+" (q quits)")
	b.End()
	b.Blank(m.layout.Height - 1)
	return b.Lines()
}

func size(w, h int) string { return strconv.Itoa(w) + "×" + strconv.Itoa(h) }

type pageKey struct {
	table  *themes.Table
	lines  *overlay.Line
	count  int
	offset int
	width  int
	height int
}

// pageLines draws the page that covers the main screen.
func (m *Model) pageLines() []string {
	p := m.page
	key := pageKey{table: m.table, count: len(p.Lines), offset: p.Offset, width: m.layout.Width, height: m.pageHeight()}
	if len(p.Lines) > 0 {
		key.lines = &p.Lines[0]
	}
	return m.panes.page.draw(key, m.glyphs, m.layout.Width, func(b *paint.Block) {
		p.Render(b, m.table, m.pageHeight())
	})
}
