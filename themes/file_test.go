package themes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLoad(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sea.toml")
	if err := os.WriteFile(path, []byte("base = \"light\"\nlarge = true\ntext = \"#000033\"\n[kinds]\nuser = \"#00458a bright-blue\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	theme, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	want := light
	want.Name, want.Large, want.Text.RGB, want.Kinds[1] = "sea", true, 0x000033, Color{0x00458a, BrightBlue}
	if *theme != want {
		t.Errorf("%+v, want %+v", *theme, want)
	}
	if light.Text.RGB == 0x000033 {
		t.Error("the base has changed")
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.toml")); err == nil || !strings.Contains(err.Error(), "none.toml") {
		t.Errorf("a file that is not there gives %v", err)
	}
}

// A theme is dark where its background is, whatever its base.
func TestParseDark(t *testing.T) {
	t.Parallel()
	theme, err := Parse("paper", []byte(`
background = "#fff8e7"
text = "#221c10"
muted = "#5c5442"
accent = "#7a3b00"
on-accent = "#ffffff"
band = "#efe4cb"
[kinds]
memory = "#8a2f66"
user = "#00558f"
assistant = "#00614a"
tool = "#7c4a00"
summary = "#9c1d17"
document = "#4034ad"
system = "#4a525b"
`))
	if err != nil {
		t.Fatal(err)
	}
	if theme.Dark || theme.Faint != dark.Faint {
		t.Errorf("%+v", *theme)
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"no TOML":           {"text = = 3", "line 1 column 8"},
		"no such setting":   {"\ntxt = \"#ffffff\"", `line 2: there is no setting "txt"; there are base`},
		"no such kind":      {"[kinds]\nrobot = \"#ffffff\"", `line 2: there is no setting "kinds.robot"`},
		"no colour":         {"text = \"white\"", `a colour cannot be "white": write it as #56b4e9`},
		"a short colour":    {"\n\ntext = \"#fff\"", "line 3 column 8"},
		"a signed colour":   {"text = \"#+12345\"", "a colour cannot be"},
		"no basic colour":   {"text = \"#ffffff pink\"", `none of the 16 colours is "pink": they are black`},
		"a number":          {"text = 16777215", "line 1"},
		"no such base":      {"base = \"pink\"", `base: themes: no theme "pink" (there are dark, light`},
		"cannot be read":    {"text = \"#222222\"", "text on background has a contrast of 1.2: to be read it needs 4.5"},
		"cannot be seen":    {"[kinds]\nuser = \"#20242e\"", "user on background has a contrast of"},
		"several at a time": {"text = \"#222222\"\nmuted = \"#222222\"", "muted on band"},
	} {
		theme, err := Parse("mine", []byte(c.text))
		if err == nil || theme != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Whatever a file says, it gives a theme that reads or an error.
func FuzzParse(f *testing.F) {
	f.Add([]byte("base = \"light\"\n[kinds]\nuser = \"#00458a blue\"\n"))
	f.Add([]byte("text = \"#fff\"\nlarge = 3\nkinds = 7"))
	f.Add([]byte("\"base\" = \"dark\"\nkinds.user = '#56b4e9'"))
	f.Fuzz(func(t *testing.T, data []byte) {
		theme, err := Parse("mine", data)
		if (theme == nil) == (err == nil) {
			t.Fatalf("%v, %v", theme, err)
		}
		if theme != nil && theme.Check() != nil {
			t.Fatalf("accepted: %v", theme.Check())
		}
	})
}
