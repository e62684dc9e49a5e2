package grid

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pacms/themes"
	"pacms/tui/paint"
)

func cells(n int) []Cell {
	cells := make([]Cell, n)
	for i := range cells {
		cells[i] = Cell{Kind: uint8(i % 4), Turn: i/3 + 1, Tokens: 10, Rank: n - i}
		if i%3 == 0 {
			cells[i].Verdict = themes.Kept
		}
	}
	return cells
}

var table = themes.Compile(themes.For(true), themes.Unicode(), colorprofile.TrueColor)

func render(a *Arrangement, width, cursor, top, height int) []string {
	b := paint.NewBlock(table.Glyphs, width)
	a.Render(b, table, Frame{Cursor: cursor, Top: top, Height: height})
	lines := make([]string, 0, height)
	for _, line := range b.Lines() {
		lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
	}
	return lines
}

func TestByTime(t *testing.T) {
	cells := []Cell{
		{Turn: 1, Verdict: themes.Required},
		{Turn: 1},
		{Turn: 2, Needed: true},
		{Turn: 2, Verdict: themes.Kept, Needed: true},
		{Turn: 3, Verdict: themes.Kept, Change: In},
		{Turn: 3, Change: Left},
		{Turn: 10, Verdict: themes.Kept},
	}
	a := ByTime(cells, Space{Width: 10, Height: 1, Capacity: 7, LastTurn: 10})
	if got, want := fmt.Sprint(render(a, 10, -1, 0, 3)), "[t1   ▲·◉▲■ t3   ·■ ]"; got != want {
		t.Errorf("one column wide:\n%s\n%s", got, want)
	}
	a = ByTime(cells, Space{Width: 10, Height: 4, Capacity: 7, LastTurn: 10})
	if got, want := fmt.Sprint(render(a, 10, -1, 0, 4)), "[t1   ▲ · t2   ◉ ▲ t3   ■ · t10  ■]"; got != want {
		t.Errorf("two columns wide:\n%s\n%s", got, want)
	}
}

func TestByKind(t *testing.T) {
	cells := []Cell{
		{Kind: 1, Verdict: themes.Kept, Rank: 2, Tokens: 900}, {Kind: 0, Rank: 9}, {Kind: 1, Rank: 5}, {Kind: 1, Verdict: themes.Kept, Rank: 1, Tokens: 200},
	}
	a := ByKind(cells, []string{"user", "tool", "memory"}, 40, 5)
	lines := render(a, 40, -1, 0, 2)
	if got, want := strings.Join(strings.Fields(lines[0]), " "), "user · 0/1 0"; got != want {
		t.Errorf("first lane %q, want %q", got, want)
	}
	if got, want := strings.Join(strings.Fields(lines[1]), " "), "tool ■ ■ · 2/3 1.1k"; got != want {
		t.Errorf("second lane %q, want %q", got, want)
	}
	if i, ok := a.At(a.label, 1, 0); !ok || i != 3 {
		t.Errorf("the first of a lane is %d, want the lowest rank", i)
	}
}

// Where there is room a cell is wider, and one that is kept fills it.
func TestWideCells(t *testing.T) {
	cells := []Cell{{Turn: 1, Verdict: themes.Kept}, {Turn: 1}, {Turn: 2, Verdict: themes.Required}, {Turn: 2, Needed: true}}
	for height, want := range map[int]string{4: "[t1   ■■■ · t2   ▲■■ ◉]", 2: "[t1   ■■■ · t2   ▲■■ ◉]", 1: "[t1   ■ · ▲ ◉]"} {
		a := ByTime(cells, Space{Width: 13, Height: height, Capacity: 4, LastTurn: 9, Widest: 4})
		if got := fmt.Sprint(render(a, 13, -1, 0, a.Height())); got != want {
			t.Errorf("on %d lines: %s, want %s", height, got, want)
		}
		for i := range cells {
			for x := range 13 {
				if at, ok := a.At(x, a.Row(i), 0); ok && a.Row(at) != a.Row(i) {
					t.Errorf("column %d of the row of cell %d is cell %d", x, i, at)
				}
			}
		}
	}
}

