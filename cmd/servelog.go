package cmd

import (
	"log/slog"
	"os"

	"github.com/charmbracelet/x/term"

	"pacms/tui/safe"
)

// newLog returns the log of a program that runs for long: a line for each thing that
// happens, as text on a terminal and as JSON elsewhere. Nothing in it acts on a
// terminal or begins a line of its own.
func newLog(w *os.File, level, format string) *slog.Logger {
	var least slog.Level
	_ = least.UnmarshalText([]byte(level)) // the flag takes nothing else
	opt := &slog.HandlerOptions{Level: least, ReplaceAttr: harmless}
	if format == "text" || format == "auto" && term.IsTerminal(w.Fd()) {
		return slog.New(slog.NewTextHandler(w, opt))
	}
	return slog.New(slog.NewJSONHandler(w, opt))
}

// harmless neutralises what is said of a thing.
func harmless(groups []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() != slog.KindString || len(groups) == 0 && a.Key == slog.LevelKey {
		return a
	}
	return slog.String(a.Key, safe.Line(a.Value.String()))
}
