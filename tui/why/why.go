// Package why shows the whole reasoning about one item: its verdict in a sentence,
// the steps in the order in which they were decided, what would change the verdict,
// and what came of it later.
package why

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pacms/themes"
	"pacms/tui/overlay"
	"pacms/tui/paint"
)

// View is what there is to say about one item. Its texts are neutralised for a
// terminal.
type View struct {
	Kept bool
	// Headline is the verdict in a sentence, without the word.
	Headline string
	Steps    []Step
	// Links are the numbers of items that the steps name and that one can go to,
	// Chosen the place of the one that enter goes to.
	Links  []int
	Chosen int
	// Changes are what would turn the verdict; Trying says what is being tried while
	// they are not known, None why there are none.
	Changes      []Change
	Trying, None string
	// Later is what this turn and the rest of the session say of the verdict, each
	// under the word for when.
	Later []Step
	// Notes are what else is to be known of the item, Turn what is to be known of the
	// selection as a whole, whichever item it is asked of.
	Notes, Turn []Step
}

// Step is one thing that was looked at.
type Step struct{ Label, Text string }

// Change is one change after which the verdict is another: what it is, the keys that
// make it, and what they do.
type Change struct{ Text, Keys, What string }

// Widths in columns: of the verdict, of the label of a step, and the least of the text
// of a change.
const (
	verdictWidth = 10
	labelWidth   = 13
	changeWidth  = 24
)

// most is how many lines one sentence takes at most.
const most = 8

// Lines writes the view for pages of a width.
func (v *View) Lines(t *themes.Table, width int) []overlay.Line {
	lines := v.Reasoning(t, width)
	lines = append(lines, nil)
	lines = append(lines, v.changes(t, width)...)
	for _, s := range v.Later {
		lines = append(lines, nil)
		lines = append(lines, labelled(t, t.Accent, s.Label, s.Text, width)...)
	}
	if len(v.Notes) > 0 {
		lines = append(lines, nil)
	}
	for _, s := range v.Notes {
		lines = append(lines, labelled(t, t.Muted, s.Label, s.Text, width)...)
	}
	if len(v.Turn) > 0 {
		lines = append(lines, nil, overlay.Line{{Style: t.Muted, Text: " THE TURN AS A WHOLE"}})
	}
	for _, s := range v.Turn {
		lines = append(lines, labelled(t, t.Muted, s.Label, s.Text, width)...)
	}
	return append(lines, nil)
}

// Reasoning writes the verdict and the steps alone.
func (v *View) Reasoning(t *themes.Table, width int) []overlay.Line {
	lines := append(v.verdict(t, width), nil)
	for _, s := range v.Steps {
		lines = append(lines, v.step(t, s, width)...)
	}
	return lines
}

// verdict is the sentence at the top.
func (v *View) verdict(t *themes.Table, width int) []overlay.Line {
	word, style := "DROPPED", t.Accent
	if v.Kept {
		word, style = "KEPT", t.Strong
	}
	wrapped, _ := paint.Wrap(v.Headline, max(width-verdictWidth-1, 20), most)
	lines := make([]overlay.Line, 0, len(wrapped))
	for _, text := range wrapped {
		lines = append(lines, overlay.Line{
			{Style: style, Text: " " + word}, {Text: strings.Repeat(" ", verdictWidth-1-len(word))}, {Style: t.Strong, Text: text},
		})
		word = ""
	}
	return lines
}

// step is a label with its sentence, in which the links stand out. Where the chosen
// one is among them, enter is named behind it if there is room.
func (v *View) step(t *themes.Table, s Step, width int) []overlay.Line {
	lines := labelled(t, t.Muted, s.Label, s.Text, width)
	chosen := -1
	for i := range lines {
		last := len(lines[i]) - 1
		spans, has := v.linked(t, lines[i][last].Text)
		if has {
			chosen = i
		}
		lines[i] = append(lines[i][:last], spans...)
	}
	const hint = "  enter goes there"
	if chosen >= 0 && widthOf(lines[chosen])+len(hint) < width {
		lines[chosen] = append(lines[chosen], paint.Span{Style: t.Muted, Text: hint})
	}
	return lines
}

