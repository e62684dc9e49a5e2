package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/themes"
	"pacms/tui/choices"
	"pacms/tui/flips"
	"pacms/tui/paint"
)

const (
	// flipSteps is at how many budgets the flips are looked for, the first aside.
	flipSteps = 128
	// enoughShare is the percentage of the value that counts as nearly all of it.
	enoughShare = 95
)

// flipping is the histogram of flips under the bar, and the work on it.
type flipping struct {
	on         bool
	generation int
	key        flipKey // of sweep or of what is on its way
	stop       context.CancelFunc
	sweep      *flips.Flips // its points; nil while they are not known
	done, all  int          // budgets that were run
}

// flipKey is what the flips depend on.
type flipKey struct {
	turn     int
	strategy string
	choices  *choices.Choices
}

func (p *picture) flipKey() flipKey { return flipKey{p.turn, p.strategy.String(), p.choices} }

// flipsMsg carries how many budgets were run or, in the end, what was found.
type flipsMsg struct {
	generation int
	done, all  int
	sweep      *flips.Flips
	err        error
	more       tea.Cmd
}

func toggleFlips(m *Model, _ string) tea.Cmd {
	m.flipping.on = !m.flipping.on
	m.relayout()
	if !m.flipping.on {
		m.endFlips()
		return nil
	}
	m.say("under the bar: at which budgets items come or go; - and + go there exactly")
	return m.settled()
}

// endFlips gives up the work on the flips, and forgets them.
func (m *Model) endFlips() {
	f := &m.flipping
	if f.stop != nil {
		f.stop()
	}
	f.stop, f.sweep, f.key = nil, nil, flipKey{}
	f.generation++
}

// flip starts the work on the flips of the picture on screen, unless they are not
// wanted, known or on their way.
func (m *Model) flip() tea.Cmd {
	f := &m.flipping
	if !f.on {
		return nil
	}
	r := m.shown.request
	key := m.shown.flipKey()
	if f.key == key {
		return nil
	}
	m.endFlips()
	ctx, cancel := context.WithCancel(m.ctx)
	f.key, f.stop, f.done, f.all = key, cancel, 0, 0
	generation, p, opt := f.generation, m.shown, m.options(r)
	reports := newRelay[flipsMsg]()
	next := reports.follow(ctx, func(msg flipsMsg, more tea.Cmd) tea.Msg {
		msg.more = more
		return msg
	})
	return tea.Batch(next, func() tea.Msg {
		defer cancel()
		sweep, err := p.prepared.Sweep(ctx, opt, flipSteps, func(done, all int) {
			reports.send(flipsMsg{generation: generation, done: done, all: all})
		})
		if err != nil {
			return flipsMsg{generation: generation, err: err}
		}
		return flipsMsg{generation: generation, sweep: drawable(sweep)}
	})
}

// drawable is a sweep as the pane takes it.
func drawable(s *selector.Sweep) *flips.Flips {
	f := &flips.Flips{Points: make([]flips.Point, len(s.Points)), Share: enoughShare, Enough: -1}
	for i, p := range s.Points {
		f.Points[i] = flips.Point{Budget: p.Budget, Flips: p.Flips}
	}
	if budget, ok := s.Smallest(enoughShare / 100.0); ok {
		f.Enough = budget
	}
	return f
}

// flipped takes over what is known of the flips.
func (m *Model) flipped(msg flipsMsg) tea.Cmd {
	f := &m.flipping
	if msg.generation != f.generation || errors.Is(msg.err, context.Canceled) {
		return nil
	}
	switch {
	case msg.err != nil:
		m.failure = msg.err
	case msg.sweep != nil:
		f.sweep = msg.sweep
	case f.sweep == nil:
		f.done, f.all = msg.done, msg.all
		return msg.more
	}
	return nil
}

type flipsKey struct {
	table     *themes.Table
	sweep     *flips.Flips
	budget    int
	basis     int
	done, all int
	strategy  string
	size      rect
}

// flipsLines draws the flips under the bar.
func (m *Model) flipsLines() []string {
	f, size := &m.flipping, m.layout.Flips
	known := f.sweep
	if f.key != m.shown.flipKey() {
		known = nil
	}
	key := flipsKey{m.table, known, m.want.budget, m.basis, f.done, f.all, m.want.strategy.String(), size}
	return m.panes.flips.draw(key, m.glyphs, size.W, func(b *paint.Block) {
		view := flips.Flips{Budget: m.want.budget, Basis: m.basis}
		if known != nil {
			view = *known
			view.Budget, view.Basis = m.want.budget, m.basis
		} else {
			view.Working = "working: running " + m.want.strategy.String() + " at many budgets …"
			if f.all > 0 {
				view.Working = "working: running " + m.want.strategy.String() + " at " + paint.Count(f.all) + " budgets … " + paint.Count(f.done*100/f.all) + " %"
			}
		}
		view.Render(b, m.table, size.W-2, size.H)
	})
}
