package cmd

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pacms/selector"
	"pacms/session"
	"pacms/tui/safe"
)

// sweptTurns is how many turns a session may have to be looked through for what
// is missed: each of them is selected for.
const sweptTurns = 200

// writeTimeline prints what the screen marks under its timeline: the turns that
// miss something, those after a compaction or a reset, the host's own, and those
// on branches that were left.
func (w *walker) writeTimeline(ctx context.Context, out *bufio.Writer) error {
	marks, counts, err := w.misses(ctx)
	if err != nil {
		return err
	}
	var boundaries, internal, left []string
	for i := range w.session.Turns {
		t := &w.session.Turns[i]
		number := strconv.Itoa(t.Number)
		switch {
		case t.Branch != session.BranchActive:
			left = append(left, number)
		case t.Internal != "":
			internal = append(internal, number)
		}
		if t.Boundary != nil {
			boundaries = append(boundaries, safe.Line(t.Boundary.Kind)+" before turn "+number)
		}
	}
	marks = append(marks, boundaries...)
	for _, group := range []struct {
		what  string
		turns []string
	}{{"the host's own", internal}, {"on a branch that was left", left}} {
		if len(group.turns) > 0 {
			marks = append(marks, group.what+": "+inTurns(group.turns))
		}
	}
	if len(marks) > 0 {
		fmt.Fprintf(out, "Timeline: %s.\n", strings.Join(marks, "; "))
	}
	had := "the recorded agent had the full context"
	if slices.ContainsFunc(w.session.Turns, func(t session.Turn) bool { return t.Record != nil }) {
		had = "the agent had what was captured"
	}
	writeTallies(out, counts, had)
	return nil
}

// misses names the turns of which something is likely needed and dropped, and
// counts what every strategy makes of them.
func (w *walker) misses(ctx context.Context) (marks []string, counts []selector.Tally, err error) {
	asked := 0
	for i := range w.session.Turns {
		if w.asked(i) {
			asked++
		}
	}
	if asked == 0 {
		return nil, nil, nil
	}
	if asked > sweptTurns {
		return []string{fmt.Sprintf("misses are not looked for in so many turns (%d), but --json counts them and says of each turn what it needs", asked)}, nil, nil
	}
	var turns, known []string
	tallies := selector.NewTallies(selector.Numbered(w.strategy))
	for i := range w.session.Turns {
		if !w.asked(i) {
			continue
		}
		o, err := w.choose(ctx, i)
		if err == nil {
			err = o.count(ctx, tallies)
		}
		if err != nil {
			return nil, nil, err
		}
		missing := func(n need) bool { return !n.kept }
		switch {
		case !slices.ContainsFunc(o.needs, missing):
		case slices.ContainsFunc(o.needs, func(n need) bool { return missing(n) && n.Live }):
			known = append(known, strconv.Itoa(o.turn.Number))
		default:
			turns = append(turns, strconv.Itoa(o.turn.Number))
		}
	}
	if len(known) > 0 {
		marks = append(marks, "misses in "+inTurns(known))
	}
	if len(turns) > 0 {
		marks = append(marks, "likely misses in "+inTurns(turns))
	}
	return marks, tallies.List(), nil
}

// writeTallies prints for every strategy how much of what the turns seem to need
// it drops and in how many turns, which is what the screen counts, and how much of what is quoted it keeps.
// had is what the agent had, which makes the misses estimates.
func writeTallies(out *bufio.Writer, tallies []selector.Tally, had string) {
	if len(tallies) == 0 || tallies[0].Needs == 0 {
		return
	}
	var missed, kept []string
	for _, t := range tallies {
		in := ""
		if t.Missed > 0 {
			in = " in " + session.Counted(t.Missing, "turn")
		}
		missed = append(missed, fmt.Sprintf("%s %d%s", t.Strategy, t.Missed, in))
		kept = append(kept, fmt.Sprintf("%s %d", t.Strategy, t.KeptAndQuoted))
	}
	t := tallies[0]
	fmt.Fprintf(out, "Likely misses (estimates: %s), of %s in %d of %s: %s.\n", had,
		session.Counted(t.Needs, "need"), t.WithNeeds, session.Counted(t.Turns, "turn"), strings.Join(missed, ", "))
	fmt.Fprintf(out, "Quoted by the recorded answers and kept: %s.\n", strings.Join(kept, ", "))
}

// inTurns names turns by their numbers.
func inTurns(numbers []string) string {
	if len(numbers) == 1 {
		return "turn " + numbers[0]
	}
	return "turns " + list(numbers)
}
