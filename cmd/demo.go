package cmd

import "github.com/spf13/cobra"

func newDemo(std streams) *cobra.Command {
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
		RunE: func(cmd *cobra.Command, _ []string) error { return runDemo(cmd, f, std) },
	}
	f.addSession(cmd.Flags())
	return cmd
}

func runDemo(cmd *cobra.Command, f *flags, std streams) error {
	src, err := demoSource()
	if err != nil {
		return err
	}
	return runSession(cmd, f, std, src)
}
