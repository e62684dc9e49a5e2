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
	"pacms/selector/compare"
	"pacms/tui/chart"
	"pacms/tui/choices"
	"pacms/tui/matrix"
	"pacms/tui/paint"
)

// curveSteps is at how many budgets a strategy is run for the chart, the first aside.
const curveSteps = 128

// curves are what every strategy does with a turn under many budgets, as far as it is
// known.
type curves struct {
	generation int
	key        curveKey
	stop       context.CancelFunc // of what is on its way; nil where nothing is
	failed     bool

	// known are the points of each strategy, by its place in Model.strategies; nil
	// while they are not there.
	known [][]chart.Point
	// at is the place of the strategy that is being run, -1 none; done of all its
	// budgets are.
	at, done, all int
}

// curveKey is what curves depend on: neither on the budget nor on what runs.
type curveKey struct {
	turn    int
	choices *choices.Choices
}

// of reports whether the curves are those of a key, as far as they are known.
func (c *curves) of(key curveKey) bool { return c.known != nil && c.key == key }

// curveMsg carries how far a strategy is or, in the end, its points.
type curveMsg struct {
	generation int
	at         int
	done, all  int
	points     []chart.Point
	err        error
	more       tea.Cmd
}

func openChart(m *Model, _ string) tea.Cmd {
	m.lineup.chosen = ""
	return tea.Batch(m.open(pageChart), m.tabulate())
}

// stopCurves gives up what is on its way; what is known stays.
func (m *Model) stopCurves() {
	c := &m.lineup.curves
	if c.stop != nil {
		c.stop()
		c.stop = nil
		c.generation++
	}
	c.at = -1
}

// sweepCurves goes on with the strategies that the chart does not know yet: first the
// one that runs.
func (m *Model) sweepCurves() tea.Cmd {
	c, p := &m.lineup.curves, m.shown
	key := curveKey{p.turn, p.choices}
	if !c.of(key) {
		m.stopCurves()
		*c = curves{generation: c.generation, key: key, known: make([][]chart.Point, len(m.strategies)), at: -1}
		m.fillPage()
	}
	if c.stop != nil || c.failed {
		return nil
	}
	next := m.running()
	if next < 0 || c.known[next] != nil {
		next = slices.IndexFunc(c.known, func(points []chart.Point) bool { return points == nil })
	}
	if next < 0 {
		return nil
	}
	return m.sweepCurve(next)
}

// sweepCurve runs the strategy at a place under many budgets.
func (m *Model) sweepCurve(at int) tea.Cmd {
	c, p := &m.lineup.curves, m.shown
	ctx, cancel := context.WithCancel(m.ctx)
	c.stop, c.at, c.done, c.all = cancel, at, 0, 0
	generation, opt, marks := c.generation, m.options(request{p.turn, m.strategies[at], p.budget, p.choices}), p.marks()
	m.fillPage()
	reports := newRelay[curveMsg]()
	next := reports.follow(ctx, func(msg curveMsg, more tea.Cmd) tea.Msg {
		msg.more = more
		return msg
	})
	return tea.Batch(next, func() tea.Msg {
		defer cancel()
		sweep, err := p.prepared.Sweep(ctx, opt, curveSteps, func(done, all int) {
			reports.send(curveMsg{generation: generation, at: at, done: done, all: all})
		})
		if err != nil {
			return curveMsg{generation: generation, at: at, err: fmt.Errorf("tui: run %s at many budgets: %w", opt.Strategy, err)}
		}
		return curveMsg{generation: generation, at: at, points: pointsOf(sweep, marks)}
	})
}

// pointsOf is a sweep as the chart takes it.
func pointsOf(s *selector.Sweep, marks [][]int) []chart.Point {
	points := make([]chart.Point, len(s.Points))
	for i, p := range s.Points {
		points[i] = chart.Point{Budget: p.Budget, Coverage: p.Coverage, Items: p.Items, Tokens: p.Tokens, Marked: keptOf(marks, p.Keeps)}
	}
	return points
}

// curved takes over what is known of a strategy, and goes on.
func (m *Model) curved(msg curveMsg) tea.Cmd {
	c := &m.lineup.curves
	if msg.generation != c.generation || msg.at != c.at || errors.Is(msg.err, context.Canceled) {
		return nil
	}
	switch {
	case msg.err != nil:
		c.stop, c.at, c.failed, m.failure = nil, -1, true, msg.err
		m.refill()
		return nil
	case msg.points == nil:
		c.done, c.all = msg.done, msg.all
		m.refill()
		return msg.more
	}
	c.known[msg.at] = msg.points
	c.stop, c.at = nil, -1
	m.refill()
	return m.tabulate()
}

// marks are the things of the turn that are to be kept, each with the pool indices of
// which one is enough: what the turn needs, and the items that a person marked as to be
// kept there, or pinned. An item is told once.
func (p *picture) marks() [][]int {
	marks := make([][]int, 0, len(p.needs))
	for _, n := range p.needs {
		marks = append(marks, n.Holders)
	}
	for i := range p.cells {
		id := p.pool.Candidates[i].ID
		mark := p.expected.MarkOf(p.number, id)
		wanted := mark != nil && mark.Keep || slices.Contains(p.choices.Pins, id)
		if wanted && !slices.ContainsFunc(marks, func(holders []int) bool { return slices.Equal(holders, []int{i}) }) {
			marks = append(marks, []int{i})
		}
	}
	return marks
}

