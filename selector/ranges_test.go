package selector_test

import (
	"strconv"
	"testing"

	"pacms/selector"
)

// Of many ranges those nearest to the budget are named, and the last if it has no end;
// one alone is never counted instead of named.
func TestRangesInWords(t *testing.T) {
	t.Parallel()
	all := []selector.Interval{{From: 0, To: 5}, {From: 10, To: 12}, {From: 20, To: 20}, {From: 30, To: 34}, {From: 40, To: 41}, {From: 50, To: -1}}
	for _, c := range []struct {
		of     []selector.Interval
		budget int
		want   string
	}{
		{all, 0, "up to 5, 10–12, from 50, and 3 more ranges"},
		{all, 15, "10–12, 20, from 50, and 3 more ranges"},
		{all, 39, "30–34, 40–41, from 50, and 3 more ranges"},
		{all, 99, "30–34, 40–41, from 50, and 3 more ranges"},
		{all[:5], 33, "20, 30–34, 40–41, and 2 more ranges"},
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
