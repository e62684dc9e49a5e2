package tui

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

// The colours that reach the cells are those that the terminal has.
func TestTerminalProfiles(t *testing.T) {
	for name, c := range map[string]struct {
		profile colorprofile.Profile // what a person has said
		environ []string
		want    string
	}{
		"true colour": {want: "color.RGBA", environ: []string{"TERM=xterm-256color", "COLORTERM=truecolor"}},
		"256":         {want: "ansi.IndexedColor", environ: []string{"TERM=xterm-256color"}},
		"screen":      {want: "ansi.IndexedColor", environ: []string{"TERM=screen"}},
		"16":          {want: "ansi.BasicColor", environ: []string{"TERM=xterm-16color"}},
		"none wanted": {want: "<nil>", profile: colorprofile.ASCII, environ: []string{"TERM=xterm-256color", "COLORTERM=truecolor"}},
	} {
		cfg := config(t)
		cfg.Profile = c.profile
		term := openTerminalIn(t, cfg, 80, 24, append(c.environ, "TTY_FORCE=1")...)
		term.until("turn 28/30", "pacms would keep")
		kinds := map[string]int{}
		for y := range 24 {
			for x := range 80 {
				if cell := term.cell(x, y); cell.Content != " " {
					kinds[fmt.Sprintf("%T", cell.Style.Fg)]++
				}
			}
		}
		if kinds[c.want] < 100 {
			t.Errorf("%s: the cells have %v, want %s", name, kinds, c.want)
		}
		for kind := range kinds {
			if kind != c.want && kind != "<nil>" {
				t.Errorf("%s: some cells have %s", name, kind)
			}
		}
		term.emu.SendText("q")
		if err := term.left(); err != nil {
			t.Error(err)
		}
	}
}
