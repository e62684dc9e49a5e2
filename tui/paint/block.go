// Package paint builds lines of styled text of an exact width, the form in which
// every pane hands over what it shows.
package paint

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"pacms/themes"
)

// Span is text in one style.
type Span struct {
	Style themes.Style
	Text  string
}

// Block collects lines. Text put beyond the width is cut off with a sign, and
// every line is filled up with blanks, so that a block is a rectangle whatever
// is put into it. Text must be free of control characters: see tui/safe.
type Block struct {
	glyphs *themes.Glyphs
	buf    []byte
	ends   []int
	lines  []string
	style  themes.Style // in force at the end of buf
	width  int
	used   int
}

// NewBlock returns an empty block of the given width.
func NewBlock(glyphs *themes.Glyphs, width int) *Block {
	b := new(Block)
	b.Reset(glyphs, width)
	return b
}

// Reset empties the block and keeps its memory.
func (b *Block) Reset(glyphs *themes.Glyphs, width int) {
	b.glyphs, b.width, b.used = glyphs, max(width, 0), 0
	b.buf, b.ends, b.style = b.buf[:0], b.ends[:0], ""
}

// Width is the width of the block in columns.
func (b *Block) Width() int { return b.width }

// Room is the number of columns left on the present line.
func (b *Block) Room() int { return b.width - b.used }

// Used is the number of columns that the present line has.
func (b *Block) Used() int { return b.used }

// Height is the number of finished lines.
func (b *Block) Height() int { return len(b.ends) }

// Cell puts a sign that is one column wide.
func (b *Block) Cell(style themes.Style, sign string) {
	if b.used >= b.width {
		return
	}
	b.set(style)
	b.buf = append(b.buf, sign...)
	b.used++
}

// Repeat puts a sign n times.
func (b *Block) Repeat(style themes.Style, sign string, n int) {
	for range min(n, b.Room()) {
		b.Cell(style, sign)
	}
}

// Put puts text, cut off where the line ends.
func (b *Block) Put(style themes.Style, text string) { b.Clip(style, text, b.Room()) }

// Clip puts text, cut off after width columns or where the line ends.
func (b *Block) Clip(style themes.Style, text string, width int) {
	width = min(width, b.Room())
	if text == "" || width <= 0 {
		return
	}
	text = b.glyphs.Text(text)
	w := ansi.StringWidth(text)
	if w > width {
		text = ansi.Truncate(text, width, b.glyphs.More)
		w = ansi.StringWidth(text)
	}
	b.set(style)
	b.buf = append(b.buf, text...)
	b.used += w
}

// Count puts a number as Count writes it, without making a string of it; what
// does not fit is left out.
func (b *Block) Count(style themes.Style, n int) {
	var digits [32]byte
	b.putASCII(style, AppendCount(digits[:0], n))
}

// Tokens puts a number of tokens as Tokens writes it, in the way of Count.
func (b *Block) Tokens(style themes.Style, n int) {
	var digits [24]byte
	b.putASCII(style, AppendTokens(digits[:0], n))
}

func (b *Block) putASCII(style themes.Style, text []byte) {
	if len(text) > b.Room() {
		return
	}
	b.set(style)
	b.buf = append(b.buf, text...)
	b.used += len(text)
}

// Spans puts one span after the other.
func (b *Block) Spans(spans ...Span) {
	for _, s := range spans {
		b.Put(s.Style, s.Text)
	}
}

// Right puts spans so that they end at the right edge, if the line has room for
// all of them behind a blank; if not, none is put, and it reports false.
func (b *Block) Right(spans ...Span) bool { return b.RightIn("", spans...) }

// RightIn is Right with blanks in a style that has a background.
func (b *Block) RightIn(fill themes.Style, spans ...Span) bool {
	w := b.widthOf(spans)
	if w+1 > b.Room() && b.used > 0 || w > b.Room() {
		return false
	}
	b.To(fill, b.width-w)
	b.Spans(spans...)
	return true
}

// RoomBefore is the number of columns that text may take so that Right still has
// room for the spans.
func (b *Block) RoomBefore(spans ...Span) int {
	return max(b.Room()-b.widthOf(spans)-1, 0)
}

func (b *Block) widthOf(spans []Span) int {
	w := 0
	for _, s := range spans {
		w += ansi.StringWidth(b.glyphs.Text(s.Text))
	}
	return w
}

// Quote puts text in quotation marks on at most width columns; the closing mark
// stays where the text is cut.
func (b *Block) Quote(style themes.Style, text string, width int) {
	width = min(width, b.Room())
	if width <= 2 {
		return
	}
	b.Put(style, "“")
	b.Clip(style, text, width-2)
	b.Put(style, "”")
}

// To puts blanks up to a column, in a style that may have a background.
func (b *Block) To(style themes.Style, column int) {
	b.Repeat(style, " ", column-b.used)
}

// End finishes the line.
func (b *Block) End() {
	b.EndIn("")
}

// EndIn finishes the line with blanks in a style that has a background.
func (b *Block) EndIn(style themes.Style) {
	if b.used < b.width {
		b.To(style, b.width)
	}
	if b.style != "" {
		b.buf = append(b.buf, themes.Reset...)
		b.style = ""
	}
	b.ends = append(b.ends, len(b.buf))
	b.used = 0
}

// Blank finishes n empty lines.
func (b *Block) Blank(n int) {
	for range n {
		b.End()
	}
}

// Lines are the finished lines. They stay as they are when the block is reset;
// the slice itself is used again.
func (b *Block) Lines() []string {
	all, start := string(b.buf), 0
	b.lines = b.lines[:0]
	for _, end := range b.ends {
		b.lines = append(b.lines, all[start:end])
		start = end
	}
	return b.lines
}

// set makes style hold for what follows.
func (b *Block) set(style themes.Style) {
	if style == b.style {
		return
	}
	if style == "" {
		b.buf = append(b.buf, themes.Reset...)
	} else {
		b.buf = append(b.buf, style...)
	}
	b.style = style
}

// Wrap breaks text into lines of at most width columns, between words where it
// can. It gives at most limit lines and reports whether there would be more.
func Wrap(text string, width, limit int) (lines []string, more bool) {
	if width <= 0 || limit <= 0 {
		return nil, text != ""
	}
	for line := range strings.SplitSeq(text, "\n") {
		if len(lines) == limit {
			return lines, true
		}
		if len(line) <= width && ascii(line) {
			lines = append(lines, strings.TrimRight(line, " "))
			continue
		}
		// What cannot be reached is not worth wrapping.
		line, cut := head(line, (limit-len(lines))*width*bytesPerColumn)
		// Hardwrap after Wrap: the latter lets a line with leading blanks run over.
		wrapped := ansi.Hardwrap(ansi.Wrap(line, width, ""), width, true)
		for part := range strings.SplitSeq(wrapped, "\n") {
			if len(lines) == limit {
				return lines, true
			}
			lines = append(lines, strings.TrimRight(part, " "))
		}
		if cut && len(lines) == limit {
			return lines, true
		}
	}
	return lines, false
}

// bytesPerColumn is more than what a column of any real text takes.
const bytesPerColumn = 32

// Head is a piece of text from which width columns can be filled, so that a long
// text costs no more than what is seen of it.
func Head(text string, width int) string {
	text, _ = head(text, max(width, 0)*bytesPerColumn)
	return text
}

func head(text string, size int) (string, bool) {
	if len(text) <= size {
		return text, false
	}
	for size > 0 && !utf8.RuneStart(text[size]) {
		size--
	}
	return text[:size], true
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