// Where there is room a cell is taller too: its label is at its top, a body that is kept
// or not is behind its sign, a line under it is on its lowest line alone, and every
// column of it is the cell.
func TestTallCells(t *testing.T) {
	booth, err := themes.Get("booth")
	if err != nil {
		t.Fatal(err)
	}
	cells := []Cell{{Turn: 1, Verdict: themes.Kept}, {Kind: 1, Turn: 1}, {Turn: 2, Verdict: themes.Required}, {Turn: 2, Needed: true}, {Turn: 3, Banned: true}, {Turn: 3, Verdict: themes.Kept, Needed: true}}
	space := Space{Width: 21, Height: 7, Capacity: 6, LastTurn: 9, Widest: 4, Tallest: 3}
	for _, c := range []struct {
		table *themes.Table
		want  string
		lined [6]int // cells with a line under them
	}{
		{table, "t1   ■■■ ·   ▲■■ ◉\n     ■■■     ■■■\n\nt3   ×   ▲\n\n\n", [6]int{1, 1}},
		{themes.Compile(booth, booth.Glyphs(false), colorprofile.TrueColor), "t1   ████░░░░████░░░░\n     ████░░░░█▲██░◉░░\n     ▀▀▀▀░░░░████░░░░\nt3   ░░░░\n     ░×░░ ▲\n     ░░░░\n", [6]int{2: 2}},
	} {
		a := ByTime(cells, space)
		if a.Height() != 6 || space.Lines() != 6 {
			t.Fatalf("%d lines, %d asked for, want 6", a.Height(), space.Lines())
		}
		b := paint.NewBlock(c.table.Glyphs, 21)
		a.Render(b, c.table, Frame{Cursor: -1, Height: 6, Related: []bool{true, true}})
		var got strings.Builder
		for y, line := range b.Lines() {
			got.WriteString(strings.TrimRight(ansi.Strip(line), " ") + "\n")
			if got, want := strings.Count(line, "\x1b[0;4;"), c.lined[y]; got != want {
				t.Errorf("%d cells of line %d are underlined, want %d", got, y, want)
			}
		}
		if got.String() != c.want {
			t.Errorf("the cells are\n%swant\n%s", got.String(), c.want)
		}
		for y := range 6 {
			for x := range 16 {
				i, ok := a.At(5+x, y, 0)
				if want := y/3*4 + x/4; ok != (want < 6) || ok && i != want {
					t.Errorf("column %d of line %d is cell %d (%v), want %d", x, y, i, ok, want)
				}
			}
		}
		if above, below := a.Hidden(1, 2); above != 0 || below != 2 {
			t.Errorf("%d above and %d below, though a line of the upper cells is seen", above, below)
		}
		if got := a.Scroll(5, 0, 3); got != 3 {
			t.Errorf("the lower cells are shown from line %d", got)
		}
	}
	if space.Height = 5; space.Lines() != 4 {
		t.Errorf("%d lines of 5, want 2 for each row", space.Lines())
	}
}

// A place in the grid stays where it is while cells are added.
func TestPlacesAreStable(t *testing.T) {
	all := cells(200)
	space := Space{Width: 78, Height: 4, Capacity: 200, LastTurn: 67}
	full := ByTime(all, space)
	for n := range all {
		a := ByTime(all[:n], space)
		for i := range n {
			if a.Row(i) != full.Row(i) || a.rows[a.Row(i)].from != full.rows[full.Row(i)].from {
				t.Fatalf("cell %d of %d is elsewhere", i, n)
			}
		}
	}
}

// What is at a place, where it is and how one walks agree for every arrangement.
func TestArrangement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := cells(rapid.IntRange(0, 300).Draw(t, "n"))
		width, height := rapid.IntRange(30, 200).Draw(t, "width"), rapid.IntRange(1, 20).Draw(t, "height")
		a := ByTime(cells, Space{
			Width: width, Height: height, Capacity: len(cells), LastTurn: 100,
			Widest: rapid.IntRange(0, 5).Draw(t, "widest"), Tallest: rapid.IntRange(0, 4).Draw(t, "tallest"),
		})
		if a.tall > 1 && a.Height() > height {
			t.Fatalf("%d lines of tall cells in %d", a.Height(), height)
		}
		if rapid.Bool().Draw(t, "lanes") {
			a = ByKind(cells, []string{"memory", "user", "assistant", "tool"}, width, height)
		}
		checkView(t, a, len(cells), width, height)
		seen := make(map[int]bool)
		for y := range a.Height() {
			for x := range width {
				i, ok := a.At(x, y, 0)
				if !ok {
					continue
				}
				seen[i] = true
				if row := a.Row(i); y < row || y >= row+a.tall {
					t.Fatalf("cell %d is at line %d and on row %d", i, y, row)
				}
			}
		}
		if len(seen) != len(cells) {
			t.Fatalf("%d of %d cells can be reached", len(seen), len(cells))
		}
		if len(cells) == 0 {
			return
		}
		i := rapid.IntRange(0, len(cells)-1).Draw(t, "i")
		if right := a.Move(i, 1, 0); right != i && a.Move(right, -1, 0) != i {
			t.Fatalf("right from %d is %d, and back is %d", i, right, a.Move(right, -1, 0))
		}
		top := a.Scroll(i, 0, height)
		above, below := a.Hidden(top, height)
		shown := 0
		for k, row := range a.rows {
			if k*a.tall < top+height && (k+1)*a.tall > top {
				shown += row.to - row.from
			}
		}
		if above+shown+below != len(cells) {
			t.Fatalf("%d above, %d shown, %d below of %d", above, shown, below, len(cells))
		}
	})
}

