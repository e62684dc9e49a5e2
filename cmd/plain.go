package cmd

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pacms/selector"
	"pacms/session"
	"pacms/tui/safe"
)

// excerptWidth is how many columns of a candidate's text are printed.
const excerptWidth = 160

// writeOutcome prints one turn of s in whole sentences, one fact a line, so
// that it can be read aloud.
func writeOutcome(w io.Writer, src source, s *session.Session, o *outcome, p *plan) error {
	out := bufio.NewWriter(w)
	label := ""
	if src.story != nil {
		label = " (" + safe.Line(src.story.Label) + ")"
	}
	fmt.Fprintf(out, "Session: %s%s, %s\n", safe.Line(src.title), label, safe.Line(s.Key))
	when := ""
	if !o.turn.Time.IsZero() {
		when = ", " + o.turn.Time.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	fmt.Fprintf(out, "Turn: %d of %d%s\n", o.turn.Number, s.Turns[len(s.Turns)-1].Number, when)
	fmt.Fprintf(out, "Question: %s\n", safe.Line(o.turn.Query))
	if o.turn.Reported > 0 {
		fmt.Fprintf(out, "Reported by the provider for this turn's first request, with all that the host added: %d tokens\n", o.turn.Reported)
	}
	if o.pool == nil {
		fmt.Fprintln(out, "Nothing was offered for this turn: the session went on from an earlier one.")
	} else {
		writeSelection(out, o.selection, len(o.pool.Candidates), p)
		fmt.Fprintln(out)
		writeCandidates(out, o.pool, o.selection)
	}
	for _, skip := range s.Skipped {
		fmt.Fprintf(out, "Skipped: %s\n", safe.Line(describeSkip(skip)))
	}
	writeWarnings(out, s.Warnings)
	return failedWrite(out.Flush())
}

// writeSelection prints in numbers what is kept of so many items, and what to
// know about it.
func writeSelection(w *bufio.Writer, s *selector.Selection, items int, p *plan) {
	estimated := ""
	if p.counter.Estimated() {
		estimated = " (estimated)"
	}
	fmt.Fprintf(w, "%s would keep %d of %d items, %d of %d tokens%s, and drop %d.\n",
		s.Strategy, len(s.Kept), items, s.Tokens.Kept, s.Tokens.Pool, estimated, items-len(s.Kept))
	fmt.Fprintf(w, "Budget: %s.\n", describeBudget(s, p))
	if c := s.Certificate; c != nil && *c > 0 {
		fmt.Fprintf(w, "No subset within this budget scores more than %.1f %% higher (it says nothing about the answer).\n",
			100*(1 / *c - 1))
	}
	writeWarnings(w, s.Warnings)
}

// describeBudget says how large the budget is and how it came about.
func describeBudget(s *selector.Selection, p *plan) string {
	names := slices.Sorted(maps.Keys(s.BudgetTerms))
	terms := make([]string, len(names))
	for i, name := range names {
		t := s.BudgetTerms[name]
		share := ""
		if name == "budget" && p.budget.IsShare() && t.Source == p.budgetSource {
			share = p.budget.String() + ", "
		}
		terms[i] = fmt.Sprintf("%s %d (%s%s)", name, t.Value, share, t.Source)
	}
	return fmt.Sprintf("%d tokens to choose with: %s", s.EffectiveBudget, strings.Join(terms, ", "))
}

// describeSkip says which record was skipped and why.
func describeSkip(skip session.Skip) string {
	unit := "line"
	if skip.Offset < 0 { // a database has no lines
		unit = "record"
	}
	return fmt.Sprintf("%s %d, %d bytes: %s", unit, skip.Line, skip.Bytes, skip.Cause)
}

func writeWarnings(w *bufio.Writer, warnings []session.Warning) {
	for _, warning := range warnings {
		fmt.Fprintf(w, "Warning: %s\n", safe.Line(warning.Message))
	}
}

// writeKept prints the ids of what is kept, in the order of the pool.
func writeKept(w *bufio.Writer, s *selector.Selection) {
	for _, id := range s.Kept {
		fmt.Fprintf(w, "  %s\n", safe.Line(id))
	}
}

// writeCandidates prints every candidate of the pool under its verdict, in the
// order of the pool, with the reason as a sentence.
func writeCandidates(w *bufio.Writer, pool *session.Pool, s *selector.Selection) {
	for _, part := range []struct {
		title string
		kept  bool
	}{{"Kept", true}, {"Dropped", false}} {
		fmt.Fprintf(w, "%s, oldest first:\n", part.title)
		none := true
		for i := range pool.Candidates {
			if s.Keeps(i) != part.kept {
				continue
			}
			none = false
			writeCandidate(w, &pool.Candidates[i], s.Explain(i))
		}
		if none {
			fmt.Fprintln(w, "  nothing")
		}
		fmt.Fprintln(w)
	}
}

func writeCandidate(w *bufio.Writer, c *session.Candidate, v selector.Verdict) {
	turn := ""
	if c.Turn > 0 {
		turn = fmt.Sprintf(", turn %d", c.Turn)
	}
	fmt.Fprintf(w, "  %s %s%s, %d tokens: %s\n", c.Label(v.Index), c.Kind, turn, c.Tokens, safe.Line(v.Reason.Text))
	text := strings.TrimSpace(safe.Line(c.Content()))
	fmt.Fprintf(w, "      %s\n", ansi.Truncate(text, excerptWidth, "…"))
}
