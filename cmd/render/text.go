package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"pacms/selector/compare"
	"pacms/tui/safe"
)

// Text writes a comparison as a table of plain text.
func Text(w io.Writer, d *compare.Document) error {
	t := &table{d}
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, t.title())
	if p := t.partial(); p != "" {
		fmt.Fprintln(out, p)
	}
	columns, rows := columnsOf(d), t.rows()
	width := make([]int, len(columns))
	for c := range columns {
		width[c] = utf8.RuneCountInString(columns[c].head)
		for _, r := range rows {
			width[c] = max(width[c], utf8.RuneCountInString(r[c]))
		}
	}
	line := func(text func(c int) string) {
		var b strings.Builder
		for c := range columns {
			if c > 0 {
				b.WriteString("  ")
			}
			pad := strings.Repeat(" ", width[c]-utf8.RuneCountInString(text(c)))
			if columns[c].left {
				b.WriteString(text(c) + pad)
			} else {
				b.WriteString(pad + text(c))
			}
		}
		fmt.Fprintln(out, strings.TrimRight(b.String(), " "))
	}
	fmt.Fprintln(out)
	line(func(c int) string { return columns[c].head })
	for i, r := range rows {
		if i > 0 && d.Rows[i].Budget != d.Rows[i-1].Budget {
			fmt.Fprintln(out)
		}
		line(func(c int) string { return r[c] })
	}
	if r := t.recorded(); r != "" {
		fmt.Fprintf(out, "\n%s\n", r)
	}
	fmt.Fprintln(out)
	for _, lines := range [][]string{t.legend(), t.provenance(), t.warnings(), t.gates()} {
		for _, l := range lines {
			fmt.Fprintln(out, l)
		}
	}
	return flush(out)
}

// flush ends a document.
func flush(out *bufio.Writer) error {
	if err := out.Flush(); err != nil {
		return fmt.Errorf("render: write the comparison: %w", err)
	}
	return nil
}

// Markdown writes a comparison as a table of Markdown.
func Markdown(w io.Writer, d *compare.Document) error {
	t := &table{d}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s\n\n", Escaped(t.title()))
	if p := t.partial(); p != "" {
		fmt.Fprintf(out, "**%s**\n\n", p)
	}
	var heads, rules []string
	for _, c := range columnsOf(d) {
		heads = append(heads, c.head)
		if c.left {
			rules = append(rules, "---")
		} else {
			rules = append(rules, "---:")
		}
	}
	fmt.Fprintf(out, "| %s |\n| %s |\n", strings.Join(heads, " | "), strings.Join(rules, " | "))
	for _, r := range t.rows() {
		for c := range r {
			r[c] = Escaped(strings.TrimSpace(r[c]))
		}
		fmt.Fprintf(out, "| %s |\n", strings.Join(r, " | "))
	}
	if r := t.recorded(); r != "" {
		fmt.Fprintf(out, "\n%s\n", Escaped(r))
	}
	fmt.Fprintln(out)
	for _, lines := range [][]string{t.legend(), t.warnings(), t.gates()} {
		for _, l := range lines {
			fmt.Fprintf(out, "- %s\n", Escaped(l))
		}
	}
	fmt.Fprintln(out)
	for _, l := range t.provenance() { // as code, in which nothing is marked up
		fmt.Fprintf(out, "    %s\n", l)
	}
	return flush(out)
}

// Escaped is a text in one line of Markdown that shows as it is: nothing of it is
// Markdown or HTML, nor acts on a terminal.
func Escaped(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "&", "&amp;", "[", `\[`, "#", `\#`).Replace(safe.Line(s))
}
