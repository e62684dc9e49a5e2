package compare

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"pacms/selector/compare"
	"pacms/themes"
	"pacms/tui/paint"
	"pacms/tui/slider"
)

// title names the view, the session, the turn and the sides.
func (v *View) title(b *paint.Block, t *themes.Table) {
	var right []paint.Span
	for side := range v.Sides {
		right = append(right, paint.Span{Style: t.TitleMuted, Text: sideNames[side] + " "}, paint.Span{Style: t.TitleStrong, Text: v.Sides[side].Name + "  "})
	}
	b.Put(t.Title, " ")
	b.Put(t.TitleStrong, v.Title+"  ")
	b.Clip(t.Title, v.Where, max(b.RoomBefore(right...), 20))
	b.RightIn(t.Title, right...)
	b.EndIn(t.Title)
}

// hidden is how many items are above and below those in sight.
func (v *View) hidden() (above, below int) {
	l := v.Layout
	return v.Top * l.Per, max(len(v.Items)-(v.Top+l.Grid)*l.Per, 0)
}

// asked is the question, and how much of the grids is out of sight.
func (v *View) asked(b *paint.Block, t *themes.Table) {
	b.Put(t.Muted, " ASKED ")
	if v.Asked == "" {
		b.Put(t.Muted, "a question that came without its text")
	}
	var hidden []paint.Span
	if above, below := v.hidden(); above+below > 0 {
		hidden = append(hidden, paint.Span{Style: t.Accent, Text: "  " + paint.Count(above) + " items above, " + paint.Count(below) + " below "})
	}
	b.Quote(t.Strong, v.Asked, b.RoomBefore(hidden...))
	b.Right(hidden...)
	b.End()
}

// bar is the budget as a place on all tokens, and what is kept of them.
func (v *View) bar(b *paint.Block, t *themes.Table) {
	scale := slider.Scale{Basis: v.Basis, Width: max(b.Width()-2, 1)}
	b.Put("", " ")
	handle, pool := scale.Column(v.Budget), scale.Column(v.Pool)
	own := [2]int{-1, -1}
	for side := range v.Sides {
		if v.Sides[side].Budget != v.Budget {
			own[side] = scale.Column(v.Sides[side].Budget)
		}
	}
	for x := range scale.Width {
		switch {
		case x == handle:
			b.Cell(t.Handle, t.Glyphs.Handle)
		case x == own[0]:
			b.Cell(style(t, 0), sideNames[0])
		case x == own[1]:
			b.Cell(style(t, 1), sideNames[1])
		case x < handle:
			b.Cell(t.Text, t.Glyphs.Full)
		case v.Pool > 0 && x <= pool:
			b.Cell(t.Track, t.Glyphs.Track)
		default:
			b.Cell(t.Faint, t.Glyphs.Line)
		}
	}
	b.End()
}

// budget names the budget of the bar, and what the sides differ in.
func (v *View) budget(b *paint.Block, t *themes.Table) {
	b.Put(t.Accent, " budget ")
	b.Count(t.Accent, v.Budget)
	if v.Basis > 0 {
		b.Put(t.Muted, " ("+paint.Count((v.Budget*100+v.Basis/2)/v.Basis)+" %)")
	}
	end := []paint.Span{{Style: t.Muted, Text: "differ in "}, {Style: t.Text, Text: v.Factors + " "}}
	if v.Factors == "" {
		end = []paint.Span{{Style: t.Accent, Text: "A and B are the same "}}
	}
	for _, part := range []string{" " + v.Source, " for both"} {
		if part != " " && ansi.StringWidth(part) <= b.RoomBefore(end...) {
			b.Put(t.Muted, part)
		}
	}
	b.Right(end...)
	b.End()
}

// wideHead is the width from which the head of a side has room for all its words.
const wideHead = 100

// head says what a side is and what it keeps.
func (v *View) head(b *paint.Block, t *themes.Table, side int) {
	s := &v.Sides[side]
	b.Put("", " ")
	b.Cell(style(t, side), only(t.Glyphs, side))
	b.Put(t.Strong, sideNames[side]+" ")
	misses := v.misses(t, s)
	numbers := "  " + paint.Plural(s.Items, "item") + " " + paint.Tokens(s.Tokens)
	if b.Width() >= wideHead {
		numbers += " tokens"
		if s.Estimated {
			numbers += " est."
		}
	}
	b.Clip(t.Strong, s.Name, b.RoomBefore(misses...)-ansi.StringWidth(numbers))
	if s.Own != "" {
		b.Clip(t.Accent, " "+s.Own, b.RoomBefore(misses...)-ansi.StringWidth(numbers))
	}
	b.Put(t.Text, numbers)
	if s.Over > 0 {
		if over := " over by " + paint.Tokens(s.Over); ansi.StringWidth(over) <= b.RoomBefore(misses...) {
			b.Put(t.Accent, over)
		}
	}
	b.Put("", "  ")
	for _, k := range s.Kinds {
		text := " " + k.Name + " " + paint.Count(k.N)
		if ansi.StringWidth(text) > b.RoomBefore(misses...) {
			break
		}
		b.Put(t.Muted, text)
	}
	b.Right(misses...)
	b.End()
}