// The list and the strip keep what every view keeps, and one can walk the whole of
// them.
func TestViews(t *testing.T) {
	names := []string{"memory", "user", "assistant", "tool"}
	rapid.Check(t, func(t *rapid.T) {
		cells := cells(rapid.IntRange(0, 300).Draw(t, "n"))
		width, height := rapid.IntRange(40, 200).Draw(t, "width"), rapid.IntRange(1, 20).Draw(t, "height")
		list := NewList(cells, rapid.Bool().Draw(t, "ranked"), func(b *paint.Block, i int, _ Light) { b.Count("", i) })
		checkView(t, list, len(cells), width, height)
		seen := make(map[int]bool)
		for y := range list.Height() {
			i, ok := list.At(0, y, 0)
			if !ok || list.Row(i) != y {
				t.Fatalf("line %d holds cell %d, which is on row %d", y, i, list.Row(i))
			}
			seen[i] = true
		}
		if len(seen) != len(cells) {
			t.Fatalf("%d of %d cells are listed", len(seen), len(cells))
		}

		strip := NewStrip(cells, names, width, height)
		checkView(t, strip, len(cells), width, height)
		counted := 0
		for k := range strip.lanes {
			lane := &strip.lanes[k]
			for column := range strip.columns {
				in := strip.in(lane, column)
				counted += len(in)
				for _, i := range in {
					if strip.column(i) != column || cells[i].Kind != lane.kind {
						t.Fatalf("cell %d of column %d is in column %d of lane %d", i, strip.column(i), column, k)
					}
				}
			}
			// From the first of a lane one comes to its last column, and back.
			i, steps := lane.members[0], 0
			for next := strip.Move(i, 1, 0); next != i; next = strip.Move(i, 1, 0) {
				if back := strip.Move(next, -1, 0); strip.column(back) != strip.column(i) {
					t.Fatalf("right of column %d and left again is column %d", strip.column(i), strip.column(back))
				}
				i = next
				steps++
			}
			if last := lane.members[len(lane.members)-1]; strip.column(i) != strip.column(last) || steps >= strip.columns {
				t.Fatalf("%d steps to the right end in column %d, not %d", steps, strip.column(i), strip.column(last))
			}
		}
		if counted != len(cells) {
			t.Fatalf("the strip holds %d of %d cells", counted, len(cells))
		}
	})
}

// checkView holds for every view: lines have the right size, the cursor can be
// scrolled to, and up and down stay within the lines.
func checkView(t *rapid.T, v View, n, width, height int) {
	b := paint.NewBlock(table.Glyphs, width)
	hits := make([]bool, n)
	for i := range hits {
		hits[i] = i%3 == 0
	}
	v.Render(b, table, Frame{Cursor: n / 2, Height: height, Hits: hits})
	for _, line := range b.Lines() {
		if w := ansi.StringWidth(line); w != width {
			t.Fatalf("line of %d columns in %d", w, width)
		}
	}
	if b.Height() != height {
		t.Fatalf("%d lines in %d", b.Height(), height)
	}
	if n == 0 {
		if v.Move(0, 1, 1) != 0 || v.Scroll(0, 5, height) != 0 {
			t.Fatal("one can move where nothing is")
		}
		return
	}
	i := rapid.IntRange(0, n-1).Draw(t, "i")
	down := v.Move(i, 0, 1)
	if r := v.Row(down); r < v.Row(i) || r >= v.Height() {
		t.Fatalf("down from row %d is row %d of %d", v.Row(i), r, v.Height())
	}
	top := v.Scroll(i, rapid.IntRange(0, 40).Draw(t, "top"), height)
	if r := v.Row(i); r < top || r >= top+height || top > 0 && top > v.Height()-height {
		t.Fatalf("row %d of %d is not among %d lines from %d", r, v.Height(), height, top)
	}
}

