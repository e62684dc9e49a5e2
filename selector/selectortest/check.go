// Package selectortest checks selections without trusting the code that made
// them: it shares nothing with package selector but the types of the answer.
package selectortest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"pacms/selector"
	"pacms/session"
)

// Check returns what is wrong with a selection of a pool, or nil. It wants every
// candidate accounted for once, groups whole, the order of the pool, the budget
// respected, what the request requires kept, a reason that the numbers bear
// out, and finite numbers throughout.
func Check(pool *session.Pool, s *selector.Selection) error {
	c := &checker{pool: pool, s: s, kept: make([]bool, len(pool.Candidates)), group: make(map[string][]int)}
	for _, check := range []func() error{c.accounts, c.structure, c.budget, c.reasons, c.finite} {
		if err := check(); err != nil {
			return fmt.Errorf("%s at %d: %w", s.Strategy, s.Budget, err)
		}
	}
	return nil
}

type checker struct {
	pool  *session.Pool
	s     *selector.Selection
	kept  []bool
	group map[string][]int
}

func (c *checker) name(i int) string {
	if g := c.pool.Candidates[i].Group; g != "" {
		return "group " + g
	}
	return fmt.Sprint("single ", i)
}

func (c *checker) accounts() error {
	if !slices.IsSorted(c.s.KeptIndices) {
		return fmt.Errorf("kept_indices %v are not in pool order", c.s.KeptIndices)
	}
	if len(c.s.Kept) != len(c.s.KeptIndices) {
		return fmt.Errorf("%d ids and %d indices are kept", len(c.s.Kept), len(c.s.KeptIndices))
	}
	for k, i := range c.s.KeptIndices {
		if i < 0 || i >= len(c.kept) || c.kept[i] {
			return fmt.Errorf("kept index %d is unknown or repeated", i)
		}
		c.kept[i] = true
		if c.s.Kept[k] != c.pool.Candidates[i].ID {
			return fmt.Errorf("kept id %s is not candidate %d", c.s.Kept[k], i)
		}
	}
	order := slices.Clone(c.s.Order)
	slices.Sort(order)
	if !slices.Equal(order, c.s.KeptIndices) {
		return fmt.Errorf("order %v and kept %v differ", c.s.Order, c.s.KeptIndices)
	}
	for i := range c.kept {
		if c.s.Keeps(i) != c.kept[i] {
			return fmt.Errorf("candidate %d: Keeps says %v", i, c.s.Keeps(i))
		}
		c.group[c.name(i)] = append(c.group[c.name(i)], i)
	}
	return nil
}

func (c *checker) structure() error {
	for name, members := range c.group {
		for _, m := range members {
			if c.kept[m] != c.kept[members[0]] {
				return fmt.Errorf("%s is split: %v", name, members)
			}
		}
	}
	for i := range c.kept {
		if c.pool.Candidates[i].Required && !c.kept[i] {
			return fmt.Errorf("candidate %d is required and dropped", i)
		}
	}
	return nil
}

func (c *checker) tokens(members []int) int {
	n := 0
	for _, m := range members {
		n += c.pool.Candidates[m].Tokens
	}
	return n
}

func (c *checker) budget() error {
	kept := c.tokens(c.s.KeptIndices)
	t := c.s.Tokens
	if t.Kept != kept || t.Pool != c.pool.Tokens() || t.Dropped != t.Pool-kept {
		return fmt.Errorf("tokens %+v, kept are %d of %d", t, kept, c.pool.Tokens())
	}
	if c.s.OverBudget != (t.Required > c.s.EffectiveBudget) {
		return fmt.Errorf("over_budget is %v with %d required of %d", c.s.OverBudget, t.Required, c.s.EffectiveBudget)
	}
	if c.s.OverBudget && kept != t.Required {
		return fmt.Errorf("over budget, yet %d tokens are kept beside the %d required", kept, t.Required)
	}
	if !c.s.OverBudget && kept > c.s.EffectiveBudget {
		return fmt.Errorf("%d tokens kept of a budget of %d", kept, c.s.EffectiveBudget)
	}
	return nil
}

