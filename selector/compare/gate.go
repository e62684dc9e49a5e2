package compare

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pacms/session"
)

// Limit is what a gate demands: its name and the least value that passes.
type Limit struct {
	Name  string
	Least float64
}

// measure is what a gate measures: a turn gives two numbers, and turns together
// the share of their sums.
type measure struct {
	name string
	// is says what the share is one of, none that no turn has it.
	is, none string
	of       func(c *Cell) (part, whole float64)
	// absolute is true of what counts all turns and is never a share of the baseline.
	absolute bool
}

// same is the gate that compares with the baseline what is kept itself, GateExpected
// that which needs Document.Expect.
const (
	same         = "same"
	GateExpected = "expected"
)

// measures are the gates, in the order in which they are told.
var measures = []measure{
	{name: "kept", is: "of what the turns needed, as far as their records show, is kept", none: "no turn that counts needs anything, as far as the records show", of: func(c *Cell) (float64, float64) {
		return float64(c.Needs - c.Missed), float64(c.Needs)
	}},
	{name: "coverage", is: "of the pools' value for the question is covered", none: "no turn counts", of: func(c *Cell) (float64, float64) { return c.Coverage, 1 }},
	{name: "prefix", is: "of the tokens kept in the turn before stands unchanged in front", none: "no turn that counts follows one in which something was kept", of: func(c *Cell) (float64, float64) {
		if c.PrefixOf == 0 {
			return 0, 0
		}
		return float64(c.Prefix) / float64(c.PrefixOf), 1
	}},
	{name: same, is: "of the turns keep exactly what they kept in the baseline", none: "no turn counts"},
	{name: GateExpected, is: "of what is expected is met", none: "nothing is expected in the turns that were compared", absolute: true, of: func(c *Cell) (float64, float64) {
		return float64(c.Met), float64(c.Expected)
	}},
}

// GateNames lists what a limit can be set on.
func GateNames() []string {
	names := make([]string, len(measures))
	for i, m := range measures {
		names[i] = m.name
	}
	return names
}

// ParseLimits reads "kept=0.9,coverage=0.95".
func ParseLimits(s string) ([]Limit, error) {
	var limits []Limit
	for pair := range strings.SplitSeq(s, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		least, err := strconv.ParseFloat(value, 64)
		switch {
		case !slices.Contains(GateNames(), name):
			return nil, fmt.Errorf("there is no gate %q: there are %s", name, strings.Join(GateNames(), ", "))
		case err != nil || !(least > 0 && least <= 1):
			return nil, fmt.Errorf("%s=%s: the limit is a number above 0 and at most 1, as in %s=0.9", name, value, name)
		case slices.ContainsFunc(limits, func(l Limit) bool { return l.Name == name }):
			return nil, fmt.Errorf("%s is named twice", name)
		}
		limits = append(limits, Limit{name, least})
	}
	return limits, nil
}

// Gate is a limit applied to one strategy under one budget.
type Gate struct {
	Name     string  `json:"name"`
	Strategy string  `json:"strategy"`
	Budget   string  `json:"budget"`
	Least    float64 `json:"least"`
	// Turns is the number of turns that were looked at. Where it is 0 there is nothing
	// to measure: the gate failed, and its numbers are 0 here and null in JSON.
	Turns int `json:"turns"`
	// Now is the share in this comparison, Baseline that in the baseline.
	Now      float64  `json:"now"`
	Baseline *float64 `json:"baseline,omitempty"`
	// Value is what the limit applies to: Now as a share of Baseline, or Now itself
	// without one. Low and High are the ends of its interval.
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// Failed is true where Low is under Least, or where nothing was measured.
	Failed bool `json:"failed"`
	// Text says all of it as a sentence.
	Text string `json:"text"`
}

// MarshalJSON writes what was not measured as null.
func (g *Gate) MarshalJSON() ([]byte, error) {
	type plain Gate
	if g.Turns > 0 {
		return written((*plain)(g))
	}
	return written(struct {
		plain
		Now   *float64 `json:"now"`
		Value *float64 `json:"value"`
		Low   *float64 `json:"low"`
		High  *float64 `json:"high"`
	}{plain: plain(*g)})
}

// pair is one turn in two comparisons.
type pair struct{ now, base *Cell }

// Check applies limits to every strategy and budget of d, as against a baseline
// unless that is nil. A gate passes where the whole 95 % interval of a paired
// bootstrap over turns is at least the limit: it has to be shown that nothing was
// lost, few turns show little, and none shows nothing. The gate expected counts all turns of d, and its
// limit is on their share, with a baseline too. The same input gives the same answer.
func (d *Document) Check(base *Document, limits []Limit) ([]Gate, error) {
	var gates []Gate
	for _, l := range limits {
		m := measures[slices.IndexFunc(measures, func(m measure) bool { return m.name == l.Name })]
		if base == nil && m.name == same {
			return nil, errors.New("the gate same compares with a baseline, and there is none (--baseline FILE)")
		}
		for b := range d.Budgets {
			for s := range d.Strategies {
				against := base
				if m.absolute {
					against = nil
				}
				pairs, err := d.pairs(against, s, b, m.absolute)
				if err != nil {
					return nil, err
				}
				gates = append(gates, m.gate(l, d.Strategies[s], d.Budgets[b], pairs))
			}
		}
	}
	return gates, nil
}

