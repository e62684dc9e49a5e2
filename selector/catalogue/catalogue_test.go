// Package catalogue_test holds the ways in which programs like this one lost
// context or kept the wrong one, as inputs with what must come of them.
package catalogue_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"unicode/utf8"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/selector/selectortest"
	"pacms/session"
)

// fault is an input that goes wrong elsewhere. Whatever it is, each strategy
// must make a sound selection of its pool, the same each time.
type fault struct {
	// number is the fault's place in the list of known faults; 0: not on it.
	number int
	name   string
	// input makes the pool. Where the fault is one of a file, it reads the file
	// and checks what came of it.
	input func(t *testing.T) *session.Pool
	// budgets are what to try; nil tries some from nothing to everything. Less
	// than 0 must be refused.
	budgets func(p *session.Pool) []int
	// own tries the pool's own budget instead.
	own bool
	// rules is the set of rules; empty: the default.
	rules string
	// unbound are the strategies that check does not concern.
	unbound []string
	// check looks at one selection; nil where being sound is enough.
	check func(t *testing.T, p *session.Pool, s *selector.Selection)
	// twin, if set, makes a pool of which the same must be kept.
	twin func(t *testing.T) *session.Pool
}

func TestCatalogue(t *testing.T) {
	faults := slices.Concat(structure(), protection(), budgets(), tokens(), relevance(), redundancy(), input(), screen())
	// What concerns budgets of the command line, live sessions and locked
	// databases is tested where those are.
	missing := []int{1, 5, 6, 7, 10, 12, 13, 15, 17, 19, 20, 21, 23, 24, 26, 27, 29, 30, 31, 33, 35, 39}
	for _, f := range faults {
		missing = slices.DeleteFunc(missing, func(n int) bool { return n == f.number })
		t.Run(fmt.Sprintf("%02d %s", f.number, f.name), func(t *testing.T) { f.run(t) })
	}
	if len(missing) > 0 {
		t.Errorf("no input for the faults %v", missing)
	}
}

// run tries every strategy under every budget.
func (f *fault) run(t *testing.T) {
	pool := f.input(t)
	prepared, again := prepare(t, pool), prepare(t, pool)
	var twin *selector.Prepared
	if f.twin != nil {
		twin = prepare(t, f.twin(t))
	}
	for _, name := range selector.Strategies() {
		for _, budget := range f.tries(pool) {
			opt := f.options(t, name, budget)
			s, err := prepared.Select(t.Context(), opt)
			if !f.own && budget < 0 {
				if err == nil {
					t.Errorf("%s takes the budget %d", name, budget)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s at %d: %v", name, budget, err)
			}
			if err := selectortest.Check(pool, s); err != nil {
				t.Error(err)
			}
			data := document(t, s)
			if second := document(t, choose(t, again, opt)); second != data {
				t.Errorf("%s at %d: not the same twice:\n%s\n%s", name, budget, data, second)
			}
			if twin != nil {
				if other := choose(t, twin, opt); !slices.Equal(other.Order, s.Order) {
					t.Errorf("%s at %d: order %v, of the twin %v", name, budget, s.Order, other.Order)
				}
			}
			if f.check != nil && !slices.Contains(f.unbound, name) {
				f.check(t, pool, s)
			}
		}
	}
}

// tries are the budgets to try on a pool.
func (f *fault) tries(pool *session.Pool) []int {
	switch all := pool.Tokens(); {
	case f.own:
		return []int{0}
	case f.budgets != nil:
		return f.budgets(pool)
	default:
		return []int{0, 1, all / 4, all / 2, max(0, all-1), all}
	}
}

func (f *fault) options(t *testing.T, strategy string, budget int) selector.Options {
	t.Helper()
	opt := selector.Options{Tail: selector.DefaultTail, Debug: true, Budget: selector.Term{Value: budget, Source: "test"}}
	if f.own {
		opt.Budget = selector.Term{}
	}
	var err error
	if opt.Strategy, err = selector.ParseStrategy(strategy); err != nil {
		t.Fatal(err)
	}
	if opt.Rules, err = selector.ParseRules(f.rules); err != nil {
		t.Fatal(err)
	}
	return opt
}

func prepare(t *testing.T, pool *session.Pool) *selector.Prepared {
	t.Helper()
	p, err := selector.NewEngine(embed.NewBuiltin(), "openclaw").Prepare(t.Context(), pool, selector.PrepareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func choose(t *testing.T, p *selector.Prepared, opt selector.Options) *selector.Selection {
	t.Helper()
	s, err := p.Select(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// document is a selection as JSON, without the time that it took.
func document(t *testing.T, s *selector.Selection) string {
	t.Helper()
	untimed := *s
	untimed.MS = selector.Timing{}
	data, err := json.Marshal(&untimed)
	if err != nil || !utf8.Valid(data) {
		t.Fatalf("%s: no JSON: %v", s.Strategy, err)
	}
	return string(data)
}

// at tries some budgets.
func at(tokens ...int) func(*session.Pool) []int {
	return func(*session.Pool) []int { return tokens }
}

// sweep tries budgets from nothing to more than everything in steps.
func sweep(step int) func(*session.Pool) []int {
	return func(p *session.Pool) []int {
		var out []int
		for b := 0; b <= p.Tokens()+step; b += step {
			out = append(out, b)
		}
		return out
	}
}

// place is the index of the candidate with an id.
func place(t *testing.T, p *session.Pool, id string) int {
	t.Helper()
	i := slices.IndexFunc(p.Candidates, func(c session.Candidate) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("the pool has no %s", id)
	}
	return i
}

// keeps reports whether the candidate with an id is kept.
func keeps(t *testing.T, p *session.Pool, s *selector.Selection, id string) bool {
	t.Helper()
	return s.Keeps(place(t, p, id))
}

// warned returns the warning with a code, nil where there is none.
func warned(s *selector.Selection, code string) *session.Warning {
	i := slices.IndexFunc(s.Warnings, func(w session.Warning) bool { return w.Code == code })
	if i < 0 {
		return nil
	}
	return &s.Warnings[i]
}