// keepCodes and dropCodes are the codes that go with each verdict.
var (
	keepCodes = []selector.Code{
		selector.Required, selector.Tail, selector.Pinned, selector.Selected, selector.Fill, selector.Fits, selector.WithGroup,
	}
	dropCodes = []selector.Code{
		selector.Budget, selector.TooLarge, selector.CoveredBy, selector.Irrelevant, selector.Rank, selector.DuplicateOf,
		selector.Diversity, selector.Older, selector.Heartbeat, selector.SupersededBy, selector.Empty,
		selector.OrphanResult, selector.Banned, selector.WithGroup,
	}
)

func (c *checker) reasons() error {
	left := c.s.EffectiveBudget - c.s.Tokens.Kept
	for i := range c.kept {
		v := c.s.Explain(i)
		codes := dropCodes
		if c.kept[i] {
			codes = keepCodes
		}
		if v.ID != c.pool.Candidates[i].ID || v.Index != i || v.Kept != c.kept[i] || v.Reason.Code != c.s.Code(i) {
			return fmt.Errorf("verdict %+v does not belong to candidate %d", v, i)
		}
		if !slices.Contains(codes, v.Reason.Code) {
			return fmt.Errorf("candidate %d: kept %v because of %q", i, c.kept[i], v.Reason.Code)
		}
		if v.Reason.Text == "" {
			return fmt.Errorf("candidate %d: reason %s has no sentence", i, v.Reason.Code)
		}
		if err := c.trueReason(i, v, left); err != nil {
			return fmt.Errorf("candidate %d: %s: %w", i, v.Reason.Code, err)
		}
	}
	return nil
}

func (c *checker) trueReason(i int, v selector.Verdict, left int) error {
	members := c.group[c.name(i)]
	tokens := c.tokens(members)
	switch v.Reason.Code {
	case selector.Budget, selector.Older:
		if tokens <= left {
			return fmt.Errorf("it needs %d tokens, %d are left", tokens, left)
		}
	case selector.TooLarge:
		if room := c.s.EffectiveBudget - c.s.Tokens.Required; tokens <= room {
			return fmt.Errorf("it needs %d tokens of %d", tokens, room)
		}
	case selector.CoveredBy:
		sum := 0.0
		for _, by := range v.Reason.By {
			k := slices.IndexFunc(c.pool.Candidates, func(c session.Candidate) bool { return c.ID == by.ID })
			if k < 0 || !c.kept[k] || by.Share <= 0 {
				return fmt.Errorf("%+v is not a keeper", by)
			}
			sum += by.Share
		}
		if sum < 0.5-1e-9 || sum > 1+1e-9 {
			return fmt.Errorf("shares add up to %v", sum)
		}
	case selector.DuplicateOf, selector.SupersededBy, selector.Heartbeat:
		if len(v.Reason.By) == 0 {
			return errors.New("names nobody")
		}
		for _, by := range v.Reason.By {
			k := slices.IndexFunc(c.pool.Candidates, func(c session.Candidate) bool { return c.ID == by.ID })
			if k <= i {
				return fmt.Errorf("%s is not newer", by.ID)
			}
		}
	case selector.WithGroup:
		if len(members) < 2 || len(v.Reason.By) != 1 || v.Reason.By[0].ID == v.ID {
			return fmt.Errorf("%d members, by %+v", len(members), v.Reason.By)
		}
	case selector.Required:
		if c.s.Tokens.Required == 0 && tokens > 0 {
			return errors.New("nothing is required")
		}
	case selector.Rank:
		if c.s.Objective != nil && (tokens > left || v.Gain <= 0) {
			return fmt.Errorf("it needs %d tokens of %d and would add %v", tokens, left, v.Gain)
		}
	case selector.Irrelevant, selector.Diversity, selector.Empty, selector.OrphanResult, selector.Banned,
		selector.Tail, selector.Pinned, selector.Selected, selector.Fill, selector.Fits:
	}
	return nil
}

func (c *checker) finite() error {
	if _, err := json.Marshal(c.s); err != nil {
		return fmt.Errorf("it is no JSON: %w", err)
	}
	for _, x := range []*float64{c.s.Objective, c.s.UpperBound, c.s.Certificate, &c.s.Coverage} {
		if x != nil && (math.IsNaN(*x) || math.IsInf(*x, 0)) {
			return fmt.Errorf("a number of the selection is %v", *x)
		}
	}
	for i := range c.kept {
		v := c.s.Explain(i)
		for _, x := range []float64{v.Relevance, v.Score, v.Gain} {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("candidate %d has the number %v", i, x)
			}
		}
	}
	return nil
}
