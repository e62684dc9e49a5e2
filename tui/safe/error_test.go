package safe

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestError(t *testing.T) {
	for text, want := range map[string]string{
		"tui: open checkout: embed with ollama:m: it is off": "open checkout: embed with ollama:m: it is off",
		"--theme: themes: the theme x: base: themes: none":   "--theme: the theme x: base: none",
		"selector: a\nselector: b\ntui: selector: c":         "a\nb\nc",
		"there is no file \"find\"":                          "there is no file \"find\"",
		"find":                                               "find",
		"open \x1b[2J: tui":                                  "open ␛[2J: tui",
		"":                                                   "",
	} {
		if got := Error(errors.New(text)); got != want {
			t.Errorf("%q is said as %q, want %q", text, got, want)
		}
	}
}

// No package begins its errors with a name that a person would read.
func TestErrorKnowsAllPackages(t *testing.T) {
	begins := regexp.MustCompile(`(?:Errorf|errors\.New)\("([a-z]+): `)
	clause := regexp.MustCompile(`(?m)^package ([a-z]+)$`)
	found := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := clause.FindSubmatch(source)
		for _, m := range begins.FindAllSubmatch(source, -1) {
			if name == nil || string(m[1]) != string(name[1]) || string(name[1]) == "main" {
				continue
			}
			found++
			if !strings.Contains(packages, " "+string(m[1])+" ") {
				t.Errorf("%s begins an error with %s, which is not among the packages", path, m[1])
			}
		}
		return nil
	})
	if err != nil || found < 10 {
		t.Fatalf("%d errors were found, %v", found, err)
	}
}
