package themes

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Every theme reads, and a kept cell stands out from a dropped one.
func TestCheck(t *testing.T) {
	for _, theme := range All() {
		if err := theme.Check(); err != nil {
			t.Errorf("%s: %v", theme.Name, err)
		}
		if dark := luminance(theme.Background.RGB) < 0.2; dark != theme.Dark {
			t.Errorf("%s says of its background that it is dark: %t", theme.Name, theme.Dark)
		}
		for k, kind := range theme.Kinds {
			if got := contrast(kind.RGB, theme.dropped(kind.RGB)); got < 3 {
				t.Errorf("%s: kind %d has a contrast of kept to dropped of %.2f", theme.Name, k, got)
			}
		}
	}
	for _, theme := range []*Theme{&dark, &light} {
		for k, kind := range theme.Kinds {
			if got := contrast(theme.dropped(kind.RGB), theme.Background.RGB); got < 3 {
				t.Errorf("%s: a dropped cell of kind %d has a contrast of %.2f", theme.Name, k, got)
			}
		}
	}
	for _, theme := range []*Theme{&highContrast, &highContrastLight} {
		for _, fg := range append([]Color{theme.Text, theme.Muted, theme.Accent}, theme.Kinds[:]...) {
			if got := contrast(fg.RGB, theme.Background.RGB); got < 7 {
				t.Errorf("%s: %06x has a contrast of %.1f", theme.Name, fg.RGB, got)
			}
		}
	}
}

// With 256 colours kept and dropped still differ in luminance, and what is grey
// stays grey.
func TestCheck256(t *testing.T) {
	for _, theme := range All() {
		for k, kind := range theme.Kinds {
			kept, dropped := rgb256(near256(kind.RGB)), rgb256(near256(theme.dropped256(kind.RGB)))
			if got := contrast(kept, dropped); got < 3 {
				t.Errorf("%s: kind %d has a contrast of kept to dropped of %.2f", theme.Name, k, got)
			}
			if got := contrast(dropped, theme.Background.RGB); got < 1.5 {
				t.Errorf("%s: a dropped cell of kind %d, %06x, has a contrast of %.2f", theme.Name, k, dropped, got)
			}
		}
		for _, c := range []struct{ fg, bg Color }{{theme.Text, theme.Background}, {theme.Muted, theme.Background}, {theme.Muted, theme.Band}, {theme.OnAccent, theme.Accent}} {
			if got := contrast(rgb256(near256(c.fg.RGB)), rgb256(near256(c.bg.RGB))); got < readable {
				t.Errorf("%s: %06x on %06x has a contrast of %.2f", theme.Name, c.fg.RGB, c.bg.RGB, got)
			}
		}
	}
	for grey := range uint32(256) {
		rgb := grey<<16 | grey<<8 | grey
		got := rgb256(near256(rgb))
		if got>>16 != got&0xff || max(got&0xff, grey)-min(got&0xff, grey) > 8 {
			t.Errorf("grey %d becomes %06x", grey, got)
		}
	}
}

func TestGet(t *testing.T) {
	for _, theme := range All() {
		if got, err := Get(theme.Name); err != nil || got.Name != theme.Name {
			t.Errorf("Get(%q) = %v, %v", theme.Name, got, err)
		}
	}
	if _, err := Get("solarised"); err == nil || !strings.Contains(err.Error(), strings.Join(Names(), ", ")) {
		t.Errorf("an unknown theme gives %v", err)
	}
	if !For(true).Dark || For(false).Dark {
		t.Error("For mixes up dark and light")
	}
}

// What changed and what the cursor's item has to do with can be told from each
// other, from both at once and from neither, in every profile and theme.
func TestChangedAndLinedDiffer(t *testing.T) {
	underlined := regexp.MustCompile(`^\x1b\[0(;[127])*;4[;m]`)
	for _, theme := range All() {
		if got := contrast(theme.ground(), theme.Background.RGB); got < 1.3 {
			t.Errorf("%s: the ground of a changed cell has a contrast of %.2f with the background", theme.Name, got)
		}
		if got := contrast(rgb256(near256(theme.ground())), theme.Background.RGB); got < 1.3 {
			t.Errorf("%s: with 256 colours that ground has a contrast of %.2f", theme.Name, got)
		}
		for _, ascii := range []bool{false, true} {
			g := theme.Glyphs(ascii)
			for _, profile := range []colorprofile.Profile{colorprofile.ASCII, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor} {
				table := Compile(theme, g, profile)
				for k := range uint8(KindCount) {
					for v := range verdicts {
						plain, changed := []string{g.Dropped, g.Kept, g.Required}[v], []string{g.Gone, g.CameIn, g.CameInRequired}[v]
						if !table.Signed {
							changed = plain
						}
						seen := map[string]bool{
							plain + string(table.Cell(k, v, Plain)): true, changed + string(table.Cell(k, v, Changed)): true,
							plain + string(table.Lined(k, v, Plain)): true, changed + string(table.Lined(k, v, Changed)): true,
							plain + string(table.Cell(k, v, Cursor)): true, plain + string(table.Cell(k, v, Found)): true,
						}
						if len(seen) != 6 {
							t.Errorf("%s, %v, ASCII %t: of six looks of kind %d and verdict %d only %d differ", theme.Name, profile, ascii, k, v, len(seen))
						}
						for s := range shades {
							if s != MarkedCursor && underlined.MatchString(string(table.Cell(k, v, s))) || !underlined.MatchString(string(table.Lined(k, v, s))) {
								t.Errorf("%s, %v: shade %d is underlined where it should not be, or the reverse", theme.Name, profile, s)
							}
						}
					}
				}
			}
		}
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
						styles = append(styles, table.Cell(k, v, s), table.Lined(k, v, s))
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
			g.Kept, g.Dropped, g.Required, g.Needed, g.Banned, g.CameIn, g.CameInRequired, g.Gone, g.Covered, g.Compacted, g.In, g.Left, g.Handle, g.Full, g.Track, g.Line, g.Tick, g.PillLeft, g.PillRight,
			g.Here, g.Had, g.Miss, g.Cut, g.Fork, g.Rule, g.Wall, g.Play, g.Pause, g.More,
		}, append(g.Spark, g.Shades[:]...)...)
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
