package selector

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// Tokens are runs of letters, digits and joints that begin with no joint, without
// the joints at their end, in lower case: here by the definition, rune by rune.
func TestTokens(t *testing.T) {
	t.Parallel()
	joints := func(r rune) bool { return strings.ContainsRune("_-./:", r) }
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	runes := rapid.OneOf(rapid.RuneFrom([]rune("aZ09_-./: ,(\n\u00e4\u0130\u0660\u4e2d\U0001d7d8\u00ad\ufffd")), rapid.Rune())
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(runes, 0, 60, -1).Draw(t, "text")
		if rapid.Bool().Draw(t, "broken") {
			text = strings.ReplaceAll(text, "Z", "\xff\xc3")
		}
		var want []string
		for part := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !word(r) && !joints(r) }) {
			if part = strings.TrimFunc(part, joints); part != "" {
				want = append(want, part)
			}
		}
		var got []string
		eachToken(text, func(tok string) {
			got = append(got, tok)
			if code(tok) != (strings.ContainsFunc(tok, unicode.IsDigit) || strings.ContainsAny(tok, "_/.:")) {
				t.Errorf("code(%q) is %v", tok, code(tok))
			}
		})
		if !slices.Equal(got, want) {
			t.Fatalf("%q has the tokens %q, want %q", text, got, want)
		}
	})
}

// BenchmarkTokens reads a text as messages are.
func BenchmarkTokens(b *testing.B) {
	text := strings.Repeat("The staging database listens on port 5433, see conf/app.yaml and RETRY_MAX. ", 30)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		eachToken(text, func(string) {})
	}
}