// misses says what of the needs of the turn a side drops.
func (v *View) misses(t *themes.Table, s *Side) []paint.Span {
	if s.Needs == 0 {
		return []paint.Span{{Style: t.Muted, Text: "no known needs "}}
	}
	what, end := "misses ", " needed "
	if s.Estimate {
		what, end = "likely misses ", " "
		if v.Layout.Width >= wideHead {
			end = " needed (estimate) "
		}
	}
	sign, look := paint.Span{Style: t.Cell(0, themes.Kept, themes.Marked), Text: t.Glyphs.Required}, t.Text
	if s.Missed > 0 {
		sign, look = paint.Span{Style: t.Alarm, Text: t.Glyphs.Needed}, t.Alarm
	}
	if s.Estimate && s.Missed == 0 {
		sign = paint.Span{}
	}
	return []paint.Span{
		sign, {Style: t.Muted, Text: " " + what}, {Style: look, Text: paint.Count(s.Missed)}, {Style: t.Muted, Text: " of " + paint.Count(s.Needs) + end},
	}
}

// blend shows what either side keeps as one bar: what A alone keeps, both, B alone.
func (v *View) blend(b *paint.Block, t *themes.Table) {
	g := v.Agreement
	parts := [...]struct {
		n     int
		style themes.Style
		sign  string
	}{
		{g.OnlyA.Tokens, style(t, 0), only(t.Glyphs, 0)},
		{g.Both.Tokens, t.Text, t.Glyphs.Full},
		{g.OnlyB.Tokens, style(t, 1), only(t.Glyphs, 1)},
	}
	all := 0
	for _, p := range parts {
		all += p.n
	}
	width, done, used := max(b.Width()-2, 0), 0, 0
	b.Put("", " ")
	for _, p := range parts {
		if all == 0 {
			break
		}
		done += p.n
		end := (done*width + all/2) / all
		b.Repeat(p.style, p.sign, end-used)
		used = end
	}
	b.Repeat(t.Faint, t.Glyphs.Line, width-used)
	b.End()
}

// counts says how many items both, one or none of the sides keep, which explains the
// signs, and how far they overlap.
func (v *View) counts(b *paint.Block, t *themes.Table) {
	g, signs := v.Agreement, t.Glyphs
	parts := [...]struct {
		style themes.Style
		sign  string
		sum   compare.Sum
		what  string
	}{
		{t.Text, signs.Full, g.Both, " both"},
		{style(t, 0), only(signs, 0), g.OnlyA, " only A"},
		{style(t, 1), only(signs, 1), g.OnlyB, " only B"},
		{t.Faint, signs.Dropped, g.Neither, " neither"},
	}
	for detail := 3; ; detail-- {
		var spans []paint.Span
		for i, p := range parts {
			text := " " + paint.Count(p.sum.Items)
			if detail > 2 && i < 3 {
				text += " (" + paint.Tokens(p.sum.Tokens) + ")"
			}
			if detail > 0 {
				text += p.what
			}
			spans = append(spans, paint.Span{Text: " "}, paint.Span{Style: p.style, Text: p.sign}, paint.Span{Style: t.Text, Text: text}, paint.Span{Text: " "})
		}
		overlap := "overlap " + percent(g.Items) + " of items, " + percent(g.Tokens) + " of tokens"
		if detail < 2 {
			overlap = percent(g.Items) + " items, " + percent(g.Tokens) + " tokens"
		}
		end := paint.Span{Style: t.Strong, Text: overlap + " "}
		if room := b.RoomBefore(append(spans, end)...); room > 0 || detail == 0 {
			b.Spans(spans...)
			b.Right(end)
			break
		}
	}
	b.End()
}

func percent(share float64) string { return strconv.Itoa(int(share*100+0.5)) + " %" }

