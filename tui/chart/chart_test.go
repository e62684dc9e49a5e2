package chart

import (
	"math/bits"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pacms/themes"
	"pacms/tui/overlay"
	"pacms/tui/paint"
)

func table(ascii bool) *themes.Table {
	t := themes.For(true)
	return themes.Compile(t, t.Glyphs(ascii), colorprofile.TrueColor)
}

// text is what a page of the lines shows.
func text(t *themes.Table, lines []overlay.Line, width int) string {
	b := paint.NewBlock(t.Glyphs, width)
	for _, l := range lines {
		for _, s := range l {
			b.Put("", s.Text)
		}
		b.End()
	}
	var out strings.Builder
	for _, l := range b.Lines() {
		out.WriteString(strings.TrimRight(l, " ") + "\n")
	}
	return out.String()
}

// rising is a strategy that uses its budget, up to a pool of 1,000 tokens, and keeps
// what is marked from a budget on.
func rising(key, name string, from int) Series {
	s := Series{Key: key, Name: name}
	for b := 0; b <= 1000; b += 10 {
		p := Point{Budget: b, Coverage: float64(b) / 1000, Items: b / 10, Tokens: b}
		if b >= from {
			p.Marked = 1
		}
		s.Points = append(s.Points, p)
	}
	return s
}

// level is a strategy that keeps the same whatever the budget is.
func level(key, name string) Series {
	return Series{Key: key, Name: name, Points: []Point{{Coverage: 0.5, Items: 50, Tokens: 500}, {Budget: 1000, Coverage: 0.5, Items: 50, Tokens: 500}}}
}

func example() *View {
	return &View{
		Series: []Series{rising("1", "pacms", 300), level("4", "rag")},
		Budget: 500, Basis: 1000, Marked: 1, What: "needed by this turn: #7", Pool: 100,
	}
}

// In ASCII a line consists of the key of its strategy, what is chosen lies on top and
// alone has no gaps, and the line of the budget runs through all parts.
func TestASCII(t *testing.T) {
	tab, v := table(true), example()
	v.Chosen = 1
	want := ` coverage  share of value; pacms maximises it by design
  1.00|                  |               1  1
      |                  |         1 1 1
      |                  |   1 1 1
  0.50|444444444444444441441444444444444444 4
      |          1 1 1   |
      |    1 1 1         |
  0.00|1 1               |
 tokens kept  the dots are the budget itself
  1.0k|                  |           1 1 1  1
      |                  1 1 1 1 1 1
      |444444441441441441444444444444444444 4
     0|1 1 1             |
 needed and marked  needed by this turn: #7            cover
     1|...........#########################  1 pacms   ~0.50
     4|..................|.................  4 rag     ~0.50
budget 0                 ^ 500 (50 %)
`
	if got := text(tab, v.Lines(tab, 60, 17), 60); got != want {
		t.Errorf("the chart is\n%swant\n%s", got, want)
	}
}

// In ASCII no line is hidden below another: of lines that are the same each shows its key.
func TestASCIIHidesNoLine(t *testing.T) {
	tab, v := table(true), &View{Basis: 1000, Budget: 1000, Chosen: 2}
	for k := range 7 {
		v.Series = append(v.Series, rising(strconv.Itoa(k+1), "s", 0))
	}
	p := v.plot(tab, v.Scale(80), 4, func(p Point) float64 { return p.Coverage })
	p.letters(v)
	of := make([]int, len(v.Series))
	for _, c := range p.cells {
		if c.sign != "" {
			of[c.of]++
		}
	}
	columns := 0
	for k, n := range of {
		columns += n
		if n < 2 {
			t.Errorf("the key of line %d is there %d times", k+1, n)
		}
	}
	if columns != p.width || of[2] < p.width/2 {
		t.Errorf("of %d columns %d are drawn, %d of them of the chosen line", p.width, columns, of[2])
	}
}

// A line in dots goes where its twin in ASCII goes, and where it lies on another its
// dots alone are there.
func TestDots(t *testing.T) {
	v := &View{Series: []Series{rising("1", "pacms", 0)}, Basis: 1000, Budget: 1000}
	scale := v.Scale(80)
	plots := map[bool]*plot{}
	for _, ascii := range []bool{false, true} {
		p := v.plot(table(ascii), scale, 8, func(p Point) float64 { return p.Coverage })
		if ascii {
			p.letters(v)
		} else {
			p.line(v, 0)
		}
		plots[ascii] = p
	}
	filled := 0
	for at, c := range plots[true].cells {
		if c.sign == "" {
			continue
		}
		filled++
		x, y := at%scale.Width, at/scale.Width
		near := false
		for _, row := range []int{y - 1, y, y + 1} {
			near = near || row >= 0 && row < 8 && plots[false].cells[row*scale.Width+x].dots != 0
		}
		if !near {
			t.Errorf("there is no dot near row %d, column %d", y, x)
		}
	}
	if filled != scale.Width {
		t.Errorf("%d of %d columns have a value", filled, scale.Width)
	}
	p, before := plots[false], append([]cell(nil), plots[false].cells...)
	v.Series = append(v.Series, v.Series[0], level("3", "rag"))
	p.line(v, 1)
	p.line(v, 2)
	for at, c := range p.cells {
		if c.of == 1 && c.dots != before[at].dots || c.of == 2 && bits.OnesCount32(uint32(c.dots)) > dotsAcross {
			t.Errorf("cell %d has dots of several lines: %x", at, c.dots)
		}
	}
}