// linked splits a text at the links in it.
func (v *View) linked(t *themes.Table, text string) (spans []paint.Span, chosen bool) {
	for text != "" {
		at, end, link := v.next(text)
		if link < 0 {
			break
		}
		style := t.Key
		if link == v.Chosen {
			style, chosen = t.Pill, true
		}
		spans = append(spans, paint.Span{Style: t.Text, Text: text[:at]}, paint.Span{Style: style, Text: text[at:end]})
		text = text[end:]
	}
	return append(spans, paint.Span{Style: t.Text, Text: text}), chosen
}

// next finds the first link in a text: where it begins and ends, and its place among
// the links, -1 where there is none.
func (v *View) next(text string) (at, end, link int) {
	for from := 0; ; from = end {
		i := strings.IndexByte(text[from:], '#')
		if i < 0 {
			return 0, 0, -1
		}
		at = from + i
		end = at + 1
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		for k, number := range v.Links {
			if text[at+1:end] == strconv.Itoa(number) {
				return at, end, k
			}
		}
	}
}

// Named are those of the numbers that the steps name, in the order in which they do.
func Named(steps []Step, numbers []int) []int {
	var named []int
	for _, s := range steps {
		rest := View{Links: numbers}
		for text := s.Text; ; {
			_, end, k := rest.next(text)
			if k < 0 {
				break
			}
			named = append(named, numbers[k])
			rest.Links = without(rest.Links, k)
			numbers = rest.Links
			text = text[end:]
		}
	}
	return named
}

// without is numbers without the one at a place.
func without(numbers []int, k int) []int {
	return append(append([]int(nil), numbers[:k]...), numbers[k+1:]...)
}

// changes are what would turn the verdict, each with its key.
func (v *View) changes(t *themes.Table, width int) []overlay.Line {
	heading := "WOULD BE KEPT"
	if v.Kept {
		heading = "WOULD BE DROPPED"
	}
	head := overlay.Line{{Style: t.Muted, Text: " " + heading}}
	switch {
	case v.Trying != "":
		return append([]overlay.Line{head}, overlay.Line{{Style: t.Muted, Text: "  working: " + v.Trying + " …"}})
	case len(v.Changes) == 0:
		return append([]overlay.Line{head}, overlay.Line{{Style: t.Text, Text: "  " + v.None}})
	}
	head[0].Text += " (each run just now)"
	lines := []overlay.Line{head}
	column, keys := changeWidth, 1
	for _, c := range v.Changes {
		column, keys = max(column, ansi.StringWidth(c.Text)+4), max(keys, len(c.Keys))
	}
	column = min(column, max(width/2, changeWidth))
	for _, c := range v.Changes {
		lines = append(lines, c.lines(t, column, keys, width)...)
	}
	return lines
}

// lines are a change in two columns: its text, and from a column on the keys, in a
// width of their own, with what they do.
func (c *Change) lines(t *themes.Table, column, keys, width int) []overlay.Line {
	texts, _ := paint.Wrap(c.Text, column-4, most)
	whats, _ := paint.Wrap(c.What, max(width-column-keys-3, 10), most)
	lines := make([]overlay.Line, 0, max(len(texts), len(whats)))
	for i := range max(len(texts), len(whats)) {
		text, key, what := "", "", ""
		if i < len(texts) {
			text = texts[i]
		}
		if i < len(whats) {
			what = whats[i]
		}
		if i == 0 {
			key = c.Keys
		}
		lines = append(lines, overlay.Line{
			{Style: t.Text, Text: "  " + text + strings.Repeat(" ", max(column-2-ansi.StringWidth(text), 1))},
			{Style: t.Key, Text: key + strings.Repeat(" ", keys-len(key)+2)},
			{Style: t.Muted, Text: what},
		})
	}
	return lines
}

// labelled is a sentence behind a label, on as many lines as it takes.
func labelled(t *themes.Table, style themes.Style, label, text string, width int) []overlay.Line {
	wrapped, _ := paint.Wrap(text, max(width-labelWidth-2, 20), most)
	lines := make([]overlay.Line, 0, len(wrapped))
	for _, line := range wrapped {
		lines = append(lines, overlay.Line{
			{Style: style, Text: " " + label + strings.Repeat(" ", max(labelWidth-ansi.StringWidth(label), 1))}, {Style: t.Text, Text: line},
		})
		label = ""
	}
	return lines
}

func widthOf(line overlay.Line) int {
	w := 0
	for _, s := range line {
		w += ansi.StringWidth(s.Text)
	}
	return w
}
