package compare

import (
	"slices"

	"pacms/selector"
	"pacms/session"
)

// Then sums up what was kept when turns were captured: what the agent had. Each turn
// has the strategy and the budget that it was captured with.
type Then struct {
	// Turns have a record, of those that were compared; Counted are those of them that
	// the means and sums are over: the contested ones, or all of them if the plan says
	// so.
	Turns   int `json:"turns"`
	Counted int `json:"counted"`
	// Strategies are those of the records, in the order of the alphabet; Least and Most
	// are the smallest and the largest of their budgets, in tokens.
	Strategies []string `json:"strategies"`
	Least      int      `json:"least_budget"`
	Most       int      `json:"most_budget"`
	// Items and Tokens are means, 0 and in JSON null where they are over no turn.
	Items  float64 `json:"items"`
	Tokens float64 `json:"tokens"`
	// Missed are the needs of which the agent had nothing, of Needs; Quoted are those
	// that its answer quotes and of which it had something. All are sums.
	Missed int `json:"missed"`
	Quoted int `json:"quoted"`
	Needs  int `json:"needs"`
}

// MarshalJSON writes a mean over no turn as null.
func (t *Then) MarshalJSON() ([]byte, error) {
	type plain Then
	doc := struct {
		*plain
		Items  *float64 `json:"items"`
		Tokens *float64 `json:"tokens"`
	}{plain: (*plain)(t)}
	if t.Counted > 0 {
		doc.Items, doc.Tokens = &t.Items, &t.Tokens
	}
	return written(doc)
}

// recordedCell is what the record of a turn comes to; nil where it has none.
func recordedCell(pool *session.Pool, record *session.Record, needs []selector.Need) *Cell {
	if record == nil {
		return nil
	}
	kept := make([]bool, len(pool.Candidates))
	c := &Cell{Strategy: record.Strategy, Budget: record.Budget, Effective: record.Budget, Needs: len(needs)}
	for _, p := range pool.Pending {
		c.Effective -= p.Tokens
	}
	c.Contested = pool.Tokens() > c.Effective
	has := make(map[string]bool, len(record.Kept))
	for _, id := range record.Kept {
		has[id] = true
	}
	for i := range pool.Candidates {
		if kept[i] = has[pool.Candidates[i].ID]; kept[i] {
			c.Items++
			c.Tokens += pool.Candidates[i].Tokens
		}
	}
	keeps := func(i int) bool { return kept[i] }
	c.Missed, c.Quoted = len(selector.Missed(needs, keeps)), quotedOf(needs, keeps)
	return c
}

// quotedOf counts the needs that the recorded answer quotes and of which something is
// kept.
func quotedOf(needs []selector.Need, keeps func(i int) bool) int {
	n := 0
	for _, need := range needs {
		if need.Sign == selector.Quoted && need.KeptBy(keeps) {
			n++
		}
	}
	return n
}

// add adds the record of a turn; what will be means are sums until divide.
func (t *Then) add(c *Cell, all bool) {
	if t.Turns == 0 {
		t.Least, t.Most = c.Budget, c.Budget
	}
	t.Turns++
	t.Least, t.Most = min(t.Least, c.Budget), max(t.Most, c.Budget)
	if at, has := slices.BinarySearch(t.Strategies, c.Strategy); !has {
		t.Strategies = slices.Insert(t.Strategies, at, c.Strategy)
	}
	if !c.Contested && !all {
		return
	}
	t.Counted++
	t.Items += float64(c.Items)
	t.Tokens += float64(c.Tokens)
	t.Missed, t.Quoted, t.Needs = t.Missed+c.Missed, t.Quoted+c.Quoted, t.Needs+c.Needs
}

func (t *Then) divide() {
	n := float64(max(1, t.Counted))
	t.Items, t.Tokens = t.Items/n, t.Tokens/n
}
