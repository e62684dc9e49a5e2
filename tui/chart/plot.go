package chart

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pacms/themes"
	"pacms/tui/overlay"
	"pacms/tui/paint"
	"pacms/tui/slider"
)

// A cell of a plot holds 2 × 4 dots, as Braille characters do.
const (
	dotsAcross = 2
	dotsDown   = 4
)

// dot are the bits of a Braille character by row and column.
var dot = [dotsDown][dotsAcross]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

const braille = 0x2800

// keyEvery is how many columns lie between two keys on a line.
const keyEvery = 18

// cell is one place of a plot: dots, or a sign.
type cell struct {
	dots  rune
	of    int // the series that the dots are of
	sign  string
	style themes.Style
}

// plot is one measure, from 0 to 1, against the budget.
type plot struct {
	t             *themes.Table
	scale         slider.Scale
	width, height int
	value         func(Point) float64
	cells         []cell
	// ends are the keys of the lines that end in each row, and whose they are.
	ends [][]int
}

func (v *View) plot(t *themes.Table, scale slider.Scale, height int, value func(Point) float64) *plot {
	p := &plot{
		t: t, scale: scale, width: scale.Width, height: height, value: value,
		cells: make([]cell, scale.Width*height), ends: make([][]int, height),
	}
	for i := range p.cells {
		p.cells[i].of = -1
	}
	return p
}

// draw draws every series: the chosen one last, so that it lies on top, and then the
// keys, by which lines are told apart without colours.
func (p *plot) draw(v *View) {
	defer p.budget(v)
	if ascii(p.t) {
		p.letters(v)
		return
	}
	order := make([]int, 0, len(v.Series))
	for k := range v.Series {
		if k != v.Chosen {
			order = append(order, k)
		}
	}
	if v.Chosen >= 0 && v.Chosen < len(v.Series) {
		order = append(order, v.Chosen)
	}
	for _, k := range order {
		if len(v.Series[k].Points) > 0 {
			p.line(v, k)
		}
	}
	for _, k := range order {
		if len(v.Series[k].Points) > 0 {
			p.keys(v, k)
		}
	}
}

// Of the columns in which letters lie on each other, the chosen line gives up one in
// sharedEvery; other lines are drawn in one of gapEvery.
const (
	sharedEvery = 3
	gapEvery    = 2
)

// letters draws every series by its key. The chosen line has no gaps, others do, so that
// it stands out; where lines lie on each other, their keys take turns.
func (p *plot) letters(v *View) {
	for k := range v.Series {
		if points := v.Series[k].Points; len(points) > 0 {
			end := row(p.at(points, float64(p.width-1)), p.height)
			p.ends[end] = append(p.ends[end], k)
		}
	}
	others := make([][]int, p.height) // by row, without the chosen one
	for x := range p.width {
		for y := range others {
			others[y] = others[y][:0]
		}
		chosen := -1
		for k := range v.Series {
			if points := v.Series[k].Points; len(points) > 0 {
				y := row(p.at(points, float64(x)), p.height)
				if k == v.Chosen {
					chosen = y
				} else {
					others[y] = append(others[y], k)
				}
			}
		}
		for y, here := range others {
			k := -1
			switch {
			case y == chosen && (len(here) == 0 || x%sharedEvery != sharedEvery-1):
				k = v.Chosen
			case y == chosen:
				k = here[x/sharedEvery%len(here)]
			case len(here) > 0 && x%gapEvery == 0:
				k = here[x/gapEvery%len(here)]
			}
			if k >= 0 {
				p.cells[y*p.width+x] = cell{of: k, sign: v.Series[k].Key, style: v.style(p.t, k)}
			}
		}
	}
}

// at is the value of a series at a column, which may be a part of one: on the way from
// one point to the next.
func (p *plot) at(points []Point, column float64) float64 {
	budget := 0.0
	if p.scale.Width > 1 {
		budget = column * float64(p.scale.Basis) / float64(p.scale.Width-1)
	}
	for i := 1; i < len(points); i++ {
		if a, b := points[i-1], points[i]; float64(b.Budget) >= budget {
			if b.Budget == a.Budget {
				return p.value(b)
			}
			share := max(budget-float64(a.Budget), 0) / float64(b.Budget-a.Budget)
			return p.value(a) + share*(p.value(b)-p.value(a))
		}
	}
	return p.value(points[len(points)-1])
}

// row is the place of a value among n rows, from the top.
func row(value float64, n int) int {
	return min(max(int(math.Round((1-value)*float64(n-1))), 0), n-1)
}

