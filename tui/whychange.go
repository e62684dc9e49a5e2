package tui

import (
	"math"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/tui/paint"
	"pacms/tui/why"
)

// mostMoved is how many candidates a line names at most.
const mostMoved = 3

// changes are what would turn the verdict, each with the key that does it.
func (m *Model) changes(q *inquiry) []why.Change {
	var changes []why.Change
	var numbers, names []string
	switches := -1
	for _, w := range q.would {
		switch {
		case w.Returns != nil && len(w.Returns.Intervals) == 0:
			changes = append(changes, why.Change{Text: "by no budget", What: "however large"})
		case w.Returns != nil:
			changes = append(changes, why.Change{
				Text: "budget " + w.Returns.Near(m.shown.budget, paint.Count), Keys: "b", What: "sets " + paint.Count(nearest(w.Returns.Intervals, m.shown.budget)) + mayMiss(w.Returns.Resolution),
			})
		case w.Without != "":
			key, name := "x", m.called(w.Without)
			if slices.ContainsFunc(changes, func(c why.Change) bool { return c.Keys == key }) {
				key = "X"
			}
			changes = append(changes, why.Change{Text: "without " + name, Keys: key, What: "ban " + name + m.effect(w.Effect, w.Without)})
		case w.Strategy != "":
			k := slices.IndexFunc(m.strategies, func(s selector.Strategy) bool { return s.String() == w.Strategy })
			if k < 0 {
				continue
			}
			if switches < 0 { // all of them stand in one line
				switches = len(changes)
				changes = append(changes, why.Change{What: "switch"})
			}
			numbers, names = append(numbers, strconv.Itoa(k+1)), append(names, m.labels[k])
		case w.Pin:
			changes = append(changes, why.Change{Text: "pinned", Keys: "p", What: "pin" + m.effect(w.Effect, "")})
		case w.Ban:
			changes = append(changes, why.Change{Text: "banned", Keys: "x", What: "ban" + m.effect(w.Effect, "")})
		case w.Unpin:
			changes = append(changes, why.Change{Text: "pin taken back", Keys: "p", What: "unpin" + m.effect(w.Effect, "")})
		case w.Unban:
			changes = append(changes, why.Change{Text: "ban taken back", Keys: "x", What: "unban" + m.effect(w.Effect, "")})
		}
	}
	if switches >= 0 {
		changes[switches].Text, changes[switches].Keys = "by "+strings.Join(names, ", "), strings.Join(numbers, " ")
	}
	return changes
}

// mayMiss says how near to each other the budgets are that were tried, where that
// may miss a range.
func mayMiss(resolution int) string {
	if resolution == 0 {
		return ""
	}
	return "; tried at least every " + paint.Count(resolution+1) + " tokens"
}

// nearest is the budget in one of the intervals that is nearest to the present one.
func nearest(intervals []selector.Interval, budget int) int {
	best, least := budget, math.MaxInt
	for _, iv := range intervals {
		at := max(budget, iv.From)
		if iv.To >= 0 {
			at = min(at, iv.To)
		}
		if far := max(at-budget, budget-at); far < least {
			best, least = at, far
		}
	}
	return best
}

// called is what the screen calls a candidate.
func (m *Model) called(id string) string {
	if i := m.shown.indexOf(id); i >= 0 {
		return "#" + strconv.Itoa(m.shown.numbers[i])
	}
	return "an item that is not offered"
}

// effect says what else a change does: which others come and go, and what becomes of
// the score. The candidate under the cursor and the one with the id forced come and
// go in any case, with their groups.
func (m *Model) effect(e *selector.Effect, forced string) string {
	if e == nil {
		return ""
	}
	known := m.groupOf(m.cursor)
	if i := m.shown.indexOf(forced); i >= 0 {
		known = append(known, m.groupOf(i)...)
	}
	var parts []string
	for _, moved := range []struct {
		items []int
		would string
	}{{e.In, "come"}, {e.Out, "go"}} {
		others := slices.DeleteFunc(slices.Clone(moved.items), func(i int) bool { return slices.Contains(known, i) })
		if len(others) > 0 {
			parts = append(parts, m.listed(others)+" would "+moved.would)
		}
	}
	return ": " + strings.Join(append(parts, m.scoring(e)), ", ")
}

// listed names the first of some candidates and counts the rest.
func (m *Model) listed(items []int) string {
	names := make([]string, 0, mostMoved)
	for _, i := range items[:min(len(items), mostMoved)] {
		names = append(names, "#"+strconv.Itoa(m.shown.numbers[i]))
	}
	if more := len(items) - mostMoved; more > 0 {
		return strings.Join(names, ", ") + " and " + paint.Count(more) + " more"
	}
	if n := len(names) - 1; n > 0 {
		return strings.Join(names[:n], ", ") + " and " + names[n]
	}
	return names[0]
}

// scoring is what becomes of the strategy's own score, or of the coverage where it has
// none. Where the budget is exceeded that is no comparison, and the excess is told in
// its place.
func (m *Model) scoring(e *selector.Effect) string {
	if e.Over > 0 {
		return "over the budget by " + paint.Count(e.Over)
	}
	loss := e.Loss
	what := "coverage"
	if m.shown.sel.Objective != nil {
		what = "score"
	}
	percent := strconv.FormatFloat(math.Abs(100*loss), 'f', 1, 64)
	switch {
	case percent == "0.0":
		return what + " as before"
	case loss > 0:
		return what + " −" + percent + "\u00a0%"
	default:
		return what + " +" + percent + "\u00a0%"
	}
}

// stillTrying says that what a key would apply is not known yet, and reports whether
// that is so.
func (m *Model) stillTrying() bool {
	if q := m.asked(); q == nil || !q.tried && q.failed == nil {
		m.say("still trying what would turn it")
		return true
	}
	return false
}

// applyBudget sets the nearest budget at which the verdict is another; where there is
// none one can be typed.
func (m *Model) applyBudget() tea.Cmd {
	if m.stillTrying() {
		return nil
	}
	for _, w := range m.asked().would {
		if w.Returns != nil && len(w.Returns.Intervals) > 0 {
			return m.setBudget(nearest(w.Returns.Intervals, m.shown.budget), "typed")
		}
	}
	return m.press("b")
}

// applyBan bans what stands in the way of the candidate under the cursor: with key x
// the first, with X the second that was found; without any x bans the candidate itself.
func (m *Model) applyBan(key string) tea.Cmd {
	if !m.shown.sel.Keeps(m.cursor) {
		if m.stillTrying() {
			return nil
		}
		left := map[string]int{"x": 0, "X": 1}[key]
		for _, w := range m.asked().would {
			if w.Without == "" {
				continue
			}
			if left == 0 {
				return m.banOther(w.Without)
			}
			left--
		}
	}
	if key == "X" {
		m.say("nothing else stands in its way")
		return nil
	}
	return m.press("x")
}

// banOther bans a candidate that is not under the cursor.
func (m *Model) banOther(id string) tea.Cmd {
	i := m.shown.indexOf(id)
	if i < 0 {
		return nil
	}
	group, name := m.fateOf(i)
	return m.choose(m.want.choices.Ban(group[0], group), name+" is banned: dropped by every strategy")
}
