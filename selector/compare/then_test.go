package compare_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pacms/selector/compare"
	"pacms/session"
	"pacms/testdata"
)

// What was recorded sums up as what it was made by: turns that carry what a strategy
// kept under a budget have the figures of that row.
func TestThenIsTheRowItWasMadeBy(t *testing.T) {
	s := recorded(t, testdata.SessionName)
	plan := planOf(t, []string{"1500", "100000"}, s)
	plan.IDs = true
	run := func() *compare.Result {
		t.Helper()
		r, err := compare.Run(t.Context(), plan, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := run()
	if first.Then != nil {
		t.Errorf("nothing was captured, and still %+v", first.Then)
	}
	kept := make(map[int]*session.Record)
	for _, c := range first.Cells {
		if c.Strategy == "topk" && c.Budget == 1500 {
			kept[c.Turn] = &session.Record{Strategy: c.Strategy, Budget: c.Budget, Kept: c.Kept}
		}
	}
	captured := 0
	for i := range s.Turns {
		if turn := &s.Turns[i]; turn.Number%7 != 0 { // the others were not captured
			if turn.Record = kept[turn.Number]; turn.Record != nil {
				captured++
			}
		}
	}
	for _, all := range []bool{false, true} {
		plan.AllTurns = all
		then, rows := run().Then, compare.Row{Strategy: "topk", Budget: "1500"}
		var counted []compare.Cell
		for _, c := range first.Cells {
			if c.Strategy == "topk" && c.Budget == 1500 && c.Turn%7 != 0 && (all || c.Contested) {
				counted = append(counted, c)
			}
		}
		for _, c := range counted {
			rows.Items += float64(c.Items) / float64(len(counted))
			rows.Tokens += float64(c.Tokens) / float64(len(counted))
			rows.Missed, rows.Quoted, rows.Needs = rows.Missed+c.Missed, rows.Quoted+c.Quoted, rows.Needs+c.Needs
		}
		if then.Turns != captured || then.Counted != len(counted) || then.Missed != rows.Missed || then.Quoted != rows.Quoted || then.Needs != rows.Needs ||
			!near(then.Items, rows.Items) || !near(then.Tokens, rows.Tokens) || then.Least != 1500 || then.Most != 1500 || !slices.Equal(then.Strategies, []string{"topk"}) {
			t.Errorf("all %v: %+v of %d captured turns, want %+v over %d", all, then, captured, rows, len(counted))
		}
		if rows.Missed == 0 || rows.Quoted == 0 {
			t.Errorf("nothing is compared: %+v", rows)
		}
	}
}

func near(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 }

// A mean over no turn is null.
func TestThenOverNoTurn(t *testing.T) {
	text, err := json.Marshal(&compare.Then{Turns: 1, Strategies: []string{"pacms"}})
	if err != nil || !strings.Contains(string(text), `"items":null`) || !strings.Contains(string(text), `"tokens":null`) || strings.Count(string(text), "items") != 1 {
		t.Errorf("%s, %v", text, err)
	}
}
