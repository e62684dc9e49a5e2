package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/tui/matrix"
	"pacms/tui/paint"
)

// lineup is all that the two pages with every strategy hold: the table of them and the
// chart.
type lineup struct {
	// all is set where the table is over all turns, and not of the one on screen.
	all bool
	// chosen is the strategy under the cursor; "": the one that runs.
	chosen string
	// view is the table as it is on the page.
	view *matrix.View
	// drawn is the budget that the chart was drawn for last.
	drawn int

	// of is the picture that the table of one turn is of or is being made for, one
	// the table, which stays until the next is there.
	of  *picture
	one *table
	run selector.Newest

	tally  tally
	curves curves
}

// table is what every strategy does with the turn of a picture.
type table struct {
	picture *picture
	rows    []compare.Row
	// kept are, by strategy, the pool indices of what is kept.
	kept map[string][]int
}

// tableMsg carries a table.
type tableMsg struct {
	picture *picture
	table   *table
	err     error
}

func openMatrix(m *Model, _ string) tea.Cmd {
	m.lineup.chosen = ""
	return tea.Batch(m.open(pageMatrix), m.tabulate())
}

// tabulated reports whether a page with every strategy is open.
func (m *Model) tabulated() bool {
	return m.page != nil && (m.page.kind == pageMatrix || m.page.kind == pageChart)
}

// tabulate starts what the open page does not know yet.
func (m *Model) tabulate() tea.Cmd {
	if !m.tabulated() || m.shown == nil {
		return nil
	}
	if m.page.kind == pageChart {
		return tea.Batch(m.tabulateTurn(), m.sweepCurves())
	}
	return tea.Batch(m.tabulateTurn(), m.tallyTurns())
}

// endTables gives up what is on its way for pages that are closed.
func (m *Model) endTables() {
	s := &m.lineup
	s.run.Stop()
	if s.one == nil || s.of != s.one.picture {
		s.of = nil
	}
	m.stopTally()
	m.stopCurves()
}

// setup is what is compared in the turn of a request: every strategy, first the one
// that runs, with which the others have their overlap.
func (m *Model) setup(r request) compare.Setup {
	opt := m.options(r)
	return compare.Setup{Strategies: append([]selector.Strategy{r.strategy}, m.otherStrategies(r.strategy)...), Budgets: []selector.Term{opt.Budget}, Options: opt}
}

// rowsOf sums up cells of a setup: by likely misses, and then by the keys.
func (m *Model) rowsOf(in compare.Setup) func(cells []compare.Cell, all bool) []compare.Row {
	place := make(map[string]int, len(m.strategies))
	for k, s := range m.strategies {
		place[s.String()] = k
	}
	return func(cells []compare.Cell, all bool) []compare.Row {
		plan := compare.Plan{Strategies: in.Strategies, Budgets: make([]selector.BudgetSpec, 1), AllTurns: all}
		rows := plan.Rows(cells)
		slices.SortStableFunc(rows, func(a, b compare.Row) int {
			return cmp.Or(cmp.Compare(a.Missed, b.Missed), cmp.Compare(place[a.Strategy], place[b.Strategy]))
		})
		return rows
	}
}

// comparedTurns are the turns that are compared, as pacms compare does: those that a
// person asked, or where there are none those that are listed.
func (m *Model) comparedTurns() []int {
	turns := slices.DeleteFunc(slices.Clone(m.turns), func(i int) bool { return m.session.Turns[i].Internal != "" })
	if len(turns) == 0 {
		return slices.Clone(m.turns)
	}
	return turns
}

// tabulateTurn starts the table of the turn on screen, unless it is there or on its
// way.
func (m *Model) tabulateTurn() tea.Cmd {
	s, p := &m.lineup, m.shown
	if s.of == p {
		return nil
	}
	s.of = p
	ctx, done := s.run.Next(m.ctx)
	in := m.setup(p.request)
	in.Needs = p.needs
	rows := m.rowsOf(in)
	before := func(context.Context) (*compare.Outcome, error) { return nil, nil }
	compared := m.comparedTurns()
	if at, _ := slices.BinarySearch(compared, p.turn); at > 0 {
		turn, outcome := compared[at-1], m.outcomes(p.request, compared[at-1:at])
		before = func(ctx context.Context) (*compare.Outcome, error) { return outcome(ctx, turn) }
	}
	return func() tea.Msg {
		defer done()
		o, err := compare.Turn(ctx, p.prepared, in)
		if err != nil {
			return tableMsg{picture: p, err: err}
		}
		prior, err := before(ctx)
		if err != nil {
			return tableMsg{picture: p, err: err}
		}
		if prior != nil {
			o.Follow(prior)
		}
		t := &table{picture: p, rows: rows(o.Cells, true), kept: make(map[string][]int, len(in.Strategies))}
		for k, s := range in.Strategies {
			t.kept[s.String()] = o.Kept(k)
		}
		return tableMsg{picture: p, table: t}
	}
}

