package overlay

import (
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pacms/themes"
	"pacms/tui/paint"
)

func TestPage(t *testing.T) {
	table := themes.Compile(themes.For(true), themes.Unicode(), colorprofile.TrueColor)
	p := Page{Title: []paint.Span{{Text: "title"}}}
	for i := range 30 {
		p.Lines = append(p.Lines, Line{{Text: "line " + strconv.Itoa(i+1)}})
	}
	for _, step := range []struct{ by, want int }{{-1, 0}, {3, 3}, {100, 20}, {-5, 15}, {-100, 0}, {10, 10}} {
		p.Scroll(step.by, 10)
		if p.Offset != step.want {
			t.Errorf("scrolled by %d to %d, want %d", step.by, p.Offset, step.want)
		}
	}
	b := paint.NewBlock(table.Glyphs, 50)
	p.Render(b, table, 10)
	lines := b.Lines()
	if len(lines) != 11 || !strings.Contains(ansi.Strip(lines[0]), "lines 11 to 20 of 30") {
		t.Errorf("title %q of %d lines", ansi.Strip(lines[0]), len(lines))
	}
	if got := strings.TrimRight(ansi.Strip(lines[1]), " "); got != "line 11" {
		t.Errorf("the first line is %q", got)
	}
	short := Page{Lines: []Line{nil}}
	short.Scroll(5, 10)
	b.Reset(table.Glyphs, 50)
	short.Render(b, table, 3)
	if short.Offset != 0 || b.Height() != 4 || strings.Contains(b.Lines()[0], "lines") {
		t.Errorf("a short page is at %d and has %d lines", short.Offset, b.Height())
	}
}
