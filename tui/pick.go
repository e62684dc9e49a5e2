package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pacms/tui/overlay"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// picker is a list on a page from which a person chooses a line. What is typed
// narrows it.
type picker struct {
	title, empty string
	rows         []pickRow
	// hint says what typing does; "": it finds.
	hint string
	// most is how many characters can be typed; 0: maxPrompt.
	most int
	// enter says what enter does, for the footer.
	enter string
	// named is the row that what was typed names whatever else holds it, -1 where it
	// is a name of none; false where it is not a name but words. It may be nil.
	named func(typed string) (row int, is bool)
	// wraps is set where the chosen row is shown whole, on as many lines as it needs.
	wraps bool
	// choose acts on the chosen row, which is -1 where none is left; typed is what
	// was typed, and moved is set where the cursor was put on the row by hand.
	choose func(m *Model, row int, typed string, moved bool) tea.Cmd

	typed string
	shown []int // rows that match what was typed, headings and notes among them
	lines []int // the row of each line of the page, -1 none
	at    int   // place in rows of the chosen one, -1 none
	moved bool
}

// pickRow is a line of a picker.
type pickRow struct {
	key, text string
	// extra stands at the right.
	extra string
	// kind says whether the row is a heading, a note or can be chosen.
	kind rowKind
	// why says why choosing the row would do nothing; "": it would do something.
	why string
}

type rowKind uint8

const (
	rowChoice rowKind = iota
	rowHeading
	rowNote
)

// openPick opens a page with a picker, its cursor on a row.
func (m *Model) openPick(p *picker, at int) tea.Cmd {
	m.play.stop()
	p.at = at
	p.narrow()
	m.page = &page{kind: pagePick, pick: p, under: m.comparePage()}
	m.fillPage()
	if m.page.Offset > 0 { // what comes before and after the row is of interest, too
		m.page.Offset += m.pageHeight() / 2
		m.page.Scroll(0, m.pageHeight())
	}
	return nil
}

// narrow finds the rows that match what was typed: all of its words, in the key
// or the text. A heading stays with a row below it. The cursor goes to the row that
// is named, and to none where a name is no row's.
func (p *picker) narrow() {
	row, named := -1, false
	if p.named != nil {
		row, named = p.named(strings.TrimSpace(p.typed))
	}
	words := strings.Fields(strings.ToLower(p.typed))
	p.shown = p.shown[:0]
	heading := -1
	for i := range p.rows {
		r := &p.rows[i]
		if r.kind == rowHeading {
			heading = i
			continue
		}
		text := strings.ToLower(r.key + " " + r.text + " " + r.extra)
		if i != row && slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			continue
		}
		if heading >= 0 {
			p.shown, heading = append(p.shown, heading), -1
		}
		p.shown = append(p.shown, i)
	}
	if named {
		p.at, p.moved = row, false
		return
	}
	if !slices.Contains(p.shown, p.at) || p.at >= 0 && p.rows[p.at].kind != rowChoice {
		p.at, p.moved = -1, false
		p.step(1)
	}
}

// step moves the cursor by a number of rows that can be chosen, as far as there
// are any.
func (p *picker) step(by int) {
	choices := slices.DeleteFunc(slices.Clone(p.shown), func(i int) bool { return p.rows[i].kind != rowChoice })
	if len(choices) == 0 {
		return
	}
	at, found := slices.BinarySearch(choices, p.at)
	if !found && by > 0 {
		at--
	}
	p.at = choices[min(max(at+by, 0), len(choices)-1)]
}

// stepPick moves the cursor of the open picker.
func (m *Model) stepPick(by int) {
	p := m.page.pick
	p.step(by)
	p.moved = p.at >= 0 // where no row is left, the cursor is nowhere
	m.fillPage()
}

// clickPick puts the cursor of the open picker on the row at a line of the screen;
// the row that it is on already is chosen.
func (m *Model) clickPick(y int) tea.Cmd {
	p, line := m.page.pick, y-1+m.page.Offset
	if y < 1 || y > m.pageHeight() || line >= len(p.lines) || p.lines[line] < 0 || p.rows[p.lines[line]].kind != rowChoice {
		return nil
	}
	row := p.lines[line]
	if row == p.at {
		return m.pickRow(row)
	}
	p.at = row
	m.stepPick(0)
	return nil
}

// retype takes over what was typed anew.
func (m *Model) retype(typed string) tea.Cmd {
	p := m.page.pick
	p.typed = typed
	p.at = -1
	p.narrow()
	m.page.Offset = 0
	m.fillPage()
	return nil
}

// pickKey is a key while a picker is open.
func (m *Model) pickKey(msg tea.KeyPressMsg) tea.Cmd {
	p := m.page.pick
	move := func(by int) tea.Cmd {
		m.stepPick(by)
		return nil
	}
	switch key := msg.String(); key {
	case "esc":
		return m.leavePick()
	case "enter":
		return m.pickRow(p.at)
	case "up", "ctrl+p":
		return move(-1)
	case "down", "ctrl+n":
		return move(1)
	case "pgup":
		return move(-m.pageHeight())
	case "pgdown":
		return move(m.pageHeight())
	case "home":
		return move(-len(p.rows))
	case "end":
		return move(len(p.rows))
	case "backspace":
		if r := []rune(p.typed); len(r) > 0 {
			return m.retype(string(r[:len(r)-1]))
		}
	case "ctrl+u":
		return m.retype("")
	case "ctrl+c":
		return interrupt(m, key)
	case "ctrl+z":
		return tea.Suspend
	default:
		if p.typed == "" && (key == "q" || key == "?") {
			return m.leavePick()
		}
		return m.typeInto(msg.Text)
	}
	return nil
}

