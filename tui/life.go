package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/session"
	"pacms/themes"
	"pacms/tui/choices"
	"pacms/tui/paint"
	"pacms/tui/timeline"
)

// life is what became of one candidate turn by turn, as far as it is known.
type life struct {
	key     lifeKey
	stop    context.CancelFunc
	moments map[int]timeline.Moment // by index in Session.Turns
	changed []selector.Moment       // those that something changed, ascending
	done    bool
	// version counts what came in, so that the pane knows.
	version int
}

// lifeKey is what a life depends on.
type lifeKey struct {
	id       string
	strategy string
	// budget is that of all turns, or noBudget where each has its own.
	budget  int
	choices *choices.Choices
}

// lifeMsg carries the moments that are known so far; more waits for the next.
type lifeMsg struct {
	key     lifeKey
	moments []selector.Moment
	done    bool
	err     error
	more    tea.Cmd
}

// follow starts following the candidate under the cursor over all turns, unless that
// is done or on its way.
func (m *Model) follow() tea.Cmd {
	r := m.shown.request
	key := lifeKey{m.shown.pool.Candidates[m.cursor].ID, r.strategy.String(), noBudget, r.choices}
	if m.moved {
		key.budget = r.budget
	}
	if m.life != nil && m.life.key == key {
		return nil
	}
	m.endLife()
	ctx, cancel := context.WithCancel(m.ctx)
	m.life = &life{key: key, stop: cancel, moments: make(map[int]timeline.Moment)}
	walk, engine := m.walkTurns(r), m.engine
	reports := newRelay[[]selector.Moment]()
	next := reports.follow(ctx, func(moments []selector.Moment, more tea.Cmd) tea.Msg {
		return lifeMsg{key: key, moments: moments, more: more}
	})
	return tea.Batch(next, func() tea.Msg {
		defer cancel()
		var known []selector.Moment
		moments, err := engine.Lifeline(ctx, walk, key.id, func(moment selector.Moment) {
			known = append(known, moment)
			reports.send(known[:len(known):len(known)])
		})
		return lifeMsg{key: key, moments: moments, done: true, err: err}
	})
}

// endLife gives up following.
func (m *Model) endLife() {
	if m.life != nil {
		m.life.stop()
		m.life = nil
	}
}

// walkTurns is how all turns on screen are selected for as r wants it. It is made
// for commands and touches no state.
func (m *Model) walkTurns(r request) selector.Walk {
	options := make(map[int]selector.Options, len(m.turns))
	for _, turn := range m.turns {
		of := request{turn, r.strategy, 0, r.choices}
		of.budget, _ = m.budgetOf(turn)
		if m.capturesBy() {
			of.strategy = m.strategyOf(turn)
		}
		options[turn] = m.options(of)
	}
	prepare := m.prepareAny()
	return selector.Walk{
		Session: m.session, Mode: m.cfg.PoolMode, Turns: slices.Clone(m.turns),
		Prepare: func(ctx context.Context, turn int) (*selector.Prepared, error) { return prepare(ctx, turn, nil) },
		Options: func(turn int, _ *session.Pool) selector.Options { return options[turn] },
	}
}

// lived takes over what is known of a life.
func (m *Model) lived(msg lifeMsg) tea.Cmd {
	l := m.life
	if l == nil || l.key != msg.key || l.done {
		return nil
	}
	l.changed = l.changed[:0]
	for _, moment := range msg.moments {
		l.moments[moment.Index] = lifeMoment(moment)
		if moment.Cause != "" {
			l.changed = append(l.changed, moment)
		}
	}
	l.done = msg.done
	l.version++
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) {
			m.say(msg.err.Error())
		}
		return nil
	}
	if l.done {
		m.refill()
	}
	return msg.more
}

// mostChanges is how many changes of a life are told in words.
const mostChanges = 3