// lists are what each side alone keeps, side by side.
func (v *View) lists(b *paint.Block, t *themes.Table) {
	l := v.Layout
	half := l.half()
	if l.Lists.H == 0 {
		return
	}
	for side := range v.Only {
		b.To("", side*half)
		what := " only " + sideNames[side] + " keeps "
		b.Put(style(t, side), what)
		b.Clip(t.Muted, v.order(side), (side+1)*half-b.Used()-1)
	}
	b.End()
	var first, shown, reason [2]int
	for side, entries := range v.Only {
		first[side], shown[side] = v.listed(side)
		for _, e := range entries[first[side] : first[side]+shown[side]] {
			reason[side] = max(reason[side], len(e.Reason))
		}
	}
	for k := range l.Lists.H - 1 {
		for side, entries := range v.Only {
			b.To("", side*half)
			end := (side+1)*half - 1
			if side == 1 {
				end = l.Width
			}
			switch {
			case k < shown[side]:
				v.entry(b, t, side, entries[first[side]+k], end, reason[side])
			case k == 0:
				b.Clip(t.Muted, " nothing", end-b.Used())
			case k == shown[side]:
				b.Clip(t.Muted, rest(first[side], len(entries)-first[side]-k), end-b.Used())
			}
		}
		b.End()
	}
}

// order says in which order a list is.
func (v *View) order(side int) string {
	if len(v.Only[side]) > 0 && v.Only[side][0].Needed {
		return "· needed, then largest first"
	}
	return "· largest first"
}

// rest says how many entries of a list are out of sight.
func rest(above, below int) string {
	switch {
	case above > 0:
		return " " + paint.Count(above) + " above, " + paint.Count(below) + " below: n walks them"
	case below > 0:
		return " and " + paint.Count(below) + " more: n walks them"
	}
	return ""
}

// listed is the first entry of a list that is in sight, and how many are: the largest
// at first, and once the cursor was moved the one under it is among them.
func (v *View) listed(side int) (first, shown int) {
	entries, room := v.Only[side], v.Layout.Lists.H-1
	if len(entries) <= room {
		return 0, len(entries)
	}
	room = max(room-1, 0) // the last line counts the rest
	for k := range entries {
		if v.Moved && entries[k].Item == v.Cursor {
			first = min(max(k-room+1, 0), len(entries)-room)
			break
		}
	}
	return first, room
}

// Widths of a list from which an entry says more.
const (
	entryWithKind = 36
	entryWide     = 56
)

// entry is one line of a list, up to a column; reason is the width of the longest of
// the reasons.
func (v *View) entry(b *paint.Block, t *themes.Table, side int, e Entry, end, reason int) {
	text, muted, sign := t.Text, t.Muted, t.Muted
	if e.Item == v.Cursor {
		cursor := t.Cell(0, themes.Kept, themes.Cursor)
		text, muted, sign = cursor, cursor, cursor
	}
	width, start := end-b.Used(), b.Used()
	if e.Needed {
		if e.Item != v.Cursor {
			sign, text = t.Cell(0, themes.Kept, themes.Marked), t.Strong
		}
		b.Cell(sign, t.Glyphs.Required)
	} else {
		b.Cell(text, " ")
	}
	b.Put(text, e.Label+" ")
	b.To(text, start+7)
	if width >= entryWithKind {
		b.Clip(muted, e.Kind, 4)
		b.To(muted, start+12)
	}
	tokens := paint.Tokens(e.Tokens)
	b.To(text, b.Used()+max(5-len(tokens), 0))
	b.Put(text, tokens+" ")
	column := end - reason - len(" B ") - 1
	if width < entryWide {
		column = end - len(e.Reason) - len(" B ") - 1
	}
	if room := column - b.Used(); room > 3 {
		b.Clip(text, v.Text(e, room), room)
		b.To(text, column)
	}
	b.Clip(muted, " "+sideNames[1-side]+" "+e.Reason, end-b.Used())
	if e.Item == v.Cursor {
		b.To(text, end)
	}
}

// detail are the lines on the item under the cursor.
func (v *View) detail(b *paint.Block, t *themes.Table) {
	for k, d := range v.Detail {
		if k == v.Layout.Detail.H {
			return
		}
		b.Put("", " ")
		if d.Side >= 0 {
			b.Cell(style(t, d.Side), only(t.Glyphs, d.Side))
			b.Put(t.Strong, sideNames[d.Side]+" "+d.Verdict+" ")
			b.To("", 14)
			b.Clip(t.Text, d.Text, b.Room()-1)
		} else {
			b.Put(t.Strong, d.Verdict)
			b.Clip(t.Text, d.Text, b.Room()-1)
		}
		b.End()
	}
}
