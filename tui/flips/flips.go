// Package flips draws under the bar of the budget how many items come or go at each
// budget, and from which on most of the value is there.
package flips

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"pacms/themes"
	"pacms/tui/paint"
	"pacms/tui/slider"
)

// Flips is what one strategy does over the budgets of the bar.
type Flips struct {
	// Points are the budgets that were run, ascending.
	Points []Point
	// Budget is where the handle of the bar stands, Basis what the whole bar stands
	// for, both in tokens.
	Budget, Basis int
	// Share is the percentage of the value that is there from Enough tokens on, the first
	// of the points with it; an Enough below 0 is not known.
	Share, Enough int
	// Working says in words what is being done while there are no points.
	Working string
}

// Point is one budget and how many items are kept there and not at the one before,
// or the reverse.
type Point struct{ Budget, Flips int }

// Render draws the bars on height-1 lines over width columns and below them a line
// that says what they are; on one line there are only the bars.
func (f *Flips) Render(b *paint.Block, t *themes.Table, width, height int) {
	scale := slider.Scale{Basis: f.Basis, Width: min(width, b.Width()-1)}
	lines := max(height-1, 1)
	bars, most := f.bars(scale)
	handle := scale.Column(f.Budget)
	steps := len(t.Glyphs.Spark)
	for line := lines - 1; line >= 0; line-- {
		b.Put("", " ")
		for x, n := range bars {
			level := 0
			if most > 0 {
				level = (n*steps*lines+most-1)/most - line*steps
			}
			switch style := f.style(t, x, handle); {
			case level > 0:
				b.Cell(style, t.Glyphs.Spark[min(level, steps)-1])
			case line == 0 && x == handle:
				b.Cell(style, t.Glyphs.Here)
			default:
				b.Cell("", " ")
			}
		}
		b.End()
	}
	if height > 1 {
		f.words(b, t, scale, most)
	}
}

// style is that of a bar: what the budget reaches is bright.
func (f *Flips) style(t *themes.Table, x, handle int) themes.Style {
	switch {
	case x == handle:
		return t.Accent
	case x < handle:
		return t.Text
	default:
		return t.Muted
	}
}

// bars adds up the flips of each column, and gives the most of one.
func (f *Flips) bars(scale slider.Scale) (bars []int, most int) {
	bars = make([]int, max(scale.Width, 0))
	for _, p := range f.Points {
		if p.Flips > 0 && len(bars) > 0 {
			x := scale.Column(p.Budget)
			bars[x] += p.Flips
			most = max(most, bars[x])
		}
	}
	return bars, most
}

// words are the line below the bars: a mark with what it means under the budget from
// which on most of the value is there, and beside it what the bars are.
func (f *Flips) words(b *paint.Block, t *themes.Table, scale slider.Scale, most int) {
	b.Put("", " ")
	if f.Points == nil {
		b.Put(t.Muted, f.Working)
		b.End()
		return
	}
	what := "bars: items that come or go at a budget, at most " + paint.Count(most)
	const short = "bars: items that flip"
	if f.Enough < 0 {
		b.Put(t.Muted, what)
		b.End()
		return
	}
	// The words stand behind the mark or before it, the shorter ones where neither side
	// has room for all.
	at := 1 + scale.Column(f.Enough)
	start, means, behind := at, "", true // of the mark with its words
	share := strconv.Itoa(f.Share) + " % of value"
	for _, text := range []string{share + " at about " + paint.Count(f.Enough), share, ""} {
		length := ansi.StringWidth(text)
		if behind = text == "" || at+length+2 <= b.Width(); behind || at-length-1 >= 1 {
			if means = text; !behind {
				start = at - length - 1
			}
			break
		}
	}
	before := ansi.StringWidth(what)+2 < start
	if before {
		b.Put(t.Muted, what)
	}
	b.To("", start)
	if behind {
		b.Cell(t.Strong, t.Glyphs.Tick)
		b.Put(t.Text, " "+means)
	} else {
		b.Put(t.Text, means+" ")
		b.Cell(t.Strong, t.Glyphs.Tick)
	}
	if !before && !b.Right(paint.Span{Style: t.Muted, Text: what + " "}) {
		b.Right(paint.Span{Style: t.Muted, Text: short + " "})
	}
	b.End()
}