// The strip fills a column by the share of it that is kept, and shows what is
// needed and what was found.
func TestStrip(t *testing.T) {
	cells := make([]Cell, 40)
	for i := range cells {
		cells[i] = Cell{Kind: uint8(i / 20), Tokens: 10}
		if i%4 == 0 || i >= 30 {
			cells[i].Verdict = themes.Kept
		}
	}
	cells[13].Needed = true
	s := NewStrip(cells, []string{"user", "tool", "memory"}, 5+4+totals, 2)
	if s.PerColumn() != 10 {
		t.Fatalf("a column is %d cells", s.PerColumn())
	}
	b := paint.NewBlock(table.Glyphs, 5+4+totals)
	s.Render(b, table, Frame{Cursor: -1, Height: 2})
	var lines []string
	for _, line := range b.Lines() {
		lines = append(lines, strings.Join(strings.Fields(ansi.Strip(line)), " "))
	}
	if got, want := fmt.Sprint(lines), "[user ▃◉ 5/20 50 tool ▃█ 13/20 130]"; got != want {
		t.Errorf("%s\n%s", got, want)
	}
}

// Verdict, change and what the cursor's item has to do with can be told apart without
// colour, and the cursor from all.
func TestLooksDiffer(t *testing.T) {
	booth, err := themes.Get("booth")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []*themes.Glyphs{themes.Unicode(), themes.ASCII(), booth.Glyphs(false)} {
		for _, profile := range []colorprofile.Profile{colorprofile.ASCII, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor} {
			table := themes.Compile(themes.For(true), g, profile)
			seen := make(map[string]string)
			for _, c := range []Cell{
				{},
				{Verdict: themes.Kept},
				{Verdict: themes.Required},
				{Needed: true},
				{Verdict: themes.Kept, Needed: true},
				{Change: Left},
				{Verdict: themes.Kept, Change: In},
				{Banned: true},
			} {
				for _, light := range []Light{{}, {Glow: Cursor}, {Glow: Hit}, {Related: true}} {
					if light.Glow != Plain && (c.Change != Same || light.Glow == Hit && c.Needed) {
						continue // under the cursor a change need not show, nor what is marked already as a hit
					}
					b := paint.NewBlock(g, 4)
					a := ByTime([]Cell{c}, Space{Width: 1, Height: 1, Capacity: 1})
					a.pitch = 1
					a.cell(b, table, &c, light)
					b.End()
					a.pitch, a.tall = 4, 3
					for part := range a.tall {
						a.large(b, table, &c, light, part)
						b.End()
					}
					lines, what := b.Lines(), fmt.Sprintf("%+v light %+v", c, light)
					for _, look := range []string{lines[0], "large: " + strings.Join(lines[1:], "\n")} {
						if other, ok := seen[look]; ok {
							t.Errorf("%v: %s looks like %s: %q", profile, what, other, look)
						}
						seen[look] = what
					}
				}
			}
		}
	}
}

// A line under a cell is seen below solid cells, too: what fills its place has to
// leave room for it.
func TestLineUnderSolidCells(t *testing.T) {
	booth, err := themes.Get("booth")
	if err != nil {
		t.Fatal(err)
	}
	table := themes.Compile(booth, booth.Glyphs(false), colorprofile.TrueColor)
	cells := []Cell{{Verdict: themes.Kept}, {Verdict: themes.Kept}, {Verdict: themes.Kept, Change: In}, {}}
	b := paint.NewBlock(table.Glyphs, 13)
	a := ByTime(cells, Space{Width: 13, Height: 1, Capacity: 4, LastTurn: 9})
	a.Render(b, table, Frame{Cursor: -1, Height: 1, Related: []bool{false, true, true, true}})
	if got, want := ansi.Strip(b.Lines()[0]), "     ██▀▀▀▀░░"; got != want {
		t.Errorf("the cells are %q, want %q", got, want)
	}
}

func BenchmarkRender(b *testing.B) {
	a := ByTime(cells(2000), Space{Width: 200, Height: 40, Capacity: 2000, LastTurn: 700})
	block := paint.NewBlock(table.Glyphs, 200)
	b.ReportAllocs()
	for b.Loop() {
		block.Reset(table.Glyphs, 200)
		a.Render(block, table, Frame{Margin: 1, Cursor: 500, Height: 40})
		block.Lines()
	}
}
