package tui

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pacms/capture"
	"pacms/selector"
	"pacms/session"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

const (
	// mostEvents is how many events of a followed session are kept to be read.
	mostEvents = 50
	// quietAfter is how long nothing has to come until the timeline is made anew.
	quietAfter = 3 * time.Second
)

// live is how the session on screen is followed, where it is.
type live struct {
	// following is set while the newest turn is to be on screen; seen is the number of
	// the newest one when that ended.
	following bool
	seen      int
	// listening is set while a command waits for news, arriving while one makes the
	// picture of a session that has come.
	listening, arriving bool
	news                capture.News // the last, without its session
	events              []string
	arrivals            int
	// swept is the basis for which the whole timeline was made last.
	swept int
}

// Messages of a followed session: that there are news, that a new session is ready to
// be shown, and that nothing has come for a while.
type (
	newsMsg struct {
		news capture.News
		err  error
	}
	arrivedMsg struct {
		arrival *arrival
		err     error
	}
	quietMsg struct{ arrivals int }
)

// arrival is the next state of a followed session, with what is shown of it. It is
// made beside the screen, which takes it over as a whole.
type arrival struct {
	stock
	// grown is set where all that was there before is at its place, but for what shift
	// says.
	grown bool
	shift shift
	// from is what was wanted when it was made, turns the place of each turn of before,
	// -1 for one that cannot be shown any more.
	from  request
	moved map[int]int
	// kept are the pools that are as they were, ready for selections.
	kept recent
	// picture is nil where the one on screen, same, is what it would be.
	picture, same *picture
	before        *picture
	hits          *hits
	aim           int
}

// follows reports whether the session on screen is one that is followed.
func (m *Model) follows() bool { return m.cfg.Follow != nil && m.session != nil }

// free reports whether the screen may go to another turn by itself.
func (m *Model) free() bool { return m.page == nil && m.prompt == nil && !m.dragging }

// turned notes that a person went to a turn.
func (l *live) turned(m *Model, turn int) {
	if !m.follows() {
		return
	}
	newest := m.newest()
	if l.following && turn != newest {
		l.seen = m.session.Turns[newest].Number
	}
	l.following = turn == newest
}

// keepUp does what following asks for after each message: it waits for news, and goes
// to the newest turn where that had to wait.
func (m *Model) keepUp() tea.Cmd {
	if !m.follows() || m.shown == nil || m.working || m.live.arriving {
		return nil
	}
	if m.live.following && m.free() && m.want.turn != m.newest() {
		return m.goTo(m.newest())
	}
	if m.live.listening {
		return nil
	}
	m.live.listening = true
	ctx, next := m.ctx, m.cfg.Follow
	return func() tea.Msg {
		news, err := next(ctx)
		return newsMsg{news, err}
	}
}

// heard takes over news, and starts on what there is to be seen of them.
func (m *Model) heard(msg newsMsg) tea.Cmd {
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) {
			m.live.news = capture.News{State: capture.Failing, Note: msg.err.Error()}
		}
		return nil // it listens no more: there will be nothing
	}
	m.live.listening = false
	s := msg.news.Session
	m.live.news = msg.news
	m.live.news.Session = nil
	for _, event := range msg.news.Events {
		m.live.events = append(m.live.events, safe.Line(event))
		m.say(safe.Line(event))
	}
	m.live.events = m.live.events[max(len(m.live.events)-mostEvents, 0):]
	if s == nil {
		return nil
	}
	if why := s.WhyNoPool(); why != "" {
		m.live.news.State, m.live.news.Note = capture.Waiting, "what is stored now has nothing to show: "+why
		return nil
	}
	m.stopSweep()
	m.comparing.Stop() // settled begins again where it had not ended
	m.looking.Stop()
	m.lookedBack = m.before != nil
	m.live.arriving = true
	return m.arrive(s)
}

