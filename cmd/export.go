package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/selector/share"
	"pacms/session"
	"pacms/session/files"
	"pacms/session/openclaw"
	"pacms/session/redact"
	"pacms/testdata"
)

// export is what export is asked.
type export struct {
	*flags
	out            string
	all            bool
	noText, redact bool
	force          bool
	file           *files.Output // nil: standard output
}

func newExport(std streams, story *testdata.Story) *cobra.Command {
	x := &export{flags: new(flags)}
	cmd := &cobra.Command{
		Use:   "export PATH",
		Short: "Write a selection to a file that can be shared and run again",
		Long: `export writes one turn of a session as a case (pacms.case/1): its pool and question,
how it was selected from, which build did that, and what came of it. PATH is what
replay takes, or demo. pacms verify runs a case again and says what differs; replay,
select, why and compare read it as any session.

Without -o the case goes to standard output. A file is written whole or not at all,
for you alone; one that is there is replaced with --force alone.

--no-text leaves out every word of people, models and tools, ids, names and times:
what a selection needs of them stands there as numbers, and the same items are kept.
Who has a guess of a text can still check it against the numbers.
--redact masks keys, tokens, passwords and addresses of mail by their form, and says
on standard error how many. It finds what is written as its provider writes it: look
through the file before you publish it.`,
		Example: `  pacms export demo -o case.json
  pacms export session.jsonl --turn 12 --strategy pacms+ --budget 32k -o case.json
  pacms export session.jsonl --turn 12 --no-text -o case.json
  pacms export session.jsonl --all --redact -o cases.jsonl`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch len(args) {
			case 1:
				return nil
			case 0:
				return &usageError{err: errors.New("export needs the PATH of a session, or demo"), help: cmd.CommandPath()}
			default:
				return &usageError{err: fmt.Errorf("export takes one PATH, but there are %d", len(args)), help: cmd.CommandPath()}
			}
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{demoName}, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if x.out != "-" {
				var err error
				if x.file, err = outputFile("-o", x.out, x.force, args); err != nil {
					return err
				}
			}
			src := demoSource(story)
			if args[0] == demoName {
				if err := asDefault(cmd.Flags(), storyDefaults(story)); err != nil {
					return err
				}
			} else {
				var err error
				if src, err = fileSource(args[0]); err != nil {
					return err
				}
			}
			return x.run(cmd, std, src)
		},
	}
	fs := cmd.Flags()
	x.addChoice(fs, usual())
	x.addOffer(fs)
	x.addMemory(fs)
	x.addStrict(fs)
	fs.IntVar(&x.turn, "turn", 0, "number of the turn to export; without it the last one that a person asked, of the demo the one that its story is about")
	fs.BoolVar(&x.all, "all", false, "export every turn, a case a line")
	fs.StringVarP(&x.out, "output", "o", "-", "the file to write, - for standard output")
	fs.BoolVar(&x.force, "force", false, "replace the file of -o where there is one")
	fs.BoolVar(&x.noText, "no-text", false, "leave out every text: numbers stand in for them")
	fs.BoolVar(&x.redact, "redact", false, "mask keys, tokens, passwords and addresses of mail in the texts")
	return cmd
}

// run writes the cases of src.
func (x *export) run(cmd *cobra.Command, std streams, src source) error {
	ctx := cmd.Context()
	switch {
	case x.noText && x.redact:
		return usagef("--no-text and --redact cannot be used together: without text there is nothing to mask")
	case x.all && cmd.Flags().Changed("turn"):
		return usagef("--all and --turn cannot be used together: name one of them")
	}
	p, err := x.plan(cmd.Flags())
	if err != nil {
		return err
	}
	if err := p.adopt(src.recorded); err != nil {
		return err
	}
	p.defaultLabel = "demo default"
	if x.memory != "" {
		src = withMemory(src, p.blame("memory"), x.memory)
	}
	s, err := src.load(ctx, openclaw.Options{Counter: p.counter, Session: x.session})
	if err != nil {
		return err
	}
	e, closing, err := p.open(ctx, std.err)
	if err != nil {
		return err
	}
	defer closing()
	if w := e.warnings(); len(w) > 0 {
		say(std.err, w[0].Message)
	}
	turns, err := x.turns(s, src)
	if err != nil {
		return err
	}
	w := newWalker(p, selector.NewEngine(e, s.Tokenizer), s, src.story)
	var redactor *redact.Redactor
	if x.redact {
		redactor = &redact.Redactor{}
	}
	changed := 0
	write := func(to io.Writer) error {
		out := bufio.NewWriter(to)
		for _, i := range turns {
			c, err := x.caseOf(ctx, w, e, redactor, i)
			if err != nil {
				return err
			}
			if !c.Same {
				changed++
			}
			if err := writeJSON(out, c); err != nil {
				return err
			}
		}
		return failedWrite(out.Flush())
	}
	if x.file == nil {
		err = write(std.out)
	} else {
		err = x.file.Write(write)
	}
	if err != nil {
		return err
	}
	if x.redact {
		say(std.err, maskedText(redactor.Counts()))
	}
	if changed > 0 {
		say(std.err, fmt.Sprintf("in %s of %s other items are kept than with the texts as they were: each case says so (same_as_source)",
			strconv.Itoa(changed), session.Counted(len(turns), "turn")))
	}
	return x.strict(s)
}

// turns are the indices of the turns to export.
func (x *export) turns(s *session.Session, src source) ([]int, error) {
	if !x.all {
		i, err := turnToShow(s, x.turn, src.story)
		if err != nil {
			return nil, err
		}
		if s.Turns[i].Branch != session.BranchActive {
			return nil, usagef("turn %d is on a branch that was left: nothing was offered for it", s.Turns[i].Number)
		}
		return []int{i}, nil
	}
	if why := s.WhyNoPool(); why != "" {
		return nil, fmt.Errorf("there is nothing to export from %s: %s", s.Source.Path, why)
	}
	var turns []int
	for i := range s.Turns {
		if s.Turns[i].Branch == session.BranchActive {
			turns = append(turns, i)
		}
	}
	return turns, nil
}

// caseOf makes the case of the turn at index i.
func (x *export) caseOf(ctx context.Context, w *walker, e *embedding, r *redact.Redactor, i int) (*share.Case, error) {
	pool := w.session.Pool(i, w.mode)
	c, err := share.Make(ctx, share.Source{
		Pool: pool, Turn: w.session.Turns[i].Number, Options: w.optionsFor(i, pool), NoWiden: !w.widen,
		Embedder: e, Model: e.model, Counter: w.counter, Build: compare.Build(readBuild()), Engine: w.engine,
		Redactor: r, NoText: x.noText,
	})
	if err != nil {
		return nil, fmt.Errorf("turn %d: %w", w.session.Turns[i].Number, err)
	}
	return c, nil
}

// maskedText says what was masked.
func maskedText(counts map[string]int) string {
	total := 0
	var list []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		total += counts[kind]
		list = append(list, fmt.Sprintf("%s %d", kind, counts[kind]))
	}
	if total == 0 {
		return "nothing was masked: no text has what looks like a secret"
	}
	return "masked " + session.Counted(total, "secret") + ": " + strings.Join(list, ", ")
}
