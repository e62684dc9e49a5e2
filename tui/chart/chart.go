// Package chart draws what every strategy does with one turn against the budget: the
// coverage, the tokens that are kept, and from which budgets on it keeps what is
// marked. All parts share one axis, on which a line stands at the present budget.
package chart

import (
	"strconv"

	"pacms/themes"
	"pacms/tui/overlay"
	"pacms/tui/paint"
	"pacms/tui/slider"
)

// View is the chart. Its texts are neutralised for a terminal.
type View struct {
	// Series are the strategies by their keys.
	Series []Series
	// Chosen is the place in Series of the one under the cursor.
	Chosen int
	// Budget is where the line stands, Basis what the whole axis stands for, both in
	// tokens.
	Budget, Basis int
	// Marked is how many things of the turn are marked or known to be needed, and
	// What says which they are.
	Marked int
	What   string
	// Pool is the number of items in the pool.
	Pool int
	// Items are what the chosen strategy does with each item of the pool, oldest
	// first, at the budget ItemsAt; nil while it is not known.
	Items   []Item
	ItemsAt int
}

// Item is one item of the pool.
type Item struct {
	Kept bool
	// Needed is set where the turn needs it.
	Needed bool
}

// Series is one strategy.
type Series struct {
	Key, Name string
	Running   bool
	// Points are what it does at budgets, ascending, nil while they are not known;
	// what is between them was not run.
	Points []Point
	// Working says what is being done while there are no points.
	Working string
	// Here is what it does at the budget of the view, where that was run.
	Here *Point
}

// Point is what a strategy does under one budget.
type Point struct {
	Budget int // in tokens
	// Coverage is the share of the pool's value for the question.
	Coverage float64
	Items    int // kept
	Tokens   int // of what is kept
	// Marked is how many of the marked things it keeps.
	Marked int
}

// at is the last point at or below a budget, and false where there is none.
func (s *Series) at(budget int) (Point, bool) {
	for i := len(s.Points) - 1; i >= 0; i-- {
		if s.Points[i].Budget <= budget {
			return s.Points[i], true
		}
	}
	return Point{}, false
}

// here is what the strategy does at the budget of the view; exact is set where that
// was run, and not a budget below it.
func (v *View) here(s *Series) (p Point, exact, ok bool) {
	if s.Here != nil {
		return *s.Here, true, true
	}
	p, ok = s.at(v.Budget)
	return p, false, ok
}

const (
	// axisWidth is the room for the numbers at the left with the axis.
	axisWidth = 7
	// leastPlot is the number of lines that a plot is worth being drawn on.
	leastPlot = 2
)

// areas are how the lines of a page are divided: those of the two plots, and whether
// a blank stands between the parts.
type areas struct {
	coverage, tokens int
	airy             bool
}

// divide gives each part of a page of a height its lines. A heading stands above every
// part, the budgets below all of them.
func (v *View) divide(height int) areas {
	rest := height - 1 - (1 + len(v.Series)) - 1
	a := areas{airy: height >= 30}
	if a.airy {
		rest -= 3
	}
	if rest < 2*leastPlot+3 {
		a.coverage = max(rest, 0)
		return a
	}
	rest--
	a.tokens = max(rest*2/5, leastPlot)
	a.coverage = rest - a.tokens
	return a
}

// Scale is the axis of budgets on pages of a width: its first column stands at Left.
func (v *View) Scale(width int) slider.Scale {
	return slider.Scale{Basis: v.Basis, Width: max(width-axisWidth-sideWidth(width), 2)}
}

// Left is the column of a page at which the axis of budgets begins.
const Left = axisWidth

// sideWidth is the room at the right for the keys at the ends of lines and for what
// each strategy does at the present budget.
func sideWidth(width int) int {
	switch {
	case width >= wideSide:
		return 44
	case width >= mediumSide:
		return 31
	default:
		return 17
	}
}

// Widths from which there is more room at the right: for tokens and marks, and for all
// of it with the items themselves.
const (
	mediumSide = 76
	wideSide   = 110
)

// Lines writes the chart for pages of a width and a height.
func (v *View) Lines(t *themes.Table, width, height int) []overlay.Line {
	a, scale := v.divide(height), v.Scale(width)
	lines := make([]overlay.Line, 0, height)
	gap := func() {
		if a.airy {
			lines = append(lines, nil)
		}
	}
	heading := func(name, what string) {
		lines = append(lines, overlay.Line{{Style: t.Strong, Text: " " + name}, {Style: t.Muted, Text: "  " + what}})
	}
	if a.coverage >= leastPlot {
		what := "share of the pool's value for the question; pacms maximises it by design"
		if width < wideSide {
			what = "share of value; pacms maximises it by design"
		}
		heading("coverage", what)
		p := v.plot(t, scale, a.coverage, func(p Point) float64 { return p.Coverage })
		p.draw(v)
		lines = append(lines, p.lines(v, func(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }, 1)...)
		gap()
	}
	if a.tokens >= leastPlot {
		heading("tokens kept", "the dots are the budget itself")
		most := v.mostTokens()
		p := v.plot(t, scale, a.tokens, func(p Point) float64 { return float64(p.Tokens) / float64(most) })
		p.diagonal(float64(v.Basis) / float64(most))
		p.draw(v)
		lines = append(lines, p.lines(v, func(x float64) string { return paint.Tokens(int(x + 0.5)) }, float64(most))...)
		gap()
	}
	if width >= wideSide {
		v.items(t, lines, axisWidth+scale.Width, width)
	}
	lines = append(lines, v.bands(t, scale, width)...)
	return append(lines, v.axis(t, scale, width))
}

// mostTokens is what the axis of tokens ends with.
func (v *View) mostTokens() int {
	most := 0
	for i := range v.Series {
		for _, p := range v.Series[i].Points {
			most = max(most, p.Tokens)
		}
	}
	if most == 0 {
		return max(v.Basis, 1)
	}
	return most
}

// axis is the line of budgets below everything.
func (v *View) axis(t *themes.Table, scale slider.Scale, width int) overlay.Line {
	at := scale.Column(v.Budget)
	text := paint.Count(v.Budget)
	if v.Basis > 0 {
		text += " (" + strconv.Itoa((v.Budget*100+v.Basis/2)/v.Basis) + " %)"
	}
	end := paint.Tokens(v.Basis) + " tokens"
	words := t.Glyphs.Here + " " + text // the sign is under the line
	start := at
	if start+len(text)+2 > scale.Width+sideWidth(width)-1 {
		words = text + " " + t.Glyphs.Here
		start = max(at-len(text)-1, 0)
	}
	line := overlay.Line{{Style: t.Muted, Text: right("budget", axisWidth-1) + " "}}
	if start > 2 {
		line = append(line, paint.Span{Style: t.Muted, Text: pad("0", start)})
	} else {
		line = append(line, paint.Span{Text: pad("", start)})
	}
	line = append(line, paint.Span{Style: t.Accent, Text: words})
	if used := start + len(text) + 2; used+2+len(end) <= scale.Width {
		line = append(line, paint.Span{Style: t.Muted, Text: right(end, scale.Width-used)})
	}
	return line
}
