package choices

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func file(t *testing.T) File {
	return File{Dir: filepath.Join(t.TempDir(), "pacms"), Source: "/s/a.jsonl", Session: "agent:main:main"}
}

func TestFile(t *testing.T) {
	f := file(t)
	none, err := f.Load()
	if err != nil || !none.Empty() {
		t.Fatalf("without a file there are %v, %v", none, err)
	}
	c := none.Pin("a", []string{"a"}).Ban("b", []string{"b"}).Pin("c\x1b", []string{"c\x1b"})
	if err := f.Save(c); err != nil {
		t.Fatal(err)
	}
	again, err := f.Load()
	if err != nil || fmt.Sprint(again) != fmt.Sprint(c) {
		t.Errorf("what was saved as %v is read as %v, %v", c, again, err)
	}
	info, err := os.Stat(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v", info.Mode())
	}
	for _, other := range []File{{f.Dir, f.Source, "agent:main:work"}, {f.Dir, "/s/b.jsonl", f.Session}} {
		if c, err := other.Load(); err != nil || !c.Empty() || other.Path() == f.Path() {
			t.Errorf("another session has %v, %v", c, err)
		}
	}
	if err := f.Save(new(Choices)); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(f.Dir); err != nil || len(left) > 0 {
		t.Errorf("without choices there is left %v, %v", left, err)
	}
	if err := f.Save(new(Choices)); err != nil {
		t.Errorf("nothing to take away is an error: %v", err)
	}
}

func TestFileThatCannotBeUsed(t *testing.T) {
	f := file(t)
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"{": "unexpected end", `{"schema":"other/2"}`: `its schema is "other/2"`} {
		if err := os.WriteFile(f.Path(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Load(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), f.Path()) {
			t.Errorf("%s gives %v", text, err)
		}
	}
	// A file where the folder should be.
	blocked := File{Dir: f.Path(), Session: "s"}
	if err := blocked.Save(&Choices{Pins: []string{"a"}}); err == nil {
		t.Error("a file was made below a file")
	}
}

// Nothing is pinned and banned at once, nothing twice, and nothing that was
// given out changes.
func TestChoices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := new(Choices)
		id := rapid.SampledFrom([]string{"a", "b", "c", "d"})
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			was := fmt.Sprint(*c)
			one := id.Draw(t, "id")
			group := []string{one, id.Draw(t, "member")}
			var next *Choices
			switch rapid.IntRange(0, 2).Draw(t, "do") {
			case 0:
				next = c.Pin(one, group)
				if !next.Pinned(one) || next.Banned(group...) {
					t.Fatalf("%v with %s of %v pinned is %v", c, one, group, next)
				}
			case 1:
				next = c.Ban(one, group)
				if !next.Banned(one) || next.Pinned(group...) {
					t.Fatalf("%v with %s of %v banned is %v", c, one, group, next)
				}
			default:
				next = c.Free(group)
				if next.Pinned(group...) || next.Banned(group...) {
					t.Fatalf("%v without %v is %v", c, group, next)
				}
			}
			if fmt.Sprint(*c) != was {
				t.Fatalf("%s became %v", was, c)
			}
			all := slices.Sorted(slices.Values(slices.Concat(next.Pins, next.Bans)))
			if len(slices.Compact(slices.Clone(all))) != len(all) {
				t.Fatalf("%v is chosen twice", all)
			}
			c = next
		}
	})
}
