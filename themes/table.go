package themes

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// Style is the escape sequence that sets one look, whatever was set before.
type Style string

// Reset is the look of a terminal that nothing was said to.
const Reset Style = "\x1b[m"

// Verdict is what a cell of the grid says of its candidate.
type Verdict uint8

// The verdicts.
const (
	Dropped  Verdict = iota
	Kept             // by the strategy
	Required         // kept by the request, a rule or a person
	verdicts
)

// Shade is how a cell stands out from its neighbours.
type Shade uint8

// The shades, from quiet to loud.
const (
	Plain   Shade = iota
	Found         // what a search has found
	Changed       // kept before and not now, or the other way round: on a ground
	Marked        // what the turn needs, lit where it is kept
	Cursor
	MarkedCursor // what the turn needs and has, under the cursor
	shades
)

// Table holds the styles of a theme for one colour profile.
type Table struct {
	Theme  *Theme
	Glyphs *Glyphs
	// Mono is set where the colours of what is in front and behind cannot tell kept
	// from offered in one cell, and signs have to.
	Mono bool
	// Signed is set where no ground can show what has changed, and signs have to.
	Signed bool

	painter *strings.Replacer // of Paint

	// Screen is Text on the theme's own background.
	Screen                     Style
	Text, Strong, Muted, Faint Style
	// TextLined and FaintLined are Text and Faint with a line under them.
	TextLined, FaintLined Style
	// Ground is Text on the ground of what has changed.
	Ground Style
	// Accent is for verdicts, Alarm for what is missed.
	Accent, Alarm Style
	// Title, TitleMuted and TitleStrong stand on the band of the title bar.
	Title, TitleMuted, TitleStrong Style
	// Pill is the running strategy and PillEdge its ends; Key is a key's name.
	Pill, PillEdge, Key Style
	// Handle is the budget on the bar, Track the part of it that is dropped.
	Handle, Track Style
	// Spark is the timeline's kept part upon its offered part; SparkOnly the
	// offered part alone; SparkFull the kept part where it hides the offered.
	Spark, SparkOnly, SparkFull Style
	// Here, HereOnly and HereFull are the same for the turn on screen.
	Here, HereOnly, HereFull Style
	// Kinds are the colours of the kinds for names and bars.
	Kinds [KindCount]Style

	// cells and lined are the styles of cells without and with a line under them.
	cells, lined [KindCount][verdicts][shades]Style
}

// Cell is the style of a cell of the grid. A kind that is not known has the
// look of the last one.
func (t *Table) Cell(kind uint8, v Verdict, s Shade) Style {
	return t.cells[min(kind, KindCount-1)][v][s]
}

// Lined is Cell with a line under it, for a cell that the one under the cursor has
// to do with. But for the cursor itself nothing else in the grid is underlined.
func (t *Table) Lined(kind uint8, v Verdict, s Shade) Style {
	return t.lined[min(kind, KindCount-1)][v][s]
}

// Attributes of an escape sequence.
const (
	bold      = "1"
	faint     = "2"
	underline = "4"
	reverse   = "7"
)

