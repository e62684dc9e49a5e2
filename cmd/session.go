package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"pacms/selector"
	"pacms/session"
	"pacms/session/openclaw"
)

// runSession shows src on the screen, or prints it where there is no terminal
// or where a format was asked for.
func runSession(cmd *cobra.Command, f *flags, std streams, src source) error {
	p, err := f.plan(cmd.Flags())
	if err != nil {
		return err
	}
	format, err := f.format()
	if err != nil {
		return err
	}
	if format == formatAuto && std.interactive() {
		return showSession(cmd, f, std, src, p)
	}
	s, err := src.load(cmd.Context(), openclaw.Options{Counter: p.counter, Session: f.session})
	if err != nil {
		return err
	}
	e, closing, err := p.open(cmd.Context(), std.err)
	if err != nil {
		return err
	}
	defer closing()
	s.Warnings = append(s.Warnings, e.warnings()...)
	engine := selector.NewEngine(e, s.Tokenizer)
	if err := printSession(cmd.Context(), f, std, src, p, engine, s, format); err != nil {
		return err
	}
	return f.strict(s)
}

// printSession prints s in a format other than the screen.
func printSession(
	ctx context.Context, f *flags, std streams, src source, p *plan, engine *selector.Engine, s *session.Session, format format,
) error {
	switch format {
	case formatJSON, formatJSONL:
		turns, err := chosenTurns(s, f.turn)
		if err != nil {
			return err
		}
		if format == formatJSON {
			return writeSession(std.out, s, p.walk(ctx, engine, s, turns))
		}
		// A line has no place for what is true of the whole session.
		for _, warning := range s.Warnings {
			say(std.err, warning.Message)
		}
		for _, skip := range s.Skipped {
			say(std.err, "skipped "+describeSkip(skip))
		}
		return writeTurns(std.out, p.walk(ctx, engine, s, turns))
	default:
		i, err := turnToShow(s, f.turn, src.story)
		if err != nil {
			return err
		}
		o, err := p.choose(ctx, engine, s, i, s.LargestPool(p.mode))
		if err != nil {
			return err
		}
		return writeOutcome(std.out, src, s, o, p)
	}
}

// strict is an error where damaged records were skipped and the caller wanted
// to be told.
func (f *flags) strict(s *session.Session) error {
	if f.strictInput && len(s.Skipped) > 0 {
		return &skippedError{records: len(s.Skipped)}
	}
	return nil
}
