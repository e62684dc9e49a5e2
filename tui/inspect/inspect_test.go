package inspect

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"pacms/themes"
	"pacms/tui/paint"
)

var table = themes.Compile(themes.For(true), themes.Unicode(), colorprofile.TrueColor)

func text(b *paint.Block) string {
	var lines []string
	for _, line := range b.Lines() {
		lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
	}
	return strings.Join(lines, "\n")
}

func item() Item {
	return Item{
		Number: 17, Kind: 3, Name: "tool", Tool: "read \"path\":\"pay/retry.go\"", Turn: 29, Tokens: 1204, Estimated: true,
		Reason: "covered: 93 % of what it would add is already in kept items",
		Facts:  [][2]string{{"relevance", "0.61 to the question"}, {"rank", "143 of 318"}},
		Text:   "package pay\n\nfunc Retry(fn func() error) error { return fn() }",
	}
}

func TestStrip(t *testing.T) {
	it := item()
	it.Facts = nil
	b := paint.NewBlock(table.Glyphs, 60)
	it.Strip(b, table, 5, "enter why")
	want := `── #17 tool read "path":"pay/retry.go" · turn 29 · 1,204 t… ──
 DROPPED  covered: 93 % of what it would add is already in…
 package pay

 func Retry(fn func() error) error { return fn(…  enter why`
	got := text(b)
	wantLines, gotLines := strings.Split(want, "\n"), strings.Split(got, "\n")
	if len(gotLines) != 5 {
		t.Fatalf("%d lines:\n%s", len(gotLines), got)
	}
	for i := 1; i < len(wantLines); i++ {
		if gotLines[i] != wantLines[i] {
			t.Errorf("line %d is\n%q, want\n%q", i, gotLines[i], wantLines[i])
		}
	}
	if !strings.HasPrefix(gotLines[0], `── #17 tool read "path":"pay/retry.go" · turn 29`) {
		t.Errorf("the label is %q", gotLines[0])
	}
}

func TestColumn(t *testing.T) {
	it := item()
	it.Kept = true
	b := paint.NewBlock(table.Glyphs, 40)
	it.Column(b, table, 14, "enter")
	got := text(b)
	for _, want := range []string{"KEPT", "relevance  0.61 to the question", "rank       143 of 318", "package pay", "func Retry"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n") + 1; n != 14 {
		t.Errorf("%d lines, want 14:\n%s", n, got)
	}
}

// Whatever room there is, exactly that is taken.
func TestHeights(t *testing.T) {
	long := item()
	long.Reason, long.Text = strings.Repeat("because ", 60), strings.Repeat("word ", 400)
	for _, it := range []Item{item(), long, {Number: 1, Name: "user"}} {
		for height := range 20 {
			for width := 20; width < 100; width += 13 {
				b := paint.NewBlock(table.Glyphs, width)
				it.Strip(b, table, height, "enter why")
				if b.Height() != height {
					t.Fatalf("a strip of %d lines has %d", height, b.Height())
				}
				b.Reset(table.Glyphs, width)
				it.Column(b, table, height+2, "enter why")
				if b.Height() != height+2 {
					t.Fatalf("a column of %d lines has %d", height+2, b.Height())
				}
			}
		}
	}
}
