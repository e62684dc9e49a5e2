package cmd

import (
	"io"
	"os"
	"slices"
	"unicode/utf8"

	"pacms/themes"
)

// text is where text for people goes: w, by way of ASCII signs where they are
// wished for.
func (p *plan) text(w io.Writer) io.Writer { return textTo(w, p.ascii) }

// localText is text for commands without settings: the locale says.
func localText(w io.Writer) io.Writer { return textTo(w, asciiLocale(os.Environ())) }

func textTo(w io.Writer, ascii bool) io.Writer {
	if !ascii {
		return w
	}
	return &asciiWriter{to: w, glyphs: themes.ASCII()}
}

// asciiWriter writes the signs of the program in ASCII, as the screen does. Letters
// of a session stay what they are.
type asciiWriter struct {
	to     io.Writer
	glyphs *themes.Glyphs
	rest   []byte // the beginning of a character
}

// Write writes p but for a character that is not complete yet.
func (a *asciiWriter) Write(p []byte) (int, error) {
	text := slices.Concat(a.rest, p)
	end := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if at := len(text) - back; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				end = at
			}
			break
		}
	}
	a.rest = slices.Clone(text[end:])
	if _, err := io.WriteString(a.to, a.glyphs.Text(string(text[:end]))); err != nil {
		return 0, failedWrite(err)
	}
	return len(p), nil
}
