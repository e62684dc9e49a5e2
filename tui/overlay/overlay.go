// Package overlay is a page that takes the whole screen: a title, a text that
// can be scrolled, and where one is in it.
package overlay

import (
	"strconv"

	"pacms/themes"
	"pacms/tui/paint"
)

// Line is one line of a page, made to fit its width.
type Line []paint.Span

// Page is a text with a title.
type Page struct {
	Title []paint.Span
	Lines []Line
	// Offset is the first line on screen.
	Offset int
}

// Scroll moves by a number of lines on a page of height lines.
func (p *Page) Scroll(by, height int) {
	p.Offset = min(max(p.Offset+by, 0), max(0, len(p.Lines)-height))
}

// Render draws the title, height lines of text and, in the title, how much of
// the text has been shown.
func (p *Page) Render(b *paint.Block, t *themes.Table, height int) {
	b.Put(t.Title, " ")
	b.Spans(p.Title...)
	if end := p.Offset + height; p.Offset > 0 || end < len(p.Lines) {
		share := "lines " + strconv.Itoa(p.Offset+1) + " to " + strconv.Itoa(min(end, len(p.Lines))) + " of " + strconv.Itoa(len(p.Lines)) +
			" · " + strconv.Itoa(min(end, len(p.Lines))*100/len(p.Lines)) + " %"
		b.RightIn(t.Title, paint.Span{Style: t.TitleMuted, Text: share + " "})
	}
	b.EndIn(t.Title)
	for i := p.Offset; i < p.Offset+height; i++ {
		if i < len(p.Lines) {
			b.Spans(p.Lines[i]...)
		}
		b.End()
	}
}
