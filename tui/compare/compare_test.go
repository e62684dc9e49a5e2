package compare

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pacms/selector/compare"
	"pacms/themes"
	"pacms/tui/paint"
)

// anyView draws a view of some items on a screen of some size.
func anyView(t *rapid.T) *View {
	n := rapid.IntRange(0, 400).Draw(t, "items")
	v := &View{
		Items: make([]Item, n), Title: "compare", Where: "demo · turn 61/80", Asked: "Which port?", Factors: "strategy",
		Basis: rapid.IntRange(0, 9000).Draw(t, "basis"), Pool: 5000, Budget: rapid.IntRange(0, 20_000).Draw(t, "budget"),
		Text: func(e Entry, _ int) string { return "text of " + e.Label },
	}
	for i := range v.Items {
		f := rapid.IntRange(0, 8).Draw(t, "fates")
		v.Items[i] = Item{Fates: [2]Fate{Fate(f % 3), Fate(f / 3)}, Turn: i / 2}
		if v.Items[i].Differs() {
			side := 0
			if v.Items[i].Fates[1] == Kept {
				side = 1
			}
			v.Only[side] = append(v.Only[side], Entry{Item: i, Label: "#" + strconv.Itoa(i+1), Kind: "user", Reason: "older", Tokens: i, Needed: i%7 == 0})
		}
	}
	v.Agreement = compare.Agreement{Both: compare.Sum{Items: 1, Tokens: 9}, OnlyA: compare.Sum{Items: len(v.Only[0]), Tokens: 70}}
	v.Layout = Arrange(rapid.IntRange(60, 200).Draw(t, "width"), rapid.IntRange(14, 60).Draw(t, "height"), n, 80)
	if n > 0 {
		v.Cursor, v.Moved = rapid.IntRange(0, n-1).Draw(t, "cursor"), rapid.Bool().Draw(t, "moved")
		v.Top = v.Layout.Scroll(v.Cursor, 0, n)
	}
	return v
}

// A view fills its lines exactly, whatever it is of and however small the screen is.
func TestViewFillsItsLines(t *testing.T) {
	table := themes.Compile(themes.For(true), themes.Unicode(), colorprofile.ASCII)
	rapid.Check(t, func(t *rapid.T) {
		v := anyView(t)
		b := paint.NewBlock(table.Glyphs, v.Layout.Width)
		v.Render(b, table)
		lines := b.Lines()
		if len(lines) != v.Layout.Height {
			t.Fatalf("%d lines of %d: %+v", len(lines), v.Layout.Height, v.Layout)
		}
		for _, line := range lines {
			if ansi.StringWidth(line) != v.Layout.Width {
				t.Fatalf("%q is not %d wide", line, v.Layout.Width)
			}
		}
	})
}

// The cursor is always in sight, a cell leads back to its item on both sides, and moves
// end at items that are there.
func TestCursorIsInSight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyView(t)
		n := len(v.Items)
		if n == 0 {
			return
		}
		l := v.Layout
		line := v.Cursor/l.Per - v.Top
		if line < 0 || line >= l.Grid {
			t.Fatalf("item %d is on line %d of %d", v.Cursor, line, l.Grid)
		}
		for _, head := range l.Heads {
			if i, ok := v.At(1+l.Label+v.Cursor%l.Per*l.Pitch, head+1+line); !ok || i != v.Cursor {
				t.Fatalf("the cell of item %d leads to %d", v.Cursor, i)
			}
		}
		dx, dy := rapid.IntRange(-500, 500).Draw(t, "dx"), rapid.IntRange(-9, 9).Draw(t, "dy")
		if to := l.Move(v.Cursor, dx, dy, n); to < 0 || to >= n {
			t.Fatalf("from %d by %d, %d to %d of %d", v.Cursor, dx, dy, to, n)
		}
	})
}

// What a list says to be above and below it is, with what is in sight, all of it. At
// first the largest is in sight, later the item under the cursor.
func TestListsSayWhatIsOutOfSight(t *testing.T) {
	table := themes.Compile(themes.For(true), themes.Unicode(), colorprofile.ASCII)
	rapid.Check(t, func(t *rapid.T) {
		v := anyView(t)
		first, shown := v.listed(0)
		at := slices.IndexFunc(v.Only[0], func(e Entry) bool { return e.Item == v.Cursor })
		switch room := v.Layout.Lists.H - 1; {
		case !v.Moved && first > 0:
			t.Fatalf("an untouched list begins at %d", first)
		case v.Moved && at >= 0 && room > 1 && (at < first || at >= first+shown):
			t.Fatalf("entry %d is not among %d from %d", at, shown, first)
		case room < 1 || v.Layout.Lists.H == 0:
			return
		}
		b := paint.NewBlock(table.Glyphs, v.Layout.Width)
		v.Render(b, table)
		screen := strings.Join(b.Lines(), "\n")
		below := len(v.Only[0]) - first - shown
		want := ""
		switch {
		case first > 0:
			want = paint.Count(first) + " above, " + paint.Count(below) + " below"
		case below > 0:
			want = "and " + paint.Count(below) + " more"
		}
		if !strings.Contains(screen, want) {
			t.Fatalf("nothing says %q:\n%s", want, screen)
		}
	})
}
