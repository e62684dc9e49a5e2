// Package inspect shows one candidate: what it is, what became of it, why, and
// its text.
package inspect

import (
	"strconv"
	"strings"

	"pacms/themes"
	"pacms/tui/paint"
)

// Item is one candidate, its texts neutralised for a terminal.
type Item struct {
	// Number is what the screen calls it, from 1.
	Number int
	// Kind is the place of its kind in session.Kinds, Name that kind's name.
	Kind uint8
	Name string
	// Tool is the tool and what it was called with, "" for other kinds.
	Tool string
	// Turn in which it was said, 0 unknown; Tokens is its cost.
	Turn, Tokens int
	Estimated    bool
	Kept         bool
	// Reason is the cause of the verdict in a sentence; "" while it is being
	// looked up.
	Reason string
	// Facts are further findings, a name and a value each.
	Facts [][2]string
	// Text is what the model sees of it.
	Text string
}

// Label is the candidate in a few words: "#17 user · turn 4 · 12 tokens".
func (it *Item) Label() string {
	s := "#" + strconv.Itoa(it.Number) + " " + it.Name
	if it.Tool != "" {
		s += " " + it.Tool
	}
	if it.Turn > 0 {
		s += " · turn " + strconv.Itoa(it.Turn)
	}
	return s + " · " + it.Cost()
}

// Cost is the candidate's tokens in words.
func (it *Item) Cost() string {
	s := paint.Plural(it.Tokens, "token")
	if it.Estimated {
		s += " est."
	}
	return s
}

// Verdict is KEPT or DROPPED.
func (it *Item) Verdict() string {
	if it.Kept {
		return "KEPT"
	}
	return "DROPPED"
}

// Strip draws the candidate on height lines below the other panes: a rule with
// its label, the verdict, and the text, whose last line ends in hint.
func (it *Item) Strip(b *paint.Block, t *themes.Table, height int, hint string) {
	if height <= 0 {
		return
	}
	b.Repeat(t.Faint, t.Glyphs.Rule, 2)
	b.Put("", " ")
	it.label(b, t)
	b.Put("", " ")
	b.Repeat(t.Faint, t.Glyphs.Rule, b.Room())
	b.End()
	it.body(b, t, height-1, 1, hint)
}

// Column draws the candidate on height lines beside the other panes.
func (it *Item) Column(b *paint.Block, t *themes.Table, height int, hint string) {
	b.Put("", " ")
	it.label(b, t)
	b.End()
	b.End()
	it.body(b, t, height-2, 6, hint)
}

func (it *Item) label(b *paint.Block, t *themes.Table) {
	head, rest, _ := strings.Cut(it.Label(), " ")
	b.Put(t.Strong, head+" ")
	name, rest, _ := strings.Cut(rest, " ")
	b.Put(t.Kinds[min(it.Kind, themes.KindCount-1)], name)
	b.Put(t.Muted, " ")
	b.Clip(t.Muted, rest, b.Room()-3)
}

// body draws the verdict on at most reasons lines, the facts and the text.
func (it *Item) body(b *paint.Block, t *themes.Table, height, reasons int, hint string) {
	const indent = 9 // behind " DROPPED "
	bottom := b.Height() + height
	lines, more := paint.Wrap(it.Reason, b.Width()-indent-2, min(reasons, height))
	if len(lines) == 0 {
		lines = []string{""}
	}
	for i, line := range lines {
		if b.Height() >= bottom {
			return
		}
		b.Put("", " ")
		if i == 0 {
			b.Put(it.verdictStyle(t), it.Verdict())
		}
		b.To("", indent+1)
		if more && i == len(lines)-1 {
			line += "…"
		}
		b.Put(t.Text, line)
		b.End()
	}
	for _, f := range it.Facts {
		if b.Height() >= bottom-2 {
			break
		}
		b.Put(t.Muted, " "+f[0])
		b.To("", indent+3)
		b.Clip(t.Text, f[1], b.Room()-1)
		b.End()
	}
	it.text(b, t, bottom-b.Height(), hint)
}

func (it *Item) verdictStyle(t *themes.Table) themes.Style {
	if it.Kept {
		return t.Strong
	}
	return t.Accent
}

// text draws the text on height lines; the last one is the hint's.
func (it *Item) text(b *paint.Block, t *themes.Table, height int, hint string) {
	if height <= 0 {
		return
	}
	if height > 3 && len(it.Facts) > 0 {
		b.End()
		height--
	}
	lines, more := paint.Wrap(it.Text, b.Width()-2, height)
	for i := range height {
		last := i == height-1
		if i < len(lines) {
			text, room := lines[i], b.Width()-2
			if last {
				room -= len(hint) + 2 // the hint must not touch the text
				if more {
					text += "…"
				}
			}
			b.Put("", " ")
			b.Clip(t.Text, text, room)
		}
		if last {
			b.Right(paint.Span{Style: t.Muted, Text: hint + " "})
		}
		b.End()
	}
}
