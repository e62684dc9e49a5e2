package cmd

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"pacms/selector"
	"pacms/tui/safe"
)

const (
	// mostLater is how many needs of one item are told, mostChanges how many changes
	// of what became of it.
	mostLater   = 3
	mostChanges = 3
)

// walkOf is how turns of the session are selected for, one after the other.
func (w *walker) walkOf(turns []int) selector.Walk {
	return selector.Walk{
		Session: w.session, Mode: w.mode, Turns: turns,
		Prepare: func(ctx context.Context, turn int) (*selector.Prepared, error) {
			return w.prepare(ctx, w.engine, w.session.Pool(turn, w.mode))
		},
		Options: w.optionsFor,
	}
}

// writeAround prints what other turns say of the item at pool index i in the turn at
// an index: when what became of it last changed and why, what needs it from then on,
// and how much of the turn's selection begins as in the turn before.
func (w *walker) writeAround(ctx context.Context, out *bufio.Writer, o *outcome, turn, i int) error {
	var until, from []int
	for at := range w.session.Turns {
		switch {
		case at != turn && !w.asked(at):
		case at == turn:
			until, from = append(until, at), append(from, at)
		case at < turn:
			until = append(until, at)
		default:
			from = append(from, at)
		}
	}
	id := o.pool.Candidates[i].ID
	moments, err := w.engine.Lifeline(ctx, w.walkOf(until), id, nil)
	if err != nil {
		return fmt.Errorf("follow %s up to turn %d: %w", o.pool.Candidates[i].Label(i), o.turn.Number, err)
	}
	var changed []string
	for _, m := range moments {
		if m.Cause != "" {
			changed = append(changed, fmt.Sprintf("turn %d %s: %s", m.Turn, m.State.Words(), m.CausedBy(w.session)))
		}
	}
	if len(changed) > 0 {
		fmt.Fprintf(out, "Changed: %s.\n", safe.Line(strings.Join(changed[max(0, len(changed)-mostChanges):], " · ")))
	}
	found, err := w.walkOf(from).Consequences(ctx, w.hindsight, id, turn, mostLater)
	if err != nil {
		return fmt.Errorf("look for what came of %s: %w", o.pool.Candidates[i].Label(i), err)
	}
	for _, c := range found {
		when := "Later"
		if c.Turn == o.turn.Number {
			when = "Now"
		}
		fmt.Fprintf(out, "%s: %s.\n", when, safe.Line(c.Sentence(o.turn.Number, false)))
	}
	if at := w.before(turn); at >= 0 && o.selection.Tokens.Kept > 0 {
		before, err := w.only(ctx, at)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "Prefix: %s.\n", selector.PrefixSentence(o.stableSince(before), o.selection.Tokens.Kept, before.turn.Number))
	}
	return nil
}
