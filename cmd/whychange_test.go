package cmd

import (
	"slices"
	"testing"

	"pacms/selector"
)

func TestNearBudgets(t *testing.T) {
	t.Parallel()
	ranges := func(ends ...int) []selector.Interval {
		var out []selector.Interval
		for k := 0; k < len(ends); k += 2 {
			out = append(out, selector.Interval{From: ends[k], To: ends[k+1]})
		}
		return out
	}
	all := ranges(0, 5, 10, 12, 20, 20, 30, 34, 40, 41, 50, -1)
	for _, c := range []struct {
		budget int
		want   []selector.Interval
	}{
		{0, ranges(0, 5, 10, 12, 50, -1)},
		{15, ranges(10, 12, 20, 20, 50, -1)},
		{39, ranges(30, 34, 40, 41, 50, -1)},
		{99, ranges(30, 34, 40, 41, 50, -1)},
	} {
		near, more := nearBudgets(all, c.budget)
		if !slices.Equal(near, c.want) || more != 3 {
			t.Errorf("near %d: %v and %d more, want %v", c.budget, near, more, c.want)
		}
	}
	if near, more := nearBudgets(all[:3], 7); len(near) != 3 || more != 0 {
		t.Errorf("of three: %v and %d more", near, more)
	}
	if near, _ := nearBudgets(all[:5], 33); !slices.Equal(near, ranges(20, 20, 30, 34, 40, 41)) {
		t.Errorf("without an open end: %v", near)
	}
}
