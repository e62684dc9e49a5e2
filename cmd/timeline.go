package cmd

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	marks, err := w.misses(ctx)
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
	return nil
}

// misses names the turns of which something is likely needed and dropped.
func (w *walker) misses(ctx context.Context) ([]string, error) {
	asked := 0
	for i := w.before(len(w.session.Turns)); i >= 0; i = w.before(i) {
		asked++
	}
	if asked > sweptTurns {
		return []string{fmt.Sprintf("misses are not looked for in so many turns (%d), but --jsonl says of each what it needs", asked)}, nil
	}
	var turns []string
	for i := w.before(len(w.session.Turns)); i >= 0; i = w.before(i) {
		o, err := w.choose(ctx, i)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(o.needs, func(n need) bool { return !n.kept }) {
			turns = append(turns, strconv.Itoa(o.turn.Number))
		}
	}
	if len(turns) == 0 {
		return nil, nil
	}
	slices.Reverse(turns)
	return []string{"likely misses in " + inTurns(turns)}, nil
}

// inTurns names turns by their numbers.
func inTurns(numbers []string) string {
	if len(numbers) == 1 {
		return "turn " + numbers[0]
	}
	return "turns " + list(numbers)
}
