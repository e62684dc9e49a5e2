package grid

import (
	"slices"

	"pacms/themes"
	"pacms/tui/paint"
)

// Strip is a view for more cells than there is room for: a lane for each kind, in
// which a column stands for a piece of the session. How high a column is filled
// is the share of it that is kept.
type Strip struct {
	cells   []Cell
	lanes   []stripLane // those with cells
	of      []int       // the lane of each kind
	label   int         // columns before the lanes
	columns int
	lines   int // of a lane
}

type stripLane struct {
	Lane
	kind    uint8
	members []int // the cells of the lane, ascending
}

// maxStripLines is how many lines a lane takes at most.
const maxStripLines = 3

// NewStrip makes the strip; its lanes are as high as height allows.
func NewStrip(cells []Cell, names []string, width, height int) *Strip {
	s := &Strip{cells: cells, of: make([]int, len(names))}
	counts := make([]int, len(names))
	for i := range cells {
		counts[cells[i].Kind]++
	}
	for k, name := range names {
		if counts[k] == 0 {
			continue
		}
		s.of[k] = len(s.lanes)
		s.lanes = append(s.lanes, stripLane{Lane: Lane{Name: name}, kind: uint8(k), members: make([]int, 0, counts[k])})
		s.label = max(s.label, len(name)+1)
	}
	for i := range cells {
		lane := &s.lanes[s.of[cells[i].Kind]]
		lane.add(&cells[i])
		lane.members = append(lane.members, i)
	}
	s.columns = max(1, min(width-s.label-totals, len(cells)))
	s.lines = min(max(height/max(len(s.lanes), 1), 1), maxStripLines)
	return s
}

// PerColumn is how many cells a column stands for, rounded up.
func (s *Strip) PerColumn() int { return (len(s.cells) + s.columns - 1) / s.columns }

// Height is the number of lines of all lanes.
func (s *Strip) Height() int { return len(s.lanes) * s.lines }

// column is the column of cell i.
func (s *Strip) column(i int) int { return i * s.columns / len(s.cells) }

// first is the lowest cell of a column, of whatever lane.
func (s *Strip) first(column int) int {
	return (column*len(s.cells) + s.columns - 1) / s.columns
}

// in are the members of a lane in a column.
func (s *Strip) in(lane *stripLane, column int) []int {
	from, _ := slices.BinarySearch(lane.members, s.first(column))
	to, _ := slices.BinarySearch(lane.members, s.first(column+1))
	return lane.members[from:to]
}

// Row is the first line of the lane of cell i.
func (s *Strip) Row(i int) int { return s.of[s.cells[i].Kind] * s.lines }

// Move is the cell in the next column that has any, or in the lane above or
// below the one nearest in time.
func (s *Strip) Move(i, dx, dy int) int {
	n := len(s.cells)
	switch {
	case n == 0:
		return 0
	case dx >= n:
		return n - 1
	case dx <= -n:
		return 0
	}
	at := s.of[s.cells[i].Kind]
	if to := min(max(at+dy, 0), len(s.lanes)-1); to != at {
		i = nearest(s.lanes[to].members, i)
		at = to
	}
	lane := &s.lanes[at]
	for ; dx != 0; dx -= sign(dx) {
		next := s.next(lane, i, sign(dx))
		if next < 0 {
			break
		}
		i = next
	}
	return i
}

// next is the first cell of the lane in the nearest column in a direction, -1 if
// there is none.
func (s *Strip) next(lane *stripLane, i, dir int) int {
	column := s.column(i)
	if dir > 0 {
		if at, _ := slices.BinarySearch(lane.members, s.first(column+1)); at < len(lane.members) {
			return lane.members[at]
		}
		return -1
	}
	at, _ := slices.BinarySearch(lane.members, s.first(column))
	if at == 0 {
		return -1
	}
	return s.in(lane, s.column(lane.members[at-1]))[0]
}

