package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"pacms/tui/safe"
)

// Choice is a line of a list from which a person chooses what to open.
type Choice struct {
	// Key stands at the left, Text after it, Extra at the right.
	Key, Text, Extra string
}

// Choose shows the list that look finds, and gives the index of the line that a
// person chose; -1 where nothing was chosen. Where look finds at most one line,
// that is chosen. It draws as cfg says and fails as Run does.
func Choose(ctx context.Context, cfg Config, look func(context.Context) ([]Choice, error)) (int, error) {
	p := newChooser(ctx, cfg, look)
	if err := p.run(); err != nil {
		return -1, err
	}
	return p.model.choosing.chosen, nil
}

func newChooser(ctx context.Context, cfg Config, look func(context.Context) ([]Choice, error), options ...tea.ProgramOption) program {
	cfg.StateDir = "" // nothing here is worth remembering
	p := newProgram(ctx, cfg, options...)
	p.model.choosing = &choosing{look: look, chosen: -1}
	p.model.loading.what = "looking for sessions"
	return p
}

// choosing is a screen that does nothing but let a person choose.
type choosing struct {
	look   func(context.Context) ([]Choice, error)
	chosen int
}

// choicesMsg carries what there is to choose from.
type choicesMsg struct {
	choices []Choice
	err     error
}

// lookFor finds what there is to choose from.
func (m *Model) lookFor() tea.Cmd {
	ctx, look := m.ctx, m.choosing.look
	return func() tea.Msg {
		choices, err := look(ctx)
		return choicesMsg{choices, err}
	}
}

// offer shows what there is to choose from.
func (m *Model) offer(msg choicesMsg) tea.Cmd {
	if msg.err != nil || len(msg.choices) < 2 {
		m.err, m.choosing.chosen = msg.err, len(msg.choices)-1
		return m.end()
	}
	rows := make([]pickRow, len(msg.choices))
	for i, c := range msg.choices {
		rows[i] = pickRow{key: safe.Line(c.Key), text: safe.Line(c.Text), extra: safe.Line(c.Extra)}
	}
	return m.openPick(&picker{
		title: safe.Line(m.cfg.Title), empty: "none of them says that", enter: "open it", rows: rows,
		choose: func(m *Model, row int, _ string, _ bool) tea.Cmd {
			if row < 0 {
				return nil
			}
			m.choosing.chosen = row
			return m.end()
		},
	}, 0)
}
