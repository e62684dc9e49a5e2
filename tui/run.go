package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pacms/session/cores"
)

// ErrInterrupted is returned by Run after ctrl+c or an interrupt.
var ErrInterrupted = errors.New("tui: interrupted")

// Run shows the screen until a person leaves it. The terminal is as before when
// it returns, after a panic too. It returns ErrInterrupted after an interrupt,
// the cause where the session could not be opened, and the context's error where
// ctx ended.
func Run(ctx context.Context, cfg Config) error {
	return newProgram(ctx, cfg).run()
}

// program is a screen with what runs it.
type program struct {
	*tea.Program
	ctx   context.Context // to tell its end from a fault
	model *Model
}

// newProgram makes the program; options are for other terminals than the one
// that the process stands in.
func newProgram(ctx context.Context, cfg Config, options ...tea.ProgramOption) program {
	m := New(ctx, cfg)
	m.prefer()
	var f filter
	all := []tea.ProgramOption{tea.WithContext(ctx), tea.WithFilter(f.pass), tea.WithFPS(fps)}
	if cfg.Profile != colorprofile.Unknown {
		all = append(all, tea.WithColorProfile(cfg.Profile))
	}
	return program{tea.NewProgram(m, append(all, options...)...), ctx, m}
}

func (p program) run() error {
	cores.Share()
	defer p.model.quit()
	_, err := p.Run()
	saveErr := p.model.keeper.save() // the last pin may be younger than any command that ran
	preferErr := p.model.remember()
	switch {
	case errors.Is(err, tea.ErrInterrupted):
		return ErrInterrupted
	case errors.Is(err, tea.ErrProgramPanic):
		return fmt.Errorf("tui: the screen failed, which is a fault of this program: %w", err)
	case p.ctx.Err() != nil:
		return p.ctx.Err()
	case err != nil:
		return fmt.Errorf("tui: run the screen: %w", err)
	}
	if p.model.err == nil && saveErr != nil {
		return fmt.Errorf("tui: save what was pinned, banned and marked: %w", saveErr)
	}
	if p.model.err == nil {
		return preferErr
	}
	return p.model.err
}
