package cmd

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The examples in docs/selection.md of what is not offered are what pacms why says.
func TestExamplesOfWhatIsNotOffered(t *testing.T) {
	t.Parallel()
	notShort(t)
	data, err := os.ReadFile("../docs/selection.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `(\\w+)` \\| [^|]+ \\| `pacms (why [^`]+)` \\| ([^|]+) \\|$")
	rows := row.FindAllStringSubmatch(string(data), -1)
	if len(rows) < 4 {
		t.Fatalf("%d examples", len(rows))
	}
	for _, m := range rows {
		words := regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(m[2], -1)
		for k := range words {
			words[k] = strings.Trim(words[k], `"`)
		}
		if strings.HasPrefix(words[1], "testdata/") {
			words[1] = "../" + words[1]
		}
		if text := string(output(t, words...)); !strings.Contains(text, m[3]) {
			t.Errorf("pacms %s does not say %q:\n%s", m[2], m[3], text)
		}
		if code := output(t, append(words, "--json")...); !strings.Contains(string(code), `"code":"`+m[1]+`"`) {
			t.Errorf("pacms %s has no code %s", m[2], m[1])
		}
	}
}
