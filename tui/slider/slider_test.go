package slider

import (
	"testing"

	"pgregory.net/rapid"
)

func TestScale(t *testing.T) {
	s := Scale{Basis: 1000, Width: 11}
	for tokens, want := range map[int]int{-5: 0, 0: 0, 49: 0, 50: 1, 100: 1, 500: 5, 1000: 10, 5000: 10} {
		if got := s.Column(tokens); got != want {
			t.Errorf("Column(%d) = %d, want %d", tokens, got, want)
		}
	}
	for column, want := range map[int]int{-1: 0, 0: 0, 5: 500, 10: 1000, 11: 1000} {
		if got := s.Tokens(column); got != want {
			t.Errorf("Tokens(%d) = %d, want %d", column, got, want)
		}
	}
	for _, c := range []struct{ tokens, percent, want int }{
		{500, 1, 510}, {500, -1, 490}, {5, -1, 0}, {995, 1, 1000}, {1000, 1, 1000}, {4000, 1, 4000}, {4000, -1, 3990},
	} {
		if got := s.Step(c.tokens, c.percent); got != c.want {
			t.Errorf("Step(%d, %d) = %d, want %d", c.tokens, c.percent, got, c.want)
		}
	}
	if got := (Scale{Basis: 50, Width: 11}).Step(10, -1); got != 9 {
		t.Errorf("the smallest step of a small basis goes to %d, want 9", got)
	}
}

// A click on a column puts the handle on that column.
func TestClickPutsTheHandleThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Scale{Width: rapid.IntRange(2, 300).Draw(t, "width")}
		s.Basis = rapid.IntRange(2*s.Width, 1_000_000_000).Draw(t, "basis")
		column := rapid.IntRange(0, s.Width-1).Draw(t, "column")
		if got := s.Column(s.Tokens(column)); got != column {
			t.Fatalf("column %d is %d tokens, which is column %d", column, s.Tokens(column), got)
		}
	})
}

func TestScaleWithoutRoom(t *testing.T) {
	for _, s := range []Scale{{}, {Basis: 5}, {Width: 1}, {Width: 10}, {Basis: -1, Width: 10}} {
		if s.Column(7) != 0 || s.Tokens(3) != 0 {
			t.Errorf("%+v: column %d, tokens %d", s, s.Column(7), s.Tokens(3))
		}
	}
}
