package memory

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pacms/session"
	"pacms/session/token"
)

func counter(t *testing.T) token.Counter {
	t.Helper()
	c, err := token.New("chars4")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func workspace(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestEntries(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"nothing": {"", nil},
		"blank":   {" \n\n", nil},
		"items under a heading": {
			"# 2026-11-28\n- The hotel is Casa Azul.\n- Ferry at nine.\n",
			[]string{"# 2026-11-28\n- The hotel is Casa Azul.", "# 2026-11-28\n- Ferry at nine."},
		},
		"nested and continued": {
			"- one\n  goes on\n  - inner\n- two\n",
			[]string{"- one\n  goes on\n  - inner", "- two"},
		},
		"paragraphs and code": {
			"First.\nStill first.\n\nSecond.\n\n```sh\nls -l\n```\n",
			[]string{"First.\nStill first.", "Second.", "ls -l"},
		},
		"numbered":                     {"## Steps\n1. stop\n2. start\n", []string{"## Steps\n1. stop", "## Steps\n2. start"}},
		"a heading alone says nothing": {"# Empty\n", nil},
	} {
		if got := entries(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func FuzzEntries(f *testing.F) {
	f.Add("# h\n- a\n  - b\n\npara\n> quote\n```\ncode\n```\n| t |\n|---|\n")
	f.Fuzz(func(t *testing.T, s string) {
		for _, e := range entries(s) {
			if strings.TrimSpace(e) == "" {
				t.Fatalf("an entry of %q is blank", s)
			}
		}
	})
}

func TestLoad(t *testing.T) {
	dir := workspace(t, map[string]string{
		"MEMORY.md":                "# MEMORY\n- allergic to peanuts\n",
		"USER.md":                  "Ada",
		"notes.txt":                "no",
		"memory/2026-11-28.md":     "# 2026-11-28\n- hotel Casa Azul\n",
		"memory/2026-11-29-oom.md": "- worker-3 OOM\n- batch 121\n",
		"memory/people.md":         "Bo likes tea. \xc3\x28",
		"memory/deep/inner.md":     "- not read\n",
	})
	for _, from := range []string{dir, filepath.Join(dir, "memory"), filepath.Join(dir, "memory") + "/"} {
		m, err := Load(from, counter(t))
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, c := range m.Entries {
			ids = append(ids, c.ID)
			if c.Kind != session.Memory || c.Tokens == 0 || c.Text == "" {
				t.Errorf("entry %+v", c)
			}
		}
		want := []string{"memory/2026-11-28.md#1", "memory/2026-11-29-oom.md#1", "memory/2026-11-29-oom.md#2", "memory/people.md#1"}
		if !slices.Equal(ids, want) {
			t.Errorf("from %s: %v, want %v", from, ids, want)
		}
		if day := m.Entries[1].Time; !day.Equal(time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)) || !m.Entries[3].Time.IsZero() {
			t.Errorf("times %v and %v", day, m.Entries[3].Time)
		}
		if names := []string{m.Host[0].Name, m.Host[1].Name}; len(m.Host) != 2 || !slices.Equal(names, []string{"USER.md", "MEMORY.md"}) {
			t.Errorf("host files %+v", m.Host)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	for name, dir := range map[string]string{
		"nothing there": filepath.Join(t.TempDir(), "gone"),
		"no Markdown":   workspace(t, map[string]string{"a.txt": "x"}),
		"a file":        filepath.Join(workspace(t, map[string]string{"a.md": "x"}), "a.md"),
	} {
		if m, err := Load(dir, counter(t)); err == nil {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

func TestOneBadFileLosesNoOther(t *testing.T) {
	dir := workspace(t, map[string]string{"memory/a.md": "- kept", "memory/big.md": strings.Repeat("x", mostBytes+1)})
	m, err := Load(dir, counter(t))
	if err != nil || len(m.Entries) != 1 || len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0].Message, "big.md") {
		t.Errorf("%v: %+v", err, m)
	}
}
