package cmd

import (
	"strings"
	"testing"
)

// An excerpt is what fits of a text, and little of a long text is looked at.
func TestExcerpt(t *testing.T) {
	t.Parallel()
	blank := strings.Repeat(" \n", maxExcerpt)
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" one\ntwo ", "one two"},
		{"0123456789", "0123456789"},
		{"0123456789a", "012345678…"},
		{strings.Repeat("é", maxExcerpt), "ééééééééé…"},
		{blank + "behind blanks" + blank, "behind bl…"},
		{"a" + blank + "behind", "a…"},
	} {
		if got := excerpt(c.text, 10); got != c.want {
			t.Errorf("excerpt(%.20q) = %q, want %q", c.text, got, c.want)
		}
	}
}
