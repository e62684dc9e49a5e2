package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"pacms/selector"
	"pacms/session"
	"pacms/session/poolfile"
)

func newSelect(std streams) *cobra.Command {
	f := new(flags)
	cmd := &cobra.Command{
		Use:   "select [FILE|-]",
		Short: "Select from one pool",
		Long: `select reads one pool (pacms.pool/1) from FILE or from standard input and prints
which of its items are kept: a short text, or with --json the selection
(pacms.selection/1). --debug adds every item with its reason.

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
	engine := selector.NewEngine(e, p.counter.Name())
	prepared, err := p.prepare(cmd.Context(), engine, pool)
	if err != nil {
		return err
	}
	selection, err := prepared.Select(cmd.Context(), p.options(p.term(pool, pool.Tokens())))
	if err != nil {
		return fmt.Errorf("select: %w", err)
	}
	selection.Warnings = append(selection.Warnings, e.warnings()...)
	if format == formatJSON {
		return writeJSON(std.out, selection)
	}
	out := bufio.NewWriter(std.out)
	writeSelection(out, selection, len(pool.Candidates), p)
	writeWarnings(out, selection.Warnings)
	if f.debug {
		fmt.Fprintln(out)
		writeItems(out, pool, selection)
	} else {
		writeKept(out, selection)
	}
	return failedWrite(out.Flush())
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
		pool, err := p.decodePool(std.in, path)
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
