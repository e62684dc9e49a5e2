package cmd

import (
	"strings"
	"testing"
)

// What is said of the best subset is true: it is rounded up.
func TestDescribeCertificate(t *testing.T) {
	t.Parallel()
	for c, want := range map[float64]string{
		1:           "higher",
		1.000000001: "higher",
		0.999999:    "more than 0.1 % higher",
		0.8:         "more than 25.0 % higher",
		0.898:       "more than 11.4 % higher",
	} {
		if got := describeCertificate(c); got != want {
			t.Errorf("describeCertificate(%g) = %q, want %q", c, got, want)
		}
	}
}

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
