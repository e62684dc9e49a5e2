package cmd

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pacms/selector"
)

// need is something that a turn needs of its pool: what the story says, and
// otherwise what the record of the turn shows.
type need struct {
	selector.Need
	// item is the pool index of the holder to name: of those that are kept, or
	// else of all, the one most similar to the question.
	item int
	kept bool
}

// others are the holders that are not named.
func (n *need) others() []int {
	return slices.DeleteFunc(slices.Clone(n.Holders), func(i int) bool { return i == n.item })
}

// needsOf says of some needs whether the selection keeps them.
func needsOf(s *selector.Selection, needs []selector.Need) []need {
	all := make([]need, len(needs))
	for k, n := range needs {
		kept := n.KeptBy(s.Keeps)
		all[k] = need{Need: n, item: nearest(s, n.Holders, kept), kept: kept}
	}
	return all
}

// nearest is the one of some candidates, or with kept of those that are kept,
// that is most similar to the question.
func nearest(s *selector.Selection, among []int, kept bool) int {
	if kept {
		among = slices.DeleteFunc(slices.Clone(among), func(i int) bool { return !s.Keeps(i) })
	}
	return slices.MaxFunc(among, func(a, b int) int { return cmp.Compare(s.Explain(a).Relevance, s.Explain(b).Relevance) })
}

// keepers names for each need of o the strategies that keep it within the same
// budget, and those that do not, as found by running them all.
func (w *walker) keepers(ctx context.Context, o *outcome) (keep, drop [][]string, err error) {
	keep, drop = make([][]string, len(o.needs)), make([][]string, len(o.needs))
	if len(o.needs) == 0 {
		return keep, drop, nil
	}
	for _, strategy := range selector.Numbered(w.strategy) {
		options := o.options
		options.Strategy, options.Debug = strategy, false
		s, err := o.prepared.Select(ctx, options)
		if err != nil {
			return nil, nil, fmt.Errorf("turn %d: select with %s: %w", o.turn.Number, strategy, err)
		}
		for k, n := range o.needs {
			if n.KeptBy(s.Keeps) {
				keep[k] = append(keep[k], strategy.String())
			} else {
				drop[k] = append(drop[k], strategy.String())
			}
		}
	}
	return keep, drop, nil
}

// neededItem is a need in a document.
type neededItem struct {
	ID string `json:"id"`
	// Also are other candidates that say it: any one of them will do.
	Also []string `json:"also,omitempty"`
	// Sign is by what it was found, and Text what was found: a word, a path, a call.
	Sign     selector.Sign `json:"sign"`
	Text     string        `json:"text,omitempty"`
	Kept     bool          `json:"kept"`
	Estimate bool          `json:"estimate"`
}

// neededItems are the needs of o as they are printed.
func (o *outcome) neededItems() []neededItem {
	items := make([]neededItem, len(o.needs))
	for k := range o.needs {
		n := &o.needs[k]
		items[k] = neededItem{ID: o.pool.Candidates[n.item].ID, Sign: n.Sign, Text: n.Text, Kept: n.kept, Estimate: n.Estimate()}
		for _, i := range n.others() {
			items[k].Also = append(items[k].Also, o.pool.Candidates[i].ID)
		}
	}
	return items
}
