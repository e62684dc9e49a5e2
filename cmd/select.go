package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"pacms/selector"
	"pacms/session"
	"pacms/session/poolfile"
	"pacms/tui/safe"
)

func newSelect(std streams) *cobra.Command {
	f := new(flags)
	cmd := &cobra.Command{
		Use:   "select [FILE|-]",
		Short: "Select from one pool",
		Long: `select reads one pool (pacms.pool/1) from FILE or from standard input and prints
which of its items are kept: a short text, or with --json the selection
(pacms.selection/1). --debug adds every item with its whole reasoning and, where at
most 20 exchanges are free to choose from, the best set there is. --returns-at adds to
each item the budgets at which it is kept, for which the strategy is run some hundred
times.

The budget is the one of the flag, else of the environment, else of the
configuration file, else of the pool; where none says, 45 % of the pool. A
budget in percent is a share of this pool. The output says which it was.`,
		Example: `  pacms select pool.json
  pacms select --json --strategy mmr:lambda=0.7 --budget 4096 < pool.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return &usageError{err: fmt.Errorf("select takes one FILE, but there are %d", len(args)), help: cmd.CommandPath()}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runSelect(cmd, f, std, args) },
	}
	f.addSelection(cmd.Flags(), usual())
	cmd.Flags().BoolVar(&f.returnsAt, "returns-at", false, "give every item as --debug does, with the budgets at which it is kept")
	return cmd
}

func runSelect(cmd *cobra.Command, f *flags, std streams, args []string) error {
	p, err := f.plan(cmd.Flags())
	if err != nil {
		return err
	}
	format, err := f.format()
	if err != nil {
		return err
	}
	pool, err := p.readPool(cmd.Context(), std, args)
	if err != nil {
		return err
	}
	e, closing, err := p.open(cmd.Context(), std.err)
	if err != nil {
		return err
	}
	defer closing()
	p.debug = p.debug || f.returnsAt
	a, err := p.answer(cmd.Context(), e, selector.NewEngine(e, p.counter.Name()), pool)
	if err != nil {
		return err
	}
	selection := a.selection
	if f.returnsAt {
		if err := a.findReturns(cmd.Context(), std.err); err != nil {
			return err
		}
	}
	if format == formatJSON {
		return writeJSON(std.out, selection)
	}
	out := bufio.NewWriter(p.text(std.out))
	writeSelection(out, selection, len(pool.Candidates), p)
	writeWarnings(out, selection.Warnings)
	if p.debug {
		fmt.Fprintln(out)
		writeReasoned(out, pool, selection)
	} else {
		writeKept(out, selection)
	}
	return failedWrite(out.Flush())
}

// writeReasoned prints every candidate under its verdict, with all of its
// reasoning, a step a line.
func writeReasoned(w *bufio.Writer, pool *session.Pool, s *selector.Selection) {
	writeEach(w, pool, s, func(i int) {
		v := s.Candidates[i]
		writeItem(w, &pool.Candidates[i], v)
		for _, step := range v.Steps {
			fmt.Fprintf(w, "      %s: %s\n", step.Label, safe.Line(step.Text))
		}
		if r := v.ReturnsAt; r != nil {
			fmt.Fprintf(w, "      kept at: %s\n", describeBudgets(*r, s.Budget))
		}
	})
}

// readPool reads the pool that args name. What is wrong with it is an error of
// usage: the same input never works.
func (p *plan) readPool(ctx context.Context, std streams, args []string) (*session.Pool, error) {
	path := ""
	if len(args) == 1 && args[0] != "-" {
		path = args[0]
	} else if term.IsTerminal(std.in.Fd()) {
		return nil, &usageError{err: errors.New("select needs a pool: name its FILE or pipe it in"), help: "pacms select"}
	}
	type answer struct {
		pool *session.Pool
		err  error
	}
	// Opening a pipe and reading it wait for a writer that may never come; an
	// interrupt does not.
	done := make(chan answer, 1)
	go func() {
		pool, err := p.onePool(std.in, path)
		done <- answer{pool, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case a := <-done:
		return a.pool, a.err
	}
}

// decodePool reads the pool in the file at path, or in in where path is empty.
func (p *plan) decodePool(in io.Reader, path string) (*session.Pool, error) {
	name := "standard input"
	if path != "" {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) && path == demoName {
			return nil, usagef("select takes the FILE of a pool or a case: pacms export demo -o case.json makes one of the demo")
		}
		if err != nil {
			return nil, fmt.Errorf("read the pool: %w", err)
		}
		defer f.Close()
		in, name = f, path
	}
	pool, err := poolfile.Decode(in, p.counter)
	if err != nil {
		return nil, usagef("the pool in %s cannot be used: %w", name, err)
	}
	return pool, nil
}
