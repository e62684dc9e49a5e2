package meter

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

func render(m Meter, width int) string {
	b := paint.NewBlock(table.Glyphs, width)
	m.Render(b, table, width)
	b.End()
	return b.Lines()[0]
}

func TestRender(t *testing.T) {
	for name, c := range map[string]struct {
		meter Meter
		want  string
	}{
		"kept, handle, dropped, not there yet": {Meter{Kinds: sums(0, 200, 100), Pool: 800, Budget: 400, Basis: 1000}, "███░◆░░░░──"},
		"everything kept":                      {Meter{Kinds: sums(0, 500), Pool: 500, Budget: 1000, Basis: 1000}, "█████░────◆"},
		"nothing kept":                         {Meter{Pool: 1000, Budget: 0, Basis: 1000}, "◆░░░░░░░░░░"},
		"a little kept":                        {Meter{Kinds: sums(1), Pool: 1000, Budget: 500, Basis: 1000}, "█░░░░◆░░░░░"},
		"host":                                 {Meter{Pool: 1000, Budget: 0, Host: 700, Basis: 1000}, "◆░░░░░░┃░░░"},
		"over the budget":                      {Meter{Kinds: sums(900), Pool: 1000, Budget: 200, Basis: 1000}, "██◆██████░░"},
		"no pool":                              {Meter{}, "◆──────────"},
	} {
		if got := ansi.Strip(render(c.meter, 11)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func sums(tokens ...int) (k [themes.KindCount]Sums) {
	for i, n := range tokens {
		k[i].Tokens = n
	}
	return k
}

// The kinds share exactly the columns of what is kept, each within one column of
// its due.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m Meter
		kept := 0
		for k := range m.Kinds {
			m.Kinds[k].Tokens = rapid.IntRange(0, 9_000).Draw(t, "tokens")
			kept += m.Kinds[k].Tokens
		}
		m.Basis = kept + rapid.IntRange(0, 50_000).Draw(t, "rest")
		scale := slider.Scale{Basis: m.Basis, Width: rapid.IntRange(2, 300).Draw(t, "width")}
		whole := 0
		if kept > 0 {
			whole = max(scale.Column(kept), 1)
		}
		sum := 0
		for k, n := range m.parts(scale) {
			sum += n
			if kept == 0 {
				continue
			}
			due := float64(whole) * float64(m.Kinds[k].Tokens) / float64(kept)
			if d := float64(n) - due; d >= 1 || d <= -1 {
				t.Fatalf("kind %d has %d columns, its due is %.2f", k, n, due)
			}
		}
		if sum != whole {
			t.Fatalf("the kinds have %d columns, what is kept has %d", sum, whole)
		}
	})
}

func TestLegend(t *testing.T) {
	m := Meter{}
	m.Kinds[1] = Sums{Kept: 3, Offered: 10, Tokens: 4_100}
	m.Kinds[3] = Sums{Offered: 7}
	names := []string{"memory", "user", "assistant", "tool", "summary", "document", "system"}
	for before, want := range map[int]string{
		60: "     user 3/10 4.1k   tool 0/7 0", 28: "     user 3/10   tool 0/7", 20: "   user 3  tool 0", 14: "   user tool", 12: "",
	} {
		b := paint.NewBlock(table.Glyphs, 60)
		m.Legend(b, table, names, before)
		b.End()
		if got := strings.TrimRight(ansi.Strip(b.Lines()[0]), " "); got != want {
			t.Errorf("before column %d: %q, want %q", before, got, want)
		}
	}
}
