// Package cmd is the command line: one file a command, and beside them the
// flags, the configuration and the output that several commands share.
package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"pacms/testdata"
)

// streams are where a command reads and writes. They are files because a
// command behaves differently on a terminal.
type streams struct {
	in, out, err *os.File
}

// endings are the signals that end the program in order, the terminal restored:
// ctrl+c, a request to end, a terminal that went away, and ctrl+\.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// Main runs the program with args, the arguments after its name, and returns
// its exit code. The result of a command goes to out and nothing else does;
// errors and warnings go to errOut.
func Main(args []string, in, out, errOut *os.File) int {
	ctx, stop := signal.NotifyContext(context.Background(), endings...)
	defer stop()
	// A second signal ends the program at once.
	defer context.AfterFunc(ctx, stop)()
	// A reader that went away (pacms … | head) is an error of the write, not the
	// end of the program by a signal.
	signal.Ignore(syscall.SIGPIPE)

	// Most of what is held are numbers, which are soon looked through: to do that more
	// often takes less time than fresh memory, and less of that.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}

	std := streams{in: in, out: out, err: errOut}
	return report(errOut, run(ctx, args, std))
}

func run(ctx context.Context, args []string, std streams) error {
	root, err := newRoot(std, args)
	if err != nil {
		return err
	}
	root.SetArgs(args)
	root.SetIn(std.in)
	out := &written{file: std.out}
	root.SetOut(out)
	root.SetErr(std.err)
	if !styledHelp(args, std.out) {
		err = root.ExecuteContext(ctx)
	} else {
		err = executeStyled(ctx, root)
	}
	if err != nil {
		return err
	}
	return failedWrite(out.err)
}

// executeStyled runs the command with helps that have colours.
func executeStyled(ctx context.Context, root *cobra.Command) error {
	return fang.Execute(ctx, root,
		fang.WithoutManpage(), fang.WithoutVersion(), fang.WithoutCompletions(),
		fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {})) // report prints it
}

// newRoot returns the tree of commands; args are what the program was started with.
func newRoot(std streams, args []string) (*cobra.Command, error) {
	story, err := testdata.LoadStory()
	if err != nil {
		return nil, fmt.Errorf("read the demo: %w", err)
	}
	f := new(flags)
	root := &cobra.Command{
		Use:   "pacms",
		Short: "See what an AI agent remembers and what it forgets",
		Long: `pacms replays a recorded agent session and shows, for each turn, what a selector
would keep within a token budget, what it would drop, and why. What it chooses
from are items: an item is one message, tool output, memory entry or summary.

Without a command it lists the sessions on this machine to choose one, or opens
the demo where there is none. It takes the flags of replay. Without a terminal, or
with --plain or --json, it prints the list, as pacms sessions does.

Every flag that chooses how to select or to draw can also be set in the
environment (--budget-basis is PACMS_BUDGET_BASIS) or in the configuration file
(budget-basis = "turn"). The file is ` + configFile() + `.
A flag wins over the environment, the environment over the file.

Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 a gate failed, 4
done but the input had damaged records and --strict-input was given, 130
interrupted.`,
		Example: `  pacms demo
  pacms sessions
  pacms replay ~/.openclaw/agents/main/sessions
  pacms tail
  pacms why demo --find 5433
  pacms compare session.jsonl
  pacms check session.jsonl --expect expect.yaml
  pacms select pool.json --json`,
		Args:          noCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       readBuild().String(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runPick(cmd, f, std, story, args)
		},
	}
	f.addDemo(root.Flags(), storyDefaults(story))
	root.Flags().VisitAll(hide)
	addColor(root.PersistentFlags())
	root.SetVersionTemplate("pacms {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelp())
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(newDemo(std, story), newReplay(std), newTail(std), newSelect(std), newServe(std), newWhy(std, story), newCompare(std, story), newCheck(std, story), newExport(std, story), newVerify(std), newSessions(std), newCaptures(std), newConfig(std, storyDefaults(story)), newVersion(std), newCompletion(std), newMan(std))
	completeChoices(root)
	return root, nil
}
