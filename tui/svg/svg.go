// Package svg draws a frame of the screen as a picture: a document in SVG that needs no
// other file, cell by cell with its colours.
package svg

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// The size of a cell and of the letters in it, in pixels.
const (
	cellWidth  = 8.4
	cellHeight = 17
	fontSize   = 14
	baseline   = 13 // of a letter below the top of its cell
	margin     = 10
)

// fonts are those of terminals, the most likely first; the last is any of the kind.
const fonts = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

// Ground is what a frame stands on: the colours of what has none of its own.
type Ground struct{ Background, Text color.Color }

// Write draws a frame: lines of text with escape sequences for colours, as they go to a
// terminal of the given size.
func Write(to io.Writer, frame, title string, width, height int, ground Ground) error {
	buf := uv.NewScreenBuffer(width, height)
	uv.NewStyledString(frame).Draw(buf, buf.Bounds())
	w := bufio.NewWriter(to)
	across, down := float64(width)*cellWidth+2*margin, height*cellHeight+2*margin
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%.1f" height="%d" viewBox="0 0 %.1f %d" role="img">`+"\n", across, down, across, down)
	fmt.Fprintf(w, "<title>%s</title>\n", escaped(title))
	fmt.Fprintf(w, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", hex(ground.Background))
	fmt.Fprintf(w, `<g font-family="%s" font-size="%d" fill="%s" xml:space="preserve" style="white-space:pre">`+"\n", fonts, fontSize, hex(ground.Text))
	for y := range height {
		for _, r := range runs(buf.Line(y), ground) {
			r.write(w, y, ground)
		}
	}
	fmt.Fprint(w, "</g>\n</svg>\n")
	if err := w.Flush(); err != nil {
		return fmt.Errorf("svg: %w", err)
	}
	return nil
}

// run is a stretch of a line in one style.
type run struct {
	at, width int // in cells
	text      strings.Builder
	look      look
}

// look is how a cell is drawn.
type look struct {
	text, ground             color.Color // ground is nil where the picture's own shows
	bold, faint, italic      bool
	underline, strikethrough bool
}

// runs splits a line where its style changes. A sign that takes two cells, or may be
// drawn wider than its cell, is a run of its own, so that what follows it stands where it
// does in a terminal.
func runs(line uv.Line, ground Ground) []*run {
	var list []*run
	for x := range line {
		c := &line[x]
		if c.Width == 0 { // the second half of a wide sign
			continue
		}
		l := lookOf(&c.Style, ground)
		content := c.Content
		if content == "" {
			content = " "
		}
		last := len(list) - 1
		if alone := !plain(content); last < 0 || alone || list[last].look != l || list[last].at+list[last].width != x || !plain(list[last].text.String()) {
			list = append(list, &run{at: x, look: l})
			last++
		}
		list[last].text.WriteString(content)
		list[last].width += c.Width
	}
	return list
}

// plain reports whether every font of the kind draws text in as many cells as it has
// characters.
func plain(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > 0x24f })
}

func lookOf(s *uv.Style, ground Ground) look {
	has := func(a uint8) bool { return s.Attrs&a != 0 }
	l := look{
		text: s.Fg, ground: s.Bg, bold: has(uv.AttrBold), faint: has(uv.AttrFaint), italic: has(uv.AttrItalic),
		underline: s.Underline != uv.UnderlineNone, strikethrough: has(uv.AttrStrikethrough),
	}
	if has(uv.AttrReverse) {
		l.text, l.ground = l.ground, l.text
		if l.text == nil {
			l.text = ground.Background
		}
		if l.ground == nil {
			l.ground = ground.Text
		}
	}
	return l
}

func (r *run) write(w *bufio.Writer, y int, ground Ground) {
	x, top := margin+float64(r.at)*cellWidth, margin+y*cellHeight
	across := float64(r.width) * cellWidth
	if l := &r.look; l.ground != nil && hex(l.ground) != hex(ground.Background) {
		fmt.Fprintf(w, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", x, top, across, cellHeight, hex(l.ground))
	}
	text := r.text.String()
	if strings.TrimSpace(text) == "" && !r.look.underline {
		return
	}
	fmt.Fprintf(w, `<text x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
		x, top+baseline, across, r.look.attributes(), escaped(text))
}

// attributes are those of the text of a look.
func (l *look) attributes() string {
	var b strings.Builder
	if l.text != nil {
		fmt.Fprintf(&b, ` fill="%s"`, hex(l.text))
	}
	if l.bold {
		b.WriteString(` font-weight="bold"`)
	}
	if l.faint {
		b.WriteString(` opacity="0.6"`)
	}
	if l.italic {
		b.WriteString(` font-style="italic"`)
	}
	var lines []string
	if l.underline {
		lines = append(lines, "underline")
	}
	if l.strikethrough {
		lines = append(lines, "line-through")
	}
	if len(lines) > 0 {
		fmt.Fprintf(&b, ` text-decoration="%s"`, strings.Join(lines, " "))
	}
	return b.String()
}

// hex is a colour as SVG writes it.
func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// escaped is text in which nothing is markup, and only what XML allows.
func escaped(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f || r == 0xfffe || r == 0xffff {
			return 0xfffd
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text)
}
