package tui

import (
	"context"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pacms/selector"
	"pacms/session"
	"pacms/themes"
	"pacms/tui/choices"
	"pacms/tui/grid"
)

// Model is the screen. Its panes are plain functions of what it holds; what
// takes time runs in commands, and until an answer is there the last complete
// picture stays.
type Model struct {
	cfg    Config
	ctx    context.Context // the life of the program, which all work is tied to
	quit   context.CancelFunc
	err    error // why the program ended, nil if a person ended it
	relay  relay[progressMsg]
	keymap keymap
	kinds  []string // the names of the kinds in their order

	// What is drawn with.
	layout  layout
	profile colorprofile.Profile
	table   *themes.Table
	glyphs  *themes.Glyphs
	panes   panes

	// What was loaded.
	stock
	engine  *selector.Engine
	loading progressMsg
	live    live

	// What is wanted and what is shown.
	strategies   []selector.Strategy // by number key, from 1
	labels       []string            // "1 pacms" and so on
	want         request
	moved        bool   // a person has set the budget
	picked       bool   // a person has picked the strategy
	budgetSource string // how
	shown        *picture
	before       *picture // what shown is compared with, and the next picture
	lookedBack   bool     // the turn before the first picture was looked at
	failure      error    // why the wanted picture could not be made
	prepared     recent

	// Work on its way.
	generation int
	working    bool
	pending    request
	producing  selector.Newest
	seeks      int
	seeking    int // how often, and in which direction, the budget is to go on
	stopSeek   context.CancelFunc
	sought     bool // the next picture is at a budget that was searched for
	sweep      sweep
	flipping   flipping
	inquiry    *inquiry // of the open page; nil: none
	inquiries  int      // how many there were
	life       *life    // of the candidate whose page was open last
	history    history
	expected   *choices.Choices // whose marks are those that there are; never nil
	keeper     *keeper
	lineup     lineup
	others     []other // for shown; nil while they are not known
	comparing  selector.Newest
	looking    selector.Newest
	aside      aside
	contest    *contest // the compare view; nil: it was not opened yet
	// reopened are the sessions that were opened for it.
	reopened map[Place]*reopened

	// Where a person is.
	cursor     int // pool index
	verdict    *selector.Verdict
	relation   *relation // of the candidate under the cursor, once it is looked up
	view       grid.View
	top        int
	lanes      bool
	beside     beside
	earlier    earlier
	zoom       zoomLevel
	search     *search  // nil: there is none
	passed     *picture // on which n has been to what is needed
	hits       *hits    // of search; those of an older one until the new are there
	everywhere everywhere
	aim        int // the number of the candidate that the cursor goes to with the next picture, 0 the same
	internals  bool
	play       player
	story      storyState
	booth      booth
	preferred  preferences // as they are kept
	dwelt      int         // the number of the turn that the story stayed on last
	followed   bool        // the cursor was put on the story's fact
	lost       bool        // the story stayed where its fact was dropped
	dragging   bool
	prompt     *prompt
	page       *page
	choosing   *choosing // nil where a session is shown
	status     string
	noted      []string // what to know of the session besides what it says itself
}

// New returns the screen for cfg; ctx ends the work that it starts.
func New(ctx context.Context, cfg Config) *Model {
	m := &Model{cfg: cfg, relay: newRelay[progressMsg](), keeper: newKeeper(), expected: new(choices.Choices), reopened: make(map[Place]*reopened), keymap: newKeymap(), profile: colorprofile.TrueColor}
	for _, k := range session.Kinds {
		m.kinds = append(m.kinds, string(k))
	}
	m.aside = newAside()
	m.ctx, m.quit = context.WithCancel(ctx)
	if cfg.Profile != colorprofile.Unknown {
		m.profile = cfg.Profile
	}
	theme := cfg.Theme
	if theme == nil {
		theme = themes.For(true)
	}
	m.setTheme(theme)
	m.loading.what = "opening"
	m.panes.title = m.windowTitle()
	return m
}

// setTheme compiles the table that everything is drawn with.
func (m *Model) setTheme(t *themes.Theme) {
	m.glyphs = t.Glyphs(m.cfg.ASCII)
	m.table = themes.Compile(t, m.glyphs, m.profile)
	m.panes.dirty = true
	if m.page != nil {
		m.fillPage() // its lines are styled
	}
}