// arrive makes the picture of a session that has come.
func (m *Model) arrive(s *session.Session) tea.Cmd {
	ctx, cfg, engine, internals := m.ctx, m.cfg, m.engine, m.internals
	was, shown, before, known := m.session, m.shown, m.before, m.prepared.clone()
	advance := m.live.following && m.free()
	moved, from, source := m.moved, m.want, m.budgetSource
	sh, opt := m.shot(), m.options(m.want)
	id := ""
	if at := was.Candidates; sh.cursor > 0 && sh.cursor <= len(at) {
		id = at[sh.cursor-1].ID
	}
	return func() tea.Msg {
		a := &arrival{stock: newStock(s, cfg.PoolMode, internals), from: from, moved: placesOf(was, s)}
		a.shift, a.grown = grownFrom(was, s)
		want := from
		want.turn = a.newest()
		if at := a.moved[from.turn]; !advance && at >= 0 {
			want.turn = at
		}
		if _, listed := slices.BinarySearch(a.turns, want.turn); !listed {
			a.listTurns(true)
		}
		if !moved {
			want.budget, source = cfg.budgetOf(&a.stock, want.turn)
		}
		a.keep(&known, cfg.PoolMode)
		sh.hindsight = a.hindsight
		if a.grown && want.equal(shown.request) && a.kept.get(want.turn) == shown.prepared {
			if reflect.DeepEqual(a.hindsight.Needs(want.turn, shown.pool), shown.needs) {
				a.same = shown
				return arrivedMsg{arrival: a}
			}
			sh.selected = shown.sel // only what is needed of it is known by now
		}
		switch {
		case !a.grown: // its numbers are others
		case want.turn != shown.turn:
			a.before = shown.shifted(a.shift)
		default:
			a.before = before.shifted(a.shift)
		}
		if at := slices.IndexFunc(s.Candidates, func(c session.Candidate) bool { return c.ID == id }); id != "" {
			a.aim = at + 1
		}
		opt.Budget = selector.Term{Value: want.budget, Source: cmp.Or(source, "default")}
		sh.request, sh.number, sh.opt, sh.before, sh.cursor = want, s.Turns[want.turn].Number, opt, a.before, a.aim
		prepare := prepareIn(engine, s, cfg, a.kept)
		sh.prepare = func(ctx context.Context, progress func(done, total int)) (*selector.Prepared, error) {
			return prepare(ctx, want.turn, progress)
		}
		var err error
		a.picture, a.hits, err = sh.take(ctx, nil)
		return arrivedMsg{a, err}
	}
}

// shift is how the numbers of candidates have moved: those above from by so many.
type shift struct{ from, by int }

// grownFrom reports whether all turns and candidates of a session are at their place
// in a later state of it. Memory is behind all messages, and moves with each that comes.
func grownFrom(before, after *session.Session) (moved shift, grown bool) {
	if len(before.Turns) > len(after.Turns) || len(before.Candidates) > len(after.Candidates) {
		return shift{}, false
	}
	for i := range before.Turns {
		a, b := &before.Turns[i], &after.Turns[i]
		if a.EntryID != b.EntryID || a.Number != b.Number || a.Branch != b.Branch {
			return shift{}, false
		}
	}
	said := len(before.Candidates)
	for said > 0 && before.Candidates[said-1].Kind == session.Memory {
		said--
	}
	for i := range before.Candidates {
		if i == said {
			moved = shift{said, len(after.Candidates) - len(before.Candidates)}
		}
		if before.Candidates[i].ID != after.Candidates[i+moved.by].ID {
			return shift{}, false
		}
	}
	return moved, true
}

// placesOf is where each turn of a session is in a later state of it, -1 for one that
// has no pool there.
func placesOf(before, after *session.Session) map[int]int {
	at := make(map[string]int, len(after.Turns))
	for i := range after.Turns {
		if after.Turns[i].Branch == session.BranchActive {
			at[after.Turns[i].EntryID] = i
		}
	}
	places := make(map[int]int, len(before.Turns))
	for i := range before.Turns {
		place, ok := at[before.Turns[i].EntryID]
		if !ok {
			place = -1
		}
		places[i] = place
	}
	return places
}

// keep finds which of the pools that are ready are the same in the new session.
func (a *arrival) keep(known *recent, mode session.PoolMode) {
	if !a.grown {
		return
	}
	for k, turn := range known.turns {
		if samePool(known.ready[k].Pool, a.session.Pool(turn, mode)) {
			a.kept.turns, a.kept.ready = append(a.kept.turns, turn), append(a.kept.ready, known.ready[k])
		}
	}
}

// samePool reports whether two pools offer the same for the same question.
func samePool(a, b *session.Pool) bool {
	if a.Query != b.Query || len(a.Candidates) != len(b.Candidates) || a.IDsRepaired != b.IDsRepaired {
		return false
	}
	for i := range a.Candidates {
		if !reflect.DeepEqual(&a.Candidates[i], &b.Candidates[i]) {
			return false
		}
	}
	return true
}

