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
said long before, and stops there. Nothing of it is remembered, pins and bans
neither: it begins the same each time.

--booth is for a stand at which people pass. It tells the story again and again,
in the theme booth where no other is chosen. Any key or click stops it, does what
it is for and leaves the screen to the visitor; q, or a minute without a touch,
makes all as it was for the next one. Ctrl+c ends it.

Without a terminal it prints what --plain prints.`,
		Example: `  pacms demo
  pacms demo --booth
  pacms demo --plain
  pacms demo --json --turn 61`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runSession(cmd, f, std, demoSource(story)) },
	}
	f.addDemo(cmd.Flags(), storyDefaults(story))
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
