package compare

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// Row sums up the cells of one strategy under one budget of the plan. Means and
// sums are over the turns that count: the contested ones, or all of them if the
// plan says so.
type Row struct {
	Strategy string `json:"strategy"`
	// Budget is as it was written: "45%" or "4096".
	Budget string `json:"budget"`
	// Turns were compared, Contested of them have a pool that is larger than the
	// budget, Counted are those that the means are over.
	Turns     int `json:"turns"`
	Contested int `json:"contested"`
	Counted   int `json:"counted"`
	// Items to MS are means of the fields of Cell, 0 and in JSON null where they are
	// over no turn. Prefix is the mean of the share
	// Prefix/PrefixOf, over PrefixTurns: those with something kept in the turn before.
	Items       float64 `json:"items"`
	Tokens      float64 `json:"tokens"`
	Coverage    float64 `json:"coverage"`
	Overlap     float64 `json:"overlap"`
	Prefix      float64 `json:"prefix"`
	PrefixTurns int     `json:"prefix_turns"`
	MS          float64 `json:"ms"`
	// Missed, Quoted and Needs are sums of the fields of Cell.
	Missed int `json:"missed"`
	Quoted int `json:"quoted"`
	Needs  int `json:"needs"`
	// Expected and Met are the same over all turns, whether they count or not.
	Expected int `json:"expected,omitempty"`
	Met      int `json:"met,omitempty"`
}

// MarshalJSON writes a mean over no turn as null.
func (r *Row) MarshalJSON() ([]byte, error) {
	type plain Row
	if r.Counted > 0 && r.PrefixTurns > 0 {
		return written((*plain)(r)) // in the order of the fields
	}
	doc := struct {
		plain
		Items    *float64 `json:"items"`
		Tokens   *float64 `json:"tokens"`
		Coverage *float64 `json:"coverage"`
		Overlap  *float64 `json:"overlap"`
		Prefix   *float64 `json:"prefix"`
		MS       *float64 `json:"ms"`
	}{plain: plain(*r)}
	if r.Counted > 0 {
		doc.Items, doc.Tokens, doc.Coverage, doc.Overlap, doc.MS = &r.Items, &r.Tokens, &r.Coverage, &r.Overlap, &r.MS
	}
	if r.PrefixTurns > 0 {
		doc.Prefix = &r.Prefix
	}
	return written(doc)
}

// written is a part of a document as JSON.
func written(part any) ([]byte, error) {
	b, err := json.Marshal(part)
	if err != nil {
		return nil, fmt.Errorf("compare: write a comparison: %w", err)
	}
	return b, nil
}

// Rows sums up cells of a run of the plan: budget by budget in the order of the
// plan, in each by likely misses, the fewest first.
func (plan *Plan) Rows(cells []Cell) []Row {
	rows := make([]Row, 0, len(plan.Budgets)*len(plan.Strategies))
	for _, b := range plan.Budgets {
		for _, s := range plan.Strategies {
			rows = append(rows, Row{Strategy: s.String(), Budget: b.String()})
		}
	}
	for i := range cells {
		rows[i%len(rows)].add(&cells[i], plan.AllTurns)
	}
	for i := range rows {
		rows[i].divide()
	}
	for of := range slices.Chunk(rows, max(1, len(plan.Strategies))) {
		slices.SortStableFunc(of, func(a, b Row) int { return cmp.Compare(a.Missed, b.Missed) })
	}
	return rows
}

// add adds a cell; what will be means are sums until divide.
func (r *Row) add(c *Cell, all bool) {
	r.Turns++
	r.Expected, r.Met = r.Expected+c.Expected, r.Met+c.Met
	if c.Contested {
		r.Contested++
	}
	if !c.Contested && !all {
		return
	}
	r.Counted++
	r.Items += float64(c.Items)
	r.Tokens += float64(c.Tokens)
	r.Coverage += c.Coverage
	r.Overlap += c.Overlap
	r.MS += c.MS
	if c.PrefixOf > 0 {
		r.PrefixTurns++
		r.Prefix += float64(c.Prefix) / float64(c.PrefixOf)
	}
	r.Missed, r.Quoted, r.Needs = r.Missed+c.Missed, r.Quoted+c.Quoted, r.Needs+c.Needs
}

func (r *Row) divide() {
	n := float64(max(1, r.Counted))
	for _, sum := range []*float64{&r.Items, &r.Tokens, &r.Coverage, &r.Overlap, &r.MS} {
		*sum /= n
	}
	r.Prefix /= float64(max(1, r.PrefixTurns))
}
