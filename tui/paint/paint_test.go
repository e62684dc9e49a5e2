package paint

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pacms/themes"
)

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 999: "999", 1_000: "1.0k", 4_149: "4.1k", 4_150: "4.2k", 38_249: "38.2k", 99_949: "99.9k",
		99_950: "100k", 128_000: "128k", 999_499: "999k", 999_500: "1.0M", 1_250_000: "1.3M", -4_100: "-4.1k",
	} {
		if got := Tokens(n); got != want {
			t.Errorf("Tokens(%d) = %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1_000: "1,000", 1_234_567: "1,234,567", -1_000: "-1,000", -100: "-100"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %s, want %s", n, got, want)
		}
	}
	if a, b := Plural(1, "item"), Plural(1_002, "item"); a != "1 item" || b != "1,002 items" {
		t.Errorf("Plural: %q, %q", a, b)
	}
}

func TestBlock(t *testing.T) {
	b := NewBlock(themes.Unicode(), 10)
	b.Put("\x1b[0;1m", "ab")
	b.Put("\x1b[0;1m", "c")
	b.Put("", "d")
	b.Right(Span{"", "xyz"})
	b.End()
	b.Put("", "a long line is cut")
	b.End()
	if b.Right(Span{"", "does not fit at all"}) {
		t.Error("Right put what has no room")
	}
	b.Put("", "123456789")
	if b.Right(Span{"", "0"}) {
		t.Error("Right touches what is before it")
	}
	b.End()
	b.Put("", "漢字漢字漢字")
	b.End()
	want := []string{"\x1b[0;1mabc\x1b[md   xyz", "a long li…", "123456789 ", "漢字漢字… "}
	if got := b.Lines(); !slices.Equal(got, want) {
		t.Errorf("lines = %q\nwant    %q", got, want)
	}
}

func TestBlockASCII(t *testing.T) {
	b := NewBlock(themes.ASCII(), 24)
	b.Put("", "“a” · b…")
	b.Right(Span{"", "▲ 2"})
	b.End()
	if got := b.Lines()[0]; got != `"a" - b~             + 2` {
		t.Errorf("line = %q", got)
	}
}

// Whatever is put, a line is exactly as wide as the block.
func TestBlockIsARectangle(t *testing.T) {
	text := rapid.OneOf(rapid.StringMatching(`[ -~]{0,30}`), rapid.SampledFrom([]string{"漢字", "👩‍👩‍👧 ok", "é́", "a\u200db", "☺️", "·…“”"}))
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(0, 40).Draw(t, "width")
		b := NewBlock(rapid.SampledFrom([]*themes.Glyphs{themes.Unicode(), themes.ASCII()}).Draw(t, "glyphs"), width)
		for range rapid.IntRange(1, 6).Draw(t, "puts") {
			style := themes.Style(rapid.SampledFrom([]string{"", "\x1b[0;1m", "\x1b[0;31m"}).Draw(t, "style"))
			switch rapid.IntRange(0, 3).Draw(t, "how") {
			case 0:
				b.Put(style, text.Draw(t, "text"))
			case 1:
				b.Right(Span{style, text.Draw(t, "right")})
			case 2:
				b.Repeat(style, "■", rapid.IntRange(-1, 50).Draw(t, "n"))
			default:
				b.End()
			}
		}
		b.End()
		for _, line := range b.Lines() {
			if w := ansi.StringWidth(line); w != width {
				t.Fatalf("%q is %d columns wide, want %d", line, w, width)
			}
		}
	})
}

func TestWrap(t *testing.T) {
	lines, more := Wrap("one two three\n\nfour", 7, 10)
	if want := []string{"one two", "three", "", "four"}; !slices.Equal(lines, want) || more {
		t.Errorf("Wrap = %q, %v", lines, more)
	}
	lines, more = Wrap("one two three four", 7, 2)
	if !slices.Equal(lines, []string{"one two", "three"}) || !more {
		t.Errorf("Wrap = %q, %v", lines, more)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`([a-z漢]{0,12}[ \n])*`).Draw(t, "s")
		width := rapid.IntRange(2, 20).Draw(t, "width")
		lines, _ := Wrap(s, width, 1<<20)
		for _, line := range lines {
			if ansi.StringWidth(line) > width {
				t.Fatalf("%q is wider than %d", line, width)
			}
		}
		if got, want := strings.Join(strings.Fields(strings.Join(lines, " ")), ""), strings.Join(strings.Fields(s), ""); got != want {
			t.Fatalf("text is lost: %q, want %q", got, want)
		}
	})
}
