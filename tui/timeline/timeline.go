// Package timeline draws a session as a row of columns: what was offered for
// each turn and how much of it is kept.
package timeline

import (
	"slices"

	"pacms/themes"
	"pacms/tui/paint"
)

// Unknown is the Kept of a turn that nobody has selected for yet.
const Unknown = -1

// Turn is one turn of the session.
type Turn struct {
	Offered, Kept int // tokens
	// Cut is set where the host compacted or reset before the turn.
	Cut bool
	// Fork is set where turns before it were left on another branch.
	Fork bool
	// Missed is set where something that the turn seems to need is dropped.
	Missed bool
	// Live is set where what is kept is what the agent had: a miss is no guess.
	Live bool
	// Unmet is set where something that a person marked is not as it must be.
	Unmet bool
}

// Timeline is a session with the turn that is on screen.
type Timeline struct {
	Turns []Turn
	Here  int
	// Counted is set where turns with a miss are counted below the marks, so that
	// their sign is explained in any case.
	Counted bool
}

// Columns places N turns side by side on Width columns: a turn has several
// columns, or a column stands for several turns.
type Columns struct{ N, Width int }

// Of is the first column of turn i.
func (c Columns) Of(i int) int {
	if c.N <= 0 {
		return 0
	}
	return i * c.Width / c.N
}

// At is the turn at a column, the last of those that share it; false outside.
func (c Columns) At(column int) (int, bool) {
	if c.N <= 0 || column < 0 || column >= c.Width {
		return 0, false
	}
	return ((column+1)*c.N - 1) / c.Width, true
}

// Render draws the columns on height lines and the marks below them on one more
// if marks is set. A column that stands for several turns shows the one on
// screen if it is among them, otherwise the last.
func (tl *Timeline) Render(b *paint.Block, t *themes.Table, width, height int, marks bool) {
	cols := Columns{N: len(tl.Turns), Width: min(width, b.Width())}
	most := 1
	for i := range tl.Turns {
		most = max(most, tl.Turns[i].Offered)
	}
	shown := tl.shown(cols)
	steps := len(t.Glyphs.Spark)
	level := func(tokens int) int { return (max(tokens, 0)*steps*height + most - 1) / most }
	for line := height - 1; line >= 0; line-- {
		b.Put("", " ")
		for _, i := range shown {
			if i < 0 {
				b.Cell("", " ")
				continue
			}
			offered := level(tl.Turns[i].Offered) - line*steps
			kept := level(tl.Turns[i].Kept) - line*steps
			look := looks{t.SparkOnly, t.Spark, t.SparkFull}
			if i == tl.Here {
				look = looks{t.HereOnly, t.Here, t.HereFull}
			}
			style, sign := look.column(t.Glyphs.Spark, min(offered, steps), min(kept, steps))
			if t.Mono {
				style, sign = look.shaded(&t.Glyphs.Shades, offered, kept, steps)
			}
			b.Cell(style, sign)
		}
		switch {
		case line > 0:
		case t.Mono:
			s := &t.Glyphs.Shades
			b.Right(paint.Span{Style: t.Muted, Text: s[0] + " offered "}, paint.Span{Style: t.Text, Text: s[1] + s[2] + " kept "})
		default:
			b.Right(paint.Span{Style: t.Muted, Text: "offered (dim), "}, paint.Span{Style: t.Text, Text: "kept "})
		}
		b.End()
	}
	if marks {
		tl.marks(b, t, cols)
	}
}

// looks are the styles of a column: offered alone, kept upon offered, and kept
// where it hides what is offered.
type looks struct{ only, both, full themes.Style }

// shaded is the look of one cell where kept and offered differ by signs alone.
func (l looks) shaded(shades *[3]string, offered, kept, steps int) (themes.Style, string) {
	switch {
	case offered <= 0:
		return "", " "
	case kept <= 0:
		return l.only, shades[0]
	case 2*min(kept, steps) <= steps && kept < offered:
		return l.full, shades[1]
	default:
		return l.full, shades[2]
	}
}

// column is the look of one cell: kept upon offered, in eighths. What is kept is
// seen in any case: one cell cannot show two heights upon nothing, so there a low
// offered part gives way to it, and a high one fills the cell.
func (l looks) column(spark []string, offered, kept int) (themes.Style, string) {
	switch {
	case offered <= 0:
		return "", " "
	case kept <= 0:
		return l.only, spark[offered-1]
	case kept >= offered, 2*offered <= len(spark):
		return l.full, spark[kept-1]
	default:
		return l.both, spark[kept-1]
	}
}

// shown is the turn to show in each column, -1 none.
func (tl *Timeline) shown(cols Columns) []int {
	shown := slices.Repeat([]int{-1}, max(cols.Width, 0))
	for x := range shown {
		if i, ok := cols.At(x); ok {
			shown[x] = i
		}
	}
	if tl.Here >= 0 && tl.Here < len(tl.Turns) && cols.Width > 0 {
		shown[cols.Of(tl.Here)] = tl.Here
	}
	return shown
}

// marks draws the line of marks. The turn on screen wins over other turns, a miss
// over a cut.
func (tl *Timeline) marks(b *paint.Block, t *themes.Table, cols Columns) {
	type mark struct {
		sign  string
		style themes.Style
	}
	if cols.Width <= 0 {
		b.End()
		return
	}
	line := make([]mark, cols.Width)
	certain, likely, unmet := false, false, false
	for i := range tl.Turns {
		at := &line[cols.Of(i)]
		switch {
		case tl.Turns[i].Missed, tl.Turns[i].Unmet:
			*at = mark{t.Glyphs.Miss, t.Alarm}
			certain = certain || tl.Turns[i].Missed && tl.Turns[i].Live
			likely = likely || tl.Turns[i].Missed && !tl.Turns[i].Live
			unmet = unmet || tl.Turns[i].Unmet
		case tl.Turns[i].Cut && (at.sign == "" || at.sign == t.Glyphs.Fork):
			*at = mark{t.Glyphs.Cut, t.Muted}
		case tl.Turns[i].Fork && at.sign == "":
			*at = mark{t.Glyphs.Fork, t.Muted}
		}
	}
	if tl.Here >= 0 && tl.Here < len(tl.Turns) {
		at := &line[cols.Of(tl.Here)]
		if tl.Turns[tl.Here].Missed || tl.Turns[tl.Here].Unmet {
			*at = mark{t.Glyphs.Miss, t.Pill} // a miss on screen is both
		} else {
			*at = mark{t.Glyphs.Here, t.Accent}
		}
	}
	b.Put("", " ")
	for _, m := range line {
		if m.sign == "" {
			b.Cell("", " ")
			continue
		}
		b.Cell(m.style, m.sign)
	}
	what := "likely miss"
	switch {
	case certain && (likely || tl.Counted): // what other strategies would miss is a guess
		what = "miss or likely miss"
	case certain:
		what = "miss"
	}
	missed := certain || likely
	long, short := " turn with a "+what+" ", " "+what+" "
	switch {
	case unmet && (missed || tl.Counted):
		long, short = " turn with a "+what+" or a missed mark ", " miss or missed mark "
	case unmet:
		long, short = " turn with a missed mark ", " missed mark "
	}
	if missed || unmet || tl.Counted {
		sign := paint.Span{Style: t.Alarm, Text: t.Glyphs.Miss}
		if !b.Right(sign, paint.Span{Style: t.Muted, Text: long}) {
			b.Right(sign, paint.Span{Style: t.Muted, Text: short})
		}
	}
	b.End()
}