// typeInto adds what was typed or pasted to what narrows the list.
func (m *Model) typeInto(s string) tea.Cmd {
	line := prompt{text: m.page.pick.typed, most: m.page.pick.most}
	line.add(s)
	if line.text == m.page.pick.typed || strings.TrimSpace(line.text) == "" {
		return nil
	}
	return m.retype(line.text)
}

// leavePick closes a picker.
func (m *Model) leavePick() tea.Cmd {
	m.back()
	m.stopEverywhere()
	if m.choosing != nil {
		return m.end() // there is nothing else
	}
	return nil
}

// pickRow chooses a row, or says why that does nothing. Where none is left, what was
// typed may still say something; nothing typed says nothing.
func (m *Model) pickRow(i int) tea.Cmd {
	p := m.page.pick
	if i < 0 && p.typed == "" {
		return nil
	}
	if i >= 0 && p.rows[i].why != "" && (p.moved || p.typed == "") {
		m.say(p.rows[i].why)
		return nil
	}
	return p.choose(m, i, strings.TrimSpace(p.typed), p.moved)
}

// fillPick writes the lines of a picker and scrolls to its cursor.
func (m *Model) fillPick(pg *page) {
	t, p := m.table, pg.pick
	pg.Title = []paint.Span{{Style: t.TitleStrong, Text: p.title + "  "}}
	if p.typed == "" {
		pg.Title = append(pg.Title, paint.Span{Style: t.TitleMuted, Text: cmp.Or(p.hint, "type to find")})
	} else {
		pg.Title = append(pg.Title, paint.Span{Style: t.Title, Text: safe.Line(p.typed)}, paint.Span{Style: t.Pill, Text: " "})
	}
	pg.Lines, p.lines = make([]overlay.Line, 0, len(p.shown)+1), p.lines[:0]
	put := func(row int, l overlay.Line) { pg.Lines, p.lines = append(pg.Lines, l), append(p.lines, row) }
	key, line, end := 0, 0, 0 // of the chosen row, the first line and the last
	for _, i := range p.shown {
		if p.rows[i].kind != rowHeading {
			key = max(key, len([]rune(p.rows[i].key)))
		}
	}
	for n, i := range p.shown {
		r := &p.rows[i]
		if r.kind == rowHeading {
			if n > 0 {
				put(-1, nil)
			}
			put(-1, overlay.Line{{Style: t.Muted, Text: " " + r.text}})
			continue
		}
		if i == p.at {
			line = len(pg.Lines)
		}
		for _, l := range m.pickLines(p, i, key) {
			put(i, l)
		}
		if i == p.at {
			end = len(pg.Lines) - 1
		}
	}
	if len(p.shown) == 0 {
		put(-1, overlay.Line{{Style: t.Muted, Text: " " + p.empty}})
	}
	h := m.pageHeight()
	if line < pg.Offset+1 {
		pg.Offset = max(line-1, 0) // with its heading
	}
	if end >= pg.Offset+h {
		pg.Offset = end - h + 1
	}
}

// mostPickLines is how many lines the chosen row takes at most.
const mostPickLines = 4

// pickLines are the lines of row i: one, or all of the chosen one that wraps.
func (m *Model) pickLines(p *picker, i, width int) []overlay.Line {
	r, chosen, room := p.rows[i], i == p.at, m.layout.Width-width-6
	if !chosen || !p.wraps || room <= 0 || ansi.StringWidth(r.text)+2+ansi.StringWidth(r.extra) <= room {
		return []overlay.Line{m.pickLine(&r, width, chosen, chosen)}
	}
	texts, _ := paint.Wrap(r.text, room, mostPickLines)
	if last := texts[len(texts)-1]; r.extra != "" && ansi.StringWidth(last)+2+ansi.StringWidth(r.extra) > room {
		texts = append(texts, "")
	}
	lines := make([]overlay.Line, len(texts))
	for k, text := range texts {
		part := pickRow{text: text}
		if k == 0 {
			part.key, part.why = r.key, r.why
		}
		if k == len(texts)-1 {
			part.extra = r.extra
		}
		lines[k] = m.pickLine(&part, width, true, k == 0)
	}
	return lines
}

// pickLine is one line of a row, the keys in a column of the given width. Chosen is
// that of the row under the cursor, and signed the first line of that.
func (m *Model) pickLine(r *pickRow, width int, chosen, signed bool) overlay.Line {
	t := m.table
	keys, text, extra := t.Key, t.Text, t.Muted
	if r.why != "" {
		keys, text = t.Muted, t.Muted
	}
	sign := "  "
	if chosen {
		keys, text, extra = t.Pill, t.Pill, t.Pill
	}
	if signed {
		sign = m.glyphs.Play + " "
	}
	room := m.layout.Width - width - 6
	right := r.extra
	if right == "" && chosen {
		right = r.why
	}
	main := overlay.Line{
		{Style: keys, Text: sign},
		{Style: keys, Text: r.key + strings.Repeat(" ", width-len([]rune(r.key))+2)},
	}
	return append(main, paint.Columns(text, r.text, extra, right, room)...)
}
