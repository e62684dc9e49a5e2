package compare

import "strconv"

// Span is some lines of the screen.
type Span struct{ Y, H int }

// Layout says where everything stands, line by line.
type Layout struct {
	Width, Height int
	// Bar is the line of the bar, Budget that of its words; 0 without it.
	Bar, Budget int
	// Heads are the first lines of the sides, Grid how many lines of cells follow.
	Heads [2]int
	Grid  int
	// Blend is the line of what both keep, which the line of the counts follows.
	Blend  int
	Lists  Span
	Detail Span
	// Label are the columns before the cells, Pitch those of a cell, Per the cells of
	// a line.
	Label, Pitch, Per int
}

const (
	// fixed are the lines that are always there: title, question, bar, two heads,
	// what both keep, the counts, and the head of the lists.
	fixed = 8
	// budgetHeight, detailHeight and airyHeight are the heights from which there is a
	// line for the budget, lines for the item under the cursor, and gaps.
	budgetHeight = 19
	detailHeight = 26
	airyHeight   = 32
	// detailLines are those on the item under the cursor: what it is, and each side.
	detailLines = 3
	// gaps are the blank lines on a high screen.
	gaps = 5
	// leastList are the lines that the lists have at least, usualList what they have
	// before cells grow.
	leastList, usualList = 2, 6
)

// Arrange lays the view out for at most n items, of turns up to last.
func Arrange(width, height, n, last int) Layout {
	l := Layout{Width: width, Height: height, Bar: 2, Label: max(5, len(strconv.Itoa(last))+3)}
	rest := height - fixed
	gap := 0
	if height >= budgetHeight {
		l.Budget = 3
		rest--
	}
	if height >= detailHeight {
		l.Detail.H = detailLines
		rest -= detailLines
	}
	if height >= airyHeight {
		gap = 1
		rest -= gaps
	}
	room := max(1, (rest-usualList)/2)
	for l.Pitch = 2; l.Pitch > 0; l.Pitch-- {
		l.Per = max(1, (width-2-l.Label)/l.Pitch)
		l.Grid = max(1, (n+l.Per-1)/l.Per)
		if l.Grid <= room || l.Pitch == 1 {
			break
		}
	}
	l.Grid = min(l.Grid, max(1, room, (rest-leastList)/2-1))
	y := 3
	if l.Budget > 0 {
		y++
	}
	for side := range l.Heads {
		y += gap
		l.Heads[side] = y
		y += 1 + l.Grid
	}
	y += gap
	l.Blend = y
	y += 2 + gap
	end := height
	if l.Detail.H > 0 {
		end -= l.Detail.H
		l.Detail.Y = end
		end -= gap
	}
	l.Lists = Span{y, max(end-y, 0)}
	return l
}

// Lines is the number of lines that n items take.
func (l Layout) Lines(n int) int { return (n + l.Per - 1) / l.Per }

// Scroll is the first line of the grids so that item i of n is in sight, as near to
// top as can be.
func (l Layout) Scroll(i, top, n int) int {
	line := i / l.Per
	top = min(max(top, line-l.Grid+1), line)
	return min(max(top, 0), max(0, l.Lines(n)-l.Grid))
}

// Move is the item that lies dx places and dy lines from item i of n, or the nearest
// to that.
func (l Layout) Move(i, dx, dy, n int) int {
	to := min(max(i+dx, 0), n-1) + dy*l.Per
	if to < 0 {
		to += (-to + l.Per - 1) / l.Per * l.Per
	}
	if to >= n {
		to = max(min(i+dx, n-1), to-(to-n+l.Per)/l.Per*l.Per)
	}
	return max(min(to, n-1), 0)
}

// half is the width of the left list.
func (l Layout) half() int { return l.Width / 2 }

// At is the item at a cell of the screen: in one of the grids or of the lists.
func (v *View) At(x, y int) (item int, ok bool) {
	l := v.Layout
	for _, head := range l.Heads {
		line, column := y-head-1, x-1-l.Label
		if line < 0 || line >= l.Grid || column < 0 || column/l.Pitch >= l.Per {
			continue
		}
		item = (v.Top+line)*l.Per + column/l.Pitch
		return item, item < len(v.Items)
	}
	if y <= l.Lists.Y || y >= l.Lists.Y+l.Lists.H {
		return 0, false
	}
	side := 0
	if x >= l.half() {
		side = 1
	}
	first, shown := v.listed(side)
	if k := y - l.Lists.Y - 1; k < shown {
		return v.Only[side][first+k].Item, true
	}
	return 0, false
}
