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

// Two programs that have one session open keep what each of them chose.
func TestTwoPrograms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		f := File{Dir: dir, Source: "/s.jsonl", Session: rapid.StringMatching(`[a-z]{12}`).Draw(t, "session")}
		// Each of the two chooses among candidates of its own; what it sees is what it
		// loaded and did since.
		type program struct{ written, wanted *Choices }
		programs := make([]program, 2)
		for i := range programs {
			programs[i] = program{new(Choices), new(Choices)}
		}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			who := rapid.IntRange(0, 1).Draw(t, "who")
			p := &programs[who]
			id := fmt.Sprint(who, "-", rapid.IntRange(0, 2).Draw(t, "candidate"))
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				p.wanted = p.wanted.Pin(id, []string{id})
			case 1:
				p.wanted = p.wanted.Ban(id, []string{id})
			case 2:
				p.wanted = p.wanted.Free([]string{id})
			case 3:
				p.wanted = p.wanted.Mark(Mark{Turn: 1, ID: id, Keep: rapid.Bool().Draw(t, "keep")})
			case 4:
				p.wanted = p.wanted.Unmark(1, id)
			}
			if err := f.Update(p.written, p.wanted); err != nil {
				t.Fatal(err)
			}
			p.written = p.wanted
		}
		got, err := f.Load()
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range programs {
			mine := func(id string) bool { return strings.HasPrefix(id, fmt.Sprint(i, "-")) }
			only := func(ids []string) []string {
				return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !mine(id) })
			}
			marks := slices.DeleteFunc(slices.Clone(got.Marks), func(m Mark) bool { return !mine(m.ID) })
			byID := func(a, b Mark) int { return strings.Compare(a.ID, b.ID) }
			same := func(a, b []string) bool {
				return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
			}
			if !same(only(got.Pins), p.wanted.Pins) || !same(only(got.Bans), p.wanted.Bans) ||
				!slices.Equal(slices.SortedFunc(slices.Values(marks), byID), slices.SortedFunc(slices.Values(p.wanted.Marks), byID)) {
				t.Fatalf("program %d chose %+v, the file has %+v", i, *p.wanted, *got)
			}
		}
	})
}

// What one program pinned and another bans later is banned.
func TestLastChoiceCounts(t *testing.T) {
	t.Parallel()
	theirs := &Choices{Pins: []string{"a", "b"}}
	got := theirs.Apply(new(Choices), &Choices{Bans: []string{"a"}})
	if !slices.Equal(got.Pins, []string{"b"}) || !slices.Equal(got.Bans, []string{"a"}) {
		t.Errorf("got %+v", *got)
	}
}
