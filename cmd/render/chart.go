package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"pacms/selector/compare"
	"pacms/tui/paint"
)

// The drawing area of a chart, in the units of its view box.
const (
	chartLeft, chartTop     = 52, 12
	chartWidth, chartHeight = 330, 190
)

// series is how one strategy is drawn: a colour and a shape, either of which tells
// it from the others.
type series struct {
	Name string
	// Class is the class of its colour, from 0.
	Class int
	// Shape is the path of its mark around 0,0; Dash the pattern of its line.
	Shape, Dash string
}

// shapes are the marks: disc, square, triangle, diamond, cross, plus, triangle down.
var shapes = []string{
	"M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0", "M-3.5,-3.5h7v7h-7z", "M0,-4.5l4.5,8h-9z", "M0,-5l5,5l-5,5l-5,-5z",
	"M-4,-4l8,8m0,-8l-8,8", "M-5,0h10m-5,-5v10", "M0,4.5l4.5,-8h-9z",
}

var dashes = []string{"", "6 3", "2 3", "8 3 2 3", "1 4", "10 4", "4 2 1 2"}

func seriesOf(d *compare.Document) []series {
	list := make([]series, len(d.Strategies))
	for i, name := range d.Strategies {
		k := i % len(shapes)
		// After all colours were used once, each comes again with another shape and line.
		again := (i + i/len(shapes)) % len(shapes)
		list[i] = series{name, k, shapes[again], dashes[again]}
	}
	return list
}

// chart is one measure against the budget, a line a strategy.
type chart struct {
	Title, Note string
	Lines       []chartLine
	XTicks      []tick
	YTicks      []tick
}

type chartLine struct {
	series
	Path   string // the polyline
	Points []point
}

// point is one mark with the number that it stands for.
type point struct {
	X, Y, Value, Label string
}

type tick struct{ At, Text string }

// measure is what a chart shows.
type measure struct {
	title, note string
	over        func(r *compare.Row) int // how many it is of: of none it is no number
	value       func(r *compare.Row) float64
	text        func(x float64) string
	share       bool // from 0 to 1
}

// measures are the charts, as the screen has them.
var measures = []measure{
	{"Needed and kept", "of all needs that the records show, the share of which something is kept", func(r *compare.Row) int { return r.Needs }, func(r *compare.Row) float64 {
		return float64(r.Needs-r.Missed) / float64(r.Needs)
	}, func(x float64) string { return decimals(x, 3) }, true},
	{"Coverage", "mean; pacms maximises it by design", counted, func(r *compare.Row) float64 { return r.Coverage }, func(x float64) string { return decimals(x, 3) }, true},
	{"Tokens kept", "mean", counted, func(r *compare.Row) float64 { return r.Tokens }, func(x float64) string { return paint.Count(int(x + 0.5)) }, false},
	{"Stable prefix", "mean share of what was kept in the turn before that stands unchanged in front", func(r *compare.Row) int { return r.PrefixTurns }, func(r *compare.Row) float64 { return r.Prefix }, func(x float64) string { return decimals(x, 3) }, true},
}

func counted(r *compare.Row) int { return r.Counted }

// place is a budget on the axis.
type place struct {
	text string
	at   float64 // in tokens
}

// places are the budgets from the smallest to the largest.
func places(d *compare.Document) []place {
	list := make([]place, len(d.Budgets))
	for b, text := range d.Budgets {
		least, most := d.BudgetTokens(b)
		list[b] = place{text, float64(least+most) / 2}
	}
	slices.SortStableFunc(list, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	return list
}

func charts(d *compare.Document) []chart {
	at := places(d)
	most := at[len(at)-1].at
	x := func(p place) float64 {
		if most == 0 {
			return chartLeft
		}
		return chartLeft + p.at/most*chartWidth
	}
	list := make([]chart, len(measures))
	for k, m := range measures {
		c := chart{Title: m.title, Note: m.note}
		top := 1.0
		if !m.share {
			top = 0
			for i := range d.Rows {
				top = max(top, m.value(&d.Rows[i]))
			}
			top = rounded(top)
		}
		y := func(v float64) float64 { return chartTop + (1-v/top)*chartHeight }
		for step := range 5 {
			v := top * float64(step) / 4
			text := paint.Tokens(int(v + 0.5))
			if m.share {
				text = decimals(v, 2)
			}
			c.YTicks = append(c.YTicks, tick{coordinate(y(v)), text})
		}
		for _, p := range at {
			c.XTicks = append(c.XTicks, tick{coordinate(x(p)), p.text})
		}
		for _, s := range seriesOf(d) {
			l := chartLine{series: s}
			pen := "M"
			for _, p := range at {
				i := slices.IndexFunc(d.Rows, func(r compare.Row) bool { return r.Strategy == s.Name && r.Budget == p.text })
				if m.over(&d.Rows[i]) == 0 {
					pen = "M" // the line has a gap there
					continue
				}
				v := m.value(&d.Rows[i])
				l.Path += pen + coordinate(x(p)) + "," + coordinate(y(v))
				pen = "L"
				l.Points = append(l.Points, point{
					coordinate(x(p)), coordinate(y(v)), strconv.FormatFloat(v, 'g', -1, 64), fmt.Sprintf("%s at %s: %s", s.Name, p.text, m.text(v)),
				})
			}
			c.Lines = append(c.Lines, l)
		}
		list[k] = c
	}
	return list
}

// rounded is the next number above x, or x itself, whose quarters read well.
func rounded(x float64) float64 {
	if x <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, n := range []float64{1, 2, 4, 6, 8} {
		if n*unit >= x {
			return n * unit
		}
	}
	return 10 * unit
}

// coordinate is a number of a drawing.
func coordinate(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

// stripWidth is how wide a strip of turns is.
const stripWidth = 760

// strip shows, for one budget, in which turns which strategy likely misses what.
type strip struct {
	Budget string
	Height int
	Rows   []stripRow
}

type stripRow struct {
	Name string
	Y    int
	// Marks are the turns that need something.
	Marks []mark
}

type mark struct {
	X, Width, Label string
	Missed          bool
}

// strips are those of every budget; none where no turn needs anything.
func strips(d *compare.Document) []strip {
	const row = 18
	each := len(d.Strategies) * len(d.Budgets)
	turns := len(d.Cells) / each
	wide := max(2, min(10, float64(stripWidth)/float64(turns)))
	var list []strip
	for b, text := range d.Budgets {
		s := strip{Budget: text, Height: row * len(d.Strategies)}
		needed := false
		for k, name := range d.Strategies {
			r := stripRow{Name: name, Y: k * row}
			for t := range turns {
				c := &d.Cells[t*each+b*len(d.Strategies)+k]
				if c.Needs == 0 || !c.Contested && !d.AllTurns {
					continue
				}
				needed = true
				label := fmt.Sprintf("%s, turn %d: %d of %d likely missed", name, c.Turn, c.Missed, c.Needs)
				if len(d.Sessions) > 1 {
					label = fmt.Sprintf("session %d, ", c.Session+1) + label
				}
				r.Marks = append(r.Marks, mark{coordinate(float64(t) / float64(turns) * stripWidth), coordinate(wide), label, c.Missed > 0})
			}
			s.Rows = append(s.Rows, r)
		}
		if needed {
			list = append(list, s)
		}
	}
	return list
}