// Compile makes the table of a theme for a profile. Without colours the looks
// differ by bold, faint, underline and reverse alone; for a profile that is no
// terminal there are none at all.
func Compile(t *Theme, g *Glyphs, p colorprofile.Profile) *Table {
	c := compiler{profile: p}
	track := Color{mix(t.Faint.RGB, t.Background.RGB, 0.8), BrightBlack}
	ground := Color{t.ground(), t.basicGround()}
	mono := p <= colorprofile.ASCII || g.ascii != nil
	table := &Table{
		Theme: t, Glyphs: g, Mono: mono, Signed: mono || g.Solid,
		Text: c.style(&t.Text, nil), Strong: c.style(&t.Text, nil, bold),
		Muted: c.style(&t.Muted, nil), Faint: c.style(&t.Faint, nil, c.mono(faint)),
		TextLined: c.style(&t.Text, nil, underline), FaintLined: c.style(&t.Faint, nil, c.mono(faint), underline),
		Ground: c.style(&t.Text, &ground),
		Accent: c.style(&t.Accent, nil, bold), Alarm: c.style(&t.Accent, nil, bold),
		Title: c.style(&t.Text, &t.Band), TitleMuted: c.style(&t.Muted, &t.Band), TitleStrong: c.style(&t.Text, &t.Band, bold),
		Pill: c.style(&t.OnAccent, &t.Accent, bold, c.mono(reverse)), PillEdge: c.style(&t.Accent, &t.Band),
		Key:    c.style(&t.Text, nil, bold),
		Handle: c.style(&t.Accent, nil, bold), Track: c.style(&track, nil, c.mono(faint)),
		Spark: c.style(&t.Text, &t.Faint), SparkOnly: c.style(&t.Faint, nil, c.mono(faint)), SparkFull: c.style(&t.Text, nil),
		Here: c.style(&t.Accent, &t.Faint), HereOnly: c.style(&t.Muted, nil), HereFull: c.style(&t.Accent, nil, bold),
	}
	table.Screen = c.style(&t.Text, &t.Background)
	painted := string(c.color(nil, &t.Background, 40))
	table.painter = strings.NewReplacer(string(Reset), string(table.Screen), "\x1b[0;", "\x1b[0"+painted+";", "\n", string(Reset)+"\n"+string(table.Screen))
	for k, kind := range t.Kinds {
		table.Kinds[k] = c.style(&kind, nil)
		quiet := Color{t.dropped(kind.RGB), BrightBlack}
		if p == colorprofile.ANSI256 {
			quiet.RGB = t.dropped256(kind.RGB)
		}
		for v := range verdicts {
			table.cells[k][v] = c.cell(t, &kind, &quiet, &ground, v)
			table.lined[k][v] = c.cell(t, &kind, &kind, &ground, v, underline)
		}
	}
	return table
}

// Paint gives a frame of the table's styles with the theme's own background behind
// all that has no other, for a terminal that keeps its own.
func (t *Table) Paint(frame string) string {
	return string(t.Screen) + t.painter.Replace(frame) + string(Reset)
}

type compiler struct{ profile colorprofile.Profile }

// cell are the looks of a cell of a kind; quiet is its colour where it is dropped,
// more are attributes of all looks.
func (c compiler) cell(t *Theme, kind, quiet, ground *Color, v Verdict, more ...string) [shades]Style {
	style := func(fg, bg *Color, attributes ...string) Style {
		return c.style(fg, bg, append(attributes, more...)...)
	}
	plain, marked := style(kind, nil), style(&t.OnAccent, &t.Accent, c.mono(reverse))
	if v == Dropped {
		plain, marked = style(quiet, nil, c.mono(faint)), style(&t.Accent, nil, bold)
	}
	return [shades]Style{
		Plain:   plain,
		Found:   style(kind, nil, bold),
		Changed: style(kind, ground, bold),
		Marked:  marked,
		Cursor:  style(&t.Background, &t.Text, bold, c.mono(reverse)),

		MarkedCursor: style(&t.OnAccent, &t.Accent, bold, underline, c.mono(reverse)),
	}
}

// mono is the attribute where colours are missing, and nothing where they say
// the same.
func (c compiler) mono(attribute string) string {
	if c.profile == colorprofile.ASCII {
		return attribute
	}
	return ""
}

func (c compiler) style(fg, bg *Color, attributes ...string) Style {
	if c.profile <= colorprofile.NoTTY {
		return ""
	}
	b := []byte("\x1b[0")
	for _, a := range attributes {
		if a != "" {
			b = append(append(b, ';'), a...)
		}
	}
	b = c.color(b, fg, 30)
	b = c.color(b, bg, 40)
	return Style(append(b, 'm'))
}

// color appends the parameters of a colour; base is 30 for text, 40 for what is
// behind it.
func (c compiler) color(b []byte, x *Color, base int64) []byte {
	if x == nil {
		return b
	}
	r, g, blue := uint8(x.RGB>>16), uint8(x.RGB>>8), uint8(x.RGB)
	switch c.profile {
	case colorprofile.TrueColor:
		b = strconv.AppendInt(append(b, ';'), base+8, 10)
		b = append(b, ";2"...)
		for _, part := range []uint8{r, g, blue} {
			b = strconv.AppendInt(append(b, ';'), int64(part), 10)
		}
	case colorprofile.ANSI256:
		b = strconv.AppendInt(append(b, ';'), base+8, 10)
		b = append(b, ";5;"...)
		b = strconv.AppendInt(b, int64(near256(x.RGB)), 10)
	case colorprofile.ANSI:
		n := base + int64(x.Basic)
		if x.Basic >= BrightBlack {
			n = base + 60 + int64(x.Basic-BrightBlack)
		}
		b = strconv.AppendInt(append(b, ';'), n, 10)
	default: // no colours
	}
	return b
}
