package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"pacms/selector/compare"
	"pacms/selector/embed"
	"pacms/selector/share"
	"pacms/session"
	"pacms/tui/safe"
)

// verifySchema names the format of a verification.
const verifySchema = "pacms.verify/1"

// verifyDocument is what became of the cases of a file.
type verifyDocument struct {
	Schema string          `json:"schema"`
	Build  build           `json:"build"`
	File   string          `json:"file"`
	Same   int             `json:"same"`
	Differ int             `json:"differ"`
	Cases  []verifiedCase  `json:"cases"`
	cases  []*share.Case   // as they were read
	result []*share.Report // of each
}

// verifiedCase is a report with its cause.
type verifiedCase struct {
	*share.Report
	// Cause is what explains the difference; empty where there is none.
	Cause share.Factor `json:"cause,omitempty"`
}

func newVerify(std streams) *cobra.Command {
	f := new(flags)
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Run an exported case again and say what differs",
		Long: `verify runs the cases in FILE again, as pacms export wrote them, and says whether
the same comes of them: what is kept, in which order, why, and the numbers. Where
something differs it names the cause: a part of the file that was changed after it
was written, the embedder or its model, the arithmetic of the processor, what the
rules find in the texts, or the version of the program. What is not as it was is put
back one factor at a time where that can be done.

It exits with 0 where everything is the same, and with 3 where something differs.
A case with texts needs the embedder that it was made with, unless --embedder names
another one: then that is a difference too.`,
		Example: `  pacms verify case.json
  pacms verify case.json --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{err: errors.New("verify takes one FILE that pacms export wrote"), help: cmd.CommandPath()}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runVerify(cmd, f, std, args[0]) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.embedder, "embedder", "", "run with another embedder than the case was made with: builtin, ollama[:MODEL]")
	fs.BoolVar(&f.json, "json", false, "print one JSON document")
	fs.BoolVar(&f.plain, "plain", false, "print text, which it does anyway")
	return cmd
}

func runVerify(cmd *cobra.Command, f *flags, std streams, path string) error {
	ctx := cmd.Context()
	if f.json && f.plain {
		return usagef("--json and --plain cannot be used together: name one of them")
	}
	if f.embedder != "" {
		if err := checkEmbedder("--embedder", f.embedder); err != nil {
			return err
		}
	}
	if path == demoName {
		if _, err := os.Stat(path); err != nil {
			return usagef("verify takes a FILE that pacms export wrote: pacms export demo -o case.json makes one of the demo")
		}
	}
	cases, err := readCases(path)
	if err != nil {
		return err
	}
	opened := map[string]*embedding{}
	defer func() {
		for _, e := range opened {
			e.close(func(text string) { say(std.err, text) })
		}
	}()
	here := share.Here{Build: compare.Build(readBuild()), Open: func(ctx context.Context, name string) (embed.Embedder, string, error) {
		if f.embedder != "" {
			name = f.embedder
		} else if err := checkEmbedder("the embedder of the case", name); err != nil {
			return nil, "", err
		}
		if e := opened[name]; e != nil {
			return e, e.model, nil
		}
		e, err := openEmbedding(ctx, name)
		if err != nil {
			return nil, "", fmt.Errorf("%w (--embedder builtin runs the case with another one)", err)
		}
		opened[name] = e
		return e, e.model, nil
	}}
	doc := &verifyDocument{Schema: verifySchema, Build: readBuild(), File: path, Cases: []verifiedCase{}, cases: cases}
	for i, c := range cases {
		r, err := c.Verify(ctx, here)
		if err != nil {
			return fmt.Errorf("case %d of %s: %w", i+1, path, err)
		}
		doc.add(r)
	}
	if f.json {
		err = writeJSON(std.out, doc)
	} else {
		err = doc.write(std.out)
	}
	if err == nil && doc.Differ > 0 {
		err = &gateError{fmt.Errorf("%d of %s in %s not the same here", doc.Differ, session.Counted(len(cases), "case"), path+verb(doc.Differ))}
	}
	return err
}

// verb goes with a number of cases.
func verb(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}

func (d *verifyDocument) add(r *share.Report) {
	d.Cases, d.result = append(d.Cases, verifiedCase{r, r.Cause()}), append(d.result, r)
	if r.Same {
		d.Same++
	} else {
		d.Differ++
	}
}

// write prints a verification as text, some lines a case.
func (d *verifyDocument) write(to io.Writer) error {
	out := bufio.NewWriter(to)
	for i, r := range d.result {
		name := fmt.Sprintf("case %d", i+1)
		if r.Turn > 0 {
			name = fmt.Sprintf("turn %d", r.Turn)
		}
		verdict := "the same"
		if !r.Same {
			verdict = "differs"
		}
		fmt.Fprintf(out, "%s: %s: %s keeps %d of %s, %s, budget %s\n", name, verdict, safe.Line(r.Strategy), r.Kept,
			session.Counted(r.Items, "item"), tokens(r.Tokens), tokens(r.Budget))
		d.writeDifference(out, d.cases[i], r)
	}
	fmt.Fprintf(out, "build %s\n", d.Build)
	return failedWrite(out.Flush())
}

// writeDifference prints what differs in a case, and what is not as it was.
func (d *verifyDocument) writeDifference(out *bufio.Writer, c *share.Case, r *share.Report) {
	if !r.SameAsSource {
		fmt.Fprintf(out, "  what it keeps is that of its own texts, which are %s: the session itself keeps other items\n", c.Text)
	}
	for _, side := range []struct {
		title string
		ids   []string
	}{{"kept here and not in the file", r.Entered}, {"kept in the file and not here", r.Left}} {
		if len(side.ids) == 0 {
			continue
		}
		labels := make([]string, 0, len(side.ids))
		for _, id := range side.ids[:min(len(side.ids), 12)] {
			labels = append(labels, safe.Line(c.Label(id)))
		}
		more := ""
		if n := len(side.ids) - len(labels); n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		fmt.Fprintf(out, "  %s: %s%s\n", side.title, words(labels), more)
	}
	if len(r.Differs) > 0 {
		fmt.Fprintf(out, "  not the same: %s\n", words(r.Differs))
	}
	for _, k := range r.Causes {
		does := "makes no difference"
		switch {
		case k.Explains:
			does = "the cause"
		case !r.Same:
			does = "not the cause by itself"
		}
		fmt.Fprintf(out, "  %-8s  %s → %s: %s\n", k.Factor, safe.Line(k.Was), safe.Line(k.Is), does)
	}
}
