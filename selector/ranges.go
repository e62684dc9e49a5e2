package selector

import (
	"cmp"
	"slices"
	"strings"
)

// String writes the budgets in words: "3,420–3,610, and from 4,105".
func (r ReturnsAt) String() string { return r.text(thousands, 0) }

// Near writes the budgets in words, each by number: of many ranges those nearest to
// a budget and the last if it has no end, and how many more there are.
func (r ReturnsAt) Near(budget int, number func(tokens int) string) string {
	near, more := nearBudgets(r.Intervals, budget)
	return ReturnsAt{Intervals: near}.text(number, more)
}

// mostBudgets is how many ranges of budgets a sentence names, beside a count of the
// others.
const mostBudgets = 3

// nearBudgets are of many ranges those nearest to a budget, and the last if it has no
// end; more are how many are left out: never a single one, which takes no more room
// than the word of it.
func nearBudgets(all []Interval, budget int) (near []Interval, more int) {
	if len(all) <= mostBudgets+1 {
		return all, 0
	}
	far := func(iv Interval) int {
		if iv.To < 0 {
			return 0 // it always counts
		}
		return max(iv.From-budget, budget-iv.To, 0)
	}
	near = slices.SortedStableFunc(slices.Values(all), func(a, b Interval) int { return cmp.Compare(far(a), far(b)) })[:mostBudgets]
	slices.SortFunc(near, func(a, b Interval) int { return cmp.Compare(a.From, b.From) })
	return near, len(all) - mostBudgets
}

// text writes the budgets in words, and that there are more ranges.
func (r ReturnsAt) text(number func(tokens int) string, more int) string {
	var parts []string
	for _, iv := range r.Intervals {
		switch {
		case iv.From == 0 && iv.To < 0:
			return "any budget"
		case iv.To < 0:
			parts = append(parts, "from "+number(iv.From))
		case iv.From == 0:
			parts = append(parts, "up to "+number(iv.To))
		case iv.From == iv.To:
			parts = append(parts, number(iv.From))
		default:
			parts = append(parts, number(iv.From)+"–"+number(iv.To))
		}
	}
	if more > 0 {
		parts = append(parts, number(more)+" more ranges")
	}
	switch last := len(parts) - 1; last {
	case -1:
		return "no budget"
	case 0:
		return parts[0]
	default:
		return strings.Join(parts[:last], ", ") + ", and " + parts[last]
	}
}
