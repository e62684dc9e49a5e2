package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/session"
)

// Messages that work sends to Update. Each carries the generation that it was
// started in; an answer of an older one is dropped.
type (
	progressMsg struct {
		generation  int
		what        string
		done, total int64
	}
	loadedMsg struct {
		session *session.Session
		keeper  *keeper
		// forgotten says why earlier pins and bans could not be read.
		forgotten error
		err       error
	}
	pictureMsg struct {
		generation int
		picture    *picture
		hits       *hits // what the search finds in it; nil without one
		err        error
	}
	explainedMsg struct {
		picture *picture
		index   int
		verdict selector.Verdict
		// relation is nil where the candidate has to do with no other.
		relation *relation
	}
	// beforeMsg carries the picture of the turn before the one that the screen opened
	// on, nil where it could not be made.
	beforeMsg struct {
		picture, before *picture
	}
	othersMsg struct {
		picture *picture
		others  []other
		err     error
	}
	changeMsg struct {
		generation int
		dir        int
		budget     int
		found      bool
		err        error
	}
)

// other is what another strategy would do with the turn on screen.
type other struct {
	strategy selector.Strategy
	kept     int
	tokens   int
	// missed is how many needs of the turn it would not meet.
	missed int
	// keeps is set where it keeps what the picture's lead asks for.
	keeps bool
	// keepsItem reports whether it keeps the candidate at a pool index.
	keepsItem func(i int) bool
}

// relay passes reports from work to Update. Only the newest is kept, so that work
// never waits for the screen.
type relay[T any] struct{ reports chan T }

func newRelay[T any]() relay[T] { return relay[T]{make(chan T, 1)} }

func (r relay[T]) send(report T) {
	for {
		select {
		case r.reports <- report:
			return
		default:
		}
		select {
		case <-r.reports: // an older report makes room
		default:
		}
	}
}

// wait gives the next report, and false where ctx ends before.
func (r relay[T]) wait(ctx context.Context) (report T, ok bool) {
	select {
	case report = <-r.reports:
		return report, true
	case <-ctx.Done():
		return report, false
	}
}

// follow gives a command that waits for the next report and makes a message of it with
// the command that waits for the one after, nil where ctx ends before.
func (r relay[T]) follow(ctx context.Context, message func(report T, more tea.Cmd) tea.Msg) tea.Cmd {
	var next tea.Cmd
	next = func() tea.Msg {
		report, ok := r.wait(ctx)
		if !ok {
			return nil
		}
		return message(report, next)
	}
	return next
}

// progress waits for the next report of how far the work on a picture is.
func (m *Model) progress() tea.Cmd {
	ctx, relay := m.ctx, m.relay
	return func() tea.Msg {
		if msg, ok := relay.wait(ctx); ok {
			return msg
		}
		return nil
	}
}

// load reads the session.
func (m *Model) load() tea.Cmd {
	ctx, read, relay := m.ctx, m.cfg.Load, m.relay
	return func() tea.Msg {
		s, err := read(ctx, func(what string, done, total int64) {
			relay.send(progressMsg{what: what, done: done, total: total})
		})
		if err == nil {
			if why := s.WhyNoPool(); why != "" {
				err = errors.New("there is nothing to choose from: " + why)
			}
		}
		if err != nil {
			return loadedMsg{err: err}
		}
		keeper, forgotten := m.remembered(s)
		return loadedMsg{session: s, keeper: keeper, forgotten: forgotten}
	}
}

// options are what a selection for r runs with.
func (m *Model) options(r request) selector.Options {
	_, source := m.budgetOf(r.turn)
	return selector.Options{
		Strategy: r.strategy,
		Budget:   selector.Term{Value: r.budget, Source: cmp.Or(source, "default")},
		Rules:    m.rulesOf(r.turn),
		Tail:     m.cfg.Tail,
		Pins:     r.choices.Pins,
		Bans:     r.choices.Bans,
	}
}

// prepare gives the pool of a turn, ready for selections, from what is kept of
// earlier ones or anew. It is made for commands and touches no state.
func (m *Model) prepare(turn int) func(context.Context, func(done, total int)) (*selector.Prepared, error) {
	prepare := m.prepareAny()
	return func(ctx context.Context, progress func(done, total int)) (*selector.Prepared, error) {
		return prepare(ctx, turn, progress)
	}
}

// prepareAny is prepare for any turn.
func (m *Model) prepareAny() func(ctx context.Context, turn int, progress func(done, total int)) (*selector.Prepared, error) {
	return prepareIn(m.engine, m.session, m.cfg, m.prepared.clone())
}

