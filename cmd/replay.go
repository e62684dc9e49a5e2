package cmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

func newReplay(std streams) *cobra.Command {
	f := new(flags)
	cmd := &cobra.Command{
		Use:   "replay PATH",
		Short: "Replay a recorded session, turn by turn",
		Long: `replay opens a recorded session and selects for each turn from what the host
would have offered for it. PATH is

  a transcript of OpenClaw (.jsonl),
  an agent database of OpenClaw (openclaw-agent.sqlite), which is only read,
  a file of captures (captures.sqlite): each turn has its recorded budget and strategy,
  a file of pools (pacms.pool/1: one document, or JSONL with one a line),
  a case (pacms.case/1) that pacms export wrote, or
  a folder with one session in it.

Without a terminal it prints what --plain prints: one turn with the question and
every item, kept or dropped, with the reason in a sentence. --json prints all
turns (pacms.session/1), --jsonl a turn a line; --turn picks one. Each turn comes
with its whole pool, so that both grow with the square of a long session: they are
written turn by turn, and what reads them should take them so (--jsonl) or ask for
one turn (--turn).`,
		Example: `  pacms replay ~/.openclaw/agents/main/agent/openclaw-agent.sqlite
  pacms replay session.jsonl --strategy topk --budget 32k
  pacms replay session.jsonl --plain --turn 12
  pacms replay session.jsonl --jsonl | jq .selection.tokens`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch len(args) {
			case 1:
				return nil
			case 0:
				return &usageError{
					err:  errors.New("replay needs the PATH of a session; without one there is the demo: pacms demo"),
					help: cmd.CommandPath(),
				}
			default:
				return &usageError{err: fmt.Errorf("replay takes one PATH, but there are %d", len(args)), help: cmd.CommandPath()}
			}
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := fileSource(args[0])
			if err != nil {
				return err
			}
			return runSession(cmd, f, std, src)
		},
	}
	f.addSession(cmd.Flags(), usual())
	f.addMemory(cmd.Flags())
	return cmd
}
