package chart

import (
	"github.com/charmbracelet/x/ansi"

	"pacms/themes"
	"pacms/tui/overlay"
	"pacms/tui/paint"
)

// endsWidth is the room behind a plot for the keys of the lines that end there.
const endsWidth = 10

// items draws, at the right of the lines of the plots, what the chosen strategy keeps
// of the pool at the present budget: the grid of the main screen in small, in which
// colours do not stand for kinds, since they stand for strategies here. Of several items
// that share a cell what is needed is shown first, and then whether any is kept.
func (v *View) items(t *themes.Table, lines []overlay.Line, plotEnd, width int) {
	if v.Chosen < 0 || v.Chosen >= len(v.Series) || len(v.Items) == 0 || len(lines) < 4 {
		return
	}
	across := width - plotEnd - endsWidth - 1
	down := len(lines) - 2
	per := max((len(v.Items)+across*down-1)/(across*down), 1)
	beside := func(y int, l overlay.Line) {
		used := 0
		for _, s := range lines[y] {
			used += ansi.StringWidth(s.Text)
		}
		if room := plotEnd + endsWidth - used; room > 0 {
			lines[y] = append(append(lines[y], paint.Span{Text: pad("", room)}), l...)
		}
	}
	s := &v.Series[v.Chosen]
	beside(0, overlay.Line{{Style: t.Text, Text: ansi.Truncate(s.Key+" "+s.Name+" at "+paint.Count(v.ItemsAt), across, t.Glyphs.More)}})
	for y, at := 1, 0; y < len(lines) && at < len(v.Items); y++ {
		var l overlay.Line
		for x := 0; x < across && at < len(v.Items); x++ {
			style, sign := itemSign(t, v.Items[at:min(at+per, len(v.Items))])
			l = put(l, style, sign)
			at += per
		}
		beside(y, l)
	}
}

// itemSign is the look of some items in one cell.
func itemSign(t *themes.Table, items []Item) (themes.Style, string) {
	shown := items[0]
	for _, i := range items {
		if i.Needed && !shown.Needed || i.Needed == shown.Needed && i.Kept && !shown.Kept {
			shown = i
		}
	}
	g := t.Glyphs
	switch {
	case shown.Needed && shown.Kept:
		return t.Cell(0, themes.Kept, themes.Marked), g.Required
	case shown.Needed:
		return t.Alarm, g.Needed
	case shown.Kept:
		return t.Strong, g.Kept
	default:
		return t.Faint, g.Dropped
	}
}
