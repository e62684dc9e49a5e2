package tui

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pacms/selector/compare"
	"pacms/selector/embed"
	"pacms/selector/share"
	"pacms/session"
	"pacms/session/token"
)

// sharing is a configuration that can make cases.
func sharing(t *testing.T) Config {
	cfg := config(t)
	cfg.Case = func(ctx context.Context, _ *session.Session, src share.Source) (*share.Case, error) {
		counter, err := token.New("chars4")
		if err != nil {
			return nil, err
		}
		src.Embedder, src.Counter, src.Build = embed.NewBuiltin(), counter, compare.Build{Version: "test"}
		return share.Make(ctx, src)
	}
	return cfg
}

// typed types a word.
func (r *robot) typed(word string) {
	for _, c := range word {
		r.press(string(c))
	}
}

// exportAs goes through the list to a format and writes the file as it is proposed.
func (r *robot) exportAs(format string) string {
	r.t.Helper()
	r.press("e")
	r.sees("export turn 28 as it is shown", "Markdown", "JSON", "SVG")
	r.typed(format)
	r.press("enter")
	r.sees(format + " to: ")
	r.press("enter")
	r.sees("written to ")
	list, err := os.ReadDir(r.m.cfg.ExportDir)
	if err != nil || len(list) == 0 {
		r.t.Fatalf("%d files, %v", len(list), err)
	}
	newest := slices.MaxFunc(list, func(a, b os.DirEntry) int {
		x, _ := a.Info()
		y, _ := b.Info()
		return x.ModTime().Compare(y.ModTime())
	})
	info, _ := newest.Info()
	if info.Mode().Perm() != 0o600 {
		r.t.Errorf("%s has the mode %v", newest.Name(), info.Mode())
	}
	text, err := os.ReadFile(filepath.Join(r.m.cfg.ExportDir, newest.Name()))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

func TestExport(t *testing.T) {
	cfg := sharing(t)
	drive(t, cfg, 120, 36, func(r *robot) {
		r.press("home")
		r.press("p") // a pin is part of what is shown
		r.sees("pinned")
		kept := r.m.shown.sel.Kept
		text := r.exportAs("JSON")
		cases, err := share.Read(strings.NewReader(text))
		if err != nil || len(cases) != 1 {
			t.Fatal(err)
		}
		c := cases[0]
		if c.Turn != 28 || !slices.Equal(c.Result.Kept, kept) || !slices.Equal(c.Config.Pins, r.m.shown.choices.Pins) || len(c.Config.Pins) != 1 {
			t.Errorf("turn %d keeps %v with the pins %v; the screen shows %v with %v", c.Turn, c.Result.Kept, c.Config.Pins, kept, r.m.shown.choices.Pins)
		}
		text = r.exportAs("Markdown")
		for _, want := range []string{"turn 28\n\n```\n", "`pacms` keeps ", "\n## Kept\n\n- **#1 user** · turn 1 · 14 tokens — required: ", "\n## Dropped\n\n- **#"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in %.900s", want, text)
			}
		}
		if n := strings.Count(text, "\n- **#"); n != len(r.m.shown.cells) {
			t.Errorf("%d items, want %d", n, len(r.m.shown.cells))
		}
		text = r.exportAs("SVG")
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if !strings.Contains(text, "turn 28/30") || strings.Contains(text, "as it is shown") {
			t.Errorf("the picture is of another screen: %.900s", text)
		}
		// Nothing is replaced.
		r.exportAs("SVG")
		var names []string
		list, _ := os.ReadDir(cfg.ExportDir)
		for _, e := range list {
			names = append(names, e.Name())
		}
		if got, want := strings.Join(names, " "), "pacms-made-up-turn28-2.svg pacms-made-up-turn28.json pacms-made-up-turn28.md pacms-made-up-turn28.svg"; got != want {
			t.Errorf("files %s, want %s", got, want)
		}
	})
}

func TestExportUnderAnotherName(t *testing.T) {
	cfg := sharing(t)
	drive(t, cfg, 80, 24, func(r *robot) {
		r.press("e")
		r.press("enter")
		r.typed("notes")
		r.press("enter")
		r.sees("notes.md")
		if _, err := os.Stat(filepath.Join(cfg.ExportDir, "notes.md")); err != nil {
			t.Error(err)
		}
		r.press("e")
		r.press("enter")
		r.typed("none/notes.md")
		r.press("enter")
		r.sees("not exported: ", "none")
		r.press("e")
		r.press("esc")
		r.press("e")
		r.press("enter")
		r.press("esc")
		if list, _ := os.ReadDir(cfg.ExportDir); len(list) != 1 {
			t.Errorf("%d files", len(list))
		}
	})
}

// Text in an export for people is text: it closes no fence and acts on no terminal.
func TestExportOfHostileText(t *testing.T) {
	cfg := sharing(t)
	cfg.Load = func(context.Context, Progress) (*session.Session, error) {
		s := madeUp()
		for i := range s.Candidates {
			s.Candidates[i].Text = "```\n# heading ````` \x1b[2J \u202e \x9b31m <script>"
		}
		for i := range s.Turns {
			s.Turns[i].Query = "````\n# what \x1b[2J"
		}
		return s, nil
	}
	drive(t, cfg, 120, 36, func(r *robot) {
		for _, format := range []string{"Markdown", "JSON", "SVG"} {
			text := r.exportAs(format)
			if i := strings.IndexFunc(text, func(c rune) bool { return c != '\n' && unicode.IsControl(c) || c == '\u202e' }); i >= 0 {
				t.Errorf("%s: a control character in %.200q", format, text[max(0, i-50):])
			}
			if strings.Contains(text, "\n# heading") || strings.Contains(text, "<script>") && format == "SVG" {
				t.Errorf("%s: %.500s", format, text)
			}
		}
	})
}

func TestNoExportOnAStand(t *testing.T) {
	cfg := storyConfig(t)
	cfg.Booth = true
	drive(t, cfg, 80, 24, func(r *robot) {
		r.press("e")
		r.press("e") // the first one only stops the story
		r.sees("on a stand nothing is written")
	})
}

func TestFileStem(t *testing.T) {
	for name, want := range map[string]string{
		"demo": "pacms-demo-turn3", "openclaw-agent.sqlite": "pacms-openclaw-agent-turn3", "../../x y.jsonl": "pacms-x-y-turn3",
		"日本": "pacms-session-turn3", "": "pacms-session-turn3", "a-very-long-name-of-a-session.jsonl": "pacms-a-very-long-name-turn3",
	} {
		if got := fileStem(name, 3); got != want {
			t.Errorf("%q gives %s, want %s", name, got, want)
		}
	}
}
