package compare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"golang.org/x/sync/errgroup"

	"pacms/selector"
	"pacms/session"
	"pacms/session/cores"
)

// Setup is what is to be compared in one turn.
type Setup struct {
	Strategies []selector.Strategy
	// Budgets are those of the cells; one without a source is the pool's own.
	Budgets []selector.Term
	// Options are those of every selection, but for strategy and budget.
	Options selector.Options
	// Needs are what the turn needed of its pool.
	Needs []selector.Need
	// Expected counts what is expected of a selection with the strategy and the budget
	// of these indices, and how much of it is met; nil: nothing. It is called from
	// several goroutines.
	Expected func(strategy, budget int, s *selector.Selection) (expected, met int)
	// Workers is how many selections are made at the same time; 0: as many as there
	// are processors.
	Workers int
}

// Outcome is one turn with all its cells: by budget, then by strategy.
type Outcome struct {
	Cells []Cell

	pool *session.Pool
	kept [][]int // by cell, the pool indices of what is kept
	then *Cell   // what the turn was captured with, nil where it was not
}

// Turn runs every strategy under every budget on one pool. What depends on the
// turn before is filled in by Follow.
func Turn(ctx context.Context, p *selector.Prepared, in Setup) (*Outcome, error) {
	o := &Outcome{
		Cells: make([]Cell, len(in.Budgets)*len(in.Strategies)), pool: p.Pool,
		kept: make([][]int, len(in.Budgets)*len(in.Strategies)),
	}
	hash := p.Pool.Hash()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers(ctx, in.Workers))
	for b, budget := range in.Budgets {
		for k, strategy := range in.Strategies {
			group.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				options := in.Options
				options.Strategy, options.Budget, options.Debug = strategy, budget, false
				s, err := p.Select(ctx, options)
				if err != nil {
					return fmt.Errorf("compare: %w", err)
				}
				at := b*len(in.Strategies) + k
				o.Cells[at], o.kept[at] = CellOf(p.Pool, s, in.Needs), s.KeptIndices
				o.Cells[at].PoolHash = hash
				if in.Expected != nil {
					o.Cells[at].Expected, o.Cells[at].Met = in.Expected(k, b, s)
				}
				return nil
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for at := range o.Cells {
		first := at - at%len(in.Strategies)
		o.Cells[at].Overlap = Overlap(o.kept[first], o.kept[at])
	}
	return o, nil
}

// Kept gives the pool indices of what cell at keeps, ascending.
func (o *Outcome) Kept(at int) []int { return o.kept[at] }

// Follow fills in what is the same as in the turn before, which had the same setup.
func (o *Outcome) Follow(before *Outcome) {
	for at := range o.Cells {
		o.Cells[at].Prefix = selector.StablePrefix(before.pool, o.pool, before.kept[at], o.kept[at])
		o.Cells[at].PrefixOf = before.Cells[at].Tokens
	}
}

// CellOf is what one selection of a pool comes to, given what the turn needed of it. What
// depends on other cells is left 0: overlap and prefix, and so are the hash of the pool and
// what is expected.
func CellOf(pool *session.Pool, s *selector.Selection, needs []selector.Need) Cell {
	c := Cell{
		Turn: pool.Turn, Strategy: s.Strategy, Budget: s.Budget, Effective: s.EffectiveBudget,
		Contested: s.Tokens.Pool > s.EffectiveBudget, Items: len(s.Kept), Tokens: s.Tokens.Kept, Coverage: s.Coverage,
		Needs: len(needs), Missed: len(selector.Missed(needs, s.Keeps)), Quoted: quotedOf(needs, s.Keeps), MS: s.MS.Select,
		KeptHash: hashOf(s.Kept), Kept: s.Kept,
	}
	for _, w := range s.Warnings {
		c.Warnings = append(c.Warnings, w.Code)
	}
	return c
}

// hashOf is a digest of some ids in their order.
func hashOf(ids []string) string {
	h := sha256.New()
	for _, id := range ids {
		_, _ = fmt.Fprintf(h, "%d %s", len(id), id) // a hash never fails to be written
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Overlap is the Jaccard index of two ascending lists: how many are in both, of
// those that are in either. Two empty ones are the same: 1.
func Overlap(a, b []int) float64 {
	both, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	either := len(a) + len(b) - both
	if either == 0 {
		return 1
	}
	return float64(both) / float64(either)
}

// workers is how much is done at the same time where n was asked for.
func workers(ctx context.Context, n int) int {
	if n > 0 {
		return n
	}
	return cores.Workers(ctx)
}