func sign(x int) int {
	if x < 0 {
		return -1
	}
	return 1
}

// nearest is the member that is nearest to i; members are ascending.
func nearest(members []int, i int) int {
	at, _ := slices.BinarySearch(members, i)
	switch {
	case at == len(members):
		return members[at-1]
	case at > 0 && i-members[at-1] < members[at]-i:
		return members[at-1]
	default:
		return members[at]
	}
}

// At is the first cell of the column at x in the lane at y.
func (s *Strip) At(x, y, top int) (i int, ok bool) {
	line, column := top+y, x-s.label
	if y < 0 || line >= s.Height() || column < 0 || column >= s.columns {
		return 0, false
	}
	members := s.in(&s.lanes[line/s.lines], column)
	if len(members) == 0 {
		return 0, false
	}
	return members[0], true
}

// Scroll shows the whole lane of cell i if it can.
func (s *Strip) Scroll(i, top, height int) int {
	if len(s.cells) == 0 {
		return 0
	}
	r := s.Row(i)
	return scroll(r, scroll(r+s.lines-1, top, height, s.Height()), height, s.Height())
}

// Hidden counts the cells of the lanes of which no line is seen.
func (s *Strip) Hidden(top, height int) (above, below int) {
	for k := range s.lanes {
		switch line := k * s.lines; {
		case line+s.lines <= top:
			above += s.lanes[k].Offered
		case line >= top+height:
			below += s.lanes[k].Offered
		}
	}
	return above, below
}

// Render draws the lines of f.
func (s *Strip) Render(b *paint.Block, t *themes.Table, f Frame) {
	for line := f.Top; line < f.Top+f.Height; line++ {
		if line >= s.Height() {
			b.End()
			continue
		}
		lane := &s.lanes[line/s.lines]
		floor := s.lines - 1 - line%s.lines // lines of the lane below this one
		b.To("", f.Margin)
		if line%s.lines == 0 {
			b.Put(t.Kinds[min(lane.kind, themes.KindCount-1)], lane.Name)
		}
		b.To("", f.Margin+s.label)
		rest := lane.members
		for column := range s.columns {
			n, _ := slices.BinarySearch(rest, s.first(column+1))
			s.cell(b, t, rest[:n], floor, &f)
			rest = rest[n:]
		}
		if line%s.lines == 0 {
			lane.counts(b, t)
		}
		b.End()
	}
}

// cell draws one line of a column, floor lines above the bottom of its lane.
func (s *Strip) cell(b *paint.Block, t *themes.Table, members []int, floor int, f *Frame) {
	if len(members) == 0 {
		b.Cell("", " ")
		return
	}
	kept, light := 0, Light{}
	if f.Hits != nil {
		light.Glow = Other
	}
	sum := Cell{Kind: s.cells[members[0]].Kind}
	for _, i := range members {
		c := &s.cells[i]
		if c.Verdict != themes.Dropped {
			kept++
		}
		sum.Needed = sum.Needed || c.Needed && c.Verdict == themes.Dropped
		if c.Change != Same {
			sum.Change = c.Change
		}
		l := f.light(i)
		light.Related = light.Related || l.Related
		if l.Glow == Cursor || l.Glow == Hit && light.Glow != Cursor {
			light.Glow = l.Glow
		}
	}
	if kept > 0 && !sum.Needed {
		sum.Verdict = themes.Kept
	}
	light.Related = light.Related && floor == 0 // one line under a column
	mark, style, _ := look(&sum, t, light)
	steps := len(t.Glyphs.Spark)
	level := (kept*steps*s.lines+len(members)-1)/len(members) - floor*steps
	switch {
	case sum.Needed && floor == 0, kept == 0 && floor == 0:
	case level > 0:
		mark = t.Glyphs.Spark[min(level, steps)-1]
	case light.Glow == Cursor:
		mark = " "
	default:
		mark, style = " ", ""
	}
	b.Cell(style, mark)
}
