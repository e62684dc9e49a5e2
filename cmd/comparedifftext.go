package cmd

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"pacms/selector/compare"
	"pacms/session"
	"pacms/tui/safe"
)

// write prints a difference as text.
func (d *diffDocument) write(to io.Writer) error {
	out := bufio.NewWriter(to)
	for _, s := range []struct {
		letter string
		diffSide
	}{{"A", d.A}, {"B", d.B}} {
		turn, how := "", "keeps"
		if s.Turn > 0 {
			turn = fmt.Sprintf(", turn %d", s.Turn)
		}
		if s.Recorded {
			how = "kept, as recorded,"
		}
		fmt.Fprintf(out, "%s  %s%s: %s %s %d of %s, %s, budget %s\n", s.letter, safe.Line(s.Name), turn, safe.Line(s.Strategy), how,
			s.Kept, session.Counted(s.Items, "item"), tokens(s.Tokens), tokens(s.Budget))
	}
	writeWarnings(out, d.Warnings)
	fmt.Fprintf(out, "%d entered, %d left, %d unchanged\n", len(d.Entered), len(d.Left), d.Unchanged)
	for _, part := range []struct {
		title string
		list  []diffChange
	}{{"Entered", d.Entered}, {"Left", d.Left}} {
		if len(part.list) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s:\n", part.title)
		for _, c := range part.list {
			fmt.Fprintf(out, "  %s, %s: %s\n", c.label, tokens(c.Tokens), causeOf(c, part.title == "Entered"))
			if c.Excerpt != "" {
				fmt.Fprintf(out, "      %s\n", c.Excerpt)
			}
		}
	}
	fmt.Fprintln(out)
	d.writeFactors(out)
	for _, s := range []struct {
		letter string
		diffSide
	}{{"A", d.A}, {"B", d.B}} {
		fmt.Fprintf(out, "%s: embedder %s; counter %s; rules %s; pool sha256 %s\n", s.letter, safe.Line(s.Embedder), s.Counter,
			s.part(compare.FactorRules), s.PoolHash[:16])
	}
	fmt.Fprintf(out, "build %s\n", d.Build)
	return failedWrite(out.Flush())
}

// causeOf says what changed the fate of an item.
func causeOf(c diffChange, entered bool) string {
	switch {
	case c.Cause == compare.FactorSeveral:
		return "several together"
	case !c.Offered && entered:
		return "pool (A was not offered it)"
	case !c.Offered:
		return "pool (B was not offered it)"
	}
	return string(c.Cause)
}

// writeFactors prints in what the sides differ, and what each of that does alone.
func (d *diffDocument) writeFactors(out *bufio.Writer) {
	if len(d.Factors) == 0 {
		fmt.Fprintln(out, "The sides do not differ in anything that a selection is made of.")
		return
	}
	n := len(d.Entered) + len(d.Left)
	fmt.Fprintln(out, "The sides differ in:")
	for _, f := range d.Factors {
		does := fmt.Sprintf("makes %d of the %s by itself", f.Alone, session.Counted(n, "change"))
		if f.Untried != "" {
			does = "could not be run by itself: " + safe.Line(f.Untried)
		}
		step := f.Was + " → " + f.Is
		if f.Was == f.Is {
			step = f.Was + " on both sides, but not the same"
		}
		fmt.Fprintf(out, "  %-8s  %s: %s\n", f.Factor, safe.Line(step), does)
	}
	fmt.Fprintln(out, strings.TrimSpace(`
A cause was found by running A again with one of these as in B, then B with one as in A;
where several would have done alone, the first of the list is named.`))
}
