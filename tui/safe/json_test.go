package safe

import (
	"encoding/json"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestJSONKeepsTextAndNeverActs writes any text as JSON that reads back as
// the same text and has no character that a terminal acts on.
func TestJSONKeepsTextAndNeverActs(t *testing.T) {
	t.Parallel()
	text := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("a\x1b\x7f\u0080\u009b\u009f\u061c\u200e\u202e\u2066\ufeff\u200b\u2028\U000e0041<&>\"\\\n"))))
	rapid.Check(t, func(t *rapid.T) {
		want := text.Draw(t, "text")
		b, err := JSON(map[string]string{want: want})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range string(b) {
			if !reaches(r) {
				t.Fatalf("%q has %U", b, r)
			}
		}
		var got map[string]string
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatalf("%q: %v", b, err)
		}
		if got[want] != want {
			t.Fatalf("%q reads back as %q", want, got)
		}
	})
}

// TestJSONMendsRawJSON covers what the encoder passes through as it is: the
// arguments of tool calls.
func TestJSONMendsRawJSON(t *testing.T) {
	t.Parallel()
	b, err := JSON(json.RawMessage("{\"a\": \"\x9b31m \u009b\"}"))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"a":"\ufffd31m \u009b"}`; string(b) != want || !utf8.Valid(b) {
		t.Errorf("JSON gives %q, want %q", b, want)
	}
}

// TestJSONHoldsBackWhatTextDoes: no character is neutralised on one of the ways to
// a terminal and passes on the other.
func TestJSONHoldsBackWhatTextDoes(t *testing.T) {
	t.Parallel()
	for r := rune(0x20); r <= unicode.MaxRune; r++ {
		s := string(r)
		if !utf8.ValidRune(r) || s == `"` || s == `\` {
			continue
		}
		b, err := JSON(s)
		if err != nil {
			t.Fatal(err)
		}
		if asText, asJSON := Text(s) == s, string(b) == `"`+s+`"`; asText != asJSON {
			t.Errorf("%U passes as text: %v, in JSON: %v", r, asText, asJSON)
		}
	}
}
