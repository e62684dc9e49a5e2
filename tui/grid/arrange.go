// Package grid draws candidates as cells: the shape of a cell is its verdict,
// its colour the kind of the candidate. It is plain data in and styled text out.
package grid

import (
	"cmp"
	"slices"
	"strconv"

	"pacms/themes"
)

// Change is what the last move of turn, strategy or budget did to a candidate.
type Change uint8

// The changes.
const (
	Same Change = iota
	In          // kept now and not before
	Left        // kept before and dropped now
)

// Mark says whether a cell is marked, and whether the mark is met.
type Mark uint8

// The states of a mark.
const (
	Unmarked Mark = iota
	MarkMet
	MarkMissed
)

// Cell is one candidate.
type Cell struct {
	// Kind is the place of its kind in session.Kinds.
	Kind    uint8
	Verdict themes.Verdict
	Change  Change
	// Needed is set where the turn seems to need the candidate.
	Needed bool
	// Banned is set where a person forbade to keep it.
	Banned bool
	// Mark is what became of what a person expects of it.
	Mark Mark
	// Turn in which it was said; 0 unknown.
	Turn int
	// Tokens is its cost.
	Tokens int
	// Rank orders the cells of a lane, the lowest first.
	Rank int
}

// Lane is the heading of the rows of one kind.
type Lane struct {
	Name          string
	Kept, Offered int
	Tokens        int // of the kept
}

// row is a run of places in the order, drawn on one line.
type row struct {
	from, to int
	// lane is the place of the row's kind if the row is the first of its lane,
	// otherwise -1.
	lane int
}

// Arrangement says which cell stands where. It is made once for a set of cells
// and a size, and not changed.
type Arrangement struct {
	cells []Cell
	order []int // by time: nil, the order is that of the cells
	place []int // the inverse of order
	rows  []row
	lanes []Lane
	label int // columns before the cells
	pitch int // columns for a cell
	tall  int // lines for a cell
}

// totals is the room at the right of a lane for its counts.
const totals = 16

// Space is what cells by time are laid out in.
type Space struct {
	Width, Height int
	// Capacity is the number of cells to expect at most and LastTurn the highest
	// number of a turn: with both fixed, a place stays where it is while cells
	// are added.
	Capacity, LastTurn int
	// Widest is how many columns a cell takes at most; less than 2 counts as 2.
	Widest int
	// Tallest is how many lines a cell of more than two columns takes at most; less
	// than 1 counts as 1.
	Tallest int
}

// measure is the number of columns before the cells, the columns and lines for a
// cell, and the cells of a row. Cells are as wide as lets Capacity of them fit, and
// then as tall.
func (s Space) measure() (label, pitch, tall, per int) {
	label = max(5, len(strconv.Itoa(s.LastTurn))+3)
	for pitch = max(s.Widest, 2); pitch > 1; pitch-- {
		per = max(1, (s.Width-label)/pitch)
		rows := (s.Capacity + per - 1) / per
		if rows > s.Height {
			continue
		}
		tall = 1
		if pitch > 2 {
			tall = max(1, min(s.Tallest, s.Height/max(rows, 1)))
		}
		return label, pitch, tall, per
	}
	return label, 1, 1, max(1, s.Width-label)
}

// Lines is the number of lines that Capacity cells take.
func (s Space) Lines() int {
	_, _, tall, per := s.measure()
	return (s.Capacity + per - 1) / per * tall
}

// ByTime places the cells oldest first in rows of equal length.
func ByTime(cells []Cell, s Space) *Arrangement {
	label, pitch, tall, per := s.measure()
	a := &Arrangement{cells: cells, label: label, pitch: pitch, tall: tall}
	a.rows = make([]row, 0, len(cells)/per+1)
	for from := 0; from < len(cells); from += per {
		a.rows = append(a.rows, row{from: from, to: min(from+per, len(cells)), lane: -1})
	}
	return a
}

