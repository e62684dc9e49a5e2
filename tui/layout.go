package tui

import (
	"pacms/selector"
	"pacms/tui/grid"
)

// The smallest screen on which everything that must be there has a place.
const (
	minWidth  = 60
	minHeight = 16
)

const (
	// wideWidth is the width from which the inspector stands on the right.
	wideWidth = 130
	// labelWidth is the width from which the title bar has room to say how a story's
	// session came about; below it the status line does.
	labelWidth = 136
	// listsWidth is the width from which the lists of changes and strategies have
	// room above the inspector.
	listsWidth = 100
	// largeWidth is the width from which cells may be larger than two columns under
	// any theme.
	largeWidth = 180
	// itemWidth is the least width of the inspector there.
	itemWidth = 58
	// sparkShare is how many lines of the screen there are for one of the timeline.
	sparkShare = 12
	// itemLines are the lines that the inspector needs to be of use.
	itemLines = 3
	// boxLines are the lines of the box that shows what is needed and dropped.
	boxLines = 3
	// gridLines are the lines that the grid has at least.
	gridLines = 3
	// lowHeight is the height up to which the whole timeline may give way to cells.
	lowHeight = 20
	// roomyHeight is the height from which nothing has to make room for the flips.
	roomyHeight = 40
)

// tableLines are the lines of the table of strategies with its heading.
func tableLines() int { return len(selector.Strategies()) + 1 }

// rect is a part of the screen in cells.
type rect struct{ X, Y, W, H int }

// contains reports whether a cell lies in the rectangle.
func (r rect) contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// layout says where everything stands. It is one comparable value from one
// function, so that what has not moved need not be drawn again. A pane without
// room has a height of 0.
type layout struct {
	Width, Height int
	// Small is set where the screen is too small for anything but saying so.
	Small bool
	// Wide is set where the inspector stands on the right.
	Wide bool
	// Roomy is set where cells may be larger than two columns on one line.
	Roomy bool

	Title, Asked, Sentence, Bar, Budget, Since rect
	// Flips lies between the bar and the line of the budget.
	Flips rect

	Legend, Grid, Box, Changes, Others         rect
	Item, Timeline, Strategies, Status, Footer rect
	// Spark is the height of the timeline without its marks.
	Spark int
	// GridTwo is how many lines the grid may take with cells two columns wide.
	GridTwo int
}

// wants is what the size of a pane depends on.
type wants struct {
	Width, Height int
	// Cells is the number of cells of the largest pool of the session, Turns the
	// highest number of a turn.
	Cells, Turns int
	// Lines, if not 0, is the number of lines that the grid takes in its present
	// order; 0 works it out for cells by time.
	Lines int
	// Beside is set where something stands beside the grid also on a screen that is
	// not that wide.
	Beside bool
	// Flips is set where the flips are to be seen under the bar.
	Flips bool
	// Box is set where there is something to show in the box.
	Box bool
	// Large gives the grid all the lines it can use to have its cells two columns
	// wide, and wider and taller cells where the screen is wide.
	Large bool
}

// arrange lays out the main screen.
func arrange(w wants) layout {
	l := layout{Width: w.Width, Height: w.Height}
	if w.Width < minWidth || w.Height < minHeight {
		l.Small = true
		return l
	}
	l.Wide = (w.Width >= wideWidth || w.Beside && w.Width >= besideWidth) && w.Height >= besideHeight
	l.Roomy = l.Wide && (w.Width >= largeWidth || w.Large && w.Width >= wideWidth)
	y := 0
	line := func() rect {
		y++
		return rect{0, y - 1, w.Width, 1}
	}
	l.Title, l.Asked, l.Sentence = line(), line(), line()
	l.Bar = line()
	if w.Flips {
		l.Flips = rect{0, y, w.Width, flipLines(w.Height)}
		y += l.Flips.H
	}
	l.Budget, l.Since = line(), line()
	top := y

	bottom := w.Height
	from := func(h int) rect {
		bottom -= h
		return rect{0, bottom, w.Width, h}
	}
	l.Footer, l.Status = from(1), from(1)
	marks := 0
	if w.Height >= 18 {
		marks = 1
	}
	l.Spark = w.Height / sparkShare
	if l.Wide && w.Height >= 40 {
		l.Strategies = from(tableLines() - 1)
	}
	l.Timeline = from(l.Spark + marks)
	if w.Height < roomyHeight { // the timeline makes room for the flips
		less := min(l.Flips.H, l.Timeline.H)
		bottom += less
		l.Timeline.Y, l.Timeline.H = bottom, l.Timeline.H-less
		l.Spark = min(l.Spark, l.Timeline.H)
	}
	if short := l.short(w, bottom-top); short > 0 {
		// The marks go first, then the timeline.
		bottom += short
		l.Timeline.Y, l.Timeline.H = bottom, l.Timeline.H-short
		l.Spark = min(l.Spark, l.Timeline.H)
	}

	if l.Wide {
		item := max(itemWidth, w.Width*3/8-2)
		left := w.Width - item - 1
		l.Item = rect{left + 1, top, item, bottom - top}
		l.left(w, rect{0, top, left, bottom - top})
		return l
	}
	l.stack(w, rect{0, top, w.Width, bottom - top})
	return l
}

