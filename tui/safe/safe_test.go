package safe

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                        "plain",
		"a\nb":                         "a\nb",
		"a\r\nb":                       "a\nb",
		"over\rwrite":                  "over␍write",
		"a\tb":                         "a    b",
		"\x1b]52;c;aGk=\x07":           "␛]52;c;aGk=␇",
		"\x1b[2J":                      "␛[2J",
		"\u009b31m":                    "\ufffd31m",
		"\x9b31m":                      "\ufffd31m",
		"\x1bPunterminated":            "␛Punterminated",
		"abc\u202edef\u2066x\u200f":    "abc\ufffddef\ufffdx\ufffd",
		"nul\x00 del\x7f":              "nul␀ del␡",
		"one\u2028two":                 "one\ntwo",
		"日本語 👩‍👩‍👧":                    "日本語 👩‍👩‍👧",
		"soft\u00adhyphen\u200b\u2060": "softhyphen",
		"\ufefftag\U000e0041s\u3164":   "tags",
		"bad \xc3\x28":                 "bad \ufffd(",
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Line("a\r\nb\nc\u2029d"); got != "a b c d" {
		t.Errorf("Line = %q", got)
	}
}

func FuzzText(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m\u202e\t\r\n")
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if !utf8.ValidString(got) {
			t.Fatalf("not UTF-8: %q", got)
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0 || direction(r)) }); i >= 0 {
			t.Fatalf("acts at %d: %q", i, got)
		}
		if Text(got) != got {
			t.Fatalf("not stable: %q", got)
		}
		if strings.ContainsAny(Line(s), "\n\r") {
			t.Fatalf("more than a line: %q", Line(s))
		}
	})
}
