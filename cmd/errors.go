package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pacms/session"
	"pacms/tui"
	"pacms/tui/safe"
)

// The exit codes of the program.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitGate        = 3
	exitSkipped     = 4
	exitInterrupted = 130
)

// usageError is a command line or a configuration that cannot be used.
type usageError struct {
	err error
	// help is the command whose help tells more; empty where none does.
	help string
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &usageError{err: fmt.Errorf(format, args...)}
}

// skippedError says that all was done, but with an input that had records which
// could not be used.
type skippedError struct {
	records int
	// files are those that were left out whole.
	files int
}

func (e *skippedError) Error() string {
	what := session.Counted(e.records, "damaged record") + were(e.records) + "skipped"
	switch files := session.Counted(e.files, "file") + were(e.files) + "left out"; {
	case e.records == 0:
		what = files
	case e.files > 0:
		what += ", " + files
	}
	return what + ", and --strict-input was given"
}

// were goes with a number of things to which something was done.
func were(n int) string {
	if n == 1 {
		return " was "
	}
	return " were "
}

// gateError says that all was done, and that what came of it is not good enough.
type gateError struct{ err error }

func (e *gateError) Error() string { return e.err.Error() }
func (e *gateError) Unwrap() error { return e.err }

// report prints what err says to w and returns the exit code that belongs to it.
func report(w io.Writer, err error) int {
	var usage *usageError
	var skipped *skippedError
	var gate *gateError
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return exitOK
	case errors.Is(err, context.Canceled), errors.Is(err, tui.ErrInterrupted):
		return exitInterrupted
	case errors.As(err, &usage):
		say(w, err.Error())
		if usage.help != "" {
			_, _ = fmt.Fprintf(w, "Try '%s --help'.\n", usage.help)
		}
		return exitUsage
	case errors.As(err, &gate):
		say(w, err.Error())
		return exitGate
	case errors.As(err, &skipped):
		say(w, err.Error())
		return exitSkipped
	default:
		say(w, err.Error())
		return exitFailure
	}
}

// say prints a message for people. Nothing more can be done where it fails.
func say(w io.Writer, message string) {
	_, _ = fmt.Fprintf(w, "pacms: %s\n", safe.Words(message))
}

// flagError explains a flag that cannot be used.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(fl *pflag.Flag) { names = append(names, "--"+fl.Name) })
		given := "--" + unknown.GetSpecifiedName()
		err = fmt.Errorf("%s has no flag %s%s", cmd.CommandPath(), given, didYouMean(given, names))
	case errors.As(err, &invalid):
		fl := invalid.GetFlag()
		err = fmt.Errorf("--%s cannot be %q: %w", fl.Name, invalid.GetValue(), valueError(fl, invalid.Unwrap()))
	}
	return &usageError{err: err, help: cmd.CommandPath()}
}

// valueError says what the value of a flag has to be, after the flag refused one.
func valueError(fl *pflag.Flag, err error) error {
	var number *strconv.NumError
	if !errors.As(err, &number) {
		return err
	}
	if fl.Value.Type() == "bool" {
		return errors.New("it is true or false")
	}
	return errors.New("it is a whole number")
}

// noArgs refuses arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return &usageError{err: fmt.Errorf("%s takes no argument, but there is %q", cmd.CommandPath(), args[0]), help: cmd.CommandPath()}
}

// noCommand refuses an argument that is not the name of a command.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var hint string
	if _, err := os.Stat(args[0]); err == nil {
		hint = fmt.Sprintf(", but a file: pacms replay %q opens it", args[0])
	} else {
		var names []string
		for _, sub := range cmd.Commands() {
			names = append(names, sub.Name())
		}
		hint = didYouMean(args[0], names)
	}
	return &usageError{err: fmt.Errorf("there is no command %q%s", args[0], hint), help: cmd.CommandPath()}
}
