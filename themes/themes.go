// Package themes holds what the screen looks like as data: palettes and glyph
// sets, and a table of ready escape sequences compiled from them. A theme is
// added by a file like dark.go and its name in All, or by a person as a file
// that Load reads.
package themes

import (
	"fmt"
	"strings"
)

// KindCount is the number of kinds of candidates that a palette colours.
const KindCount = 7

// Theme is a palette by roles.
type Theme struct {
	Name string
	// Dark says for which background the theme is made.
	Dark bool
	// Large draws cells as solid as they can be, to be seen from afar.
	Large bool
	// Background is what dim colours are mixed with. Where the theme was named it is
	// the terminal's while the screen is open.
	Background Color
	// Text is for what is read first, Muted for what explains it, Faint for
	// lines and what may be overlooked.
	Text, Muted, Faint Color
	// Accent is for the handle of the budget, verdicts and what asks for
	// attention; OnAccent for text on it.
	Accent, OnAccent Color
	// Band is the background of the title bar.
	Band Color
	// Kinds are the colours of the kinds of candidates, in the order of
	// session.Kinds: memory, user, assistant, tool, summary, document, system.
	Kinds [KindCount]Color
}

// All lists the themes; the first is used until the terminal says otherwise.
func All() []*Theme {
	return []*Theme{&dark, &light, &highContrast, &highContrastLight, &colourBlind, &colourBlindLight, &booth}
}

// Names are the names of All.
func Names() []string {
	names := make([]string, 0, len(All()))
	for _, t := range All() {
		names = append(names, t.Name)
	}
	return names
}

// Get returns the theme with the given name.
func Get(name string) (*Theme, error) {
	for _, t := range All() {
		if t.Name == name {
			return t, nil
		}
	}
	return nil, fmt.Errorf("themes: no theme %q (there are %s)", name, strings.Join(Names(), ", "))
}

// For returns the first theme made for a dark or a light background.
func For(isDark bool) *Theme {
	for _, t := range All() {
		if t.Dark == isDark {
			return t
		}
	}
	return &dark
}

// Glyphs are the signs that the theme is drawn with, in ASCII alone if so wished.
func (t *Theme) Glyphs(ascii bool) *Glyphs {
	g := Unicode()
	if ascii {
		g = ASCII()
	}
	if t.Large {
		g.enlarge()
	}
	return g
}
