package selector_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacms/selector"
	"pacms/session"
)

// vectorCase is a pool with the selections that must come out, computed by code
// that shares nothing with this package.
type vectorCase struct {
	Name     string                     `json:"name"`
	Note     string                     `json:"note"`
	Rules    string                     `json:"rules"`
	Pool     session.Pool               `json:"pool"`
	Expected map[string]vectorSelection `json:"expected"`
}

type vectorSelection struct {
	Kept        []int    `json:"kept"`
	Tokens      int      `json:"tokens"`
	OverBudget  bool     `json:"over_budget"`
	OrderGroups [][]int  `json:"order_groups"`
	Fill        []int    `json:"fill"`
	Objective   *float64 `json:"objective"`
	UpperBound  *float64 `json:"upper_bound"`
	Certificate *float64 `json:"certificate"`
	Optimum     *float64 `json:"optimum"`
}

func TestVectors(t *testing.T) {
	files, err := filepath.Glob("../testdata/vectors/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c vectorCase
		if err := json.Unmarshal(raw, &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for strategy, want := range c.Expected {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".json")+"/"+strategy, func(t *testing.T) {
				checkVector(t, &c, strategy, want)
			})
		}
	}
}

func checkVector(t *testing.T, c *vectorCase, strategy string, want vectorSelection) {
	t.Helper()
	rules, err := selector.ParseRules(c.Rules)
	if err != nil {
		t.Fatal(err)
	}
	s := selectFrom(t, &c.Pool, selector.Options{Strategy: mustStrategy(t, strategy), Rules: rules})
	if !slices.Equal(s.KeptIndices, want.Kept) {
		t.Errorf("kept %v, want %v", s.KeptIndices, want.Kept)
	}
	if s.Tokens.Kept != want.Tokens || s.OverBudget != want.OverBudget {
		t.Errorf("tokens %d over %v, want %d %v", s.Tokens.Kept, s.OverBudget, want.Tokens, want.OverBudget)
	}
	if want.OrderGroups != nil {
		if order := slices.Concat(want.OrderGroups...); !slices.Equal(s.Order, order) {
			t.Errorf("order %v, want %v", s.Order, order)
		}
		if fits := len(s.Order) > 0 && s.Code(s.Order[0]) == selector.Fits; !fits {
			if filled := filledGroups(&c.Pool, s); !slices.Equal(filled, want.Fill) {
				t.Errorf("filled groups %v, want %v", filled, want.Fill)
			}
		}
	}
	near(t, "objective", s.Objective, want.Objective)
	near(t, "upper bound", s.UpperBound, want.UpperBound)
	near(t, "certificate", s.Certificate, want.Certificate)
	if want.Optimum != nil && s.UpperBound != nil && *s.UpperBound < *want.Optimum*(1-1e-6) {
		t.Errorf("upper bound %v is below the optimum %v", *s.UpperBound, *want.Optimum)
	}
}

func near(t *testing.T, what string, got, want *float64) {
	t.Helper()
	if want == nil {
		return
	}
	if got == nil || math.Abs(*got-*want) > 1e-6*max(1, math.Abs(*want)) {
		t.Errorf("%s is %v, want %v", what, deref(got), *want)
	}
}

func deref(p *float64) any {
	if p == nil {
		return nil
	}
	return *p
}

// filledGroups lists the groups that took what was left, in order of choice; a
// group's index is its place among the groups of the pool by first member.
func filledGroups(pool *session.Pool, s *selector.Selection) []int {
	index := make(map[string]int)
	var filled []int
	name := func(i int) string {
		if g := pool.Candidates[i].Group; g != "" {
			return g
		}
		return pool.Candidates[i].ID
	}
	for i := range pool.Candidates {
		if _, ok := index[name(i)]; !ok {
			index[name(i)] = len(index)
		}
	}
	for _, i := range s.Order {
		if s.Code(i) == selector.Fill {
			filled = append(filled, index[name(i)])
		}
	}
	return filled
}
