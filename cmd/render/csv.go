package render

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"pacms/selector/compare"
	"pacms/tui/safe"
)

// CSV writes the rows of a comparison, with full precision and, since CSV has no
// place for a footnote, with what made them in every line.
func CSV(w io.Writer, d *compare.Document) error {
	lines := [][]string{withMade(d, []string{
		"strategy", "budget", "budget_tokens_least", "budget_tokens_most", "turns", "contested", "counted", "items_mean", "tokens_mean",
		"coverage_mean", "overlap_mean", "prefix_mean", "prefix_turns", "ms_mean", "missed_sum", "quoted_sum", "needs_sum",
	}, []string{"met_sum", "expected_sum"}, made)}
	for i := range d.Rows {
		r := &d.Rows[i]
		least, most := 0, 0
		for b := range d.Budgets {
			if d.Budgets[b] == r.Budget {
				least, most = d.BudgetTokens(b)
			}
		}
		lines = append(lines, withMade(d, []string{
			r.Strategy, r.Budget, strconv.Itoa(least), strconv.Itoa(most), strconv.Itoa(r.Turns), strconv.Itoa(r.Contested), strconv.Itoa(r.Counted),
			mean(r.Items, r.Counted), mean(r.Tokens, r.Counted), mean(r.Coverage, r.Counted), mean(r.Overlap, r.Counted),
			mean(r.Prefix, r.PrefixTurns), strconv.Itoa(r.PrefixTurns), mean(r.MS, r.Counted),
			strconv.Itoa(r.Missed), strconv.Itoa(r.Quoted), strconv.Itoa(r.Needs),
		}, []string{strconv.Itoa(r.Met), strconv.Itoa(r.Expected)}, madeBy(d)))
	}
	return writeCSV(w, lines)
}

// CellsCSV writes every cell of a comparison, a line each.
func CellsCSV(w io.Writer, d *compare.Document) error {
	lines := [][]string{withMade(d, []string{
		"path", "session", "turn", "strategy", "budget", "effective_budget", "contested", "items", "tokens", "coverage", "overlap",
		"needs", "missed", "quoted", "prefix", "prefix_of", "ms", "warnings", "turn_pool_hash", "kept_hash",
	}, []string{"met", "expected"}, made)}
	for i := range d.Cells {
		c := &d.Cells[i]
		s := &d.Sessions[c.Session]
		lines = append(lines, withMade(d, []string{
			s.Source.Path, s.Session, strconv.Itoa(c.Turn), c.Strategy, strconv.Itoa(c.Budget), strconv.Itoa(c.Effective), strconv.FormatBool(c.Contested),
			strconv.Itoa(c.Items), strconv.Itoa(c.Tokens), full(c.Coverage), full(c.Overlap), strconv.Itoa(c.Needs), strconv.Itoa(c.Missed),
			strconv.Itoa(c.Quoted), strconv.Itoa(c.Prefix), strconv.Itoa(c.PrefixOf), full(c.MS), strings.Join(c.Warnings, " "), c.PoolHash, c.KeptHash,
		}, []string{strconv.Itoa(c.Met), strconv.Itoa(c.Expected)}, madeBy(d)))
	}
	return writeCSV(w, lines)
}

// made are the columns of what made a line.
var made = []string{"partial", "build", "embedder", "counter", "rules", "tail", "pools", "pool_hash", "repeat", "footnote"}

// withMade is a line with what made it, and with what is expected where that is known.
func withMade(d *compare.Document, line, expected, made []string) []string {
	if d.Expect == "" {
		expected = nil
	}
	return slices.Concat(line, expected, made)
}

func madeBy(d *compare.Document) []string {
	t := &table{d}
	return []string{
		strconv.FormatBool(d.Partial), t.build(), d.Embedder, d.Tokenizer, strings.Join(d.Rules, " "), strconv.Itoa(d.Tail), d.Pool,
		d.PoolHash, d.Repeat, d.Footnote,
	}
}

// full is a number with all its digits.
func full(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// mean is a mean over some turns with all its digits, empty over none.
func mean(x float64, turns int) string {
	if turns == 0 {
		return ""
	}
	return full(x)
}

// writeCSV writes lines in which nothing acts on a terminal, nor as a formula in a
// spreadsheet.
func writeCSV(w io.Writer, lines [][]string) error {
	out := csv.NewWriter(w)
	for _, line := range lines {
		for i, field := range line {
			field = safe.Line(field)
			if field != "" && strings.ContainsAny(field[:1], "=+-@") {
				field = "'" + field
			}
			line[i] = field
		}
		if err := out.Write(line); err != nil {
			return fmt.Errorf("render: write the comparison: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("render: write the comparison: %w", err)
	}
	return nil
}
