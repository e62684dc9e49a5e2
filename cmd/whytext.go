package cmd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"pacms/selector"
	"pacms/session"
	"pacms/tui/safe"
)

// writeText prints where the items are and a line a turn; of a single turn it
// prints a line an item with the whole reason.
func (a *answer) writeText(ctx context.Context, to io.Writer) error {
	out := bufio.NewWriter(to)
	a.writeLooked(out)
	if len(a.looked) > 0 {
		fmt.Fprintf(out, "Selected by: %s, budget %s.\n", a.describeStrategy(), a.describeBudget())
	}
	writeWarnings(out, a.session.Warnings)
	if len(a.looked) == 0 {
		return failedWrite(out.Flush())
	}
	fmt.Fprintln(out)
	write := a.writeLines
	if a.one {
		write = a.writeInFull
	}
	if err := write(ctx, out); err != nil {
		return err
	}
	return failedWrite(out.Flush())
}

// writeLooked prints which items are meant.
func (a *answer) writeLooked(w *bufio.Writer) {
	s := a.session
	fmt.Fprintf(w, "Session: %s, %s\n", safe.Line(a.title), safe.Line(s.Key))
	if a.id == "" {
		all := session.Counted(len(s.Candidates)+len(s.Aside)+len(s.Host), "stored item")
		if len(a.looked) == 0 {
			fmt.Fprintf(w, "“%s” is in none of the %s.\n", safe.Line(a.find), all)
			return
		}
		hits := 0
		for k := range a.looked {
			hits += a.looked[k].Count
		}
		if a.byWords {
			fmt.Fprintf(w, "“%s” is in none of the %s as it stands, but all of its words are in %d:\n", safe.Line(a.find), all, len(a.looked))
		} else {
			fmt.Fprintf(w, "“%s” is in %d of the %s, %s:\n", safe.Line(a.find), len(a.looked), all, session.Counted(hits, "time"))
		}
	}
	for k := range a.looked {
		o := &a.looked[k]
		facts := string(o.Kind) + saidIn(&o.Candidate)
		if o.Count > 1 && !a.byWords {
			facts += fmt.Sprintf(", %d times", o.Count)
		}
		fmt.Fprintf(w, "  %s %s: %s\n", safe.Line(o.Name()), facts, excerpt(o.Excerpt, excerptWidth))
	}
}

// captured reports whether all turns were captured with what was selected.
func (a *answer) captured() bool {
	return !slices.ContainsFunc(a.session.Turns, func(t session.Turn) bool { return t.Record == nil })
}

// describeStrategy says what the turns are selected by.
func (a *answer) describeStrategy() string {
	if a.captured() && a.origin["strategy"] == "" {
		return "the strategy that each turn was captured with"
	}
	return a.strategy.String()
}

// describeBudget says what the turns are selected under.
func (a *answer) describeBudget() string {
	if a.captured() && a.budgetSource == sourceDefault {
		return "as recorded of each"
	}
	origin := a.budgetSource
	if origin == sourceDefault {
		origin = a.defaultLabel
	}
	usual := fmt.Sprintf("%s (%s)", tokens(a.budget.Tokens(a.basis)), origin)
	switch {
	case a.budget.IsShare() && a.perTurn:
		usual = a.budget.String() + " of each turn's own pool (" + origin + ")"
	case a.budget.IsShare():
		usual = fmt.Sprintf("%s (%s of the largest pool, %s)", tokens(a.budget.Tokens(a.basis)), a.budget, origin)
	}
	own := 0 // pools that say what they have room for
	for _, p := range a.session.Pools {
		if p.Budget != nil || p.Window != nil {
			own++
		}
	}
	switch {
	case own == 0 || a.budgetSource != sourceDefault:
		return usual
	case own == len(a.session.Pools):
		return "that of each pool"
	}
	return "that of each pool, and where it has none " + usual
}

// writeLines prints what became of the items, a line a turn. The turns before any
// of them was said are one line.
func (a *answer) writeLines(ctx context.Context, out *bufio.Writer) error {
	width := len(strconv.Itoa(a.session.Turns[len(a.session.Turns)-1].Number))
	said := 0 // turns that are told of
	for n, i := range a.turns {
		o, sightings, err := a.sight(ctx, i)
		if err != nil {
			return err
		}
		if len(sightings) == 0 && said == 0 {
			continue
		}
		if said == 0 && n > 0 {
			first, last := a.session.Turns[a.turns[0]].Number, a.session.Turns[a.turns[n-1]].Number
			writeUnsaid(out, width, first, last)
		}
		said++
		line := a.line(o, sightings)
		fmt.Fprintf(out, "turn %*d  %s\n", width, o.turn.Number, line)
		if err := out.Flush(); err != nil {
			return failedWrite(err)
		}
	}
	return nil
}

func writeUnsaid(w *bufio.Writer, width, first, last int) {
	if first == last {
		fmt.Fprintf(w, "turn %*d  not said yet\n", width, first)
		return
	}
	fmt.Fprintf(w, "turns %d to %d  not said yet\n", first, last)
}

// line says what became of the items in one turn.
func (a *answer) line(o *outcome, sightings []selector.Sighting) string {
	full := func(s selector.Sighting) string { return reason(o, s) }
	return safe.Line(selector.Line(o.turn, a.looked, sightings, full))
}

// writeInFull prints the turns that are asked about with the whole reasons.
func (a *answer) writeInFull(ctx context.Context, out *bufio.Writer) error {
	for _, i := range a.turns {
		o, sightings, err := a.sight(ctx, i)
		if err != nil {
			return err
		}
		writeTurnHead(out, o.turn, a.session.Turns[len(a.session.Turns)-1].Number)
		if o.selection != nil {
			writeSelection(out, o.selection, len(o.pool.Candidates), a.plan)
		}
		fmt.Fprintln(out)
		if o.turn.Branch != session.BranchActive || len(sightings) == 0 {
			fmt.Fprintln(out, a.line(o, sightings))
			continue
		}
		for _, s := range sightings {
			fmt.Fprintf(out, "%s %s: %s\n", safe.Line(a.looked[s.Of].Name()), s.State.Words(), safe.Line(reason(o, s)))
			if a.id != "" && s.Index >= 0 {
				if err := a.writeWhole(ctx, out, o, s.Index); err != nil {
					return err
				}
				if err := a.writeAround(ctx, out, o, i, s.Index); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
