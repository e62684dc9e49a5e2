package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// ErrInterrupted is returned by Run after ctrl+c or an interrupt.
var ErrInterrupted = errors.New("tui: interrupted")

// Run shows the screen until a person leaves it. The terminal is as before when
// it returns, after a panic too. It returns ErrInterrupted after an interrupt,
// the cause where the session could not be opened, and the context's error where
// ctx ended. Options are for tests: another input, output, size.
func Run(ctx context.Context, cfg Config, options ...tea.ProgramOption) error {
	m := New(ctx, cfg)
	defer m.quit()
	var f filter
	all := []tea.ProgramOption{tea.WithContext(ctx), tea.WithFilter(f.pass)}
	if cfg.Profile != colorprofile.Unknown {
		all = append(all, tea.WithColorProfile(cfg.Profile))
	}
	_, err := tea.NewProgram(m, append(all, options...)...).Run()
	switch {
	case errors.Is(err, tea.ErrInterrupted):
		return ErrInterrupted
	case errors.Is(err, tea.ErrProgramPanic):
		return fmt.Errorf("tui: the screen failed; this is a fault in the program: %w", err)
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("tui: run the screen: %w", err)
	}
	return m.err
}
