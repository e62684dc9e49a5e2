package timeline

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pacms/themes"
	"pacms/tui/paint"
)

var table = themes.Compile(themes.For(true), themes.Unicode(), colorprofile.TrueColor)

func render(tl Timeline, width, height int) []string {
	b := paint.NewBlock(table.Glyphs, width+25)
	tl.Render(b, table, width, height, true)
	return b.Lines()
}

func TestRender(t *testing.T) {
	tl := Timeline{Here: 2, Turns: []Turn{
		{Offered: 0, Kept: 0}, {Offered: 100, Kept: 100, Missed: true}, {Offered: 200, Kept: 100}, {Offered: 400, Kept: Unknown, Cut: true}, {Offered: 800, Kept: 100},
	}}
	lines := render(tl, 5, 1)
	if got := ansi.Strip(lines[0])[:len("  ▁▁▄▁")]; got != "  ▁▁▄▁" {
		t.Errorf("columns %q", got)
	}
	if got := ansi.Strip(lines[1]); !strings.HasPrefix(got, "  !▴│ ") || !strings.Contains(got, "likely miss") {
		t.Errorf("marks %q", got)
	}
	for what, style := range map[string]themes.Style{"all kept": table.SparkFull, "on screen": table.HereFull, "unknown": table.SparkOnly, "kept upon offered": table.Spark} {
		if !strings.Contains(lines[0], string(style)) {
			t.Errorf("%s has not its style: %q", what, lines[0])
		}
	}
	tall := render(tl, 5, 2)
	if len(tall) != 3 {
		t.Fatalf("%d lines, want 3", len(tall))
	}
	if top, bottom := []rune(ansi.Strip(tall[0])), []rune(ansi.Strip(tall[1])); top[5] != '█' || top[4] != ' ' || bottom[4] != '█' || bottom[3] != '▂' {
		t.Errorf("two lines show %q over %q", string(top[:6]), string(bottom[:6]))
	}
}

// A miss of what the agent had is not called likely; one of what it might have had is.
func TestMissesAreCalledWhatTheyAre(t *testing.T) {
	live, likely, unmet := Turn{Offered: 9, Missed: true, Live: true}, Turn{Offered: 9, Missed: true}, Turn{Offered: 9, Unmet: true}
	fine := Turn{Offered: 9, Live: true}
	for _, c := range []struct {
		turns   []Turn
		counted bool
		want    string
	}{
		{[]Turn{fine}, false, ""},
		{[]Turn{fine}, true, "! turn with a likely miss"},
		{[]Turn{fine, live}, false, "! turn with a miss"},
		{[]Turn{fine, likely}, false, "! turn with a likely miss"},
		{[]Turn{live, likely}, false, "! turn with a miss or likely miss"},
		{[]Turn{live}, true, "! turn with a miss or likely miss"},
		{[]Turn{live, unmet}, false, "! turn with a miss or a missed mark"},
		{[]Turn{likely, unmet}, false, "! turn with a likely miss or a missed mark"},
		{[]Turn{fine, unmet}, false, "! turn with a missed mark"},
	} {
		b := paint.NewBlock(table.Glyphs, 80)
		tl := Timeline{Here: -1, Turns: c.turns, Counted: c.counted}
		tl.Render(b, table, 5, 1, true)
		marks := strings.TrimRight(ansi.Strip(b.Lines()[1]), " ")
		if _, said, _ := strings.Cut(marks, "  "); !strings.HasSuffix(marks, c.want) || c.want == "" && strings.Contains(marks, "miss") {
			t.Errorf("%+v, counted %v: %q, want %q", c.turns, c.counted, said, c.want)
		}
	}
}

// What is kept is seen in every column, with colours and without; a miss on screen
// is marked as both.
func TestKeptIsSeen(t *testing.T) {
	mono := themes.Compile(themes.For(true), themes.ASCII(), colorprofile.ASCII)
	for height := 1; height <= 4; height++ {
		for offered := 1; offered <= 1_000; offered += 37 {
			tl := Timeline{Here: 1, Turns: []Turn{{Offered: offered, Kept: 1}, {Offered: 1_000, Kept: 1, Missed: true}}}
			line := render(tl, 2, height)[height-1]
			if !strings.Contains(line, string(table.SparkFull)) && !strings.Contains(line, string(table.Spark)) {
				t.Errorf("of %d on %d lines nothing kept is seen: %q", offered, height, line)
			}
			b := paint.NewBlock(mono.Glyphs, 30)
			tl.Render(b, mono, 2, height, true)
			if line := ansi.Strip(b.Lines()[height-1]); !strings.HasPrefix(line, " =") && !strings.HasPrefix(line, " #") {
				t.Errorf("of %d on %d lines nothing kept is seen without colours: %q", offered, height, line)
			}
			if marks := render(tl, 2, height)[height]; !strings.Contains(marks, string(table.Pill)+table.Glyphs.Miss) {
				t.Errorf("a miss on screen is marked as %q", marks)
			}
		}
	}
}

