package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"pacms/session/find"
	"pacms/testdata"
	"pacms/tui"
)

// runPick lets a person choose among the sessions of this machine and the demo,
// and opens what was chosen; args are the flags that the program was started with.
// Where nobody can choose it lists them. Where there is no session, it is the demo.
func runPick(cmd *cobra.Command, f *flags, std streams, story *testdata.Story, args []string) error {
	demo := func() error { return runSession(cmd, f, std, demoSource(story)) }
	format, err := f.format()
	if err != nil {
		return err
	}
	p, err := f.plan(cmd.Flags())
	switch {
	case err != nil:
		return err
	case f.booth:
		return demo()
	case format != formatAuto || !std.interactive():
		return listSessions(cmd.Context(), std, p, format, demo)
	}
	var sessions []find.Session
	chosen, err := tui.Choose(cmd.Context(), tui.Config{
		Title: "sessions", Theme: p.theme, ASCII: p.ascii,
		Profile: screenProfile(cmd.Flag("color").Value.String(), std.out, os.Environ()),
	}, func(ctx context.Context) ([]tui.Choice, error) {
		found, err := findSessions(ctx)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil: // otherwise pacms sessions says what is wrong, and the demo works
			sessions = found.Sessions
		}
		return choicesOf(sessions), nil
	})
	switch {
	case errors.Is(err, context.Canceled) && cmd.Context().Err() == nil:
		return nil // a person left while sessions were looked for
	case err != nil:
		return fmt.Errorf("choose a session: %w", err)
	case chosen < 0:
		return nil
	case chosen == len(sessions):
		return demo()
	}
	return run(cmd.Context(), replayArgs(&sessions[chosen], args), std)
}

// listSessions prints the sessions of this machine in a format, or where there is
// none says so and shows the demo.
func listSessions(ctx context.Context, std streams, p *plan, format format, demo func() error) error {
	found, err := findSessions(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		say(std.err, err.Error()+"; this is the demo")
		return demo()
	case len(found.Sessions) == 0:
		say(std.err, "no session was found on this machine (pacms sessions says where it looked): this is the demo")
		return demo()
	case format == formatJSON:
		return writeJSON(std.out, sessionsDocument{Schema: sessionsSchema, Result: found})
	case format == formatJSONL:
		return usagef("--jsonl prints the turns of a session: name one of those that pacms sessions lists, pacms replay PATH --jsonl")
	}
	return writeSessions(p.text(std.out), found)
}

// choicesOf are the lines to choose from: the sessions, and the demo last.
func choicesOf(sessions []find.Session) []tui.Choice {
	list := make([]tui.Choice, 0, len(sessions)+1)
	for i := range sessions {
		s := &sessions[i]
		c := tui.Choice{Key: "unknown time", Text: s.Key, Extra: fmt.Sprintf("%d turns", s.Turns)}
		if !s.Last.IsZero() {
			c.Key = s.Last.UTC().Format("2006-01-02 15:04")
		}
		if s.First != "" {
			c.Text = "“" + s.First + "”  " + s.Key
		}
		switch s.Turns {
		case -1:
			c.Extra = "large"
		case 1:
			c.Extra = "1 turn"
		}
		if s.State != find.InDatabase && s.State != find.Current {
			c.Extra += ", " + describeState(s.State)
		}
		list = append(list, c)
	}
	return append(list, tui.Choice{Key: "demo", Text: "a recorded session inside the program, as a story"})
}

// replayArgs is the command line that opens a session with the flags in args.
func replayArgs(s *find.Session, args []string) []string {
	line := []string{"replay", s.Path}
	if s.State == find.InDatabase || s.State == find.Captured {
		line = append(line, "--session="+s.Key)
	}
	return slices.Concat(line, args)
}