// Init starts reading the session.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.progress()}
	if m.choosing != nil {
		cmds = append(cmds, m.lookFor())
	} else {
		cmds = append(cmds, m.load())
	}
	if m.cfg.Theme == nil {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// opened takes over a session that was read and asks for the first picture.
func (m *Model) opened(s *session.Session, k *keeper) tea.Cmd {
	m.keeper, m.want.choices = k, k.wanted.Load()
	m.engine = m.cfg.NewEngine(s)
	m.stock = newStock(s, m.cfg.PoolMode, m.internals)
	if story := m.cfg.Story; story != nil {
		if i := m.turnByNumber(story.Mark.Turn); i >= 0 {
			m.hindsight.Name(i, story.Mark.Needed)
		}
	}
	m.expected = m.want.choices
	m.history.recall(m.want.choices, m.nameOf)
	m.strategies = selector.Numbered(m.cfg.Strategy)
	for i, s := range m.strategies {
		m.labels = append(m.labels, strconv.Itoa(i+1)+" "+s.String())
	}
	m.want.strategy = m.cfg.Strategy
	cannot := m.openOn(m.cfg.Turn)
	if m.live.following = m.want.turn == m.newest(); !m.live.following {
		m.live.seen = m.session.Turns[m.newest()].Number
	}
	m.want.strategy = m.strategyOf(m.want.turn)
	m.want.budget, _ = m.budgetOf(m.want.turn)
	var first tea.Cmd
	switch {
	case m.stand():
		first = m.attract()
	case m.cfg.Story != nil:
		first = m.restart()
		if m.cfg.Turn != 0 { // whoever names a turn wants to look at it
			m.play.stop()
		}
	default:
		first = m.produce()
	}
	switch {
	case cannot != nil:
		m.say(cannot.Error())
	default:
		m.say(m.greeting())
	}
	return first
}

// openOn wants the turn with a number, or the last one where that is 0 or a turn
// that cannot be shown, which is the error.
func (m *Model) openOn(number int) error {
	m.want.turn = m.turns[len(m.turns)-1]
	if number == 0 {
		return nil
	}
	i, err := findTurn(m.session, strconv.Itoa(number))
	if err != nil {
		return err
	}
	m.listWith(i)
	m.want.turn = i
	return nil
}

func spans(t *session.Turn, mode session.PoolMode) []session.Span {
	if mode == session.PoolKey {
		return t.Key
	}
	return t.Window
}

// turnByNumber is the index of a turn, -1 if there is none.
func (m *Model) turnByNumber(number int) int {
	return slices.IndexFunc(m.session.Turns, func(t session.Turn) bool { return t.Number == number })
}

// budgetOf is the budget of a turn in tokens and where it comes from: what a
// person set last, else what the turn opens with.
func (m *Model) budgetOf(turn int) (tokens int, source string) {
	if m.moved {
		return m.want.budget, m.budgetSource
	}
	return m.cfg.budgetOf(&m.stock, turn)
}

// budgetOf is what a turn opens with, and where that comes from.
func (c *Config) budgetOf(k *stock, turn int) (tokens int, source string) {
	if r := k.session.Turns[turn].Record; r != nil && c.BudgetRecorded {
		return r.Budget, "as recorded"
	}
	if c.BudgetRecorded && k.session.Pools != nil {
		if b := k.session.Pools[turn].Budget; b != nil {
			return *b, "as recorded"
		}
	}
	if c.BudgetPerTurn {
		return c.Budget.Tokens(k.offered[turn]), c.BudgetSource
	}
	return c.Budget.Tokens(k.basis), c.BudgetSource
}

// recent keeps the pools that were made ready last.
type recent struct {
	turns []int
	ready []*selector.Prepared
}

// recentTurns is how many pools stay ready: the turn on screen and its
// neighbours. recentPairs is how many pairs of candidates they may have
// together, since each keeps a number for every pair. The vectors stay in the
// engine.
const (
	recentTurns = 4
	recentPairs = 32_000_000
)

func (r *recent) get(turn int) *selector.Prepared {
	if i := slices.Index(r.turns, turn); i >= 0 {
		return r.ready[i]
	}
	return nil
}

func (r *recent) put(turn int, p *selector.Prepared) {
	if slices.Contains(r.turns, turn) {
		return
	}
	r.turns, r.ready = append(r.turns, turn), append(r.ready, p)
	for len(r.turns) > 1 && (len(r.turns) > recentTurns || r.pairs() > recentPairs) {
		r.turns, r.ready = slices.Delete(r.turns, 0, 1), slices.Delete(r.ready, 0, 1)
	}
}

func (r *recent) clone() recent {
	return recent{turns: slices.Clone(r.turns), ready: slices.Clone(r.ready)}
}

func (r *recent) pairs() int {
	sum := 0
	for _, p := range r.ready {
		sum += len(p.Pool.Candidates) * len(p.Pool.Candidates)
	}
	return sum
}
