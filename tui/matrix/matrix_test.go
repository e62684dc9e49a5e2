package matrix

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"pgregory.net/rapid"

	"pacms/selector/compare"
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

func example() *View {
	return &View{
		Rows: []Row{
			{
				Key: "1", Row: compare.Row{Counted: 1, Strategy: "pacms", Items: 67, Tokens: 1808, Coverage: 0.769, Overlap: 0.12, Needs: 3, Quoted: 2, Prefix: 0.011, PrefixTurns: 1, MS: 6.64},
				Marks: []Mark{{State: In}, {State: Had}, {}, {State: Had}},
			},
			{
				Key: "3", Running: true, Row: compare.Row{Counted: 1, Strategy: "lastk", Items: 26, Tokens: 1805, Coverage: 0.441, Overlap: 1, Needs: 3, Missed: 1, Prefix: 0.5, PrefixTurns: 1},
				Marks: []Mark{{}, {State: Missed}, {}, {State: In}},
			},
			{Key: "7", Row: compare.Row{Counted: 1, Strategy: "pacms+:preset=A", Items: 27, Tokens: 1803, Coverage: 0.62, Overlap: 0.1, Needs: 3, Missed: 2, Prefix: 0.5}},
		},
		Chosen: 1, Over: "budget 1,808", Map: "what each keeps",
	}
}

func TestTable(t *testing.T) {
	tab := table(false)
	want := `   strategy    misses  items  tokens  coverage  overlap  quoted  prefix      ms
   1 pacms     0 of 3     67   1,808    0.769*    0.120       2   0.011     6.6
 ▶ 3 lastk     1 of 3     26   1,805    0.441     1.000       0   0.500     0.0
   7 pacms+…   2 of 3     27   1,803    0.620     0.100       0       –     0.0
`
	if got := text(tab, example().Table(tab, 80), 80); got != want {
		t.Errorf("the table is\n%swant\n%s", got, want)
	}
	// A wide screen has whole names and bars, a narrow one leaves the last columns out.
	wide := text(tab, example().Table(tab, 160), 160)
	for _, s := range []string{"likely misses", "kept and quoted", "stable prefix", "pacms+:preset=A", "0.769* ■■■■■■··", "1,808 ■■■■■■■■"} {
		if !strings.Contains(wide, s) {
			t.Errorf("the wide table does not show %q:\n%s", s, wide)
		}
	}
	narrow := text(tab, example().Table(tab, 60), 60)
	if strings.Contains(narrow, " ms") || !strings.Contains(narrow, "overlap") {
		t.Errorf("the narrow table is\n%s", narrow)
	}
	// What has no column there is told of the row under the cursor.
	if got := text(tab, example().Lines(tab, 60, 17), 60); !strings.Contains(got, "50 % of the turn before") {
		t.Errorf("the prefix is not told:\n%s", got)
	}
}

// The star is pacms's whatever its parameters, and nobody else's.
func TestByDesign(t *testing.T) {
	for name, want := range map[string]string{"pacms": "*", "pacms:smooth=0.3": "*", "pacms+": " ", "topk": " "} {
		if got := designed(&Row{Row: compare.Row{Counted: 1, Strategy: name}}); got != want {
			t.Errorf("%s is marked %q", name, got)
		}
	}
}

func TestMarks(t *testing.T) {
	tab, v := table(false), example()
	got := text(tab, v.Lines(tab, 80, 21), 80)
	for _, s := range []string{"  1 pacms   ■▲·▲\n", "  3 lastk   ·◉·■\n"} {
		if !strings.Contains(got, s) {
			t.Errorf("the marks do not show %q:\n%s", s, got)
		}
	}
	v.Means = true
	if got := text(tab, v.Lines(tab, 80, 21), 80); !strings.Contains(got, "  3 lastk   ·!··\n") || !strings.Contains(got, "·✓·✓\n") {
		t.Errorf("the marks of turns are\n%s", got)
	}
	// Many share a column: a miss is seen whatever stands beside it.
	for i := range v.Rows {
		v.Rows[i].Marks = make([]Mark, 1000)
	}
	v.Means = false
	v.Rows[0].Marks[777].State, v.Rows[1].Marks[777].State = Had, Missed
	v.Rows[2].Marks[0].State = In
	got = text(tab, v.Lines(tab, 80, 21), 80)
	if strings.Count(got, "◉") != 1 || strings.Count(got, "▁") != 1 || v.PerColumn(80) < 2 {
		t.Errorf("%d marks share a column:\n%s", v.PerColumn(80), got)
	}
}

// Whatever the numbers are, no line is wider than the page, every strategy has its
// row, what stands under every table is there, and ASCII is ASCII.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := table(rapid.Bool().Draw(t, "ascii"))
		v := &View{Means: rapid.Bool().Draw(t, "means"), Over: "over", Map: "map", Chosen: rapid.IntRange(-1, 7).Draw(t, "chosen")}
		for range rapid.IntRange(0, 7).Draw(t, "rows") {
			r := Row{Row: compare.Row{Counted: rapid.IntRange(0, 1).Draw(t, "counted")}, Key: "1", Running: rapid.Bool().Draw(t, "running")}
			r.Strategy = rapid.SampledFrom([]string{"pacms", "mmr:lambda=0.70000001", "rag"}).Draw(t, "strategy")
			r.Items, r.Tokens = rapid.Float64Range(0, 1e6).Draw(t, "items"), rapid.Float64Range(0, 1e8).Draw(t, "tokens")
			r.Coverage, r.Overlap = rapid.Float64Range(0, 1).Draw(t, "coverage"), rapid.Float64Range(0, 1).Draw(t, "overlap")
			r.Needs = rapid.IntRange(0, 9).Draw(t, "needs")
			r.Missed = rapid.IntRange(0, r.Needs).Draw(t, "missed")
			for range rapid.IntRange(0, 300).Draw(t, "marks") {
				r.Marks = append(r.Marks, Mark{Kind: uint8(len(r.Marks) % 9), State: State(len(r.Marks) * 7 % 4)})
			}
			v.Rows = append(v.Rows, r)
		}
		width, height := rapid.IntRange(60, 320).Draw(t, "width"), rapid.IntRange(1, 90).Draw(t, "height")
		for _, l := range v.Table(tab, width) {
			used := 0
			for _, s := range l {
				used += len([]rune(s.Text))
			}
			if used > width {
				t.Fatalf("a row is %d columns wide on %d", used, width)
			}
		}
		got := text(tab, v.Lines(tab, width, height), width)
		if len(v.Rows) > 0 && !strings.Contains(got, compare.Footnote) || len(v.Rows) > 0 && !strings.Contains(got, "by design") {
			t.Fatalf("the footnote is missing:\n%s", got)
		}
		if len(v.Table(tab, width)) != len(v.Rows)+1 {
			t.Fatalf("%d rows make %d lines", len(v.Rows), len(v.Table(tab, width)))
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return r > '~' }); tab.Glyphs.Text("·") == "." && i >= 0 {
			t.Fatalf("%q is not ASCII", got[i:])
		}
	})
}
