// Package render writes a comparison for people and for other programs: as a table
// in plain text, Markdown or CSV, and as one HTML file with charts.
package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pacms/selector/compare"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// column is a column of the table of means and sums.
type column struct {
	head string
	// text is what stands in it for a row, rounded as people read it.
	text func(t *table, r *compare.Row) string
	// left is true where it is aligned to the left: what names the row.
	left bool
}

// columnsOf are the columns of a comparison.
func columnsOf(d *compare.Document) []column {
	if d.Expect == "" {
		return columns
	}
	return slices.Insert(slices.Clone(columns), expectedAt, column{
		"expected", func(_ *table, r *compare.Row) string { return fmt.Sprintf("%d of %d", r.Met, r.Expected) }, false,
	})
}

// expectedAt is where what is expected stands among the columns: behind quoted.
const expectedAt = 5

// unknown stands for a number that no turn gives.
const unknown = "–"

// known reports whether a turn gives what stands in the column.
func (c *column) known(r *compare.Row) bool {
	switch {
	case c.left:
		return true
	case c.head == "expected": // it is over all turns
		return r.Expected > 0
	case c.head == "prefix":
		return r.PrefixTurns > 0
	}
	return r.Counted > 0
}

// in is what stands in the column for a row.
func (c *column) in(t *table, r *compare.Row) string {
	if !c.known(r) {
		return unknown
	}
	return safe.Line(c.text(t, r))
}

var columns = []column{
	{"budget", func(t *table, r *compare.Row) string { return t.budget(r) }, true},
	{"turns", func(_ *table, r *compare.Row) string { return fmt.Sprintf("%d of %d", r.Counted, r.Turns) }, true},
	{"strategy", func(_ *table, r *compare.Row) string { return r.Strategy }, true},
	{"missed", func(_ *table, r *compare.Row) string { return fmt.Sprintf("%d of %d", r.Missed, r.Needs) }, false},
	{"quoted", func(_ *table, r *compare.Row) string { return strconv.Itoa(r.Quoted) }, false},
	{"items", func(_ *table, r *compare.Row) string { return decimals(r.Items, 1) }, false},
	{"tokens", func(_ *table, r *compare.Row) string { return paint.Count(int(r.Tokens + 0.5)) }, false},
	{"coverage", func(_ *table, r *compare.Row) string { return decimals(r.Coverage, 3) + byDesign(r.Strategy) }, false},
	{"overlap", func(_ *table, r *compare.Row) string { return decimals(r.Overlap, 3) }, false},
	{"prefix", func(_ *table, r *compare.Row) string { return decimals(r.Prefix, 3) }, false},
	{"ms", func(_ *table, r *compare.Row) string { return decimals(r.MS, 1) }, false},
}

// decimals is a number with so many decimals.
func decimals(x float64, n int) string { return strconv.FormatFloat(x, 'f', n, 64) }

// byDesign marks the coverage of the strategy that maximises it.
func byDesign(strategy string) string {
	if name, _, _ := strings.Cut(strategy, ":"); name == "pacms" {
		return "*"
	}
	return " "
}

// table is a comparison as people read it. Every text in it is harmless.
type table struct {
	d *compare.Document
}

// budget is the budget of a row as it was written, and in tokens.
func (t *table) budget(r *compare.Row) string {
	for b, text := range t.d.Budgets {
		if text != r.Budget {
			continue
		}
		switch least, most := t.d.BudgetTokens(b); {
		case text == strconv.Itoa(most):
			return paint.Count(most)
		case least != most:
			return fmt.Sprintf("%s = %s to %s", text, paint.Count(least), paint.Count(most))
		default:
			return fmt.Sprintf("%s = %s", text, paint.Count(most))
		}
	}
	return r.Budget
}

// rows are the cells of the table without its head.
func (t *table) rows() [][]string {
	rows := make([][]string, len(t.d.Rows))
	for i := range t.d.Rows {
		for _, c := range columnsOf(t.d) {
			rows[i] = append(rows[i], c.in(t, &t.d.Rows[i]))
		}
	}
	return rows
}

// title says in a line what was compared.
func (t *table) title() string {
	d := t.d
	names := make([]string, len(d.Sessions))
	turns := compare.Turns{}
	for i, s := range d.Sessions {
		names[i] = s.Source.Path
		turns.Internal += s.Internal
		turns.Left += s.Left
	}
	text := fmt.Sprintf("%s: %s compared", list(names), paint.Plural(d.Done, "turn"))
	if d.Partial {
		text += fmt.Sprintf(" of %s", paint.Count(d.Total))
	}
	if turns.Internal > 0 {
		text += fmt.Sprintf(", %s of the host's own left out", paint.Count(turns.Internal))
	}
	if turns.Left > 0 {
		text += fmt.Sprintf(", %s on a branch that was left", paint.Count(turns.Left))
	}
	return safe.Line(text)
}