// arrived takes over a session that has come, with its picture.
func (m *Model) arrived(msg arrivedMsg) tea.Cmd {
	m.live.arriving = false
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) {
			m.failure = msg.err
		}
		return nil
	}
	a, wanted := msg.arrival, m.want
	stayed := wanted.equal(a.from)
	m.giveUp()
	m.stopSweep()
	if m.internals { // asked for meanwhile
		a.listTurns(true)
	}
	if a.shift.by != 0 {
		m.status = "" // it may name a number that another has now
	}
	m.stock = a.stock
	m.stockPools(a)
	m.live.arrivals++
	m.stopTally()
	m.lineup.tally.key = tallyKey{} // there are other turns
	if m.shown != a.same {
		m.stopCurves()
		m.lineup.curves.known = nil
	}
	if !a.grown {
		m.sweep.found, m.sweep.next, m.before, m.lookedBack = nil, nil, nil, false
		m.endLife()
		if m.page != nil && m.page.kind == pagePick {
			m.page = nil
			m.stopEverywhere()
		}
	}
	switch {
	case a.picture != nil && (stayed || !a.grown):
		m.before, m.want, m.aim = a.before, a.picture.request, a.aim
		m.put(a.picture)
		m.searched(a.hits)
	case m.shown == a.same || a.grown:
		m.shown, m.before = m.shown.shifted(a.shift), m.before.shifted(a.shift)
		m.relayout()
		m.refill()
	}
	var again tea.Cmd
	if !stayed {
		again = m.askAgain(wanted, a)
	}
	m.live.following = m.live.following || m.want.turn == m.newest()
	arrivals := m.live.arrivals
	quiet := tea.Tick(quietAfter, func(time.Time) tea.Msg { return quietMsg{arrivals} })
	return tea.Batch(again, quiet, m.explain(), m.find(), m.lookBack(), m.settled())
}

// stockPools keeps of the pools that are ready those that are as they were.
func (m *Model) stockPools(a *arrival) {
	ready := m.prepared
	m.prepared = recent{}
	for k, turn := range ready.turns {
		if a.kept.get(turn) == ready.ready[k] {
			m.prepared.put(turn, ready.ready[k])
		}
	}
}

// askAgain wants what a person went to while a session was on its way.
func (m *Model) askAgain(wanted request, a *arrival) tea.Cmd {
	if wanted.turn = a.moved[wanted.turn]; wanted.turn < 0 {
		wanted.turn = m.newest()
	}
	m.listWith(wanted.turn)
	m.want = wanted
	if !m.moved {
		m.want.budget, _ = m.budgetOf(wanted.turn)
	}
	if m.want.equal(m.shown.request) {
		return nil
	}
	return m.show(m.want)
}

// quiet makes the timeline anew where it was not since the largest pool has grown.
func (m *Model) quiet(msg quietMsg) tea.Cmd {
	if msg.arrivals != m.live.arrivals || m.live.swept == m.basis {
		return nil
	}
	m.stopSweep()
	m.live.swept = 0 // nothing of it is as it would be
	return m.settled()
}

// sweepKnown is what of the timeline need not be made anew now: while turns come fast
// a share of the largest pool is let be what it was as long as that has hardly grown.
func (m *Model) sweepKnown() map[int]swept {
	const hardly = 10 // percent
	if !m.follows() || m.sweep.last != m.sweep.key || m.live.swept == 0 || m.basis > m.live.swept+m.live.swept/hardly {
		m.sweep.whole = true
		return nil
	}
	m.sweep.whole = false
	return m.sweep.found
}

// liveText says how following goes; empty where the session is not followed.
func (m *Model) liveText() string {
	if !m.follows() {
		return ""
	}
	switch m.live.news.State {
	case capture.Busy:
		return "store busy, retrying"
	case capture.Failing:
		return "cannot read, retrying"
	case capture.Waiting:
		return "waiting"
	case capture.Live:
	}
	if m.live.following {
		return "live"
	}
	fresh := 0
	for _, turn := range m.turns {
		if m.session.Turns[turn].Number > m.live.seen {
			fresh++
		}
	}
	if fresh == 0 {
		return "paused"
	}
	return "paused, " + paint.Plural(fresh, "new turn")
}

// liveNote is what following waits for or what fails, in a sentence.
func (m *Model) liveNote() string {
	switch n := &m.live.news; {
	case !m.follows():
		return ""
	case n.Note != "":
		return safe.Line(n.Note)
	case n.Pending > 0:
		return "a record is being written: " + paint.Count(n.Pending) + " bytes of it are there"
	}
	return ""
}

// noFollowing says why there is no newest turn to go to.
func noFollowing(m *Model) string {
	switch {
	case m.cfg.Follow == nil:
		return "only pacms tail follows a session"
	case m.session != nil && m.live.following:
		return "the newest turn is on screen, and the next will be"
	}
	return noPicture(m)
}

func followAgain(m *Model, _ string) tea.Cmd {
	m.play.stop()
	return m.goTo(m.newest())
}