// keptOf is how many marks have one of their items kept.
func keptOf(marks [][]int, keeps func(i int) bool) int {
	n := 0
	for _, holders := range marks {
		if slices.ContainsFunc(holders, keeps) {
			n++
		}
	}
	return n
}

// markedWords says what the marks of a turn are.
func (m *Model) markedWords(p *picture) string {
	var parts []string
	if n := len(p.needs); n > 0 {
		what := paint.Plural(n, "need") + " of this turn"
		if p.needs[0].Estimate() {
			what += ", an estimate"
		} else if n == 1 {
			what = "needed by this turn: #" + strconv.Itoa(p.numbers[p.needs[0].Holders[0]])
		}
		parts = append(parts, what)
	}
	if n := len(p.marks()) - len(p.needs); n > 0 {
		parts = append(parts, paint.Count(n)+" marked or pinned")
	}
	return strings.Join(parts, " · ")
}

// moveBudget moves the budget by columns of the chart.
func (m *Model) moveBudget(columns int) tea.Cmd {
	scale := m.chartView().Scale(m.layout.Width)
	to := scale.Tokens(scale.Column(m.want.budget) + columns)
	if to == m.want.budget {
		m.say("the budget is at the end of the chart: b types any other")
		return nil
	}
	return m.setBudget(to, "slider")
}

// clickChart takes the budget at a column of the chart, from where it can be dragged.
func (m *Model) clickChart(x int) tea.Cmd {
	scale := m.chartView().Scale(m.layout.Width)
	if x < chart.Left || x >= chart.Left+scale.Width {
		return nil
	}
	m.before, m.dragging = m.shown, true
	return m.dragChart(x)
}

// dragChart moves the budget to a column of the screen, or to the end of the chart that
// is nearest to it.
func (m *Model) dragChart(x int) tea.Cmd {
	scale := m.chartView().Scale(m.layout.Width)
	return m.setBudget(scale.Tokens(min(max(x-chart.Left, 0), scale.Width-1)), "slider")
}

// chartHints are the keys of the chart that act now.
func (m *Model) chartHints() []hint {
	return []hint{{"← →", "budget"}, {"↑ ↓", "choose"}, {"enter", "take it"}, {"M", "matrix"}, {"- +", "next change"}, {", .", "turn"}, {"_ *", "1 %"}, {"b", "type a budget"}, {"y", "copy"}}
}

// chartView is the chart of the turn on screen, as far as it is known.
func (m *Model) chartView() *chart.View {
	c, p, one := &m.lineup.curves, m.shown, m.lineup.one
	v := &chart.View{Budget: m.want.budget, Basis: m.basis, Pool: len(p.cells), What: m.markedWords(p)}
	marks := p.marks()
	v.Marked = len(marks)
	current := c.of(curveKey{p.turn, p.choices})
	exact := one != nil && one.picture.turn == p.turn && one.picture.choices == p.choices && one.picture.budget == m.want.budget
	for k, s := range m.strategies {
		series := chart.Series{Key: strconv.Itoa(k + 1), Name: s.String(), Running: s.String() == m.want.strategy.String()}
		switch {
		case current && c.known[k] != nil:
			series.Points = c.known[k]
		case current && c.failed:
			series.Working = "given up"
		case current && c.at == k && c.all > 0:
			series.Working = "running it at " + paint.Count(c.all) + " budgets … " + paint.Count(c.done*100/c.all) + " %"
		case current && c.at == k:
			series.Working = "running it at many budgets …"
		default:
			series.Working = "waits for its turn"
		}
		if exact {
			series.Here = one.point(s.String(), marks)
		}
		if s.String() == m.chosenStrategy() {
			v.Chosen = k
		}
		v.Series = append(v.Series, series)
	}
	if one != nil && one.picture.turn == p.turn {
		v.Items, v.ItemsAt = one.items(m.chosenStrategy()), one.picture.budget
	}
	return v
}

// items are what a strategy does with each item of the turn of the table.
func (t *table) items(strategy string) []chart.Item {
	marks := t.marks(strategy)
	items := make([]chart.Item, len(marks))
	for i, mark := range marks {
		items[i] = chart.Item{Kept: mark.State == matrix.In || mark.State == matrix.Had, Needed: mark.State == matrix.Had || mark.State == matrix.Missed}
	}
	return items
}

// point is what a strategy does in the turn of the table; nil where it is not in it.
func (t *table) point(strategy string, marks [][]int) *chart.Point {
	k := slices.IndexFunc(t.rows, func(r compare.Row) bool { return r.Strategy == strategy })
	if k < 0 {
		return nil
	}
	kept := t.kept[strategy]
	return &chart.Point{
		Budget: t.picture.budget, Coverage: t.rows[k].Coverage, Items: int(t.rows[k].Items), Tokens: int(t.rows[k].Tokens),
		Marked: keptOf(marks, func(i int) bool { _, found := slices.BinarySearch(kept, i); return found }),
	}
}

// fillChart writes the page of the chart.
func (m *Model) fillChart(p *page) {
	t := m.table
	m.lineup.drawn = m.want.budget
	p.Title = []paint.Span{
		{Style: t.TitleStrong, Text: "chart  "},
		{Style: t.Title, Text: "all strategies against the budget in turn " + strconv.Itoa(m.shown.number)},
	}
	if len(m.shown.cells) == 0 {
		p.Lines = nil
		m.wrapped(p, m.nothingOffered())
		return
	}
	v := m.chartView()
	height := m.pageHeight()
	p.Lines = v.Lines(t, p.width, height)
}