// outcomes makes the work of comparing in any of some turns as r wants it. It is made
// for commands and touches no state.
func (m *Model) outcomes(r request, turns []int) func(ctx context.Context, turn int) (*compare.Outcome, error) {
	in, budgets := m.setup(r), make(map[int]selector.Term, len(turns))
	for _, turn := range turns {
		budget, source := m.budgetOf(turn)
		budgets[turn] = selector.Term{Value: budget, Source: cmp.Or(source, "default")}
	}
	prepare, hindsight, s := m.prepareAny(), m.hindsight, m.session
	return func(ctx context.Context, turn int) (*compare.Outcome, error) {
		p, err := prepare(ctx, turn, nil)
		if err != nil {
			return nil, err
		}
		in := in
		in.Budgets, in.Needs = []selector.Term{budgets[turn]}, hindsight.Needs(turn, p.Pool)
		o, err := compare.Turn(ctx, p, in)
		if err != nil {
			return nil, fmt.Errorf("tui: turn %d: %w", s.Turns[turn].Number, err)
		}
		return o, nil
	}
}

// tabled takes over a table.
func (m *Model) tabled(msg tableMsg) tea.Cmd {
	s := &m.lineup
	switch {
	case msg.picture != s.of:
		return nil
	case errors.Is(msg.err, context.Canceled):
		s.of = nil
		return nil
	case msg.err != nil:
		m.failure = msg.err
		return nil
	}
	s.one = msg.table
	m.refill()
	return nil
}

// pageRows are the rows of the table as it is to be seen, nil while there are none.
func (m *Model) pageRows() []compare.Row {
	s := &m.lineup
	if s.all {
		return s.tally.rows
	}
	if s.one == nil {
		return nil
	}
	return s.one.rows
}

// lineOrder are the strategies in the order in which the open page lists them.
func (m *Model) lineOrder() []string {
	var names []string
	if rows := m.pageRows(); m.page.kind == pageMatrix && rows != nil {
		for i := range rows {
			names = append(names, rows[i].Strategy)
		}
		return names
	}
	for _, s := range m.strategies {
		names = append(names, s.String())
	}
	return names
}

// chosenStrategy is the name of the strategy under the cursor.
func (m *Model) chosenStrategy() string {
	return cmp.Or(m.lineup.chosen, m.want.strategy.String())
}

// chooseStrategy moves the cursor by a number of strategies.
func (m *Model) chooseStrategy(by int) {
	names := m.lineOrder()
	at := slices.Index(names, m.chosenStrategy()) + by
	m.lineup.chosen = names[min(max(at, 0), len(names)-1)]
	m.fillPage()
}

// takeStrategy runs the strategy under the cursor and goes back to the main screen, or
// makes it side B of the comparison that the page was opened from.
func (m *Model) takeStrategy() tea.Cmd {
	m.back()
	k := slices.IndexFunc(m.strategies, func(s selector.Strategy) bool { return s.String() == m.chosenStrategy() })
	if k < 0 {
		return nil
	}
	if m.page != nil {
		return m.runSide(strconv.Itoa(k + 1))
	}
	return m.run(m.strategies[k])
}

// clickMatrix puts the cursor on the row at a line of the screen; the strategy of the
// row that it is on already is taken.
func (m *Model) clickMatrix(y int) tea.Cmd {
	if y < 1 || y > m.pageHeight() {
		return nil
	}
	row := m.lineup.view.RowAt(y - 1 + m.page.Offset)
	if row < 0 {
		return nil
	}
	if name := m.lineup.view.Rows[row].Strategy; name != m.chosenStrategy() {
		m.lineup.chosen = name
		m.fillPage()
		return nil
	}
	return m.takeStrategy()
}

// tableKeys are the keys of the main screen that act on the pages with every strategy
// as they do there.
var tableKeys = []string{",", ".", "[", "]", "{", "}", "-", "+", "_", "*", "b", "=", "u", "ctrl+r"}

// readTable is a key on a page with every strategy that means something there, and
// whether it does.
func (m *Model) readTable(key string) (tea.Cmd, bool) {
	onChart := m.page.kind == pageChart
	switch {
	case key == "enter":
		return m.takeStrategy(), true
	case key == "up", key == "k":
		m.chooseStrategy(-1)
	case key == "down", key == "j":
		m.chooseStrategy(1)
	case !onChart && (key == "a" || key == "tab"):
		m.lineup.all = !m.lineup.all
		m.fillPage()
		return m.tabulate(), true
	case onChart && (key == "left" || key == "h" || key == "right" || key == "l"):
		return m.moveBudget(map[string]int{"left": -1, "h": -1, "right": 1, "l": 1}[key]), true
	case onChart && (key == "home" || key == "end"):
		return m.moveBudget(map[string]int{"home": -1, "end": 1}[key] * m.layout.Width), true
	case onChart && key == "v", !onChart && key == "M":
		m.back()
	case key == "v":
		return tea.Batch(m.open(pageChart), m.tabulate()), true
	case key == "M":
		return tea.Batch(m.open(pageMatrix), m.tabulate()), true
	case len(key) == 1 && key[0] >= '1' && key[0] <= '9':
		m.lineup.chosen = ""
		return m.press(key), true
	case slices.Contains(tableKeys, key):
		return m.press(key), true
	default:
		return nil, false
	}
	return nil, true
}

