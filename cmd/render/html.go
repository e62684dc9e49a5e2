package render

import (
	_ "embed" // the page
	"fmt"
	"html/template"
	"io"
	"strconv"

	"pacms/selector/compare"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

//go:embed page.html
var page string

// sheet is what the page shows.
type sheet struct {
	Title, Partial string
	Series         []series
	Charts         []chart
	Strips         []strip
	Heads          []head
	Rows           []line
	Recorded       string
	Legend         []string
	Provenance     []string
	Warnings       []string
	Gates          []verdict
	Sessions       []sessionLine
}

// head is the head of a column.
type head struct {
	Text string
	Left bool
}

// line is a row of the table; First is true where its budget is not that of the
// row before.
type line struct {
	First bool
	Cells []field
}

// field is one number of a row, as people read it and with all its digits.
type field struct {
	Text, Full string
	Left       bool
}

// verdict is what a gate says.
type verdict struct {
	Failed bool
	Text   string
}

type sessionLine struct {
	Path, Key, Budgets                                    string
	Compared, Contested, Internal, Left, Skipped, Largest string
}

// HTML writes a comparison as one page with charts, which loads nothing: neither
// scripts nor anything from elsewhere. It has no text of any message.
func HTML(w io.Writer, d *compare.Document) error {
	t := &table{d}
	s := sheet{
		Title: t.title(), Partial: t.partial(), Series: seriesOf(d), Charts: charts(d), Strips: strips(d),
		Recorded: t.recorded(), Legend: t.legend(), Provenance: t.provenance(), Warnings: t.warnings(),
	}
	for _, g := range d.Gates {
		s.Gates = append(s.Gates, verdict{g.Failed, safe.Line(g.Text)})
	}
	columns := columnsOf(d)
	for _, c := range columns {
		s.Heads = append(s.Heads, head{c.head, c.left})
	}
	for i, cells := range t.rows() {
		r := &d.Rows[i]
		l := line{First: i == 0 || r.Budget != d.Rows[i-1].Budget}
		for c, text := range cells {
			cell := field{Text: text, Left: columns[c].left}
			if columns[c].known(r) {
				cell.Full = digits(columns[c].head, r)
			}
			l.Cells = append(l.Cells, cell)
		}
		s.Rows = append(s.Rows, l)
	}
	for i := range d.Sessions {
		r := &d.Sessions[i]
		l := sessionLine{
			Path: safe.Line(r.Source.Path), Key: safe.Line(r.Session), Compared: paint.Count(r.Compared), Contested: paint.Count(r.Contested),
			Internal: paint.Count(r.Internal), Left: paint.Count(r.Left), Skipped: paint.Count(r.Skipped), Largest: paint.Count(r.Largest),
		}
		for _, n := range r.Budgets {
			if l.Budgets != "" {
				l.Budgets += " · "
			}
			l.Budgets += paint.Count(n)
		}
		s.Sessions = append(s.Sessions, l)
	}
	parsed, err := template.New("page").Parse(page)
	if err != nil {
		return fmt.Errorf("render: read the page: %w", err)
	}
	if err := parsed.Execute(w, s); err != nil {
		return fmt.Errorf("render: write the page: %w", err)
	}
	return nil
}

// digits is the number in a column with all its digits; empty where the text has
// them.
func digits(column string, r *compare.Row) string {
	for _, f := range []struct {
		head string
		x    float64
	}{
		{"items", r.Items}, {"tokens", r.Tokens}, {"coverage", r.Coverage}, {"overlap", r.Overlap}, {"prefix", r.Prefix}, {"ms", r.MS},
	} {
		if f.head == column {
			return strconv.FormatFloat(f.x, 'g', -1, 64)
		}
	}
	return ""
}
