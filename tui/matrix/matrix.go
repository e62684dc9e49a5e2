// Package matrix shows all strategies side by side: a table of what each does with a
// turn or with all of them, and below it what each keeps.
package matrix

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pacms/selector/compare"
	"pacms/themes"
	"pacms/tui/overlay"
	"pacms/tui/paint"
)

// View is the table and what stands around it. Its texts are neutralised for a
// terminal.
type View struct {
	// Rows are in the order in which they are shown.
	Rows []Row
	// Chosen is the place in Rows of the one under the cursor.
	Chosen int
	// Means is set where the rows are of many turns and their numbers are means; else
	// they are of one turn and exact.
	Means bool
	// Over says what the rows are over.
	Over string
	// Working says what is being done while more is to come; "" where nothing is.
	Working string
	// Notes are what else is to be known of the numbers, a sentence each.
	Notes []string
	// Map is the heading of what each row marks.
	Map string

	first int // line with a row
}

// RowAt is the place in Rows of the one whose row of the table Lines wrote into a
// line, -1 if that is none.
func (v *View) RowAt(line int) int {
	if i := line - v.first; i >= 0 && i < len(v.Rows) {
		return i
	}
	return -1
}

// Row is one strategy.
type Row struct {
	compare.Row
	// Key is the key that runs it.
	Key string
	// Running is set for the one that the others are compared with.
	Running bool
	// Marks are one for each item of the turn or, of means, for each turn.
	Marks []Mark
}

// Mark is what a strategy does with one item, or in one turn.
type Mark struct {
	// Kind is that of an item.
	Kind  uint8
	State State
}

// State is what became of an item, or of what a turn needs.
type State uint8

// The states. A turn in which nothing is known to be needed has Out.
const (
	Out    State = iota
	In           // an item is kept
	Had          // needed and kept
	Missed       // needed and dropped
)

// column is a column of the table with a number.
type column struct {
	head  string
	width int
	// whole is the heading on a wide screen, wide how much wider the column is there.
	whole string
	wide  int
	text  func(v *View, r *Row) string
	// share is how full the bar is that stands beside the number where there is room;
	// nil: there is none.
	share func(v *View, r *Row) float64
}

// columns are in the order in which they give way to a narrow screen, the last first.
var columns = []column{
	{"misses", 9, "likely misses", 6, (*View).misses, nil},
	{"items", 7, "items", 1, (*View).items, nil},
	{"tokens", 8, "tokens", 2, func(_ *View, r *Row) string { return paint.Count(int(r.Tokens + 0.5)) }, (*View).tokensShare},
	{"coverage", 10, "coverage", 2, func(_ *View, r *Row) string { return decimals(r.Coverage, 3) + designed(r) }, func(_ *View, r *Row) float64 { return r.Coverage }},
	{"overlap", 9, "overlap", 2, func(_ *View, r *Row) string { return decimals(r.Overlap, 3) }, func(_ *View, r *Row) float64 { return r.Overlap }},
	{"quoted", 8, "kept and quoted", 9, func(_ *View, r *Row) string { return strconv.Itoa(r.Quoted) }, nil},
	{"prefix", 8, "stable prefix", 7, (*View).prefix, nil},
	{"ms", 8, "ms", 2, func(_ *View, r *Row) string { return decimals(r.MS, 1) }, nil},
}

const (
	// wideWidth is the width from which headings are whole and some numbers have bars.
	wideWidth = 150
	// barsWidth is the width from which some numbers have bars.
	barsWidth = 112
	// nameWidth is that of the sign of the cursor, the key and the name; longNameWidth
	// where there is room for parameters, too.
	nameWidth     = 12
	longNameWidth = 24
	// barWidth is that of a bar with the blank before it.
	barWidth = 9
)

// byDesign says what the star means.
const byDesign = "* by design: pacms maximises coverage, which cannot rank it against others"

// Table gives the lines of the table for pages of a width: a heading, a row for each
// strategy, and what belongs under every such table.
func (v *View) Table(t *themes.Table, width int) []overlay.Line {
	name, shown := v.fit(width)
	head := overlay.Line{{Style: t.Muted, Text: pad("   strategy", name)}}
	for _, c := range shown {
		head = append(head, paint.Span{Style: t.Muted, Text: right(c.title(width), c.at(v, width))})
		if c.barred(width) {
			head = append(head, paint.Span{Text: strings.Repeat(" ", barWidth)})
		}
	}
	lines := []overlay.Line{head}
	for i := range v.Rows {
		lines = append(lines, v.row(t, i, name, shown, width))
	}
	return lines
}

