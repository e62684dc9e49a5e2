package cmd

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"pacms/selector"
	"pacms/session"
	"pacms/tui/paint"
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
	for _, line := range describeChanges(o, i, changes) {
		fmt.Fprintln(out, safe.Line(line))
	}
	return nil
}

// describeChanges are changes after which the item at pool index i fares otherwise, a
// sentence each, those of other strategies in one.
func describeChanges(o *outcome, i int, changes []selector.WouldKeep) []string {
	verdict := "Would be kept"
	if o.selection.Keeps(i) {
		verdict = "Would be dropped"
	}
	var lines, by []string
	for _, c := range changes {
		if c.Strategy != "" {
			by = append(by, c.Strategy)
			continue
		}
		lines = append(lines, verdict+" "+describeChange(o, i, c)+".")
	}
	if len(by) > 0 {
		lines = append(lines, verdict+" by "+strings.Join(by, ", ")+".")
	}
	return lines
}

// describeChange says what a change is and what else it does, as the end of a
// sentence that begins with "Would be kept".
func describeChange(o *outcome, i int, c selector.WouldKeep) string {
	if c.Returns != nil && len(c.Returns.Intervals) == 0 {
		return "at no budget, however large"
	}
	switch {
	case c.Returns != nil:
		at := "at budgets "
		if len(c.Returns.Intervals) == 1 && c.Returns.Intervals[0].From == c.Returns.Intervals[0].To {
			at = "at a budget of "
		}
		return at + describeBudgets(*c.Returns, o.selection.Budget)
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
	text := r.Near(budget, paint.Count)
	if r.Resolution > 0 {
		text += fmt.Sprintf(" (tried at least every %s: a range between may be missing)", tokens(r.Resolution+1))
	}
	return text
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
	return ": " + strings.Join(append(parts, describeLoss(o.selection, e)), ", ")
}

// describeLoss says what a change costs: in what the strategy chooses by, or in
// coverage where it has no such thing. Where the budget is exceeded that is no
// comparison, and the excess is told in its place.
func describeLoss(s *selector.Selection, e *selector.Effect) string {
	if e.Over > 0 {
		return fmt.Sprintf("over the budget by %s", tokens(e.Over))
	}
	what := "coverage"
	if s.Objective != nil {
		what = "score"
	}
	switch loss := 100 * e.Loss; {
	case math.Abs(loss) < 0.05:
		return "the " + what + " stays"
	case loss > 0:
		return fmt.Sprintf("%.1f %% of the %s would be lost", loss, what)
	default:
		return fmt.Sprintf("%.1f %% of the %s would be gained", -loss, what)
	}
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

// whyEffect is what a change does, in JSON: the ids that come and go, the share of
// the objective that is lost, and by how many tokens the budget is exceeded.
type whyEffect struct {
	In   []string `json:"in"`
	Out  []string `json:"out"`
	Loss float64  `json:"loss"`
	Over int      `json:"over,omitempty"`
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
			docs[k].Effect = &whyEffect{ids(c.Effect.In), ids(c.Effect.Out), c.Effect.Loss, c.Effect.Over}
		}
	}
	return docs
}
