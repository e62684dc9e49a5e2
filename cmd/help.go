package cmd

import "github.com/spf13/cobra"

// newHelp returns the command that shows the help of another one.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Show the help of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			target, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return noCommand(root, args)
			}
			target.InitDefaultHelpFlag()
			return target.Help()
		},
	}
}
