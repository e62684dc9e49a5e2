package tui

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"pacms/session"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// quoted is how many characters of a message stand in an export for people.
const quoted = 200

// writeMarkdown writes for people what was asked, how full the budget is, and what is
// kept and dropped and why.
func writeMarkdown(ctx context.Context, e *exported, to io.Writer) error {
	p := e.picture
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "# %s, turn %d\n\n", code(safe.Line(e.title)), p.number)
	question := safe.Text(p.pool.Query)
	if question == "" {
		question = "(nothing was asked)"
	}
	fence := strings.Repeat("`", max(3, longestRun(question, '`')+1))
	fmt.Fprintf(w, "%s\n%s\n%s\n\n", fence, question, fence)
	n := p.sel.Tokens
	share := 0
	if p.budget > 0 {
		share = 100 * n.Kept / p.budget
	}
	fmt.Fprintf(w, "%s keeps %s of %s: %s of %s, budget %s (%d %% used).\n", code(p.strategy.String()), paint.Count(len(p.sel.Kept)),
		session.Counted(len(p.pool.Candidates), "item"), paint.Count(n.Kept), paint.Plural(n.Pool, "token"), paint.Count(p.budget), share)
	for _, warning := range p.sel.Warnings {
		fmt.Fprintf(w, "\n> %s\n", safe.Line(warning.Message))
	}
	for _, part := range []struct {
		title string
		kept  bool
	}{{"Kept", true}, {"Dropped", false}} {
		fmt.Fprintf(w, "\n## %s\n\n", part.title)
		none := true
		for i := range p.pool.Candidates {
			if p.sel.Keeps(i) != part.kept {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			none = false
			p.writeItem(w, i)
		}
		if none {
			fmt.Fprint(w, "None.\n")
		}
	}
	fmt.Fprintf(w, "\nEmbedder %s, counter %s, rules %s.\n", code(p.sel.Embedder), code(p.sel.Tokenizer), code(strings.Join(append([]string{}, p.sel.Rules...), ",")))
	if err := w.Flush(); err != nil {
		return fmt.Errorf("tui: export: %w", err)
	}
	return nil
}

// writeItem writes a candidate with its reason and the beginning of its text.
func (p *picture) writeItem(w *bufio.Writer, i int) {
	c := &p.pool.Candidates[i]
	fmt.Fprintf(w, "- **#%d %s**", p.numbers[i], c.Kind)
	if tool := toolLabel(c); tool != "" {
		fmt.Fprintf(w, " %s", code(tool))
	}
	if c.Turn > 0 {
		fmt.Fprint(w, " · turn "+strconv.Itoa(c.Turn))
	}
	fmt.Fprintf(w, " · %s — %s\n", paint.Plural(c.Tokens, "token"), safe.Line(p.sel.Explain(i).Reason.Text))
	text := []rune(safe.Line(c.Content()))
	if len(text) > quoted {
		text = append(text[:quoted], '…')
	}
	if len(text) > 0 {
		fmt.Fprintf(w, "  %s\n", code(string(text)))
	}
}
