package chart

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"pacms/themes"
	"pacms/tui/overlay"
	"pacms/tui/paint"
	"pacms/tui/slider"
)

// bands are a line for each strategy, which says at which budgets it keeps what is
// marked, and at its right what it does at the present budget. Where nothing is marked
// it says how many of the items are kept.
func (v *View) bands(t *themes.Table, scale slider.Scale, width int) []overlay.Line {
	head := overlay.Line{{Style: t.Strong, Text: " needed and marked"}, {Style: t.Muted, Text: "  " + v.What}}
	if v.Marked == 0 {
		head = overlay.Line{{Style: t.Strong, Text: " items kept"}, {Style: t.Muted, Text: "  nothing is needed or marked"}}
	}
	lines := make([]overlay.Line, 0, len(v.Series)+1)
	lines = append(lines, v.headed(t, head, scale, width))
	for k := range v.Series {
		lines = append(lines, v.band(t, k, scale, width))
	}
	return lines
}

// headed puts the headings of the columns behind the heading of the bands.
func (v *View) headed(t *themes.Table, head overlay.Line, scale slider.Scale, width int) overlay.Line {
	room := axisWidth + scale.Width
	var l overlay.Line
	used := 0
	for _, s := range head {
		text := ansi.Truncate(s.Text, room-used, t.Glyphs.More)
		l, used = append(l, paint.Span{Style: s.Style, Text: text}), used+ansi.StringWidth(text)
	}
	l = append(l, paint.Span{Text: pad("", room-used)})
	side := sideOf(width)
	columns := pad("", side.name+1) + right("cover", side.coverage)
	if side.tokens > 0 {
		columns += right("tokens", side.tokens) + right("kept", side.marked)
	}
	return append(l, paint.Span{Style: t.Muted, Text: columns})
}

// side are the widths of the columns at the right of a page.
type side struct{ name, coverage, tokens, marked int }

func sideOf(width int) side {
	switch sideWidth(width) {
	case 44:
		return side{name: 18, coverage: 8, tokens: 9, marked: 8}
	case 31:
		return side{name: 10, coverage: 6, tokens: 7, marked: 7}
	default:
		return side{name: 10, coverage: 6}
	}
}

func (v *View) band(t *themes.Table, k int, scale slider.Scale, width int) overlay.Line {
	s := &v.Series[k]
	style := v.style(t, k)
	l := overlay.Line{{Style: style, Text: right(s.Key, axisWidth-1)}, {Style: t.Faint, Text: t.Glyphs.Wall}}
	if s.Points == nil {
		l = put(l, t.Muted, pad(ansi.Truncate(s.Working, scale.Width, t.Glyphs.More), scale.Width))
	} else {
		here := scale.Column(v.Budget)
		for x := range scale.Width {
			look, sign := v.bandCell(t, s, style, scale.Tokens(x))
			if x == here {
				look = t.Accent
				if sign == t.Glyphs.Dropped {
					sign = t.Glyphs.Wall
				}
			}
			l = put(l, look, sign)
		}
	}
	return append(l, v.beside(t, k, width)...)
}

// bandCell is the look of a band at a budget.
func (v *View) bandCell(t *themes.Table, s *Series, style themes.Style, budget int) (themes.Style, string) {
	p, _ := s.at(budget)
	kept, of := p.Marked, v.Marked
	if of == 0 {
		kept, of = p.Items, v.Pool
	}
	steps := len(t.Glyphs.Spark)
	switch {
	case kept == 0 || of == 0:
		return t.Faint, t.Glyphs.Dropped
	case kept >= of:
		return style, t.Glyphs.Kept
	default:
		return style, t.Glyphs.Spark[kept*(steps-1)/of]
	}
}

// beside is what stands at the right of a band: the strategy, and what it does at the
// present budget, with a sign where that is a budget nearby.
func (v *View) beside(t *themes.Table, k, width int) overlay.Line {
	s, w := &v.Series[k], sideOf(width)
	name := t.Text
	switch {
	case k == v.Chosen:
		name = t.Pill
	case s.Running:
		name = t.Strong
	}
	l := overlay.Line{{Text: " "}, {Style: name, Text: pad(ansi.Truncate(" "+s.Key+" "+s.Name, w.name, t.Glyphs.More), w.name)}}
	p, exact, ok := v.here(s)
	if !ok {
		return l
	}
	about := "≈"
	if exact {
		about = ""
	}
	tokens := paint.Tokens(p.Tokens)
	decimals := 2
	if w.coverage > 6 {
		tokens, decimals = paint.Count(p.Tokens), 3
	}
	text := right(about+strconv.FormatFloat(p.Coverage, 'f', decimals, 64), w.coverage)
	if w.tokens > 0 {
		text += right(tokens, w.tokens)
		l = append(l, paint.Span{Style: t.Text, Text: text})
		kept := strconv.Itoa(p.Marked) + " of " + strconv.Itoa(v.Marked)
		look := t.Text
		switch {
		case v.Marked == 0:
			kept = paint.Count(p.Items)
		case p.Marked < v.Marked:
			look = t.Alarm
		}
		return append(l, paint.Span{Style: look, Text: right(kept, w.marked)})
	}
	return append(l, paint.Span{Style: t.Text, Text: text})
}