// What stands beside the strategies is what was run at the budget, and marked where it
// is that of a budget nearby; what is not known yet says so.
func TestBeside(t *testing.T) {
	tab, v := table(false), example()
	v.Series[0].Here = &Point{Budget: 500, Coverage: 0.4321, Items: 41, Tokens: 444}
	v.Series[1].Points, v.Series[1].Working = nil, "waits for its turn"
	got := text(tab, v.Lines(tab, 120, 30), 120)
	for _, s := range []string{"1 pacms             0.432      444  0 of 1", "4│waits for its turn"} {
		if !strings.Contains(got, s) {
			t.Errorf("the chart does not show %q:\n%s", s, got)
		}
	}
	v.Series[0].Here, v.Budget = nil, 509
	if got := text(tab, v.Lines(tab, 120, 30), 120); !strings.Contains(got, "≈0.500      500  1 of 1") {
		t.Errorf("a budget nearby is not marked:\n%s", got)
	}
	v.Marked = 0 // then the bands are of items
	if got := text(tab, v.Lines(tab, 80, 24), 80); !strings.Contains(got, "items kept") || !strings.Contains(got, "▁") || !strings.Contains(got, "50\n") {
		t.Errorf("items are not shown:\n%s", got)
	}
}

// The small grid holds every item, however many there are, and never hides what is
// needed.
func TestItems(t *testing.T) {
	for _, n := range []int{1, 30, 300, 30_000} {
		tab, v := table(false), example()
		v.Items = make([]Item, n)
		v.Items[n-1].Needed = true
		got := text(tab, v.Lines(tab, 120, 36), 120)
		if strings.Count(got, "◉") != 1 || !strings.Contains(got, "1 pacms at 0") {
			t.Errorf("%d items:\n%s", n, got)
		}
		v.Items[n-1].Kept = true
		if got := text(tab, v.Lines(tab, 120, 36), 120); strings.Count(got, "▲") != 1 {
			t.Errorf("%d items, the needed one kept:\n%s", n, got)
		}
	}
}

// Whatever the numbers are, the chart has no more lines than the page and none that is
// wider, the line stands over its mark, and in ASCII there is nothing else.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ascii := rapid.Bool().Draw(t, "ascii")
		tab := table(ascii)
		v := &View{
			Basis: rapid.IntRange(0, 100_000).Draw(t, "basis"), Budget: rapid.IntRange(0, 200_000).Draw(t, "budget"),
			Marked: rapid.IntRange(0, 3).Draw(t, "marked"), Pool: rapid.IntRange(0, 500).Draw(t, "pool"), What: strings.Repeat("x", rapid.IntRange(0, 90).Draw(t, "what")),
			Chosen: rapid.IntRange(0, 6).Draw(t, "chosen"), Items: make([]Item, rapid.IntRange(0, 500).Draw(t, "items")),
		}
		for k := range rapid.IntRange(1, 7).Draw(t, "series") {
			s := Series{Key: strconv.Itoa(k + 1), Name: "a long name:with=parameters", Working: "waits for its turn, which may take long"}
			budget := 0
			for range rapid.IntRange(0, 20).Draw(t, "points") {
				s.Points = append(s.Points, Point{
					Budget: budget, Coverage: rapid.Float64Range(0, 1).Draw(t, "coverage"), Items: rapid.IntRange(0, v.Pool).Draw(t, "kept"),
					Tokens: rapid.IntRange(0, 100_000).Draw(t, "tokens"), Marked: rapid.IntRange(0, v.Marked).Draw(t, "has"),
				})
				budget += rapid.IntRange(0, 9_000).Draw(t, "more")
			}
			v.Series = append(v.Series, s)
		}
		width, height := rapid.IntRange(60, 320).Draw(t, "width"), rapid.IntRange(13, 90).Draw(t, "height")
		lines := v.Lines(tab, width, height)
		if len(lines) > height {
			t.Fatalf("%d lines on a page of %d", len(lines), height)
		}
		for i, l := range lines {
			used := 0
			for _, s := range l {
				used += ansi.StringWidth(s.Text)
			}
			if used > width && i > 0 {
				t.Fatalf("line %d is %d columns wide on %d", i, used, width)
			}
		}
		got := text(tab, lines, width)
		if i := strings.IndexFunc(got, func(r rune) bool { return r > '~' }); ascii && i >= 0 {
			t.Fatalf("%q is not ASCII", got[i:])
		}
		// The mark of the budget is under its column.
		rows := strings.Split(strings.TrimRight(got, "\n"), "\n")
		at := strings.Index(rows[len(rows)-1], tab.Glyphs.Here)
		if at = ansi.StringWidth(rows[len(rows)-1][:max(at, 0)]); at != Left+v.Scale(width).Column(v.Budget) {
			t.Fatalf("the budget is marked at %d:\n%s", at, got)
		}
	})
}
