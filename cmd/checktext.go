package cmd

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"pacms/cmd/render"
	"pacms/session"
	"pacms/tui/safe"
)

// title says in a line what was checked and what came of it.
func (d *checkDocument) title() string {
	names := make([]string, len(d.Sessions))
	for i := range d.Sessions {
		names[i] = d.Sessions[i].Source.Path
	}
	text := list(names) + ": "
	if d.Partial {
		text += fmt.Sprintf("interrupted: %d of %s checked; ", d.Done, session.Counted(d.Total, "expectation"))
	}
	text += session.Counted(d.Checked, "expected verdict") + " checked, "
	if d.Missed == 0 {
		return text + "all are met"
	}
	return text + fmt.Sprintf("%d missed", d.Missed)
}

// firstMiss says what the first miss is.
func (d *checkDocument) firstMiss() string {
	for i := range d.Results {
		if r := &d.Results[i]; !r.Met {
			return r.sentence() + ": " + r.fate()
		}
	}
	return ""
}

// sentence says what was expected: "turn 61 is to keep #13 with pacms at 5% = 1,808
// tokens".
func (r *checkResult) sentence() string {
	return fmt.Sprintf("turn %d is to %s %s with %s at %s", r.Turn, r.Want, r.name, r.Strategy, r.at())
}

// at is the budget as it was named, and in tokens.
func (r *checkResult) at() string {
	switch {
	case r.Tokens == nil:
		return r.Budget
	case r.Budget == strconv.Itoa(*r.Tokens):
		return tokens(*r.Tokens)
	}
	return r.Budget + " = " + tokens(*r.Tokens)
}

// fate is what became of the item, and why.
func (r *checkResult) fate() string { return r.State.Words() + ": " + r.Text }

// said is what the item says and what was asked; nothing where it is not there.
func (r *checkResult) said() []string {
	if r.State == stateUnknown {
		return nil
	}
	return []string{"it says: " + excerpt(r.Excerpt, excerptWidth), "the question: " + excerpt(r.Query, excerptWidth)}
}

// where is what the expectation is called in its file.
func (r *checkResult) where() string {
	if r.Line == 0 {
		return "mark"
	}
	return fmt.Sprintf("line %d", r.Line)
}

// writeText prints the result, the misses with all that is known of them.
func (d *checkDocument) writeText(to io.Writer) error {
	out := bufio.NewWriter(to)
	fmt.Fprintln(out, safe.Line(d.title()))
	writeWarnings(out, d.Warnings)
	fmt.Fprintln(out)
	for i := range d.Results {
		r := &d.Results[i]
		mark := "met   "
		if !r.Met {
			mark = "MISSED"
		}
		fmt.Fprintf(out, "%s  %s: %s\n", mark, r.where(), safe.Line(r.sentence()))
		fmt.Fprintf(out, "        %s\n", safe.Line(r.fate()))
		if r.Met {
			continue
		}
		for _, line := range r.said() {
			fmt.Fprintf(out, "        %s\n", line)
		}
		if r.Note != "" {
			fmt.Fprintf(out, "        note: %s\n", safe.Line(r.Note))
		}
		for _, turn := range r.turns {
			fmt.Fprintf(out, "        %s\n", safe.Line(turn))
		}
	}
	fmt.Fprintln(out)
	for _, line := range d.provenance() {
		fmt.Fprintln(out, safe.Line(line))
	}
	return failedWrite(out.Flush())
}

// writeMarkdown prints the result as a table, and below it what is known of the misses.
func (d *checkDocument) writeMarkdown(to io.Writer) error {
	out := bufio.NewWriter(to)
	fmt.Fprintf(out, "%s\n\n", render.Escaped(d.title()))
	fmt.Fprint(out, "| | expected by | turn | wanted | item | strategy | budget | became |\n|---|---|---:|---|---|---|---|---|\n")
	for i := range d.Results {
		r := &d.Results[i]
		mark := "met"
		if !r.Met {
			mark = "**missed**"
		}
		fmt.Fprintf(out, "| %s | %s | %d | %s | %s | %s | %s | %s |\n", mark, r.where(), r.Turn, r.Want,
			render.Escaped(r.name), render.Escaped(r.Strategy), render.Escaped(r.at()), render.Escaped(r.fate()))
	}
	for i := range d.Results {
		r := &d.Results[i]
		if r.Met {
			continue
		}
		fmt.Fprintf(out, "\n**%s**\n\n", render.Escaped(r.sentence()))
		lines := slices.Concat([]string{r.fate()}, r.said(), r.turns)
		if r.Note != "" {
			lines = append(lines, "note: "+r.Note)
		}
		for _, line := range lines {
			fmt.Fprintf(out, "- %s\n", render.Escaped(line))
		}
	}
	fmt.Fprintln(out)
	for _, w := range d.Warnings {
		fmt.Fprintf(out, "- warning: %s\n", render.Escaped(w.Message))
	}
	if len(d.Warnings) > 0 {
		fmt.Fprintln(out)
	}
	for _, line := range d.provenance() { // as code, in which nothing is marked up
		fmt.Fprintf(out, "    %s\n", safe.Line(line))
	}
	return failedWrite(out.Flush())
}

// provenance says how to make the result again, and what made it.
func (d *checkDocument) provenance() []string {
	counter, rules := d.Tokenizer, strings.Join(d.Rules, ",")
	if d.Estimated {
		counter += " (estimates)"
	}
	if rules == "" {
		rules = "none"
	}
	return []string{
		"repeat: " + d.Repeat,
		fmt.Sprintf("build %s; embedder %s; counter %s", d.Build, d.Embedder, counter),
		fmt.Sprintf("rules %s; tail %d; pools %s, sha256 %s", rules, d.Tail, d.Pool, d.PoolHash[:16]),
	}
}
