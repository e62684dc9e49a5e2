package cmd

import (
	"os"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

func TestColorProfile(t *testing.T) {
	t.Parallel()
	out, err := os.Create(t.TempDir() + "/out") // no terminal
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	for name, c := range map[string]struct {
		when    string
		environ []string
		color   bool
	}{
		"no terminal":                    {"auto", []string{"TERM=xterm-256color"}, false},
		"forced":                         {"auto", []string{"TERM=xterm-256color", "CLICOLOR_FORCE=1"}, true},
		"forced with any value":          {"auto", []string{"TERM=xterm-256color", "CLICOLOR_FORCE=yes"}, true},
		"forced with 0 is not":           {"auto", []string{"TERM=xterm-256color", "CLICOLOR_FORCE=0"}, false},
		"refused":                        {"auto", []string{"TERM=xterm-256color", "NO_COLOR=1", "CLICOLOR_FORCE=1"}, false},
		"refused with any value":         {"auto", []string{"TERM=xterm-256color", "NO_COLOR=yes", "CLICOLOR_FORCE=1"}, false},
		"an empty NO_COLOR says nothing": {"auto", []string{"TERM=xterm-256color", "NO_COLOR=", "CLICOLOR_FORCE=1"}, true},
		"the flag wins over NO_COLOR":    {"always", []string{"TERM=xterm-256color", "NO_COLOR=yes"}, true},
		"the flag wins over force":       {"never", []string{"TERM=xterm-256color", "CLICOLOR_FORCE=1"}, false},
		"always, on a dumb terminal":     {"always", []string{"TERM=dumb"}, true},
	} {
		got := colorProfile(c.when, out, c.environ)
		if (got > colorprofile.ASCII) != c.color {
			t.Errorf("%s: profile %s, want colour %t", name, got, c.color)
		}
	}
}

// The screen asks the terminal unless a person has said something, and gets as
// many colours as the terminal has.
func TestScreenProfile(t *testing.T) {
	t.Parallel()
	out, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	for name, c := range map[string]struct {
		when    string
		environ []string
		want    colorprofile.Profile
	}{
		"nothing said":      {"auto", []string{"TERM=xterm-256color"}, colorprofile.Unknown},
		"never":             {"never", []string{"TERM=xterm-256color"}, colorprofile.ASCII},
		"any NO_COLOR":      {"auto", []string{"TERM=xterm-256color", "NO_COLOR=no"}, colorprofile.ASCII},
		"CLICOLOR_FORCE=0":  {"auto", []string{"TERM=xterm-256color", "CLICOLOR_FORCE=0"}, colorprofile.Unknown},
		"always, 16":        {"always", []string{"TERM=xterm-16color"}, colorprofile.ANSI},
		"always, 256":       {"always", []string{"TERM=xterm-256color"}, colorprofile.ANSI256},
		"always, screen":    {"always", []string{"TERM=screen"}, colorprofile.ANSI256},
		"always, truecolor": {"always", []string{"TERM=xterm-256color", "COLORTERM=truecolor"}, colorprofile.TrueColor},
		"forced by a word":  {"auto", []string{"TERM=xterm-256color", "CLICOLOR_FORCE=yes"}, colorprofile.ANSI256},
	} {
		if got := screenProfile(c.when, out, c.environ); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestASCIILocale(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		environ []string
		want    bool
	}{
		"not set":             {nil, false},
		"UTF-8":               {[]string{"LANG=de_DE.UTF-8"}, false},
		"utf8":                {[]string{"LANG=C.utf8"}, false},
		"C":                   {[]string{"LANG=C"}, true},
		"Latin 1":             {[]string{"LANG=de_DE.ISO-8859-1"}, true},
		"LC_ALL wins":         {[]string{"LANG=de_DE.UTF-8", "LC_ALL=POSIX"}, true},
		"LC_CTYPE over LANG":  {[]string{"LANG=C", "LC_CTYPE=en_GB.UTF-8"}, false},
		"the last of a name":  {[]string{"LANG=C", "LANG=en_GB.UTF-8"}, false},
		"an empty one is not": {[]string{"LC_ALL=", "LANG=C"}, true},
	} {
		if got := asciiLocale(c.environ); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}
