package selector

import (
	"cmp"
	"slices"
	"strings"

	"pacms/session"
)

// String writes the budgets in words: "3,420–3,610, and from 4,105".
func (r ReturnsAt) String() string { return joinRanges(rangesIn(r.Intervals, session.Grouped)) }

// Near writes the budgets in words, each by number: of many ranges those nearest to
// a budget and the last if it has no end, and of where the others lie the share that
// they take there: "10–12, from 900, and at 31 % of those from 20 to 850".
func (r ReturnsAt) Near(budget int, number func(tokens int) string) string {
	near, others := nearBudgets(r.Intervals, budget)
	parts := rangesIn(near, number)
	if len(others) > 0 {
		from, to := others[0].From, others[len(others)-1].To
		inside := 0
		for _, iv := range r.Intervals {
			if iv.From >= from && iv.To >= 0 && iv.To <= to {
				inside += iv.To - iv.From + 1
			}
		}
		parts = append(parts, "at "+someOf(float64(inside)/float64(to-from+1))+" of those from "+number(from)+" to "+number(to))
	}
	return joinRanges(parts)
}

// someOf is a share that is neither nothing nor all.
func someOf(share float64) string {
	if share < 0.005 {
		return "less than 1 %"
	}
	return percent(share)
}

// mostBudgets is how many ranges of budgets a sentence names, beside a word on the
// others.
const mostBudgets = 3

// nearBudgets are of many ranges those nearest to a budget, and the last if it has no
// end; others are the rest: never a single one, which takes no more room than the word
// of it.
func nearBudgets(all []Interval, budget int) (near, others []Interval) {
	if len(all) <= mostBudgets+1 {
		return all, nil
	}
	far := func(iv Interval) int {
		if iv.To < 0 {
			return 0 // it always counts
		}
		return max(iv.From-budget, budget-iv.To, 0)
	}
	sorted := slices.SortedStableFunc(slices.Values(all), func(a, b Interval) int { return cmp.Compare(far(a), far(b)) })
	near, others = sorted[:mostBudgets], sorted[mostBudgets:]
	for _, list := range [][]Interval{near, others} {
		slices.SortFunc(list, func(a, b Interval) int { return cmp.Compare(a.From, b.From) })
	}
	return near, others
}

// rangesIn writes ranges of budgets in words.
func rangesIn(list []Interval, number func(tokens int) string) []string {
	var parts []string
	for _, iv := range list {
		switch {
		case iv.From == 0 && iv.To < 0:
			return []string{"any budget"}
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
	return parts
}

// joinRanges is a list of ranges as a part of a sentence.
func joinRanges(parts []string) string {
	switch last := len(parts) - 1; last {
	case -1:
		return "no budget"
	case 0:
		return parts[0]
	default:
		return strings.Join(parts[:last], ", ") + ", and " + parts[last]
	}
}