// ByKind places the cells in one lane a kind, ordered by rank. The lanes are
// named by names, indexed by kind; empty ones are left out.
func ByKind(cells []Cell, names []string, width, height int) *Arrangement {
	a := &Arrangement{cells: cells, pitch: 2, tall: 1, lanes: make([]Lane, len(names))}
	for k, name := range names {
		a.lanes[k].Name = name
		a.label = max(a.label, len(name)+1)
	}
	for i := range cells {
		a.lanes[cells[i].Kind].add(&cells[i])
	}
	a.order, a.place = byRank(cells)
	for a.pitch = 2; a.pitch > 0; a.pitch-- {
		a.rows = a.rows[:0]
		per, from := max(1, (width-a.label-totals)/a.pitch), 0
		for k, lane := range a.lanes {
			end := from + lane.Offered
			for head := k; from < end; from = min(from+per, end) {
				a.rows = append(a.rows, row{from: from, to: min(from+per, end), lane: head})
				head = -1
			}
		}
		if len(a.rows) <= height {
			break
		}
	}
	a.pitch = max(a.pitch, 1)
	return a
}

// add counts a cell.
func (l *Lane) add(c *Cell) {
	l.Offered++
	if c.Verdict != themes.Dropped {
		l.Kept++
		l.Tokens += c.Tokens
	}
}

// byRank orders cells by kind and rank; place is the inverse of order.
func byRank(cells []Cell) (order, place []int) {
	order, place = make([]int, len(cells)), make([]int, len(cells))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(cells[i].Kind, cells[j].Kind), cmp.Compare(cells[i].Rank, cells[j].Rank))
	})
	for p, i := range order {
		place[i] = p
	}
	return order, place
}

// Height is the number of lines that all cells take.
func (a *Arrangement) Height() int { return len(a.rows) * a.tall }

// placed is the cell at a place of the order.
func (a *Arrangement) placed(place int) int {
	if a.order == nil {
		return place
	}
	return a.order[place]
}

// Row is the first line of cell i, counted from 0 at the top of all lines.
func (a *Arrangement) Row(i int) int { return a.rowOf(i) * a.tall }

// rowOf is the place in rows of the row of cell i.
func (a *Arrangement) rowOf(i int) int {
	place := a.placeOf(i)
	r, found := slices.BinarySearchFunc(a.rows, place, func(r row, place int) int { return cmp.Compare(r.from, place) })
	if !found {
		r--
	}
	return max(r, 0)
}

func (a *Arrangement) placeOf(i int) int {
	if a.place == nil {
		return i
	}
	return a.place[i]
}

// Move is the cell that lies dx places and dy rows from cell i, or the nearest
// to that. Without cells it is 0.
func (a *Arrangement) Move(i, dx, dy int) int {
	if len(a.cells) == 0 {
		return 0
	}
	place := min(max(a.placeOf(i)+dx, 0), len(a.cells)-1)
	r := a.rowOf(a.placed(place))
	to := min(max(r+dy, 0), len(a.rows)-1)
	if to != r {
		column := place - a.rows[r].from
		place = min(a.rows[to].from+column, a.rows[to].to-1)
	}
	return a.placed(place)
}

// At is the cell at column x of line y, with line top as the first on screen.
func (a *Arrangement) At(x, y, top int) (i int, ok bool) {
	line := top + y
	if x < a.label || y < 0 || line >= a.Height() {
		return 0, false
	}
	r := line / a.tall
	place := a.rows[r].from + (x-a.label)/a.pitch
	if place >= a.rows[r].to {
		return 0, false
	}
	return a.placed(place), true
}

// Scroll is the first line to show of height lines so that the whole of cell i is
// among them if it can be, as near to top as can be.
func (a *Arrangement) Scroll(i, top, height int) int {
	if len(a.cells) == 0 {
		return 0
	}
	line := a.Row(i)
	return scroll(line, scroll(line+a.tall-1, top, height, a.Height()), height, a.Height())
}

// scroll is the first of height lines out of all to show so that a line is among
// them, as near to top as can be.
func scroll(line, top, height, all int) int {
	top = min(max(top, line-height+1), line)
	return min(max(top, 0), max(0, all-height))
}

// Hidden is the number of cells above line top and below the height lines that
// start there, without those of which a line is seen.
func (a *Arrangement) Hidden(top, height int) (above, below int) {
	if r := top / a.tall; r < len(a.rows) {
		above = a.rows[r].from
	}
	if end := (top + height + a.tall - 1) / a.tall; end < len(a.rows) {
		below = len(a.cells) - a.rows[end].from
	}
	return above, below
}
