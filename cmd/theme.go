package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"pacms/themes"
)

const (
	// autoTheme takes dark or light, as the terminal's background is.
	autoTheme = "auto"
	themeExt  = ".toml"
)

// themeFolder is where a person's own themes lie.
func themeFolder() string { return filepath.Join(xdg.ConfigHome, "pacms", "themes") }

// themeNames are the names that --theme takes, those of a person's own themes
// last.
func themeNames() []string {
	names := append([]string{autoTheme}, themes.Names()...)
	own, err := os.ReadDir(themeFolder())
	if err != nil {
		return names // there are none
	}
	for _, entry := range own {
		if name, ok := strings.CutSuffix(entry.Name(), themeExt); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// findTheme is the theme that a person names: one of the program's, the name of
// one in themeFolder, or a file. It is nil where the terminal is to say; setBy is what
// set the name.
func findTheme(setBy, name string) (*themes.Theme, error) {
	if cmp.Or(name, autoTheme) == autoTheme {
		return nil, nil
	}
	if t, err := themes.Get(name); err == nil {
		return t, nil
	}
	path := name
	if !strings.ContainsAny(name, `/\`) && filepath.Ext(name) != themeExt {
		path = filepath.Join(themeFolder(), name+themeExt)
	}
	t, err := themes.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("%s: there is no theme %q%s; there are %s, and there is no file %s",
			setBy, name, didYouMean(name, themeNames()), strings.Join(themeNames(), ", "), path)
	}
	if err != nil {
		return nil, usagef("%s: %w", setBy, err)
	}
	return t, nil
}

// themeUsage is the help on --theme.
func themeUsage() string {
	return fmt.Sprintf("colours of the screen: %s, the FILE%s of one's own, or its name in %s",
		strings.Join(append([]string{autoTheme}, themes.Names()...), ", "), themeExt, themeFolder())
}
