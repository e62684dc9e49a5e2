package selector_test

import (
	"strconv"
	"testing"

	"pacms/selector"
)

// Of many ranges those nearest to the budget are named, and the last if it has no end; of
// the others it is said where they lie, and how much of that they take. One alone is named.
func TestRangesInWords(t *testing.T) {
	t.Parallel()
	all := []selector.Interval{{From: 0, To: 5}, {From: 10, To: 12}, {From: 20, To: 20}, {From: 30, To: 34}, {From: 40, To: 41}, {From: 50, To: -1}}
	for _, c := range []struct {
		of     []selector.Interval
		budget int
		want   string
	}{
		{all, 0, "up to 5, 10–12, from 50, and at 36 % of those from 20 to 41"},
		{all, 15, "10–12, 20, from 50, and at 40 % of those from 0 to 41"},
		{all, 39, "30–34, 40–41, from 50, and at 48 % of those from 0 to 20"},
		{all, 99, "30–34, 40–41, from 50, and at 48 % of those from 0 to 20"},
		{all[:5], 33, "20, 30–34, 40–41, and at 69 % of those from 0 to 12"},
		{[]selector.Interval{{From: 1, To: 1}, {From: 5, To: 5}, {From: 9, To: 9}, {From: 1000, To: 1000}, {From: 9000, To: 9000}}, 5, "1, 5, 9, and at less than 1 % of those from 1000 to 9000"},
		{all[2:], 33, "20, 30–34, 40–41, and from 50"},
		{all[:4], 99, "up to 5, 10–12, 20, and 30–34"},
		{all[:2], 7, "up to 5, and 10–12"},
		{all[5:], 7, "from 50"},
		{[]selector.Interval{{From: 0, To: -1}}, 7, "any budget"},
		{nil, 7, "no budget"},
	} {
		if got := (selector.ReturnsAt{Intervals: c.of}).Near(c.budget, strconv.Itoa); got != c.want {
			t.Errorf("%v near %d: %q, want %q", c.of, c.budget, got, c.want)
		}
	}
}
