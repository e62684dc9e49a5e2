package flips

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pacms/themes"
	"pacms/tui/paint"
	"pacms/tui/slider"
)

var table = themes.Compile(themes.For(true), themes.Unicode(), colorprofile.TrueColor)

func render(f Flips, width, height int) []string {
	b := paint.NewBlock(table.Glyphs, width)
	f.Render(b, table, width-2, height)
	lines := make([]string, 0, height)
	for _, line := range b.Lines() {
		lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
	}
	return lines
}

func TestRender(t *testing.T) {
	points := []Point{{0, 0}, {100, 8}, {200, 0}, {300, 1}, {1000, 4}}
	for name, c := range map[string]struct {
		flips  Flips
		height int
		want   []string
	}{
		"one line":    {Flips{Points: points, Basis: 1000, Budget: 500, Enough: -1}, 1, []string{"  █ ▁ ▴    ▄"}},
		"two of bars": {Flips{Points: points, Basis: 1000, Budget: 300, Enough: -1}, 3, []string{"  █", "  █ ▂      █", " bars: items that come or go at a budget, at most 8"}},
		"enough":      {Flips{Points: points, Basis: 1000, Budget: 100, Share: 95, Enough: 300}, 2, []string{"  █ ▁      ▄", "    ┃ 95 % of value at about 300       bars: items that come or go at a budget, at most 8"}},
		"working":     {Flips{Basis: 1000, Budget: 500, Working: "working … 34 %"}, 2, []string{"      ▴", " working … 34 %"}},
	} {
		width := 13
		if c.height > 1 {
			width = 90
		}
		b := paint.NewBlock(table.Glyphs, width)
		c.flips.Render(b, table, 11, c.height)
		for i, line := range b.Lines() {
			if got := strings.TrimRight(ansi.Strip(line), " "); got != c.want[i] {
				t.Errorf("%s: line %d is %q, want %q", name, i, got, c.want[i])
			}
		}
	}
}

// The mark of what is enough stands under its column of the bar, and the words beside
// it never push it away.
func TestMark(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, basis := rapid.IntRange(8, 200).Draw(t, "width"), rapid.IntRange(1, 100_000).Draw(t, "basis")
		f := Flips{Basis: basis, Share: 95, Enough: rapid.IntRange(0, basis).Draw(t, "enough"), Budget: rapid.IntRange(0, 2*basis).Draw(t, "budget")}
		for budget := 0; budget <= basis; budget += 1 + basis/50 {
			f.Points = append(f.Points, Point{budget, rapid.IntRange(0, 40).Draw(t, "flips")})
		}
		lines := render(f, width, 2)
		if at, want := strings.Index(lines[1], table.Glyphs.Tick), 1+(slider.Scale{Basis: basis, Width: width - 2}).Column(f.Enough); ansi.StringWidth(lines[1][:max(at, 0)]) != want {
			t.Fatalf("the mark of %d is in %q, want it at column %d", f.Enough, lines[1], want)
		}
		for _, p := range f.Points {
			x := 1 + (slider.Scale{Basis: basis, Width: width - 2}).Column(p.Budget)
			if bar := []rune(lines[0] + strings.Repeat(" ", width))[x]; p.Flips > 0 && !strings.ContainsRune(strings.Join(table.Glyphs.Spark, ""), bar) {
				t.Fatalf("%d flips at %d have no bar at column %d of %q", p.Flips, p.Budget, x, lines[0])
			}
		}
	})
}