// prepareIn gives the pools of s, ready for selections: those that are known, or anew.
func prepareIn(engine *selector.Engine, s *session.Session, cfg Config, known recent) func(ctx context.Context, turn int, progress func(done, total int)) (*selector.Prepared, error) {
	return func(ctx context.Context, turn int, progress func(done, total int)) (*selector.Prepared, error) {
		if ready := known.get(turn); ready != nil {
			return ready, nil
		}
		p, err := engine.Prepare(ctx, s.Pool(turn, cfg.PoolMode), selector.PrepareOptions{
			QueryExplicit: cfg.QueryExplicit, NoWiden: cfg.NoWiden, Progress: progress,
		})
		if err != nil {
			return nil, fmt.Errorf("tui: turn %d: %w", s.Turns[turn].Number, err)
		}
		return p, nil
	}
}

// frameFirst is how many candidates a session offers from which the frame of a key is
// drawn before the work on its picture begins: that takes all processors for some time.
const frameFirst = 1000

// produce starts the work on the picture that is wanted. Work on another turn or
// strategy is given up; work on another budget is let go on, so that a long drag
// shows something on its way.
func (m *Model) produce() tea.Cmd {
	if m.session == nil {
		return nil
	}
	if m.working {
		if m.pending.turn == m.want.turn && m.pending.strategy.String() == m.want.strategy.String() {
			return nil // pictureMsg starts the newest one
		}
		m.giveUp()
	}
	m.generation++
	ctx, done := m.producing.Next(m.ctx)
	m.working, m.pending = true, m.want
	generation, want, before, relay := m.generation, m.want, m.before, m.relay
	sh := m.shot()
	sh.request, sh.number, sh.opt, sh.hindsight = want, m.session.Turns[want.turn].Number, m.options(want), m.hindsight
	sh.prepare, sh.before, sh.record = m.prepare(want.turn), before, m.recordOf(want.turn)
	large := m.capacity >= frameFirst
	return func() tea.Msg {
		defer done()
		if large {
			time.Sleep(time.Second / fps)
		}
		p, found, err := sh.take(ctx, func(done, total int) {
			if done < total {
				relay.send(progressMsg{generation, "reading the meaning of items", int64(done), int64(total)})
				return
			}
			relay.send(progressMsg{generation: generation, what: "comparing the items with each other"})
		})
		return pictureMsg{generation: generation, picture: p, hits: found, err: err}
	}
}

// shot is all that a picture is made from.
type shot struct {
	request
	number    int // of the turn
	opt       selector.Options
	prepare   func(context.Context, func(done, total int)) (*selector.Prepared, error)
	hindsight *selector.Hindsight
	record    *session.Record // nil where the turn was not captured
	before    *picture
	cursor    int // the number of the candidate that it goes to
	search    *search
	// selected is what is selected where that is known already; nil elsewhere.
	selected *selector.Selection
	// ranks is set where the cells need their ranks, whole where the reasoning about
	// the candidate under the cursor is wanted at once.
	ranks, whole bool
}

// shot is the part of one that is as the screen is now.
func (m *Model) shot() shot {
	return shot{cursor: m.pointed(), ranks: m.wantsRanks(), search: m.search, whole: m.page != nil && m.page.kind == pageWhy}
}

// take makes the picture, and finds in it what is looked for.
func (sh *shot) take(ctx context.Context, progress func(done, total int)) (*picture, *hits, error) {
	prepared, err := sh.prepare(ctx, progress)
	if err != nil {
		return nil, nil, err
	}
	sel := sh.selected
	if sel == nil {
		if sel, err = prepared.Select(ctx, sh.opt); err != nil {
			return nil, nil, fmt.Errorf("tui: select with %s: %w", sh.strategy, err)
		}
	}
	if sh.ranks || sh.whole {
		if err := sel.Ready(ctx); err != nil {
			return nil, nil, fmt.Errorf("tui: explain %s: %w", sh.strategy, err)
		}
	}
	p := newPicture(sh.request, sh.number, prepared, sel, selector.Live(sh.hindsight.Needs(sh.turn, prepared.Pool), sh.record, sel.Kept), sh.before)
	if sh.ranks {
		p.rank()
	}
	var found *hits
	if sh.search != nil {
		found = sh.search.in(p)
	}
	if len(p.cells) > 0 && sel.IsReady() {
		// The reason for what will be under the cursor, so that it does not come later;
		// the first picture of a large pool does not wait for it.
		at := p.findOrNewest(sh.cursor)
		verdict := sel.Explain(at)
		p.verdict, p.relation = &verdict, p.relate(at)
		if sh.whole {
			why := sel.Why(at)
			p.why = &why
		}
	}
	return p, found, nil
}