// recorded says in a line what the agent had when the turns were captured; empty where
// none was.
func (t *table) recorded() string {
	r := t.d.Then
	if r == nil {
		return ""
	}
	budget := paint.Count(r.Most)
	if r.Least != r.Most {
		budget = paint.Count(r.Least) + " to " + budget
	}
	text := fmt.Sprintf("recorded: what the agent had, by %s under %s tokens, %d of %d captured turns: ",
		list(r.Strategies), budget, r.Counted, r.Turns)
	if r.Counted == 0 {
		return safe.Line(text + "everything fitted")
	}
	return safe.Line(text + fmt.Sprintf("missed %d of %d, quoted %d, items %s, tokens %s",
		r.Missed, r.Needs, r.Quoted, decimals(r.Items, 1), paint.Count(int(r.Tokens+0.5))))
}

// partial says that a comparison is not complete; empty where it is.
func (t *table) partial() string {
	if !t.d.Partial {
		return ""
	}
	return fmt.Sprintf("PARTIAL: it ended after %s of %s turns; all that follows is of those alone.",
		paint.Count(t.d.Done), paint.Count(t.d.Total))
}

// legend says what the columns are, a sentence each.
func (t *table) legend() []string {
	over := "the contested turns, those whose pool is larger than the budget"
	if t.d.AllTurns {
		over = "all turns, those in which everything fits too"
	}
	lines := []string{
		"turns: that count, of those compared; means and sums are over " + over + ".",
		"missed: likely misses, a sum: needs of which nothing is kept, of all that the records show.",
		"quoted: a sum: needs that the recorded answer quotes and of which something is kept.",
		"items, tokens: kept, a mean.",
		"coverage: share of the pool's value for the question, a mean; * by design: pacms maximises it.",
		"overlap: items kept by both, of those kept by either, with " + safe.Line(t.d.Strategies[0]) + " (Jaccard), a mean.",
		"prefix: share of the tokens kept in the turn before that stands unchanged in front, a mean.",
		"ms: time of one selection while others ran, a mean.",
		t.d.Footnote,
	}
	if t.d.Expect != "" {
		lines = slices.Insert(lines, 3, "expected: a sum over all turns: expectations of "+safe.Line(t.d.Expect)+" that are met, of those for this strategy and budget.")
	}
	if t.d.Then != nil {
		lines = slices.Insert(lines, 2, "missed of recorded: no estimates, as the agent had no more than that.")
	}
	return lines
}

// provenance says how to make the table again, and what made it.
func (t *table) provenance() []string {
	d := t.d
	counter := d.Tokenizer
	if d.Estimated {
		counter += " (estimates)"
	}
	rules := strings.Join(d.Rules, ",")
	if rules == "" {
		rules = "none"
	}
	return []string{
		"repeat: " + safe.Line(d.Repeat),
		fmt.Sprintf("build %s; embedder %s; counter %s", safe.Line(t.build()), safe.Line(d.Embedder), safe.Line(counter)),
		fmt.Sprintf("rules %s; tail %d; pools %s, sha256 %s", safe.Line(rules), d.Tail, safe.Line(d.Pool), short(d.PoolHash)),
	}
}

func (t *table) build() string {
	b := t.d.Build
	text := b.Version
	if b.Revision != "" && !strings.Contains(text, short(b.Revision)[:7]) {
		text += " " + short(b.Revision)
	}
	return fmt.Sprintf("%s (%s, %s)", text, b.Go, b.Platform)
}

// short is the beginning of a digest.
func short(hash string) string { return hash[:min(16, len(hash))] }

// gates say how many passed, and of each that failed by how much.
func (t *table) gates() []string {
	if len(t.d.Gates) == 0 {
		return nil
	}
	var failed []string
	for _, g := range t.d.Gates {
		if g.Failed {
			failed = append(failed, "failed "+safe.Line(g.Text))
		}
	}
	n := len(t.d.Gates)
	return append([]string{fmt.Sprintf("gates: %d of %d passed", n-len(failed), n)}, failed...)
}

// warnings are the sentences of what a reader should know.
func (t *table) warnings() []string {
	var lines []string
	for _, w := range t.d.Warnings {
		lines = append(lines, "warning: "+safe.Line(w.Message))
	}
	return lines
}

// mostNamed is how many names a list has before it counts the others.
const mostNamed = 4

func list(names []string) string {
	if n := len(names) - mostNamed; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNamed], ", "), n)
	}
	return strings.Join(names, ", ")
}
