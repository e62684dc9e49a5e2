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

// mostWrapped is how many lines a sentence takes at most.
const mostWrapped = 4

// Lines writes the view for pages of a width and a height, of which a longer one is
// scrolled: what the numbers are over, the table and, as far as there is room, what
// each row marks and what the columns are.
func (v *View) Lines(t *themes.Table, width, height int) []overlay.Line {
	airy := height >= 26
	var lines []overlay.Line
	if v.Over != "" {
		lines = wrapped(t.Text, v.Over, width)
	}
	switch {
	case v.Working == "":
	case len(lines) == 1 && ansi.StringWidth(v.Over+v.Working)+4 <= width: // beside it, so that the table stays where it is
		lines[0] = append(lines[0], paint.Span{Style: t.Accent, Text: "  " + v.Working})
	default:
		lines = append(lines, wrapped(t.Accent, v.Working, width)...)
	}
	if len(v.Rows) == 0 {
		return lines
	}
	if airy {
		lines = append(lines, nil)
	}
	v.first = len(lines) + 1
	lines = append(lines, v.Table(t, width)...)
	if airy {
		lines = append(lines, nil)
	}
	lines = append(lines, wrapped(t.Muted, byDesign, width)...)
	lines = append(lines, wrapped(t.Muted, compare.Footnote, width)...)
	for _, n := range v.Notes {
		lines = append(lines, wrapped(t.Accent, n, width)...)
	}
	if v.Map != "" {
		lines = append(lines, nil, overlay.Line{{Style: t.Muted, Text: " " + v.Map}})
		for i := range v.Rows {
			lines = append(lines, v.mapLine(t, i, width))
		}
	}
	lines = append(lines, nil)
	lines = append(lines, v.chosen(t, width)...)
	lines = append(lines, nil)
	for _, text := range v.legend() {
		lines = append(lines, wrapped(t.Muted, text, width)...)
	}
	return lines
}

// wrapped breaks a sentence.
func wrapped(style themes.Style, text string, width int) []overlay.Line {
	texts, _ := paint.Wrap(text, width-2, mostWrapped)
	lines := make([]overlay.Line, len(texts))
	for i, text := range texts {
		lines[i] = overlay.Line{{Style: style, Text: " " + text}}
	}
	return lines
}

// legend says what the columns are, a sentence each.
func (v *View) legend() []string {
	mean := ""
	if v.Means {
		mean = ", a mean"
	}
	return []string{
		"misses: likely misses, an estimate: needs of which nothing is kept, of all that the record shows.",
		"coverage: share of the pool's value for the question" + mean + ".",
		"overlap: items that it and the running strategy keep, of those that either keeps (Jaccard)" + mean + ".",
		"quoted: needs that the recorded answer quotes and of which something is kept.",
		"prefix: of the tokens kept in the turn before, the share that stands unchanged in front" + mean + ".",
		"ms: time of one selection while others ran" + mean + ".",
	}
}

// chosen tells the numbers of the row under the cursor in words, also those for which
// a narrow screen has no column.
func (v *View) chosen(t *themes.Table, width int) []overlay.Line {
	if v.Chosen < 0 || v.Chosen >= len(v.Rows) || v.Rows[v.Chosen].Counted == 0 {
		return nil
	}
	r := &v.Rows[v.Chosen]
	parts := []string{r.Strategy + " keeps " + v.items(r) + " items, " + paint.Plural(int(r.Tokens+0.5), "token")}
	switch {
	case r.Needs == 0:
	case r.Missed == 0:
		parts = append(parts, "likely misses nothing of the "+paint.Count(r.Needs)+" needed")
	default:
		parts = append(parts, "likely misses "+paint.Count(r.Missed)+" of "+paint.Count(r.Needs)+" needed")
	}
	if r.Quoted > 0 {
		parts = append(parts, "keeps "+paint.Count(r.Quoted)+" that the answer quotes")
	}
	if !r.Running {
		parts = append(parts, percent(r.Overlap)+" the same as what runs")
	}
	if r.PrefixTurns > 0 {
		parts = append(parts, percent(r.Prefix)+" of the turn before stands unchanged in front")
	}
	parts = append(parts, decimals(r.MS, 1)+" ms")
	return wrapped(t.Text, strings.Join(parts, " · "), width)
}

func percent(share float64) string { return strconv.Itoa(int(share*100+0.5)) + " %" }

// mapName is the room for the name before the marks of a row.
const mapName = nameWidth

// PerColumn is how many marks share a column of pages of a width.
func (v *View) PerColumn(width int) int {
	room := max(width-mapName-2, 1)
	most := 0
	for i := range v.Rows {
		most = max(most, len(v.Rows[i].Marks))
	}
	return max((most+room-1)/room, 1)
}

// mapLine draws the marks of a row. Where several share a column, a miss is shown
// before what is needed and kept, and that before the share that is kept.
func (v *View) mapLine(t *themes.Table, i, width int) overlay.Line {
	r := &v.Rows[i]
	name := t.Muted
	switch {
	case i == v.Chosen:
		name = t.Pill
	case r.Running:
		name = t.Strong
	}
	// The blanks around a name are not of the pill.
	line := overlay.Line{{Text: " "}, {Style: name, Text: pad(ansi.Truncate(" "+r.Key+" "+r.Strategy, mapName-2, t.Glyphs.More), mapName-2)}, {Text: " "}}
	per := v.PerColumn(width)
	for at := 0; at < len(r.Marks); at += per {
		style, sign := v.sign(t, r.Marks[at:min(at+per, len(r.Marks))])
		if last := &line[len(line)-1]; last.Style == style && len(line) > 3 {
			last.Text += sign
			continue
		}
		line = append(line, paint.Span{Style: style, Text: sign})
	}
	return line
}

// sign is the look of some marks in one column.
func (v *View) sign(t *themes.Table, marks []Mark) (themes.Style, string) {
	in, worst := 0, Out
	for _, m := range marks {
		worst = max(worst, m.State)
		if m.State == In || m.State == Had {
			in++
		}
	}
	g := t.Glyphs
	switch {
	case worst == Missed && v.Means:
		return t.Alarm, g.Miss
	case worst == Missed:
		return t.Alarm, g.Needed
	case worst == Had && v.Means:
		return t.Muted, g.Had
	case worst == Had:
		return t.Cell(marks[0].Kind, themes.Kept, themes.Marked), g.Required
	case v.Means:
		return t.Faint, g.Nothing
	case in == 0:
		return t.Faint, g.Dropped
	case len(marks) == 1:
		return t.Cell(marks[0].Kind, themes.Kept, themes.Plain), g.Kept
	case in == len(marks):
		return t.Text, g.Kept
	default: // so low that what stands below does not join the line above it
		return t.Text, g.Spark[in*len(g.Spark)/2/len(marks)]
	}
}
