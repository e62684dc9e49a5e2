package cmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"pacms/testdata"
)

func newDemo(std streams, story *testdata.Story) *cobra.Command {
	f := new(flags)
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the recorded session inside the program, as a story",
		Long: `demo opens a session that was captured from a real OpenClaw gateway with real
tools and a scripted model. It plays by itself up to a question whose answer was
said long before, and stops there.

Without a terminal it prints what --plain prints.`,
		Example: `  pacms demo
  pacms demo --plain
  pacms demo --json --turn 61`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runSession(cmd, f, std, demoSource(story)) },
	}
	f.addSession(cmd.Flags(), storyDefaults(story))
	return cmd
}

// storyDefaults are what the demo takes where nobody says anything: it starts as
// its story does.
func storyDefaults(story *testdata.Story) defaults {
	return defaults{
		strategy: story.Start.Strategy, budget: story.Start.Budget,
		turn: fmt.Sprintf("the screen starts at %d, text shows %d, JSON has all", story.Start.Turn, story.Mark.Turn),
	}
}
