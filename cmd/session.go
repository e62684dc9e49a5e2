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
	if err := p.adopt(src.recorded); err != nil {
		return err
	}
	p.defaultLabel = "demo default"
	format, err := f.format()
	if err != nil {
		return err
	}
	if f.memory != "" {
		src = withMemory(src, p.blame("memory"), f.memory)
	}
	if f.booth && (format != formatAuto || !std.interactive()) {
		return usagef("--booth needs a terminal, and no other format")
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
	w := newWalker(p, selector.NewEngine(e, s.Tokenizer), s, src.story)
	if err := w.print(cmd.Context(), std, src.title, f.turn, format); err != nil {
		return err
	}
	return f.strict(s)
}

// print prints the session in a format other than the screen; number is the turn
// that was asked for, 0 where none was.
func (w *walker) print(ctx context.Context, std streams, title string, number int, format format) error {
	s := w.session
	switch format {
	case formatJSON, formatJSONL:
		turns, err := chosenTurns(s, number)
		if err != nil {
			return err
		}
		if format == formatJSON {
			return w.writeSession(ctx, std.out, turns)
		}
		// A line has no place for what is true of the whole session.
		for _, warning := range s.Warnings {
			say(std.err, warning.Message)
		}
		for _, skip := range s.Skipped {
			say(std.err, "skipped "+skip.String())
		}
		return writeTurns(std.out, w.walk(ctx, turns))
	default:
		i, err := turnToShow(s, number, w.story)
		if err != nil {
			return err
		}
		return w.writeTurn(ctx, w.text(std.out), title, i)
	}
}

// strict is an error where damaged records were skipped and the caller wanted
// to be told.
func (f *flags) strict(s *session.Session) error {
	if f.strictInput && (len(s.Skipped) > 0 || f.leftOut > 0) {
		return &skippedError{records: len(s.Skipped), files: f.leftOut}
	}
	return nil
}
