package themes

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// contrast is the ratio of luminances by WCAG 2, from 1 to 21.
func contrast(a, b uint32) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(rgb uint32) float64 {
	part := func(shift int) float64 {
		c := float64(rgb>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}

// Text reads on its background, and the kinds stand out from it.
func TestContrast(t *testing.T) {
	for _, theme := range All() {
		bg := theme.Background.RGB
		for name, c := range map[string]struct {
			fg, bg uint32
			least  float64
		}{
			"text": {theme.Text.RGB, bg, 12}, "muted": {theme.Muted.RGB, bg, 4.5}, "accent": {theme.Accent.RGB, bg, 4.5},
			"on accent": {theme.OnAccent.RGB, theme.Accent.RGB, 4.5},
			"title":     {theme.Text.RGB, theme.Band.RGB, 7}, "muted title": {theme.Muted.RGB, theme.Band.RGB, 4.5},
		} {
			if got := contrast(c.fg, c.bg); got < c.least {
				t.Errorf("%s: %s has a contrast of %.1f, want %.1f", theme.Name, name, got, c.least)
			}
		}
		for k, kind := range theme.Kinds {
			kept, dropped := contrast(kind.RGB, bg), contrast(mix(kind.RGB, bg, droppedShare), bg)
			if kept < 3 || dropped > kept/1.5 {
				t.Errorf("%s: kind %d has a contrast of %.1f kept and %.1f dropped", theme.Name, k, kept, dropped)
			}
		}
	}
}

func TestGet(t *testing.T) {
	for _, theme := range All() {
		if got, err := Get(theme.Name); err != nil || got.Name != theme.Name {
			t.Errorf("Get(%q) = %v, %v", theme.Name, got, err)
		}
	}
	if _, err := Get("solarised"); err == nil || !strings.Contains(err.Error(), "dark, light") {
		t.Errorf("an unknown theme gives %v", err)
	}
	if !For(true).Dark || For(false).Dark {
		t.Error("For mixes up dark and light")
	}
}

// A profile gets only what it can show.
func TestCompileProfiles(t *testing.T) {
	for profile, form := range map[colorprofile.Profile]string{
		colorprofile.NoTTY:     `^$`,
		colorprofile.ASCII:     `^\x1b\[0(;[1247])*m$`,
		colorprofile.ANSI:      `^\x1b\[0(;[1247])*(;(3|9)[0-7])?(;(4|10)[0-7])?m$`,
		colorprofile.ANSI256:   `^\x1b\[0(;[124])*(;38;5;\d+)?(;48;5;\d+)?m$`,
		colorprofile.TrueColor: `^\x1b\[0(;[124])*(;38;2;\d+;\d+;\d+)?(;48;2;\d+;\d+;\d+)?m$`,
	} {
		re := regexp.MustCompile(form)
		for _, theme := range All() {
			table := Compile(theme, Unicode(), profile)
			styles := []Style{table.Text, table.Strong, table.Muted, table.Faint, table.Accent, table.Title, table.Pill, table.Track, table.Spark}
			for k := range uint8(KindCount) {
				for v := range verdicts {
					for s := range shades {
						styles = append(styles, table.Cell(k, v, s))
					}
				}
			}
			for _, style := range styles {
				if !re.MatchString(string(style)) {
					t.Errorf("%v: %q", profile, style)
				}
			}
		}
	}
}

// The kinds differ from each other in every profile that has colours.
func TestKindsDiffer(t *testing.T) {
	for _, theme := range All() {
		for _, profile := range []colorprofile.Profile{colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor} {
			table := Compile(theme, Unicode(), profile)
			seen := make(map[Style]int)
			for k, style := range table.Kinds {
				if other, ok := seen[style]; ok {
					t.Errorf("%s, %v: kinds %d and %d look the same", theme.Name, profile, other, k)
				}
				seen[style] = k
			}
		}
	}
}

func TestGlyphs(t *testing.T) {
	for name, g := range map[string]*Glyphs{"unicode": Unicode(), "ascii": ASCII()} {
		signs := append([]string{
			g.Kept, g.Dropped, g.Required, g.Needed, g.In, g.Left, g.Handle, g.Full, g.Track, g.Line, g.Tick, g.PillLeft, g.PillRight,
			g.Here, g.Had, g.Miss, g.Cut, g.Rule, g.Wall, g.Play, g.Pause, g.More,
		}, g.Spark...)
		for i, sign := range signs {
			if ansi.StringWidth(sign) != 1 {
				t.Errorf("%s: sign %d, %q, is %d columns wide", name, i, sign, ansi.StringWidth(sign))
			}
			if name == "ascii" && (len(sign) != 1 || sign[0] > 0x7e) {
				t.Errorf("%q is not ASCII", sign)
			}
		}
	}
	in := "“a” · b… ▲ 2 × 3 ✓"
	if got := ASCII().Text(in); ansi.StringWidth(got) != ansi.StringWidth(in) || strings.ContainsFunc(got, func(r rune) bool { return r > 0x7e }) {
		t.Errorf("%q becomes %q", in, got)
	}
	if got := Unicode().Text(in); got != in {
		t.Errorf("%q becomes %q", in, got)
	}
}
