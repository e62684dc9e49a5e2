package embed

import (
	"strings"
	"testing"
)

// spell writes tokens down: words as they are, in [] with the proper flag, in <>
// as a whole identifier, and characters behind "1:" or "2:".
func spell(text string, each func(*tokenizer, string, func(token))) string {
	var out []string
	each(&tokenizer{}, text, func(t token) {
		s := string(t.text)
		switch {
		case t.proper:
			s = "[" + s + "]"
		case t.kind == identifier:
			s = "<" + s + ">"
		case t.kind == unigram:
			s = "1:" + s
		case t.kind == bigram:
			s = "2:" + s
		}
		out = append(out, s)
	})
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", " .\n", ""},
		{"words", "The cat, the dog", "the cat the dog"},
		{"marks belong to the word before", "cafe\u0301s", "cafe\u0301s"},
		{"not UTF-8", "a\xffb", "a b"},
		{"full width", "ＡＰＩ！ｋｅｙ", "api key"},
		{"greek", "Άλφα", "άλφα"},

		{"name inside a sentence", "I met Ann today", "i met [ann] today"},
		{"sentence starts", "Done. Then? Yes! Ok: Sure", "done then yes ok sure"},
		{"list items", "- Then\n* Then\n# Then\n> Then\tThen", "then then then then then"},
		{"skipped before a name", `met ("Ann`, "met [ann]"},
		{"skipped before a sentence", `x. ("Ann`, "x ann"},
		{"speaker", "Ann: hi", "[ann] hi"},
		{"start of text", "Ann said", "ann said"},
		{"speaker in quotation marks", `"Ann: hi`, "[ann] hi"},
		{"too short", "met Al", "met al"},
		{"capitals", "met ANN", "met ann"},
		{"behind a character", "我Ann", "1:我 [ann]"},

		{"camel case", "getUserName", "get user name <getusername>"},
		{"acronym", "HTTPServer", "http server <httpserver>"},
		{"digits", "utf8x", "utf 8 x <utf8x>"},
		{"parts are no names", "met GetUser", "met get user <getuser>"},
		{"capital last", "fooB", "foo b <foob>"},
		{"two capitals last", "fooBA", "foo ba <fooba>"},
		{"underscore separates", "x86_64", "x 86 <x86> 64"},

		{"han", "我们好", "1:我 2:我们 1:们 2:们好 1:好"},
		{"scripts run on", "カー한", "1:カ 2:カー 1:ー 2:ー한 1:한"},
		{"a run ends", "好 好a好", "1:好 1:好 a 1:好"},
		{"thai with marks", "กิ", "1:ก 2:กิ 1:ิ"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := spell(c.text, (*tokenizer).each); got != c.want {
				t.Errorf("tokens of %q = %q, want %q", c.text, got, c.want)
			}
		})
	}
	if got, want := spell(" 🎉\n!\x00", (*tokenizer).symbols), "1:🎉 1:!"; got != want {
		t.Errorf("symbols = %q, want %q", got, want)
	}
}

func TestStem(t *testing.T) {
	for w, want := range map[string]string{
		"studies": "study", "ties": "tie", "ies": "ies",
		"running": "run", "sting": "sting", "string": "str",
		"stopped": "stop", "used": "used", "boxes": "box", "uses": "use",
		"cats": "cat", "gas": "gas", "class": "class", "yes": "yes",
		"quickly": "quick", "only": "only",
		"calling": "call", "passed": "pass", "agreed": "agr",
		"tree": "tre", "store": "stor", "the": "the", "是": "是",
	} {
		if got := string(appendStem([]byte("-"), []byte(w))); got != "-"+want {
			t.Errorf("stem of %q = %q, want %q", w, got[1:], want)
		}
	}
}

// TestTable checks what the code takes for granted of the embedded data.
func TestTable(t *testing.T) {
	ranks := loadRanks()
	if want := len(tableVectors) / tableDim; len(ranks) != want || len(tableVectors)%tableDim != 0 {
		t.Fatalf("%d words for %d vectors", len(ranks), want)
	}
	if ranks["the"] != 1 || int(ranks["codenamed"]) != len(ranks) {
		t.Errorf("first and last have ranks %d and %d", ranks["the"], ranks["codenamed"])
	}
	for w, rank := range ranks {
		// A zero vector has no direction: addVector would divide by zero.
		if v := tableVectors[int(rank-1)*tableDim:][:tableDim]; strings.Trim(v, "\x00") == "" {
			t.Errorf("the vector of %q is zero", w)
		}
	}
	if len(loadStopWords()) != 134 {
		t.Errorf("%d stop words, want 134", len(loadStopWords()))
	}
}
