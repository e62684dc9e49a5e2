package cmd

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"pacms/selector"
	"pacms/session"
	"pacms/tui/safe"
)

// changes are what would turn the verdict on the item at pool index i, each run
// before it is told.
func (w *walker) changes(ctx context.Context, o *outcome, i int) ([]selector.WouldKeep, error) {
	ask, others := o.prepared.WouldBeKept, selector.Numbered(w.strategy)
	if o.selection.Keeps(i) {
		ask = o.prepared.WouldBeDropped
	}
	changes, err := ask(ctx, o.options, i, others)
	if err != nil {
		return nil, fmt.Errorf("turn %d: try what would change the verdict: %w", o.turn.Number, err)
	}
	return changes, nil
}

// writeWhole prints the whole reasoning about the item at pool index i, a step a
// line, and then what would change it.
func (w *walker) writeWhole(ctx context.Context, out *bufio.Writer, o *outcome, i int) error {
	why := o.selection.Why(i)
	width := 0
	for _, step := range why.Steps {
		width = max(width, len(step.Label))
	}
	for _, step := range why.Steps {
		fmt.Fprintf(out, "  %-*s  %s\n", width, step.Label, safe.Line(step.Text))
	}
	changes, err := w.changes(ctx, o, i)
	if err != nil {
		return err
	}
	verdict := "Would be kept"
	if why.Verdict.Kept {
		verdict = "Would be dropped"
	}
	var by []string
	for _, c := range changes {
		if c.Strategy != "" {
			by = append(by, c.Strategy)
			continue
		}
		fmt.Fprintf(out, "%s %s.\n", verdict, safe.Line(describeChange(o, i, c)))
	}
	if len(by) > 0 {
		fmt.Fprintf(out, "%s by %s.\n", verdict, strings.Join(by, ", "))
	}
	return nil
}

// describeChange says what a change is and what else it does, as the end of a
// sentence that begins with "Would be kept".
func describeChange(o *outcome, i int, c selector.WouldKeep) string {
	switch {
	case c.Returns != nil:
		return "at a budget of " + describeBudgets(*c.Returns, o.selection.Budget)
	case c.Without != "":
		j := slices.IndexFunc(o.pool.Candidates, func(other session.Candidate) bool { return other.ID == c.Without })
		return "without " + o.pool.Candidates[j].Label(j) + describeEffect(o, c.Effect, i, j)
	case c.Pin:
		return "with a pin" + describeEffect(o, c.Effect, i)
	}
	return "with a ban" + describeEffect(o, c.Effect, i)
}

// describeBudgets names the ranges nearest to a budget and counts the others.
func describeBudgets(r selector.ReturnsAt, budget int) string {
	near, more := nearBudgets(r.Intervals, budget)
	text := selector.ReturnsAt{Intervals: near}.String()
	if more > 0 {
		text += ", and in " + session.Counted(more, "more range") + " of budgets"
	}
	if r.Resolution > 0 {
		text += fmt.Sprintf(" (tried at some budgets: what lasts for %s or less may be missing)", tokens(r.Resolution))
	}
	return text
}

// mostBudgets is how many ranges of budgets a sentence names.
const mostBudgets = 3

// nearBudgets are of many ranges those nearest to a budget, and the last if it has no
// end; more are how many are left out.
func nearBudgets(all []selector.Interval, budget int) (near []selector.Interval, more int) {
	if len(all) <= mostBudgets {
		return all, 0
	}
	far := func(iv selector.Interval) int {
		if iv.To < 0 {
			return 0 // it always counts
		}
		return max(iv.From-budget, budget-iv.To, 0)
	}
	near = slices.SortedStableFunc(slices.Values(all), func(a, b selector.Interval) int { return cmp.Compare(far(a), far(b)) })[:mostBudgets]
	slices.SortFunc(near, func(a, b selector.Interval) int { return cmp.Compare(a.From, b.From) })
	return near, len(all) - mostBudgets
}

// describeEffect says which items come and go with a change beside those at some
// pool indices and their groups, and what it costs.
func describeEffect(o *outcome, e *selector.Effect, known ...int) string {
	forced := func(i int) bool {
		group := o.pool.Candidates[i].Group
		return slices.ContainsFunc(known, func(k int) bool { return k == i || group != "" && o.pool.Candidates[k].Group == group })
	}
	var parts []string
	for _, moved := range []struct {
		items []int
		would string
	}{{e.In, "come"}, {e.Out, "go"}} {
		var names []string
		for _, i := range moved.items {
			if !forced(i) {
				names = append(names, o.pool.Candidates[i].Label(i))
			}
		}
		if len(names) > 0 {
			parts = append(parts, list(names)+" would "+moved.would)
		}
	}
	switch loss := 100 * e.Loss; {
	case math.Abs(loss) < 0.05:
		parts = append(parts, "the score stays")
	case loss > 0:
		parts = append(parts, fmt.Sprintf("%.1f %% of the score would be lost", loss))
	default:
		parts = append(parts, fmt.Sprintf("%.1f %% of the score would be won", -loss))
	}
	return ": " + strings.Join(parts, ", ")
}

// whyChange is a change in JSON.
type whyChange struct {
	Budgets  *selector.ReturnsAt `json:"budgets,omitempty"`
	Without  string              `json:"without,omitempty"`
	Strategy string              `json:"strategy,omitempty"`
	Pin      bool                `json:"pin,omitempty"`
	Ban      bool                `json:"ban,omitempty"`
	Effect   *whyEffect          `json:"effect,omitempty"`
}

// whyEffect is what a change does, in JSON: the ids that come and go, and the share
// of the objective that is lost.
type whyEffect struct {
	In   []string `json:"in"`
	Out  []string `json:"out"`
	Loss float64  `json:"loss"`
}

// changeDocuments are changes as they are printed.
func changeDocuments(o *outcome, changes []selector.WouldKeep) []whyChange {
	ids := func(of []int) []string {
		out := make([]string, len(of))
		for k, i := range of {
			out[k] = o.pool.Candidates[i].ID
		}
		return out
	}
	docs := make([]whyChange, len(changes))
	for k, c := range changes {
		docs[k] = whyChange{Budgets: c.Returns, Without: c.Without, Strategy: c.Strategy, Pin: c.Pin, Ban: c.Ban}
		if c.Effect != nil {
			docs[k].Effect = &whyEffect{ids(c.Effect.In), ids(c.Effect.Out), c.Effect.Loss}
		}
	}
	return docs
}