// lookBack makes the picture of the turn before the one on screen, where the screen
// opened on it and nothing is there to compare it with.
func (m *Model) lookBack() tea.Cmd {
	p, turn := m.shown, m.neighbour(-1)
	if m.before != nil || m.lookedBack || m.play.on || turn < 0 || p.turn != m.want.turn {
		return nil
	}
	m.lookedBack = true
	r := m.want
	r.turn, r.strategy = turn, m.strategyOf(turn)
	r.budget, _ = m.budgetOf(turn)
	ctx, done := m.looking.Next(m.ctx)
	prepare, opt, hindsight, number, record := m.prepare(turn), m.options(r), m.hindsight, m.session.Turns[turn].Number, m.recordOf(turn)
	enter := m.aside.enter
	return func() tea.Msg {
		defer done()
		ctx, leave := enter(ctx)
		defer leave()
		prepared, err := prepare(ctx, func(int, int) {})
		if err != nil {
			return beforeMsg{picture: p} // whoever goes there is told why
		}
		sel, err := prepared.Select(ctx, opt)
		if err != nil {
			return beforeMsg{picture: p}
		}
		return beforeMsg{p, newPicture(r, number, prepared, sel, selector.Live(hindsight.Needs(turn, prepared.Pool), record, sel.Kept), nil)}
	}
}

// lookedAt compares the picture on screen with that of the turn before.
func (m *Model) lookedAt(msg beforeMsg) tea.Cmd {
	if msg.picture != m.shown || msg.before == nil || m.working {
		return nil
	}
	verdict := m.verdict
	m.put(m.shown.comparedWith(msg.before))
	m.verdict = verdict
	return tea.Batch(m.explain(), m.find(), m.settled())
}

// explain looks up the reason for the verdict on the candidate under the cursor.
func (m *Model) explain() tea.Cmd {
	ctx, p, i := m.ctx, m.shown, m.cursor
	if i >= len(p.cells) || m.verdict != nil && m.verdict.Index == i {
		return nil
	}
	return func() tea.Msg {
		if p.sel.Ready(ctx) != nil {
			return nil // the screen ends
		}
		return explainedMsg{p, i, p.sel.Explain(i), p.relate(i)}
	}
}

// compare runs every strategy on the turn on screen.
func (m *Model) compare() tea.Cmd {
	ctx, done := m.comparing.Next(m.ctx)
	p, strategies := m.shown, m.strategies
	options := make([]selector.Options, len(strategies))
	for k, s := range strategies {
		options[k] = m.options(request{p.turn, s, p.budget, p.choices})
	}
	enter := m.aside.enter
	return func() tea.Msg {
		defer done()
		ctx, leave := enter(ctx)
		defer leave()
		others := make([]other, 0, len(options))
		for _, opt := range options {
			sel, err := p.prepared.Select(ctx, opt)
			if err != nil {
				return othersMsg{picture: p, err: fmt.Errorf("tui: select with %s: %w", opt.Strategy, err)}
			}
			o := other{strategy: opt.Strategy, kept: len(sel.KeptIndices), tokens: sel.Tokens.Kept, keepsItem: sel.Keeps}
			o.missed = len(selector.Missed(p.needs, sel.Keeps))
			o.keeps = p.lead != nil && p.lead.KeptBy(sel.Keeps)
			others = append(others, o)
		}
		return othersMsg{picture: p, others: others}
	}
}

// seek looks for the next budget at which something changes.
func (m *Model) seek(dir int) tea.Cmd {
	m.seeks++
	ctx, cancel := context.WithCancel(m.ctx)
	m.stopSeek = cancel
	p, opt, generation := m.shown, m.options(m.want), m.seeks
	next := func(ctx context.Context) (int, bool, error) { return p.prepared.NextChange(ctx, opt, dir) }
	if m.comparePage() != nil && m.contest.shown != nil {
		d := m.contest.shown
		next = func(ctx context.Context) (int, bool, error) { return d.nextChange(ctx, dir) }
	}
	return func() tea.Msg {
		defer cancel()
		budget, found, err := next(ctx)
		return changeMsg{generation, dir, budget, found, err}
	}
}
