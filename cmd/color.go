package cmd

import (
	"cmp"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"
)

// colorProfile says how many colours to use on w: --color decides, then
// NO_COLOR with any value, then CLICOLOR_FORCE, then what the terminal can do.
func colorProfile(when string, w io.Writer, environ []string) colorprofile.Profile {
	if when == "never" || when != "always" && lookup(environ, "NO_COLOR") != "" {
		return colorprofile.ASCII
	}
	// From here on colour is wanted; a NO_COLOR that was overruled must not count.
	forced := when == "always" || forcesColor(environ)
	environ = slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		return strings.HasPrefix(kv, "NO_COLOR=") || strings.HasPrefix(kv, "CLICOLOR_FORCE=")
	})
	if forced {
		environ = append(environ, "CLICOLOR_FORCE=1")
	}
	return colorprofile.Detect(w, environ)
}

// forcesColor reports whether CLICOLOR_FORCE asks for colour: any value but 0 does.
func forcesColor(environ []string) bool {
	v := lookup(environ, "CLICOLOR_FORCE")
	return v != "" && v != "0"
}

// styledHelp reports whether a help text is asked for and is drawn with colour.
// The flags are not parsed yet when this has to be known. Nothing else is styled:
// asking the terminal for its colours would hold up every error for seconds on
// one that does not answer.
func styledHelp(args []string, out *os.File) bool {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.ParseErrorsAllowlist.UnknownFlags = true
	fs.SetOutput(io.Discard)
	help := fs.BoolP("help", "h", false, "")
	when := fs.String("color", cmp.Or(os.Getenv(envName("color")), "auto"), "")
	_ = fs.Parse(args) // what is wrong with the flags is said when they are parsed in earnest
	asked := *help || fs.Arg(0) == "help"
	return asked && term.IsTerminal(out.Fd()) && colorProfile(*when, out, os.Environ()) > colorprofile.ASCII
}

// interactive reports whether a screen can be shown.
func (s streams) interactive() bool {
	return term.IsTerminal(s.in.Fd()) && term.IsTerminal(s.out.Fd()) && os.Getenv("TERM") != "dumb"
}

// asciiLocale reports whether the locale names a character set other than
// UTF-8. One that is not set at all says nothing.
func asciiLocale(environ []string) bool {
	if runtime.GOOS == "windows" {
		return false
	}
	locale := cmp.Or(lookup(environ, "LC_ALL"), lookup(environ, "LC_CTYPE"), lookup(environ, "LANG"))
	locale = strings.ToLower(strings.ReplaceAll(locale, "-", ""))
	return locale != "" && !strings.Contains(locale, "utf8")
}

// lookup is the value of a variable in environ, the last one if there are several.
func lookup(environ []string, name string) string {
	for _, kv := range slices.Backward(environ) {
		if key, value, _ := strings.Cut(kv, "="); key == name {
			return value
		}
	}
	return ""
}