// flipLines are the lines that the flips take on a screen of a height: bars, and
// below them what they are.
func flipLines(height int) int {
	switch {
	case height >= roomyHeight:
		return 4
	case height >= 30:
		return 3
	case height >= 20:
		return 2
	default:
		return 1
	}
}

// short is how many lines of the timeline give way on a low screen so that every
// cell can be seen, and the inspector too.
func (l *layout) short(w wants, height int) int {
	if l.Wide || w.Lines > 0 {
		return 0
	}
	space := grid.Space{Width: l.Width - 2, Capacity: w.Cells, LastTurn: w.Turns}
	need := 1 + space.Lines() // with the legend
	if w.Box {
		need += boxLines
	}
	most := l.Timeline.H
	if w.Height > lowHeight && !w.Flips {
		most-- // one line of it stays
	}
	switch {
	case height >= need+itemLines:
		return 0
	case height+most >= need+itemLines:
		return need + itemLines - height
	case height < need && height+most >= need:
		return need - height
	default:
		return 0
	}
}

// stack lays the grid, the box, the lists and the inspector one below the other.
func (l *layout) stack(w wants, area rect) {
	box := 0
	if w.Box {
		box = boxLines
	}
	rest := area.H - 1 // the legend
	l.GridTwo = max(gridLines, rest/3)
	table := 0
	if w.Large {
		l.GridTwo = max(gridLines, rest-itemLines-boxLines)
	} else if room := rest - boxLines - tableLines() - 1 - itemLines; w.Width >= listsWidth && room >= gridLines {
		// With the box or without it, so that they stay where they are.
		table, l.GridTwo = tableLines()+1, room
	}
	lines := l.gridLines(w, area.W)
	lines = min(lines, max(gridLines, rest-itemLines-box-table))
	item := rest - lines - box - table
	if item < itemLines {
		item = 0
	}
	gaps := 0
	if free := item - itemLines - 1; free > 0 {
		gaps = 1
		if w.Box && free > 1 {
			gaps = 2
		}
		item -= gaps
	}
	y := area.Y
	place := func(h int) rect {
		r := rect{area.X, y, area.W, h}
		y += h
		return r
	}
	l.Legend, l.Grid = place(1), place(lines)
	y += min(gaps, 1)
	l.Box = place(box)
	y += max(gaps-1, 0)
	if table > 0 {
		lists := place(table)
		l.lists(rect{lists.X, lists.Y, lists.W, lists.H - 1})
	}
	l.Item = place(item)
}

// left lays out what stands to the left of the inspector.
func (l *layout) left(w wants, area rect) {
	box := 0
	if w.Box {
		box = boxLines + 2
	}
	rest := area.H - 1
	table := min(tableLines(), max(0, rest-gridLines-box-1))
	if table < tableLines() {
		table = 0
	}
	l.GridTwo = max(gridLines, rest-box-table-1)
	if l.Roomy && w.Lines == 0 {
		// With the box or without it, so that cells stay as large as they are.
		l.GridTwo = max(gridLines, rest-boxLines-2-table-1)
	}
	lines := min(l.gridLines(w, area.W), l.GridTwo)
	y := area.Y
	l.Legend = rect{area.X, y, area.W, 1}
	l.Grid = rect{area.X, y + 1, area.W, lines}
	y += 1 + lines
	if w.Box {
		l.Box = rect{area.X, y + 1, area.W, boxLines}
		y += boxLines + 1
	}
	if table > 0 {
		l.lists(rect{area.X, y + 1, area.W, area.Y + area.H - y - 1})
	}
}

// lists puts what changed and the strategies side by side.
func (l *layout) lists(area rect) {
	half := area.W / 2
	l.Changes = rect{area.X, area.Y, half, area.H}
	l.Others = rect{area.X + half, area.Y, area.W - half, area.H}
}

// gridLines is the number of lines that the grid would like to have.
func (l *layout) gridLines(w wants, width int) int {
	if w.Lines > 0 {
		return w.Lines
	}
	return max(1, l.space(w, width-2).Lines())
}

// space is what cells by time are laid out in on a width.
func (l *layout) space(w wants, width int) grid.Space {
	space := grid.Space{Width: width, Height: l.GridTwo, Capacity: w.Cells, LastTurn: w.Turns, Widest: 2, Tallest: 1}
	if l.Roomy {
		space.Widest, space.Tallest = 4, 3
	}
	return space
}