// fit gives the width of the names and the columns that have room.
func (v *View) fit(width int) (name int, shown []column) {
	name = nameWidth
	if width >= barsWidth {
		name = longNameWidth
	}
	left := width - name - 1
	for _, c := range columns {
		need := c.at(v, width)
		if c.barred(width) {
			need += barWidth
		}
		if left < need {
			break
		}
		left -= need
		shown = append(shown, c)
	}
	return name, shown
}

// at is the width of the column on pages of a width, with blanks before the number.
func (c *column) at(v *View, width int) int {
	w := c.width
	if width >= wideWidth {
		w += c.wide
	}
	for i := range v.Rows {
		w = max(w, ansi.StringWidth(c.in(v, &v.Rows[i]))+2)
	}
	return w
}

func (c *column) title(width int) string {
	if width >= wideWidth {
		return c.whole
	}
	return c.head
}

func (c *column) barred(width int) bool { return c.share != nil && width >= barsWidth }

// in is what stands in a column for a strategy: a dash where no turn counts.
func (c *column) in(v *View, r *Row) string {
	if r.Counted == 0 {
		return "–"
	}
	return c.text(v, r)
}

// row is the line of a strategy.
func (v *View) row(t *themes.Table, i, name int, shown []column, width int) overlay.Line {
	r := &v.Rows[i]
	text, bar, track := t.Text, t.Text, t.Faint
	if r.Running {
		text = t.Strong
	}
	sign := "  "
	if i == v.Chosen {
		sign = t.Glyphs.Play + " "
		text, bar, track = t.Pill, t.Pill, t.Pill
	}
	line := overlay.Line{{Style: text, Text: pad(ansi.Truncate(" "+sign+r.Key+" "+r.Strategy, name, t.Glyphs.More), name)}}
	for _, c := range shown {
		style := text
		if c.head == columns[0].head && r.Missed > 0 && i != v.Chosen {
			style = t.Alarm
		}
		line = append(line, paint.Span{Style: style, Text: right(c.in(v, r), c.at(v, width))})
		if c.barred(width) {
			full := int(c.share(v, r)*(barWidth-1) + 0.5)
			full = min(max(full, 0), barWidth-1)
			line = append(line, paint.Span{Style: text, Text: " "},
				paint.Span{Style: bar, Text: strings.Repeat(t.Glyphs.Kept, full)},
				paint.Span{Style: track, Text: strings.Repeat(t.Glyphs.Dropped, barWidth-1-full)})
		}
	}
	return append(line, paint.Span{Style: text, Text: " "})
}

// misses are the likely misses of all that is known to have been needed.
func (v *View) misses(r *Row) string {
	if r.Needs == 0 {
		return "–"
	}
	return strconv.Itoa(r.Missed) + " of " + strconv.Itoa(r.Needs)
}

func (v *View) items(r *Row) string {
	if v.Means {
		return decimals(r.Items, 1)
	}
	return paint.Count(int(r.Items))
}

// prefix is a dash where no turn before kept anything.
func (v *View) prefix(r *Row) string {
	if r.PrefixTurns == 0 {
		return "–"
	}
	return decimals(r.Prefix, 3)
}

// tokensShare is the share of the most tokens that a strategy keeps.
func (v *View) tokensShare(r *Row) float64 {
	most := 1.0
	for i := range v.Rows {
		most = max(most, v.Rows[i].Tokens)
	}
	return r.Tokens / most
}

// designed marks the coverage of the strategy that maximises it.
func designed(r *Row) string {
	if name, _, _ := strings.Cut(r.Strategy, ":"); name == "pacms" {
		return "*"
	}
	return " "
}

func decimals(x float64, n int) string { return strconv.FormatFloat(x, 'f', n, 64) }

// pad fills text up with blanks to a width.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-ansi.StringWidth(text), 0))
}

// right puts text at the right of a width.
func right(text string, width int) string {
	return strings.Repeat(" ", max(width-ansi.StringWidth(text), 0)) + text
}
