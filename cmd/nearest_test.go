package cmd

import (
	"testing"

	"pgregory.net/rapid"
)

func TestDidYouMean(t *testing.T) {
	t.Parallel()
	known := []string{"budget", "budget-basis", "strategy", "tail"}
	for word, want := range map[string]string{
		"bugdet":      ": did you mean budget?",
		"budget-bais": ": did you mean budget-basis?",
		"STRATEGY":    "",
		"tial":        ": did you mean tail?",
		"x":           "",
		"":            "",
	} {
		if got := didYouMean(word, known); got != want {
			t.Errorf("didYouMean(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"same", "same", 0}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestDistanceIsAMetric(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[ab]{0,6}`)
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		if distance(a, b) != distance(b, a) {
			t.Errorf("distance of %q and %q depends on the order", a, b)
		}
		if (distance(a, b) == 0) != (a == b) {
			t.Errorf("distance of %q and %q is %d", a, b, distance(a, b))
		}
		if distance(a, c) > distance(a, b)+distance(b, c) {
			t.Errorf("%q to %q is shorter by way of %q", a, c, b)
		}
	})
}