// matrixHints are the keys of the table that act now.
func (m *Model) matrixHints() []hint {
	over := "all turns"
	if m.lineup.all {
		over = "this turn"
	}
	hints := []hint{{"↑ ↓", "choose"}, {"enter", "take it"}, {"a", over}}
	if len(m.page.Lines) > m.pageHeight() {
		hints = append(hints, hint{"PgDn", "more"})
	}
	return append(hints, hint{"v", "chart"}, hint{"- +", "budget"}, hint{", .", "turn"}, hint{"_ *", "1 %"}, hint{"b", "type a budget"}, hint{"y", "copy"})
}

// fillMatrix writes the page of the table.
func (m *Model) fillMatrix(p *page) {
	s, t := &m.lineup, m.table
	p.Title = []paint.Span{{Style: t.TitleStrong, Text: "matrix  "}}
	v := &matrix.View{Means: s.all}
	if s.all {
		p.Title = append(p.Title, paint.Span{Style: t.Title, Text: "all strategies over all turns"}, paint.Span{Style: t.TitleMuted, Text: "  a this turn"})
		m.viewTally(v, p.width)
	} else {
		p.Title = append(p.Title, paint.Span{Style: t.Title, Text: "all strategies in turn " + strconv.Itoa(m.shown.number)}, paint.Span{Style: t.TitleMuted, Text: "  a all turns"})
		m.viewTable(v, p.width)
	}
	for i := range v.Rows {
		r := &v.Rows[i]
		k := slices.IndexFunc(m.strategies, func(s selector.Strategy) bool { return s.String() == r.Strategy })
		r.Key = strconv.Itoa(k + 1)
		r.Running = r.Strategy == m.want.strategy.String()
	}
	v.Chosen = slices.IndexFunc(v.Rows, func(r matrix.Row) bool { return r.Strategy == m.chosenStrategy() })
	p.Lines = v.Lines(t, p.width, m.pageHeight())
	m.lineup.view = v
}

// viewTable fills the view with the table of one turn.
func (m *Model) viewTable(v *matrix.View, width int) {
	one := m.lineup.one
	if one == nil {
		v.Over, v.Working = "", "running "+strconv.Itoa(len(m.strategies))+" strategies …"
		return
	}
	p := one.picture
	pool := p.sel.Tokens.Pool
	v.Over = "budget " + paint.Count(p.budget) + " of " + paint.Plural(pool, "token") + " in " + paint.Plural(len(p.cells), "item")
	if p.turn != m.shown.turn {
		v.Over = "turn " + strconv.Itoa(p.number) + ": " + v.Over
	}
	if one.picture != m.shown {
		v.Working = "running them again …"
	}
	if len(p.cells) == 0 {
		v.Over = m.nothingOffered()
		return
	}
	if pool <= p.sel.EffectiveBudget {
		v.Notes = append(v.Notes, "Everything fits within the budget: only rag leaves something out.")
	}
	if p.sel.OverBudget {
		v.Notes = append(v.Notes, "What is required or pinned takes more than the budget, so that every strategy keeps just that.")
	}
	if len(p.needs) == 0 {
		v.Notes = append(v.Notes, "Nothing is known to be needed in this turn, so that nothing can be missed.")
	}
	v.Rows = make([]matrix.Row, len(one.rows))
	for i, r := range one.rows {
		v.Rows[i] = matrix.Row{Row: r, Marks: one.marks(r.Strategy)}
	}
	v.Map = "what each keeps, oldest first" + perColumn(v.PerColumn(width), "items")
}

// perColumn says how many share a column, where it is more than one.
func perColumn(n int, what string) string {
	if n == 1 {
		return ""
	}
	return " · " + strconv.Itoa(n) + " " + what + " a column"
}

// marks are what a strategy does with each item of the turn.
func (t *table) marks(strategy string) []matrix.Mark {
	p := t.picture
	marks := make([]matrix.Mark, len(p.cells))
	for i := range marks {
		marks[i].Kind = p.cells[i].Kind
	}
	kept := make([]bool, len(marks))
	for _, i := range t.kept[strategy] {
		marks[i].State, kept[i] = matrix.In, true
	}
	keeps := func(i int) bool { return kept[i] }
	for _, n := range p.needs {
		has := n.KeptBy(keeps)
		for _, i := range n.Holders {
			switch {
			case kept[i]:
				marks[i].State = matrix.Had
			case !has:
				marks[i].State = matrix.Missed
			}
		}
	}
	return marks
}

// tableHelp are the keys of the pages with every strategy, for the list of keys.
func tableHelp() [][2]string {
	return [][2]string{
		{"↑ ↓", "choose a strategy"},
		{"enter", "run it, and go back to the items"},
		{"a", "in the matrix: over all turns, over this turn"},
		{"← →", "on the chart: move the budget"},
		{"v M", "from the one to the other"},
	}
}
