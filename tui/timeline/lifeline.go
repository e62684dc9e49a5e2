package timeline

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pacms/themes"
	"pacms/tui/paint"
)

// State is what was the case with a candidate at a turn.
type State uint8

// The states.
const (
	NotKnown   State = iota // nobody has selected for the turn yet
	NotOffered              // not said yet, or taken out of the choice by the host
	Compacted               // part of a summary only
	Dropped
	Covered // dropped, because kept ones say the same
	Banned  // dropped, because a person wants it so
	Kept
	Required // kept by the request, a rule or a person
	states
)

// Cause is what changed the state from one turn to the next.
type Cause uint8

// The causes.
const (
	NoCause  Cause = iota
	Question       // another question was asked
	Budget         // there was another budget
	Newcomer       // something new took its place, or a place went free
	Pool           // something else is offered
	Several        // only several of these together
	causes
)

// Moment is a turn of a lifeline.
type Moment struct {
	State State
	Cause Cause
}

// Lifeline is what became of one candidate turn by turn. It takes the timeline's
// place.
type Lifeline struct {
	// Turns are the same as those of the timeline.
	Turns []Moment
	Here  int
	// Working says in words how far the work is; "" where it is done.
	Working string
}

// widestTurn is how many columns a turn of a lifeline takes at most.
const widestTurn = 3

// places are the columns of the turns.
func (l *Lifeline) places(width int) func(i int) int {
	if n := len(l.Turns); n <= width {
		pitch := min(width/max(n, 1), widestTurn)
		return func(i int) int { return i * pitch }
	}
	return Columns{N: len(l.Turns), Width: width}.Of
}

// Render draws a sign for each turn on the first of height lines; on the second
// what changed it, and the turn on screen; on the third what the signs mean. Where
// several turns share a column, the one on screen is shown, else the last that
// changed something, else the last.
func (l *Lifeline) Render(b *paint.Block, t *themes.Table, height int) {
	width := max(b.Width()-2, 1)
	place := l.places(width)
	shown := slices.Repeat([]int{-1}, width)
	for i := range l.Turns {
		at := &shown[place(i)]
		if *at < 0 || *at != l.Here && (l.Turns[i].Cause != NoCause || l.Turns[*at].Cause == NoCause) || i == l.Here {
			*at = i
		}
	}
	lines := []func(){
		func() { l.signs(b, t, shown) },
		func() { l.causes(b, t, shown) },
		func() { l.legend(b, t) },
	}
	for _, line := range lines[:min(height, len(lines))] {
		b.Put("", " ")
		line()
		b.End()
	}
	b.Blank(height - len(lines))
}

// signs draws a sign for each column.
func (l *Lifeline) signs(b *paint.Block, t *themes.Table, shown []int) {
	for _, i := range shown {
		if i < 0 {
			b.Cell("", " ")
			continue
		}
		style, sign := l.Turns[i].State.look(t)
		if i == l.Here {
			style = t.Pill
		}
		b.Cell(style, sign)
	}
}

// causes draws below each column what changed there, and marks the turn on screen
// where nothing did.
func (l *Lifeline) causes(b *paint.Block, t *themes.Table, shown []int) {
	for _, i := range shown {
		switch {
		case i >= 0 && l.Turns[i].Cause != NoCause:
			b.Cell(t.Strong, l.Turns[i].Cause.letter())
		case i >= 0 && i == l.Here:
			b.Cell(t.Accent, t.Glyphs.Here)
		default:
			b.Cell("", " ")
		}
	}
}

// legend says what the signs and letters mean that are on screen.
func (l *Lifeline) legend(b *paint.Block, t *themes.Table) {
	if l.Working != "" {
		b.Put(t.Muted, l.Working)
		return
	}
	var is [states]bool
	var why [causes]bool
	for _, m := range l.Turns {
		is[m.State], why[m.Cause] = true, true
	}
	for k, words := range wordings {
		signs, changed, all := words.spans(t, is, why, b.Room())
		if all || k == len(wordings)-1 {
			b.Spans(signs...)
			b.Right(changed...)
			return
		}
	}
}

// wording is a way to write the legend.
type wording struct {
	by, blank string // before the causes, and behind each state
	state     func(State) string
	cause     func(Cause) string
	// rare leaves out the states that every grid explains.
	rare bool
}

// wordings are the ways to write the legend, the longest first.
var wordings = [...]wording{
	{by: "changed by ", blank: "  ", state: State.Name, cause: Cause.name},
	{blank: "  ", state: State.Name, cause: Cause.name},
	{blank: " ", state: State.short, cause: Cause.short},
	{blank: " ", state: State.short, cause: Cause.short, rare: true},
}

// spans are what the legend says of some states and causes: all the causes, and in the
// room that they leave the states. It reports whether there was room for all of these.
func (w *wording) spans(t *themes.Table, is [states]bool, why [causes]bool, room int) (signs, changed []paint.Span, all bool) {
	for c := NoCause + 1; c < causes; c++ {
		if !why[c] {
			continue
		}
		if changed == nil && w.by != "" {
			changed = append(changed, paint.Span{Style: t.Muted, Text: w.by})
		}
		changed = append(changed, paint.Span{Style: t.Strong, Text: c.letter()}, paint.Span{Style: t.Muted, Text: " " + w.cause(c) + " "})
	}
	room -= width(changed) + 1
	all = true
	for s := states - 1; s > NotKnown; s-- {
		if !is[s] || w.rare && (s == Kept || s == Dropped) {
			continue
		}
		style, sign := s.look(t)
		spans := []paint.Span{{Style: style, Text: sign}, {Style: t.Muted, Text: " " + w.state(s) + w.blank}}
		if width(spans) > room {
			all = false
			continue
		}
		room -= width(spans)
		signs = append(signs, spans...)
	}
	return signs, changed, all
}

func width(spans []paint.Span) int {
	w := 0
	for _, s := range spans {
		w += ansi.StringWidth(s.Text)
	}
	return w
}

// look is the sign of a state and its style.
func (s State) look(t *themes.Table) (themes.Style, string) {
	g := t.Glyphs
	switch s {
	case Kept:
		return t.Strong, g.Kept
	case Required:
		return t.Strong, g.Required
	case Dropped:
		return t.Muted, g.Dropped
	case Covered:
		return t.Muted, g.Covered
	case Banned:
		return t.Muted, g.Banned
	case Compacted:
		return t.Muted, g.Compacted
	case NotOffered:
		return t.Faint, g.Line
	default:
		return "", " "
	}
}

// Name is the state in a word or two.
func (s State) Name() string {
	return [states]string{"", "not offered", "compacted", "dropped", "covered", "banned", "kept", "required"}[s]
}

// short is the state in a word of at most eight letters.
func (s State) short() string {
	switch s {
	case NotOffered:
		return "absent"
	case Compacted:
		return "summary"
	case Required:
		return "must"
	default:
		return s.Name()
	}
}

func (c Cause) name() string {
	return [causes]string{"", "question", "budget", "newcomer", "offer", "several"}[c]
}

// short is the cause in a word of at most six letters that begins as its name does.
func (c Cause) short() string {
	return [causes]string{"", "query", "budget", "new", "offer", "some"}[c]
}

// letter is the cause as one letter, the first of its name; a capital, which no key
// of the page is.
func (c Cause) letter() string { return strings.ToUpper(c.name()[:1]) }
