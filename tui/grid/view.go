package grid

import (
	"pacms/themes"
	"pacms/tui/paint"
)

// View is one way to put cells on lines. It is made for one set of cells and one
// size, and not changed. Lines are counted from 0 at the top of all of them.
type View interface {
	// Height is the number of lines that all cells take.
	Height() int
	// Row is the first line of cell i.
	Row(i int) int
	// Move is the cell that lies dx places and dy rows from cell i, or the nearest
	// to that; without cells 0.
	Move(i, dx, dy int) int
	// At is the cell at column x of line y, with line top as the first on screen.
	At(x, y, top int) (i int, ok bool)
	// Scroll is the first line to show of height lines so that cell i is among
	// them, as near to top as can be.
	Scroll(i, top, height int) int
	// Hidden is the number of cells above line top and below the height lines that
	// start there.
	Hidden(top, height int) (above, below int)
	// Render draws the lines of f.
	Render(b *paint.Block, t *themes.Table, f Frame)
}

// Frame is the part of a view that is drawn.
type Frame struct {
	// Margin is the number of columns to leave free at the left.
	Margin int
	// Cursor is the cell under the cursor, -1 none.
	Cursor int
	// Top is the first line, Height the number of lines.
	Top, Height int
	// Hits says of each cell whether a search has found it; nil: there is no search.
	Hits []bool
	// Related says of each cell whether the one under the cursor covers it, or is
	// covered by it; nil: none.
	Related []bool
}

// Light is how the frame lets a cell stand out.
type Light struct {
	Glow Glow
	// Related is set where the cell has to do with the one under the cursor.
	Related bool
}

// Glow is how bright a cell is.
type Glow uint8

// The glows.
const (
	Plain  Glow = iota
	Cursor      // the cursor is on it
	Hit         // a search has found it
	Other       // a search has found others
)

func (f *Frame) light(i int) Light {
	l := Light{Related: i < len(f.Related) && f.Related[i]}
	switch {
	case i == f.Cursor:
		l.Glow = Cursor
	case f.Hits == nil:
	case f.Hits[i]:
		l.Glow = Hit
	default:
		l.Glow = Other
	}
	return l
}
