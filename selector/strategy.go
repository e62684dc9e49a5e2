package selector

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Strategy is a way of choosing with its parameters; make one with
// ParseStrategy. The zero value is not a strategy.
type Strategy struct {
	name   string // canonical, with the parameters that differ from the default
	smooth float64
	blind  bool // does not read the query
	capped bool // may leave out what fits
	chooser
}

// String is the canonical name, with the parameters that differ from the
// default: "mmr:lambda=0.7".
func (s Strategy) String() string { return s.name }

// Name is the name without parameters.
func (s Strategy) Name() string {
	name, _, _ := strings.Cut(s.name, ":")
	return name
}

// chooser chooses among the free groups of a problem.
type chooser interface {
	choose(ctx context.Context, pb *problem) (*choice, error)
}

// locator is a strategy that maximises a facility location.
type locator interface {
	chooser
	// search is the facility location of a problem.
	search(ctx context.Context, pb *problem) (*search, error)
}

// choice is what a strategy decided, and how it explains itself.
type choice struct {
	picked []int // groups in order of choice, without the required
	fill   []int // groups that took what was left
	fills  bool  // what was left was offered to all others, by similarity
	capped bool  // the last one picked was taken without trying the others again
	walked []int // rankers: the groups that were tried, in order; nil: no ranker

	// decides is the member that speaks for a group of several.
	decides func(g int) int
	// drop is the reason of a free group that was not picked.
	drop func(g int) drop
	// score is what the group was ranked by, rank its place from 1.
	score func(g int) float64
	rank  func(g int) int
	// ready computes ahead what rank needs; nil: nothing that takes time. isReady
	// reports whether that is there.
	ready   func(ctx context.Context) error
	isReady func() bool
	// gain is what a group added when chosen, or would add now; nil: not known.
	gain func(g int) float64
	// chosen says in a few words why a group was picked at its place in the
	// order, from 1; nil: for its rank.
	chosen func(g, place int) string

	located *located // set by the facility locations
	partial bool     // the deadline came before the choice was complete
}

// drop is why a free group was not picked.
type drop struct {
	code Code
	by   []int // candidates that caused it
	// newer is true where the group is newer than the one that covers it.
	newer bool
}

// located is the value of a choice in the strategy's own objective.
type located struct {
	*explanation
	objective, bound float64
	// papers is true where objective is the paper's F of all that is kept.
	papers bool
}

// method is a strategy as it is registered: its name, the parameters it takes
// with their defaults, and how to make it from them.
type method struct {
	name   string
	alias  string
	params []param
	blind  bool // the strategy does not read the query
	capped bool // the strategy may leave out what fits
	make   func(p params) (chooser, error)
}

// param is a parameter with its default.
type param struct{ name, value string }

// params are the values of a method's parameters by name.
type params map[string]string

// number is the value of a parameter from 0 to most.
func (p params) number(name string, most float64) (float64, error) {
	v, err := strconv.ParseFloat(p[name], 64)
	if err != nil || !(v >= 0 && v <= most) {
		return 0, fmt.Errorf("%s=%s: %s is a number from 0 to %s", name, p[name], name, strconv.FormatFloat(most, 'f', -1, 64))
	}
	return v, nil
}

// smoothing is the parameter that every strategy takes.
var smoothing = param{"smooth", "0"}

// methods are all strategies in the order of the number keys.
var methods = []method{pacms, topk, lastk, rag, mmr, dedup, pacmsPlus}

// Strategies lists the names in the order of the number keys, from 1.
func Strategies() []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.name
	}
	return names
}

// Numbered lists every strategy in the order of the number keys; own stands in
// its place with its parameters, the others have their defaults.
func Numbered(own Strategy) []Strategy {
	list := make([]Strategy, len(methods))
	for i, m := range methods {
		list[i] = own
		if m.name != own.Name() {
			list[i], _ = ParseStrategy(m.name) // a name from the registry is one
		}
	}
	return list
}

// ParseStrategy reads "name" or "name:key=value,key=value".
func ParseStrategy(spec string) (Strategy, error) {
	name, rest, given := strings.Cut(strings.TrimSpace(spec), ":")
	at := slices.IndexFunc(methods, func(m method) bool { return m.name == name || m.alias != "" && m.alias == name })
	if at < 0 {
		return Strategy{}, fmt.Errorf("no strategy %q: there are %s", name, strings.Join(Strategies(), ", "))
	}
	m := methods[at]
	known := append(slices.Clone(m.params), smoothing)
	values := params{}
	for _, p := range known {
		values[p.name] = p.value
	}
	if given {
		set := make(map[string]bool)
		for pair := range strings.SplitSeq(rest, ",") {
			key, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
			if _, takes := values[key]; !ok || !takes {
				return Strategy{}, fmt.Errorf("strategy %s has no parameter %q: it takes %s", m.name, pair, paramNames(known))
			}
			if set[key] {
				return Strategy{}, fmt.Errorf("strategy %s: %s is given twice", m.name, key)
			}
			values[key], set[key] = value, true
		}
	}
	smooth, err := values.number("smooth", 1)
	if err != nil {
		return Strategy{}, fmt.Errorf("strategy %s: %w", m.name, err)
	}
	c, err := m.make(values)
	if err != nil {
		return Strategy{}, fmt.Errorf("strategy %s: %w", m.name, err)
	}
	return Strategy{canonical(m.name, known, values), smooth, m.blind, m.capped, c}, nil
}

func paramNames(known []param) string {
	names := make([]string, len(known))
	for i, p := range known {
		names[i] = p.name
	}
	return strings.Join(names, ", ")
}

func canonical(name string, known []param, values params) string {
	var changed []string
	for _, p := range known {
		if values[p.name] != p.value {
			changed = append(changed, p.name+"="+values[p.name])
		}
	}
	if len(changed) == 0 {
		return name
	}
	return name + ":" + strings.Join(changed, ",")
}
