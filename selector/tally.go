package selector

import (
	"context"
	"fmt"
	"slices"
)

// Tally counts what one strategy makes of what the turns of a session need. In a
// replay its misses are estimates: the recorded agent had the full context.
type Tally struct {
	Strategy string `json:"strategy"`
	// Turns is the number of turns that were counted, WithNeeds of those that seem
	// to need something, Missing of those that miss some of it.
	Turns     int `json:"turns"`
	WithNeeds int `json:"with_needs"`
	Missing   int `json:"missing"`
	// Needs is the number of needs of all turns; of them Missed are those of which
	// nothing is kept, and KeptAndQuoted those that the answer quotes and of which
	// something is kept.
	Needs         int `json:"needs"`
	Missed        int `json:"missed"`
	KeptAndQuoted int `json:"kept_and_quoted"`
}

// Add counts one turn with its needs and what is kept of its pool.
func (t *Tally) Add(needs []Need, keeps func(i int) bool) {
	t.Turns++
	t.Needs += len(needs)
	if len(needs) > 0 {
		t.WithNeeds++
	}
	missed := len(Missed(needs, keeps))
	t.Missed += missed
	if missed > 0 {
		t.Missing++
	}
	for _, n := range needs {
		if n.Sign == Quoted && n.KeptBy(keeps) {
			t.KeptAndQuoted++
		}
	}
}

// Tallies are the tallies of several strategies over the same turns.
type Tallies struct {
	strategies []Strategy
	list       []Tally
}

// NewTallies returns the tallies of some strategies before any turn.
func NewTallies(strategies []Strategy) *Tallies {
	t := &Tallies{strategies, make([]Tally, len(strategies))}
	for k, s := range strategies {
		t.list[k].Strategy = s.String()
	}
	return t
}

// Add counts one turn: it runs every strategy on a pool that is ready, with
// options that are those of the turn but for the strategy. A turn that needs
// nothing is counted without a run.
func (t *Tallies) Add(ctx context.Context, p *Prepared, opt Options, needs []Need) error {
	kept := make([]func(i int) bool, len(t.strategies))
	for k, s := range t.strategies {
		if len(needs) == 0 {
			continue
		}
		opt.Strategy, opt.Debug = s, false
		sel, err := p.Select(ctx, opt)
		if err != nil {
			return fmt.Errorf("count misses of %s: %w", s, err)
		}
		kept[k] = sel.Keeps
	}
	for k := range t.list {
		t.list[k].Add(needs, kept[k])
	}
	return nil
}

// List gives the tallies in the order of the strategies.
func (t *Tallies) List() []Tally { return slices.Clone(t.list) }
