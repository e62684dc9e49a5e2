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
	a.Render(b, table, 0, cursor, top, height)
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
		a := ByTime(cells, Space{Width: width, Height: height, Capacity: len(cells), LastTurn: 100})
		if rapid.Bool().Draw(t, "lanes") {
			a = ByKind(cells, []string{"memory", "user", "assistant", "tool"}, width, height)
		}
		seen := make(map[int]bool)
		for y := range a.Height() {
			for x := range width {
				i, ok := a.At(x, y, 0)
				if !ok {
					continue
				}
				seen[i] = true
				if a.Row(i) != y {
					t.Fatalf("cell %d is at line %d and on row %d", i, y, a.Row(i))
				}
			}
		}
		if len(seen) != len(cells) {
			t.Fatalf("%d of %d cells can be reached", len(seen), len(cells))
		}
		for _, line := range render(a, width, 0, 0, height) {
			if ansi.StringWidth(line) > width {
				t.Fatalf("line of %d columns in %d", ansi.StringWidth(line), width)
			}
		}
		if len(cells) == 0 {
			return
		}
		i := rapid.IntRange(0, len(cells)-1).Draw(t, "i")
		if right := a.Move(i, 1, 0); right != i && a.Move(right, -1, 0) != i {
			t.Fatalf("right from %d is %d, and back is %d", i, right, a.Move(right, -1, 0))
		}
		if down := a.Move(i, 0, 1); a.Row(down) != min(a.Row(i)+1, a.Height()-1) {
			t.Fatalf("down from row %d is row %d", a.Row(i), a.Row(down))
		}
		top := a.Scroll(i, rapid.IntRange(0, 40).Draw(t, "top"), height)
		if r := a.Row(i); r < top || r >= top+height {
			t.Fatalf("row %d is not among %d lines from %d", r, height, top)
		}
		above, below := a.Hidden(top, height)
		shown := 0
		for y := top; y < min(top+height, a.Height()); y++ {
			shown += a.rows[y].to - a.rows[y].from
		}
		if above+shown+below != len(cells) {
			t.Fatalf("%d above, %d shown, %d below of %d", above, shown, below, len(cells))
		}
	})
}

// Verdict and change can be told apart without colour, and the cursor from all.
func TestLooksDiffer(t *testing.T) {
	for _, g := range []*themes.Glyphs{themes.Unicode(), themes.ASCII()} {
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
			} {
				for _, cursor := range []bool{false, true} {
					if cursor && c.Change != Same {
						continue // under the cursor a change need not show
					}
					b := paint.NewBlock(g, 1)
					a := ByTime([]Cell{c}, Space{Width: 1, Height: 1, Capacity: 1})
					a.pitch = 1
					a.cell(b, table, &c, cursor)
					b.End()
					look, what := b.Lines()[0], fmt.Sprintf("%+v cursor %v", c, cursor)
					if other, ok := seen[look]; ok {
						t.Errorf("%v: %s looks like %s: %q", profile, what, other, look)
					}
					seen[look] = what
				}
			}
		}
	}
}

func BenchmarkRender(b *testing.B) {
	a := ByTime(cells(2000), Space{Width: 200, Height: 40, Capacity: 2000, LastTurn: 700})
	block := paint.NewBlock(table.Glyphs, 200)
	b.ReportAllocs()
	for b.Loop() {
		block.Reset(table.Glyphs, 200)
		a.Render(block, table, 1, 500, 0, 40)
		block.Lines()
	}
}