// Every column belongs to a turn and every turn to a column, in order.
func TestColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Columns{N: rapid.IntRange(1, 500).Draw(t, "n"), Width: rapid.IntRange(1, 300).Draw(t, "width")}
		last := -1
		for x := range c.Width {
			i, ok := c.At(x)
			if !ok || i < last || i >= c.N || c.Of(i) > x {
				t.Fatalf("column %d is turn %d, %v after %d", x, i, ok, last)
			}
			if i+1 < c.N && c.Of(i+1) <= x {
				t.Fatalf("column %d is turn %d although turn %d begins at %d", x, i, i+1, c.Of(i+1))
			}
			last = i
		}
		if last != c.N-1 {
			t.Fatalf("the last column is turn %d of %d", last, c.N)
		}
		if _, ok := c.At(c.Width); ok {
			t.Fatal("a column outside is a turn")
		}
	})
}

func TestEmpty(t *testing.T) {
	for _, line := range render(Timeline{}, 10, 2) {
		if strings.Trim(ansi.Strip(line), " ") != "" && !strings.Contains(line, "offered") {
			t.Errorf("a timeline of nothing shows %q", line)
		}
	}
	render(Timeline{Turns: make([]Turn, 3), Here: -1}, 0, 1)
}

func lifeline(l Lifeline, width, height int) []string {
	b := paint.NewBlock(table.Glyphs, width)
	l.Render(b, table, height)
	lines := make([]string, 0, height)
	for _, line := range b.Lines() {
		lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
	}
	return lines
}

func TestLifeline(t *testing.T) {
	l := Lifeline{Here: 5, Turns: []Moment{
		{NotOffered, NoCause}, {Kept, Question}, {Kept, NoCause}, {Dropped, Budget}, {Covered, Newcomer}, {Covered, NoCause}, {Required, Question}, {Compacted, Pool},
	}}
	for _, c := range []struct {
		width, height int
		want          string
	}{
		{80, 3, " ─  ■  ■  ·  ≈  ≈  ▲  ≡|    Q     B  N  ▴  Q  O| ▲ must ≈ covered ≡ summary ─ absent             Q query B budget N new O offer"},
		{120, 3, " ─  ■  ■  ·  ≈  ≈  ▲  ≡|    Q     B  N  ▴  Q  O| ▲ required  ■ kept  ≈ covered  · dropped  ≡ compacted  ─ not offered            Q question B budget N newcomer O offer"},
		{10, 2, " ─■■·≈≈▲≡|  Q BN▴QO"},
		{6, 2, " ■·≈≡| QB▴O"}, // several in a column: the one on screen, then what changed
		{10, 1, " ─■■·≈≈▲≡"},
	} {
		if got := strings.Join(lifeline(l, c.width, c.height), "|"); got != c.want {
			t.Errorf("%d columns: %q\nwant %q", c.width, got, c.want)
		}
	}
	l.Working = "working … 3 of 8"
	if got := lifeline(l, 80, 3)[2]; got != " working … 3 of 8" {
		t.Errorf("on the way it says %q", got)
	}
}

// A lifeline is a rectangle whatever there is of it, and the turn on screen is always
// on it.
func TestLifelineKeepsSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "n")
		l := Lifeline{Here: rapid.IntRange(-1, n-1).Draw(t, "here")}
		for range n {
			l.Turns = append(l.Turns, Moment{State(rapid.IntRange(0, int(states)-1).Draw(t, "state")), Cause(rapid.IntRange(0, int(causes)-1).Draw(t, "cause"))})
		}
		width, height := rapid.IntRange(1, 200).Draw(t, "width"), rapid.IntRange(0, 5).Draw(t, "height")
		b := paint.NewBlock(table.Glyphs, width)
		l.Render(b, table, height)
		if len(b.Lines()) != height {
			t.Fatalf("%d lines, want %d", len(b.Lines()), height)
		}
		for _, line := range b.Lines() {
			if ansi.StringWidth(line) != width {
				t.Fatalf("a line of %d columns, want %d", ansi.StringWidth(line), width)
			}
		}
		if height > 2 && width >= 60 && n > 0 {
			for _, m := range l.Turns {
				if c := m.Cause; c != NoCause && !strings.Contains(ansi.Strip(b.Lines()[2]), c.letter()+" "+c.short()) && !strings.Contains(ansi.Strip(b.Lines()[2]), c.letter()+" "+c.name()) {
					t.Fatalf("%s is not explained by %q", c.letter(), ansi.Strip(b.Lines()[2]))
				}
			}
		}
		if height > 0 && width > 2 && l.Here >= 0 && !strings.Contains(b.Lines()[0], string(table.Pill)) {
			t.Fatalf("the turn on screen is not on %q", b.Lines()[0])
		}
	})
}
