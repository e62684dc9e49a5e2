package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func newCompletion(std streams) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the completion script of a shell",
		Long: `completion prints a script that lets a shell complete the commands, flags and
values of pacms. SHELL is bash, zsh, fish or powershell.`,
		Example: `  source <(pacms completion bash)
  pacms completion zsh > "${fpath[1]}/_pacms"
  pacms completion fish > ~/.config/fish/completions/pacms.fish`,
		ValidArgs: shells,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && slices.Contains(shells, args[0]) {
				return nil
			}
			return &usageError{
				err:  fmt.Errorf("completion needs the name of one shell: %s", strings.Join(shells, ", ")),
				help: cmd.CommandPath(),
			}
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			var err error
			switch args[0] {
			case "bash":
				err = root.GenBashCompletionV2(std.out, true)
			case "zsh":
				err = root.GenZshCompletion(std.out)
			case "fish":
				err = root.GenFishCompletion(std.out, true)
			case "powershell":
				err = root.GenPowerShellCompletionWithDesc(std.out)
			}
			return failedWrite(err)
		},
	}
}