// lifeStory tells the last changes up to the turn on screen, once all are known.
func (m *Model) lifeStory() string {
	if m.life == nil || !m.life.done {
		return ""
	}
	changed := m.life.changed
	n, _ := slices.BinarySearchFunc(changed, m.shown.turn+1, func(moment selector.Moment, turn int) int { return moment.Index - turn })
	var parts []string
	for _, moment := range changed[max(n-mostChanges, 0):n] {
		parts = append(parts, "turn "+strconv.Itoa(moment.Turn)+" "+lifeMoment(moment).State.Name()+": "+moment.CausedBy(m.session))
	}
	return strings.Join(parts, " · ")
}

// lifeMoment is a moment as the pane draws it.
func lifeMoment(m selector.Moment) timeline.Moment {
	state := timeline.Dropped
	switch m.State {
	case selector.StateKept:
		state = timeline.Kept
		if m.Code == selector.Required || m.Code == selector.Tail || m.Code == selector.Pinned {
			state = timeline.Required
		}
	case selector.StateNotOffered, selector.StateUnsaid:
		state = timeline.NotOffered
		if m.Code == "compacted" {
			state = timeline.Compacted
		}
	case selector.StateDropped:
		if m.Covered {
			state = timeline.Covered
		}
	}
	causes := map[selector.Cause]timeline.Cause{
		selector.CauseQuery: timeline.Question, selector.CauseBudget: timeline.Budget,
		selector.CauseNewcomer: timeline.Newcomer, selector.CausePool: timeline.Pool, selector.CauseSeveral: timeline.Several,
	}
	return timeline.Moment{State: state, Cause: causes[m.Cause]}
}

// lifeHeight is how many lines the life of a candidate takes at the bottom of its page.
func (m *Model) lifeHeight() int {
	switch h := m.layout.Height; {
	case h >= airyHeight:
		return 4 // with a heading
	case h >= 20:
		return 3
	case h >= 18:
		return 2
	default:
		return 1
	}
}

type lifePaneKey struct {
	table   *themes.Table
	life    *life
	version int
	turns   int
	here    int
	shown   *picture
	width   int
	height  int
}

// lifeLines draws the life of the candidate whose page is open, in the timeline's
// place.
func (m *Model) lifeLines() []string {
	height := m.lifeHeight()
	key := lifePaneKey{table: m.table, life: m.life, turns: len(m.turns), here: m.shown.turn, shown: m.shown, width: m.layout.Width, height: height}
	if m.life != nil {
		key.version = m.life.version
	}
	return m.panes.life.draw(key, m.glyphs, m.layout.Width, func(b *paint.Block) {
		l := timeline.Lifeline{Turns: make([]timeline.Moment, len(m.turns)), Here: slices.Index(m.turns, m.shown.turn)}
		if m.life != nil {
			known := 0
			for i, turn := range m.turns {
				moment, ok := m.life.moments[turn]
				if ok {
					known = i + 1
				} else if m.life.done {
					moment.State = timeline.NotOffered
				}
				if moment.State == timeline.Dropped && m.shown.cells[m.cursor].Banned {
					moment.State = timeline.Banned // in every turn that offers it
				}
				l.Turns[i] = moment
			}
			if !m.life.done {
				l.Working = fmt.Sprintf("working: following it over all turns … %d %%", known*100/max(len(m.turns), 1))
			}
		}
		signs := min(height, 3)
		if height > signs {
			m.lifeHeading(b)
		}
		l.Render(b, m.table, signs)
	})
}

// lifeHeading is the line above the signs.
func (m *Model) lifeHeading(b *paint.Block) {
	t := m.table
	first, last := m.session.Turns[m.turns[0]].Number, m.session.Turns[m.turns[len(m.turns)-1]].Number
	b.Repeat(t.Faint, t.Glyphs.Rule, 2)
	b.Put(t.Muted, " turns "+strconv.Itoa(first)+" to "+strconv.Itoa(last)+" under "+m.shown.strategy.String()+" ")
	b.Repeat(t.Faint, t.Glyphs.Rule, b.Room())
	b.End()
}