// pairs are the turns of one strategy and budget that count, or all of them, with
// their partners in the baseline.
func (d *Document) pairs(base *Document, strategy, budget int, all bool) ([]pair, error) {
	partner := map[string]*Cell{}
	if base != nil {
		s, b := slices.Index(base.Strategies, d.Strategies[strategy]), slices.Index(base.Budgets, d.Budgets[budget])
		if s < 0 || b < 0 {
			return nil, fmt.Errorf("the baseline has no %s at %s: compare what it has, with --strategies %s --budget %s, or make it anew", d.Strategies[strategy], d.Budgets[budget],
				strings.Join(base.Strategies, ","), strings.Join(base.Budgets, ","))
		}
		names := base.names()
		for c := range base.column(s, b) {
			partner[names[c.Session]+strconv.Itoa(c.Turn)] = c
		}
	}
	var pairs []pair
	found := 0
	names := d.names()
	for c := range d.column(strategy, budget) {
		p := pair{now: c}
		if base != nil {
			if p.base = partner[names[c.Session]+strconv.Itoa(c.Turn)]; p.base == nil {
				continue
			}
			found++
		}
		if all || d.AllTurns || c.Contested || p.base != nil && p.base.Contested {
			pairs = append(pairs, p)
		}
	}
	if base != nil && found == 0 {
		return nil, errors.New("no turn of these sessions is in the baseline: it was made of others (sessions are known by file name and key)")
	}
	return pairs, nil
}

// column iterates over the cells of one strategy and budget.
func (d *Document) column(strategy, budget int) func(yield func(*Cell) bool) {
	return func(yield func(*Cell) bool) {
		for at := budget*len(d.Strategies) + strategy; at < len(d.Cells); at += len(d.Strategies) * len(d.Budgets) {
			if !yield(&d.Cells[at]) {
				return
			}
		}
	}
}

// names are what the sessions are known by on any machine: the name of the file,
// the key, and which of those with the same ones it is.
func (d *Document) names() []string {
	names := make([]string, len(d.Sessions))
	count := map[string]int{}
	for i := range d.Sessions {
		name := filepath.Base(d.Sessions[i].Source.Path) + "\x00" + d.Sessions[i].Session + "\x00"
		count[name]++
		names[i] = name + strconv.Itoa(count[name]) + "\x00"
	}
	return names
}

// Unpaired counts the turns of d that the baseline does not have, and those that it
// has with another pool.
func (d *Document) Unpaired(base *Document) (missing, changed int) {
	theirs := map[string]string{}
	names := base.names()
	for c := range base.column(0, 0) {
		theirs[names[c.Session]+strconv.Itoa(c.Turn)] = c.PoolHash
	}
	names = d.names()
	for c := range d.column(0, 0) {
		switch hash, ok := theirs[names[c.Session]+strconv.Itoa(c.Turn)]; {
		case !ok:
			missing++
		case hash != c.PoolHash:
			changed++
		}
	}
	return missing, changed
}

// gate applies a limit to some turns.
func (m *measure) gate(l Limit, strategy, budget string, pairs []pair) Gate {
	g := Gate{Name: m.name, Strategy: strategy, Budget: budget, Least: l.Least}
	var sample []observation
	for _, p := range pairs {
		var o observation
		switch {
		case m.of == nil:
			o.whole = 1
			if p.now.KeptHash == p.base.KeptHash {
				o.part = 1
			}
		case p.base == nil:
			o.part, o.whole = m.of(p.now)
		default:
			o.part, o.whole = m.of(p.now)
			o.basePart, o.baseWhole = m.of(p.base)
		}
		if o.whole > 0 || o.baseWhole > 0 {
			sample = append(sample, o)
		}
	}
	paired := m.of != nil && len(pairs) > 0 && pairs[0].base != nil
	value := func(o observation) float64 { return share(o.part, o.whole) }
	if paired {
		value = ratio
	}
	if len(sample) == 0 {
		g.Failed, g.Text = true, m.nothing(&g, len(pairs))
		return g
	}
	all := sum(sample)
	g.Turns, g.Now = len(sample), share(all.part, all.whole)
	if paired {
		was := share(all.basePart, all.baseWhole)
		g.Baseline = &was
	}
	g.Value = value(all)
	g.Low, g.High = interval(sample, value)
	g.Failed = g.Low < g.Least
	g.Text = m.sentence(&g)
	return g
}

// nothing says why there is nothing to measure in the turns that count.
func (m *measure) nothing(g *Gate, turns int) string {
	why := "no contested turn; lower --budget or take --all-turns"
	if turns > 0 {
		why = m.none + "; take other sessions or leave the gate out"
	}
	return fmt.Sprintf("%s: %s at %s: nothing to measure: %s", g.Name, g.Strategy, g.Budget, why)
}

// sentence says what a gate found and by how much it passed or failed.
func (m *measure) sentence(g *Gate) string {
	what := fmt.Sprintf("%s: %s at %s: %.3f %s", g.Name, g.Strategy, g.Budget, g.Now, m.is)
	if g.Baseline != nil {
		what += fmt.Sprintf(", against %.3f in the baseline: %.3f of it", *g.Baseline, g.Value)
	}
	what += fmt.Sprintf(" (95 %% interval %.3f to %.3f, %s)", g.Low, g.High, session.Counted(g.Turns, "turn"))
	switch {
	case !g.Failed:
		return fmt.Sprintf("%s; at least %g was wanted", what, g.Least)
	case g.Value >= g.Least:
		return fmt.Sprintf("%s; %g is not shown: the lower end is %.3f under it", what, g.Least, g.Least-g.Low)
	}
	return fmt.Sprintf("%s; that is %.3f under %g", what, g.Least-g.Value, g.Least)
}