// line draws a series in dots.
func (p *plot) line(v *View, k int) {
	s := &v.Series[k]
	style := v.style(p.t, k)
	last := -1
	for x := range p.width * dotsAcross {
		// The two dots of a column lie a quarter left and right of its middle.
		y := row(p.at(s.Points, max((float64(x)-0.5)/dotsAcross, 0)), p.height*dotsDown)
		from, to := y, y
		if last >= 0 {
			from, to = min(y, last), max(y, last)
		}
		for d := from; d <= to; d++ {
			c := &p.cells[d/dotsDown*p.width+x/dotsAcross]
			if c.of != k { // a line lies on top of those before it, not among their dots
				*c = cell{of: k, style: style}
			}
			c.dots |= dot[d%dotsDown][x%dotsAcross]
			c.sign = ""
		}
		last = y
	}
}

// keys puts the key of a series on its line now and then, and at its end.
func (p *plot) keys(v *View, k int) {
	s := &v.Series[k]
	end := row(p.at(s.Points, float64(p.width-1)), p.height)
	p.ends[end] = append(p.ends[end], k)
	first := 2 + k*keyEvery/max(len(v.Series), 1)
	for x := first; x < p.width; x += keyEvery {
		c := &p.cells[row(p.at(s.Points, float64(x)), p.height)*p.width+x]
		if c.sign == "" {
			*c = cell{of: k, sign: s.Key, style: v.style(p.t, k)}
		}
	}
}

// diagonal draws the budget itself, which rises to a value at the end of the axis.
func (p *plot) diagonal(end float64) {
	for x := 0; x < p.width; x += 2 {
		if value := end * float64(x) / float64(max(p.width-1, 1)); value <= 1 {
			p.cells[row(value, p.height)*p.width+x] = cell{of: -1, sign: p.t.Glyphs.Dropped, style: p.t.Faint}
		}
	}
}

// budget draws the line at the present budget where nothing else is.
func (p *plot) budget(v *View) {
	x := p.scale.Column(v.Budget)
	for y := range p.height {
		c := &p.cells[y*p.width+x]
		if c.dots == 0 && (c.sign == "" || c.sign == p.t.Glyphs.Dropped) {
			c.sign = p.t.Glyphs.Wall
		}
		c.style = p.t.Accent
	}
}

// lines are the lines of the plot with its axis; text writes a value of it, which ends
// with most.
func (p *plot) lines(v *View, text func(float64) string, most float64) []overlay.Line {
	lines := make([]overlay.Line, p.height)
	for y := range lines {
		label := ""
		switch {
		case y == 0:
			label = text(most)
		case y == p.height-1:
			label = text(0)
		case p.height >= 5 && y == (p.height-1)/2:
			label = text(most * (1 - float64(y)/float64(p.height-1)))
		}
		l := overlay.Line{{Style: p.t.Muted, Text: right(label, axisWidth-1)}, {Style: p.t.Faint, Text: p.t.Glyphs.Wall}}
		for x := range p.width {
			c := &p.cells[y*p.width+x]
			sign := c.sign
			if sign == "" {
				sign = " "
				if c.dots != 0 {
					sign = string(braille + c.dots)
				}
			}
			l = put(l, c.style, sign)
		}
		l = put(l, "", " ")
		for k := range v.Series { // in the order of the keys
			for _, e := range p.ends[y] {
				if e == k {
					l = put(l, v.style(p.t, k), v.Series[k].Key)
				}
			}
		}
		lines[y] = l
	}
	return lines
}

// style is the look of a series: what is under the cursor stands out.
func (v *View) style(t *themes.Table, k int) themes.Style {
	if k == v.Chosen {
		return t.Strong
	}
	return t.Kinds[k%len(t.Kinds)]
}

// ascii reports whether nothing but ASCII may be drawn.
func ascii(t *themes.Table) bool { return t.Glyphs.Text("·") != "·" }

// put appends text to a line, to its last span where that has the same style.
func put(l overlay.Line, style themes.Style, text string) overlay.Line {
	if n := len(l) - 1; n >= 0 && l[n].Style == style {
		l[n].Text += text
		return l
	}
	return append(l, paint.Span{Style: style, Text: text})
}

// pad fills text up with blanks to a width.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-ansi.StringWidth(text), 0))
}

// right puts text at the right of a width.
func right(text string, width int) string {
	return strings.Repeat(" ", max(width-ansi.StringWidth(text), 0)) + text
}
