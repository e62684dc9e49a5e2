package why

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pacms/themes"
	"pacms/tui/overlay"
)

var table = themes.Compile(themes.For(true), themes.Unicode(), colorprofile.TrueColor)

func text(lines []overlay.Line) string {
	var b strings.Builder
	for _, line := range lines {
		row := ""
		for _, s := range line {
			row += s.Text
		}
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	return b.String()
}

func TestLines(t *testing.T) {
	v := View{
		Headline: "covered: 93 % of what it would add is already in kept items",
		Steps:    []Step{{"offered", "turn 29, tool read, 1,204 tokens est."}, {"covered", "by #301 71 %, by #288 22 %, by #3010 0 %"}},
		Links:    []int{301, 288}, Chosen: 1,
		Changes: []Change{{"budget 24,900–25,600, and from 27,100", "b", "sets 24,900"}, {"without #301", "x", "ban #301"}, {"by 2 topk, 7 pacms+", "2 7", "switch"}},
		Later:   []Step{{"LATER", "likely miss in turn 47: dropped there too, and the agent read this file again (estimate: the recorded agent had the full context)"}},
		Notes:   []Step{{"certificate", "no subset scores more"}},
	}
	want := ` DROPPED  covered: 93 % of what it would add is already in kept items

 offered      turn 29, tool read, 1,204 tokens est.
 covered      by #301 71 %, by #288 22 %, by #3010 0 %  enter goes there

 WOULD BE KEPT (each run just now)
  budget 24,900–25,600, and from 27,100  b    sets 24,900
  without #301                           x    ban #301
  by 2 topk, 7 pacms+                    2 7  switch

 LATER        likely miss in turn 47: dropped there too, and the agent read this file
              again (estimate: the recorded agent had the full context)

 certificate  no subset scores more

`
	if got := text(v.Lines(table, 86)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	styles := make(map[string]themes.Style)
	for _, line := range v.Lines(table, 86) {
		for _, s := range line {
			styles[s.Text] = s.Style
		}
	}
	if styles["#288"] != table.Pill || styles["#301"] != table.Key {
		t.Errorf("the links look like %q and %q", styles["#288"], styles["#301"])
	}
	v.Kept, v.Trying = true, "trying"
	if got := text(v.Lines(table, 86)); !strings.Contains(got, " KEPT     covered") || !strings.Contains(got, "WOULD BE DROPPED\n  working: trying …\n") {
		t.Errorf("on the way:\n%s", got)
	}
	v.Trying, v.Changes, v.None = "", nil, "by nothing"
	if got := text(v.Lines(table, 86)); !strings.Contains(got, "WOULD BE DROPPED\n  by nothing\n") {
		t.Errorf("without changes:\n%s", got)
	}
}

func TestNamed(t *testing.T) {
	steps := []Step{{"a", "with #12, and #7"}, {"b", "by #123 and #7 again, # and #x, #5"}}
	if got, want := Named(steps, []int{5, 7, 12}), []int{12, 7, 5}; !slices.Equal(got, want) {
		t.Errorf("Named = %v, want %v", got, want)
	}
	if got := Named(steps, nil); got != nil {
		t.Errorf("Named without numbers = %v", got)
	}
}

// No line is wider than the page, nothing of a sentence is lost, and each key stands on
// the first line of its change.
func TestLinesHaveRoom(t *testing.T) {
	words := rapid.StringMatching(`([a-z0-9#,]{1,9} ){0,12}[a-z#0-9]{1,9}`)
	rapid.Check(t, func(t *rapid.T) {
		v := View{Headline: words.Draw(t, "headline"), Kept: rapid.Bool().Draw(t, "kept"), Links: []int{1, 23}}
		for range rapid.IntRange(0, 5).Draw(t, "steps") {
			v.Steps = append(v.Steps, Step{"relevance", words.Draw(t, "step") + " #23"})
		}
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			v.Changes = append(v.Changes, Change{words.Draw(t, "change"), rapid.SampledFrom([]string{"b", "1 2 4"}).Draw(t, "keys"), words.Draw(t, "what")})
		}
		width := rapid.IntRange(60, 200).Draw(t, "width")
		got := text(v.Lines(table, width))
		for line := range strings.Lines(got) {
			if ansi.StringWidth(strings.TrimSuffix(line, "\n")) > width {
				t.Fatalf("%q is wider than %d", line, width)
			}
		}
		for _, s := range v.Steps {
			for word := range strings.FieldsSeq(s.Text) {
				if !strings.Contains(got, word) {
					t.Fatalf("%q is lost:\n%s", word, got)
				}
			}
		}
	})
}
