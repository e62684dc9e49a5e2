package cmd

import (
	"bufio"
	"context"
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

// excerptWidth is how many columns of an item's text are printed, quoteWidth how
// many of one that is quoted in a sentence.
const (
	excerptWidth = 160
	quoteWidth   = 80
)

// mostNamed is how many items one sentence names.
const mostNamed = 20

// writeTurn prints the turn at index i in whole sentences, one fact a line, so
// that it can be read aloud: first what matters, then every item.
func (w *walker) writeTurn(ctx context.Context, to io.Writer, title string, i int) error {
	o, err := w.choose(ctx, i)
	if err != nil {
		return err
	}
	s, out := w.session, bufio.NewWriter(to)
	label := ""
	if w.story != nil {
		label = " (" + safe.Line(w.story.Label) + ")"
	}
	fmt.Fprintf(out, "Session: %s%s, %s\n", safe.Line(title), label, safe.Line(s.Key))
	writeTurnHead(out, o.turn, s.Turns[len(s.Turns)-1].Number)
	if o.pool == nil {
		fmt.Fprintf(out, "Turn %d is on a branch that was left: nothing was offered for it.\n", o.turn.Number)
	} else {
		writeSelection(out, o.selection, len(o.pool.Candidates), w.plan)
		writeRecord(out, o)
		if err := w.writeNeeds(ctx, out, o); err != nil {
			return err
		}
		if err := w.writeSince(ctx, out, o, i); err != nil {
			return err
		}
		writeWarnings(out, o.selection.Warnings)
	}
	if err := w.writeTimeline(ctx, out); err != nil {
		return err
	}
	writeWarnings(out, s.Warnings)
	for _, skip := range s.Skipped {
		fmt.Fprintf(out, "Skipped: %s\n", safe.Line(skip.String()))
	}
	if o.pool != nil {
		fmt.Fprintln(out)
		writeItems(out, o.pool, o.selection)
	}
	return failedWrite(out.Flush())
}

// writeTurnHead prints what is known of a turn before anything is selected; last
// is the number of the session's last turn.
func writeTurnHead(w *bufio.Writer, t *session.Turn, last int) {
	fmt.Fprintf(w, "Turn: %d of %d", t.Number, last)
	if !t.Time.IsZero() {
		fmt.Fprintf(w, ", %s", t.Time.UTC().Format("2006-01-02 15:04:05 UTC"))
	}
	if t.Internal != "" {
		fmt.Fprintf(w, ", the host's own (%s)", safe.Line(t.Internal))
	}
	if t.Boundary != nil {
		fmt.Fprintf(w, ", after a %s", safe.Line(t.Boundary.Kind))
	}
	fmt.Fprintln(w)
	fmt.Fprintf(w, "Question: %s\n", safe.Line(t.Query))
	if t.Answer != "" {
		fmt.Fprintf(w, "Recorded answer: %s\n", safe.Line(t.Answer))
	}
	if t.Reported > 0 {
		fmt.Fprintf(w, "Reported by the provider for this turn's first request, with all that the host added: %s\n", tokens(t.Reported))
	}
}

// writeSelection prints in numbers what is kept of so many items, and how good
// that is.
func writeSelection(w *bufio.Writer, s *selector.Selection, items int, p *plan) {
	fmt.Fprintln(w, keeps(s, items, p))
	fmt.Fprintf(w, "Budget: %s.\n", describeBudget(s, p))
	if claim := s.Claim(); claim != "" {
		fmt.Fprintln(w, sentence(claim))
	}
}

// keeps says in a sentence how much is kept of so many items.
func keeps(s *selector.Selection, items int, p *plan) string {
	estimated := ""
	if p.counter.Estimated() {
		estimated = " (estimated)"
	}
	return fmt.Sprintf("%s would keep %s of %s, %s of %s%s, and drop %s.",
		s.Strategy, session.Grouped(len(s.Kept)), session.Counted(items, "item"), session.Grouped(s.Tokens.Kept), tokens(s.Tokens.Pool), estimated, session.Grouped(items-len(s.Kept)))
}

// writeRecord prints of a captured turn whether this is what the agent had.
func writeRecord(w *bufio.Writer, o *outcome) {
	r := o.turn.Record
	switch {
	case r == nil:
		return
	case r.Is(o.selection.Kept):
		fmt.Fprintf(w, "Captured: the agent had just that (capture %d).\n", r.Capture)
		return
	}
	had := make(map[string]bool, len(r.Kept))
	for _, id := range r.Kept {
		had[id] = true
	}
	var more, less []string
	for i := range o.pool.Candidates {
		switch id := o.pool.Candidates[i].ID; {
		case o.selection.Keeps(i) && !had[id]:
			more = append(more, o.pool.Candidates[i].Label(i))
		case had[id] && !o.selection.Keeps(i):
			less = append(less, o.pool.Candidates[i].Label(i))
		}
	}
	fmt.Fprintf(w, "Captured: the agent had %s, by %s under %s (capture %d). Here %s, %s.\n",
		session.Counted(len(r.Kept), "item"), safe.Line(r.Strategy), tokens(r.Budget), r.Capture, moved(more, "are more"), moved(less, "are missing"))
}

// sentence makes a sentence of words that begin in lower case.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// describeBudget says how large the budget is and how it came about.
func describeBudget(s *selector.Selection, p *plan) string {
	origin := func(name string, t selector.Term) string {
		source := t.Source
		switch source {
		case sourceDefault:
			source = p.defaultLabel
		case sourceRecorded:
			source = "as recorded"
		}
		if name == "budget" && p.budget.IsShare() && t.Source == p.budgetSource {
			return p.budget.String() + ", " + source
		}
		return source
	}
	names := slices.Sorted(maps.Keys(s.BudgetTerms))
	if t := s.BudgetTerms["budget"]; len(names) == 1 && t.Value == s.EffectiveBudget {
		return fmt.Sprintf("%s (%s)", tokens(t.Value), origin("budget", t))
	}
	terms := make([]string, len(names))
	for i, name := range names {
		t := s.BudgetTerms[name]
		terms[i] = fmt.Sprintf("%s %s (%s)", name, session.Grouped(t.Value), origin(name, t))
	}
	return fmt.Sprintf("%s to choose with: %s", tokens(s.EffectiveBudget), strings.Join(terms, ", "))
}

// tokens is a number of tokens in words.
func tokens(n int) string { return session.Counted(n, "token") }

// writeNeeds prints what the turn needs, whether that is kept, and which
// strategies decide otherwise within the same budget.
func (w *walker) writeNeeds(ctx context.Context, out *bufio.Writer, o *outcome) error {
	keep, drop, err := w.keepers(ctx, o)
	if err != nil {
		return err
	}
	for k := range o.needs {
		n := &o.needs[k]
		c := &o.pool.Candidates[n.item]
		what := "Needed"
		switch {
		case n.Estimate():
			what = fmt.Sprintf("Needed (an estimate: %s)", safe.Line(n.Found()))
		case n.Live:
			what = fmt.Sprintf("Needed (%s)", safe.Line(n.Found()))
		}
		verdict, who := "dropped", "kept by "+strings.Join(keep[k], ", ")
		switch {
		case n.kept && len(drop[k]) == 0:
			verdict, who = "kept", "kept by every strategy"
		case n.kept:
			verdict, who = "kept", "dropped by "+strings.Join(drop[k], ", ")
		case len(keep[k]) == 0:
			who = "no strategy keeps it within this budget"
		}
		text := excerpt(c.Content(), quoteWidth)
		fmt.Fprintf(out, "%s and %s: %s “%s” (%s%s, %s)", what, verdict, c.Label(n.item), text, c.Kind, saidIn(c), tokens(c.Tokens))
		for _, i := range n.others() {
			fmt.Fprintf(out, ", or %s", o.pool.Candidates[i].Label(i))
		}
		fmt.Fprintf(out, "; %s.\n", who)
	}
	return nil
}

// writeSince prints what came in and what left since the turn before the one at
// index i.
func (w *walker) writeSince(ctx context.Context, out *bufio.Writer, o *outcome, i int) error {
	at := w.before(i)
	if at < 0 {
		return nil
	}
	before, err := w.choose(ctx, at)
	if err != nil {
		return err
	}
	in, left := without(o, before), without(before, o)
	fmt.Fprintf(out, "Since turn %d: %s, %s.\n", before.turn.Number, moved(in, "came in"), moved(left, "left"))
	if kept := o.selection.Tokens.Kept; kept > 0 {
		fmt.Fprintf(out, "Prefix: %s.\n", selector.PrefixSentence(o.stableSince(before), kept, before.turn.Number))
	}
	return nil
}

// without names what a keeps and b does not.
func without(a, b *outcome) []string {
	kept := make(map[string]bool, len(b.selection.Kept))
	for _, id := range b.selection.Kept {
		kept[id] = true
	}
	var names []string
	for _, i := range a.selection.KeptIndices {
		if c := &a.pool.Candidates[i]; !kept[c.ID] {
			names = append(names, c.Label(i))
		}
	}
	return names
}

// moved says how many items did something, and which.
func moved(names []string, did string) string {
	if len(names) == 0 {
		return "nothing " + did
	}
	return fmt.Sprintf("%d %s (%s)", len(names), did, list(names))
}

// list is the first of some names, and how many there are more.
func list(names []string) string {
	more := ""
	if n := len(names) - mostNamed; n > 0 {
		names, more = names[:mostNamed], fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(names, ", ") + more
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

// writeItems prints every candidate of the pool under its verdict, in the order
// of the pool, with the reason as a sentence.
func writeItems(w *bufio.Writer, pool *session.Pool, s *selector.Selection) {
	writeEach(w, pool, s, func(i int) { writeItem(w, &pool.Candidates[i], s.Explain(i)) })
}

// writeEach gives every candidate to write, the kept ones first.
func writeEach(w *bufio.Writer, pool *session.Pool, s *selector.Selection, write func(i int)) {
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
			write(i)
		}
		if none {
			fmt.Fprintln(w, "  nothing")
		}
		fmt.Fprintln(w)
	}
}

func writeItem(w *bufio.Writer, c *session.Candidate, v selector.Verdict) {
	fmt.Fprintf(w, "  %s %s%s, %s: %s\n", c.Label(v.Index), c.Kind, saidIn(c), tokens(c.Tokens), safe.Line(v.Reason.Text))
	fmt.Fprintf(w, "      %s\n", excerpt(c.Content(), excerptWidth))
}

// maxExcerpt is how many bytes of a text are looked at for an excerpt: more than
// any line shows, and little of a text of megabytes.
const maxExcerpt = 16 << 10

// excerpt is the beginning of a text in one line, at most width cells wide.
func excerpt(text string, width int) string {
	text = strings.TrimSpace(text)
	cut := len(text) > maxExcerpt
	if cut {
		text = strings.ToValidUTF8(text[:maxExcerpt], "") // not half a character
	}
	text = strings.TrimSpace(safe.Line(text))
	if cut {
		text += "…"
	}
	return ansi.Truncate(text, width, "…")
}

// saidIn is the turn in which an item was said, after a comma, if it is known.
func saidIn(c *session.Candidate) string {
	if c.Turn == 0 {
		return ""
	}
	return fmt.Sprintf(", turn %d", c.Turn)
}
