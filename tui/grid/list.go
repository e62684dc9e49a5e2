package grid

import (
	"pacms/themes"
	"pacms/tui/paint"
)

// List is a view with one cell a line.
type List struct {
	cells        []Cell
	order, place []int // nil: by time
	line         func(b *paint.Block, i int, l Light)
}

// NewList lists the cells oldest first, or by kind and rank if ranked is set. line
// draws what follows the margin of the line of cell i, and does not end it.
func NewList(cells []Cell, ranked bool, line func(b *paint.Block, i int, l Light)) *List {
	l := &List{cells: cells, line: line}
	if ranked {
		l.order, l.place = byRank(cells)
	}
	return l
}

// Height is the number of cells.
func (l *List) Height() int { return len(l.cells) }

func (l *List) placed(place int) int {
	if l.order == nil {
		return place
	}
	return l.order[place]
}

// Row is the line of cell i.
func (l *List) Row(i int) int {
	if l.place == nil {
		return i
	}
	return l.place[i]
}

// Move is the cell dx+dy lines below cell i.
func (l *List) Move(i, dx, dy int) int {
	if len(l.cells) == 0 {
		return 0
	}
	return l.placed(min(max(l.Row(i)+dx+dy, 0), len(l.cells)-1))
}

// At is the cell on line y.
func (l *List) At(_, y, top int) (i int, ok bool) {
	if y < 0 || top+y >= len(l.cells) {
		return 0, false
	}
	return l.placed(top + y), true
}

// Scroll is the first line to show so that cell i is seen.
func (l *List) Scroll(i, top, height int) int {
	if len(l.cells) == 0 {
		return 0
	}
	return scroll(l.Row(i), top, height, len(l.cells))
}

// Hidden counts the cells above and below.
func (l *List) Hidden(top, height int) (above, below int) {
	return min(top, len(l.cells)), max(len(l.cells)-top-height, 0)
}

// Render draws the lines of f; only what is seen is drawn.
func (l *List) Render(b *paint.Block, _ *themes.Table, f Frame) {
	for r := f.Top; r < f.Top+f.Height; r++ {
		if r < len(l.cells) {
			i := l.placed(r)
			b.To("", f.Margin)
			l.line(b, i, f.light(i))
		}
		b.End()
	}
}
