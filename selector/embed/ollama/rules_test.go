package ollama

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestRulesFor(t *testing.T) {
	const document, query = "search_document: ", "search_query: "
	for _, c := range []struct {
		name         string
		architecture string
		names        []string
		context      int
		want         rules
	}{
		{"nomic", "nomic-bert", []string{"nomic-embed-text", ""}, 2048, rules{document, query, true, 6000, nomicNoise}},
		{"nomic under another name", "nomic-bert", []string{"mine", "Nomic-Embed-Text-v1.5"}, 2048, rules{document, query, true, 6000, nomicNoise}},
		{"second nomic", "nomic-bert-moe", []string{"nomic-embed-text-v2-moe"}, 512, rules{document, query, false, 1536, 0}},
		{"another maker's", "nomic-bert", []string{"snowflake-arctic-embed:137m"}, 2048, rules{"", "", true, 6000, 0}},
		{"short", "bert", []string{"all-minilm"}, 256, rules{"", "", false, 768, 0}},
		{"long", "bert", []string{"bge-m3"}, 8192, rules{"", "", false, 6000, 0}},
		{"unknown", "", []string{"x", ""}, 0, rules{"", "", false, 6000, 0}},
	} {
		if got := rulesFor(c.architecture, c.names, c.context); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestClean(t *testing.T) {
	word := strings.Repeat("x", 64)
	for _, c := range []struct {
		in, want string
		r        rules
	}{
		{" \n\ttext \u200b", "text", rules{limit: 99}},
		{"The PARSER Crashes: ÄÖ", "the parser crashes: äö", rules{lower: true, limit: 99}},
		{"The PARSER", "The PARSER", rules{limit: 99}},
		{word, word, rules{limit: 999}},
		{word + "y", word + " y", rules{limit: 999}},
		{word + word + "y z", word + " " + word + " y z", rules{limit: 999}},
		{word + " y", word + " y", rules{limit: 999}},
		{"日本語のテキスト", "日本語", rules{limit: 3}},
		{"a\xffb", "a\ufffdb", rules{limit: 9}},
		{word + "y", word, rules{limit: 64}},
		{word + "y", word, rules{limit: 65}},
		{word + "yz", word + " y", rules{limit: 66}},
	} {
		if got := c.r.clean(c.in); got != c.want {
			t.Errorf("clean(%q) by %+v = %q, want %q", c.in, c.r, got, c.want)
		}
	}
}

func TestBlank(t *testing.T) {
	for in, want := range map[string]bool{
		"": true, " \t\r\n\u00a0\u3000": true, "\x00\x07": true, "\u200b\ufeff\u2028": true,
		"a": false, ".": false, "😀": false, "\xff": false, " \x00x": false,
	} {
		if got := blank(in); got != want {
			t.Errorf("blank(%q) = %v", in, got)
		}
	}
}

// What is sent has no long run and is not too long, and has the letters of the
// text in their order.
func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "Text", strings.Repeat("W", 700), "日本語", "a\xff\x00b", " \u200b x"} {
		f.Add(s, true, 100)
	}
	f.Fuzz(func(t *testing.T, text string, lower bool, limit int) {
		r := rules{lower: lower, limit: 1 + max(limit, -limit-1)%200}
		got := r.clean(text)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > r.limit {
			t.Fatalf("clean(%q) = %q, limit %d", text, got, r.limit)
		}
		if blank(got) != blank(text) {
			t.Fatalf("clean(%q) = %q: one of them is blank", text, got)
		}
		for _, word := range strings.FieldsFunc(got, unicode.IsSpace) {
			if utf8.RuneCountInString(word) > maxRun {
				t.Fatalf("clean(%q) has the run %q", text, word)
			}
		}
		if letters, all := squeeze(got), squeeze(text); lower {
			if !strings.HasPrefix(strings.Map(unicode.ToLower, all), letters) {
				t.Fatalf("clean(%q) = %q", text, got)
			}
		} else if !strings.HasPrefix(all, letters) {
			t.Fatalf("clean(%q) = %q", text, got)
		}
	})
}

// squeeze is text without space and without what silent text may surround it.
func squeeze(text string) string {
	text = strings.TrimFunc(text, silent)
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

func TestHalf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(1, 50, -1).Draw(t, "text")
		n := utf8.RuneCountInString(text)
		got := half(text)
		if !strings.HasPrefix(text, got) || utf8.RuneCountInString(got) != (n+1)/2 {
			t.Fatalf("half(%q) = %q", text, got)
		}
	})
}
