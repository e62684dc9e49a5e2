package themes

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"pacms/session/files"
)

// maxFile is more bytes than any theme has.
const maxFile = 1 << 20

// document is a theme as a file: what it does not say is as in its base. The
// colours point into the theme that is made.
type document struct {
	Base       string `toml:"base"`
	Large      *bool  `toml:"large"`
	Background *Color `toml:"background"`
	Text       *Color `toml:"text"`
	Muted      *Color `toml:"muted"`
	Faint      *Color `toml:"faint"`
	Accent     *Color `toml:"accent"`
	OnAccent   *Color `toml:"on-accent"`
	Band       *Color `toml:"band"`
	Kinds      struct {
		Memory    *Color `toml:"memory"`
		User      *Color `toml:"user"`
		Assistant *Color `toml:"assistant"`
		Tool      *Color `toml:"tool"`
		Summary   *Color `toml:"summary"`
		Document  *Color `toml:"document"`
		System    *Color `toml:"system"`
	} `toml:"kinds"`
}

// settings are the keys of a file, for messages.
const settings = "base, large, background, text, muted, faint, accent, on-accent, band, and below [kinds] memory, user, assistant, tool, summary, document, system"

// Load reads the theme in the file at path, whose name is that of the file
// without its ending. See Parse.
func Load(path string) (*Theme, error) {
	data, err := files.Read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("themes: read the theme: %w", err)
	}
	t, err := Parse(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), data)
	if err != nil {
		return nil, fmt.Errorf("themes: the theme %s cannot be used: %w", path, err)
	}
	return t, nil
}

// Parse reads a theme from TOML and checks it. The file names its colours by the
// roles of Theme, each as Color.UnmarshalText reads it, those of the kinds in a
// table kinds. What is left out is as in the theme that base names, and that is
// dark where nothing is said. The error says in which line what is wrong, or
// what could not be read on the screen.
func Parse(name string, data []byte) (*Theme, error) {
	var origin struct {
		Base string `toml:"base"`
	}
	if err := toml.Unmarshal(data, &origin); err != nil {
		return nil, located(err)
	}
	base := &dark
	if origin.Base != "" {
		var err error
		if base, err = Get(origin.Base); err != nil {
			return nil, fmt.Errorf("base: %w", err)
		}
	}
	t := *base
	t.Name = name
	doc := document{
		Large: &t.Large, Background: &t.Background, Text: &t.Text, Muted: &t.Muted, Faint: &t.Faint,
		Accent: &t.Accent, OnAccent: &t.OnAccent, Band: &t.Band,
	}
	k := &doc.Kinds
	for i, kind := range []**Color{&k.Memory, &k.User, &k.Assistant, &k.Tool, &k.Summary, &k.Document, &k.System} {
		*kind = &t.Kinds[i]
	}
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&doc); err != nil {
		return nil, located(err)
	}
	t.Dark = luminance(t.Background.RGB) < 0.2
	if err := t.Check(); err != nil {
		return nil, err
	}
	return &t, nil
}

// located puts the place of an error in a file before it.
func located(err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		first := &unknown.Errors[0]
		line, _ := first.Position()
		return fmt.Errorf("line %d: there is no setting %q; there are %s", line, strings.Join(first.Key(), "."), settings)
	}
	var syntax *toml.DecodeError
	if errors.As(err, &syntax) {
		line, column := syntax.Position()
		return fmt.Errorf("line %d column %d: %s", line, column, strings.TrimPrefix(syntax.Error(), "toml: "))
	}
	return err
}
