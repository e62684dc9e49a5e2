package compare_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pacms/selector/compare"
	"pacms/session"
)

// documentOf is a comparison of one strategy under one budget with these cells.
func documentOf(cells ...compare.Cell) *compare.Document {
	d := &compare.Document{
		Schema: compare.Schema, Strategies: []string{"topk"}, Budgets: []string{"45%"},
		Sessions: []compare.Recorded{{Source: session.Source{Path: "a/b.jsonl"}, Session: "k"}},
	}
	for i, c := range cells {
		c.Turn, c.Strategy, c.Contested = i+1, "topk", true
		d.Cells = append(d.Cells, c)
	}
	return d
}

// needing are turns with a need each, of which the first so many are missed.
func needing(turns, missed int) *compare.Document {
	cells := make([]compare.Cell, turns)
	for i := range cells {
		cells[i].Needs = 1
		if i < missed {
			cells[i].Missed = 1
		}
	}
	return documentOf(cells...)
}

func gateOf(t testing.TB, now, base *compare.Document, limit string) compare.Gate {
	t.Helper()
	limits, err := compare.ParseLimits(limit)
	if err != nil {
		t.Fatal(err)
	}
	gates, err := now.Check(base, limits)
	if err != nil || len(gates) != 1 {
		t.Fatalf("%v, %v", gates, err)
	}
	return gates[0]
}

func TestGateFindsAPlantedDifference(t *testing.T) {
	t.Parallel()
	base := needing(100, 0)
	for _, c := range []struct {
		missed int
		limit  string
		fails  bool
		says   string
	}{
		{0, "kept=1", false, "at least 1 was wanted"},
		{1, "kept=1", true, "that is 0.010 under 1"},
		{2, "kept=0.9", false, "at least 0.9 was wanted"},
		{8, "kept=0.9", true, "0.9 is not shown"}, // 0.92 ± 0.05
		{30, "kept=0.9", true, "that is 0.200 under 0.9"},
	} {
		g := gateOf(t, needing(100, c.missed), base, c.limit)
		if want := 1 - float64(c.missed)/100; g.Value != want || g.Now != want || *g.Baseline != 1 || g.Turns != 100 {
			t.Errorf("%d missed: %+v", c.missed, g)
		}
		if g.Failed != c.fails || !strings.Contains(g.Text, c.says) {
			t.Errorf("%d missed, %s: failed %v: %s", c.missed, c.limit, g.Failed, g.Text)
		}
	}
	// Without a baseline the share itself is compared.
	if g := gateOf(t, needing(100, 8), nil, "kept=0.8"); g.Failed || g.Baseline != nil || g.Value != 0.92 {
		t.Errorf("%+v", g)
	}
	// What the baseline missed too is no loss.
	if g := gateOf(t, needing(100, 30), needing(100, 30), "kept=1"); g.Failed || g.Low != 1 || g.High != 1 || g.Now != 0.7 {
		t.Errorf("%+v", g)
	}
}

// TestGateComparesTurnByTurn has two comparisons with the same sums but in other
// turns, which makes the ratio uncertain, and in the same, which does not.
func TestGateComparesTurnByTurn(t *testing.T) {
	t.Parallel()
	a, b := needing(40, 20), needing(40, 20)
	for i := range b.Cells {
		b.Cells[i].Missed = 1 - b.Cells[i].Missed
	}
	same, other := gateOf(t, a, a, "kept=0.9"), gateOf(t, a, b, "kept=0.9")
	if same.Failed || same.Low != 1 || same.High != 1 {
		t.Errorf("the same turns: %+v", same)
	}
	if !other.Failed || other.Value != 1 || !(other.Low < 0.8 && other.High > 1.2) {
		t.Errorf("other turns: %+v", other)
	}
}

// TestGateHolds tries what must be true of every gate.
func TestGateHolds(t *testing.T) {
	t.Parallel()
	turns := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) compare.Cell {
		c := compare.Cell{Needs: rapid.IntRange(0, 4).Draw(t, "needs"), Coverage: float64(rapid.IntRange(0, 100).Draw(t, "coverage")) / 100}
		c.Missed = rapid.IntRange(0, c.Needs).Draw(t, "missed")
		if c.PrefixOf = rapid.IntRange(0, 50).Draw(t, "prefix of"); c.PrefixOf > 0 {
			c.Prefix = rapid.IntRange(0, c.PrefixOf).Draw(t, "prefix")
		}
		c.KeptHash = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "kept")
		return c
	}), 12, 12)
	rapid.Check(t, func(t *rapid.T) {
		now, base := documentOf(turns.Draw(t, "now")...), documentOf(turns.Draw(t, "base")...)
		limits, err := compare.ParseLimits("kept=0.9,coverage=0.5,prefix=0.7,same=0.5")
		if err != nil {
			t.Fatal(err)
		}
		gates, err := now.Check(base, limits)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range gates {
			// The percentile interval of a ratio need not hold the ratio itself, but
			// its ends are in order and of what can be drawn.
			if g.Low > g.High || g.Low < 0 || g.Failed != (g.Low < g.Least) || g.Now < 0 || g.Now > 1 {
				t.Fatalf("%+v", g)
			}
			if g.Baseline != nil && *g.Baseline > 0 && g.Value != g.Now / *g.Baseline {
				t.Fatalf("%v is not %v of %v", g.Value, g.Now, *g.Baseline)
			}
		}
		again, err := now.Check(base, limits)
		if err != nil || !reflect.DeepEqual(again, gates) {
			t.Fatalf("not the same twice: %+v, %+v, %v", gates, again, err)
		}
		itself, err := now.Check(now, limits)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range itself {
			if g.Turns == 0 { // nothing was needed, say
				if !g.Failed || !strings.Contains(g.Text, "nothing to measure") {
					t.Fatalf("nothing was measured: %+v", g)
				}
				continue
			}
			if g.Failed || g.Value != 1 || g.Low != 1 || g.High != 1 {
				t.Fatalf("against itself: %+v", g)
			}
		}
	})
}

// TestIntervalHoldsTheTruth draws turns from two known distributions: the interval
// has to hold the true ratio about as often as it says.
func TestIntervalHoldsTheTruth(t *testing.T) {
	t.Parallel()
	const runs, turns, was, is = 150, 60, 0.9, 0.7
	draw := rand.New(rand.NewPCG(3, 5))
	held, failed := 0, 0
	for range runs {
		now, base := make([]compare.Cell, turns), make([]compare.Cell, turns)
		for i := range now {
			now[i].Needs, base[i].Needs = 1, 1
			if draw.Float64() > is {
				now[i].Missed = 1
			}
			if draw.Float64() > was {
				base[i].Missed = 1
			}
		}
		g := gateOf(t, documentOf(now...), documentOf(base...), "kept=0.95")
		if g.Low <= is/was && is/was <= g.High {
			held++
		}
		if g.Failed {
			failed++
		}
	}
	if held < runs*88/100 {
		t.Errorf("%d of %d intervals hold the truth", held, runs)
	}
	if failed < runs*98/100 {
		t.Errorf("%d of %d gates fail", failed, runs)
	}
}

func TestGateSame(t *testing.T) {
	t.Parallel()
	base := documentOf(compare.Cell{KeptHash: "a"}, compare.Cell{KeptHash: "b"}, compare.Cell{KeptHash: "c"}, compare.Cell{KeptHash: "d"})
	now := documentOf(compare.Cell{KeptHash: "a"}, compare.Cell{KeptHash: "b"}, compare.Cell{KeptHash: "c"}, compare.Cell{KeptHash: "x"})
	if g := gateOf(t, now, base, "same=0.9"); !g.Failed || g.Value != 0.75 || g.Baseline != nil {
		t.Errorf("%+v", g)
	}
	limits, _ := compare.ParseLimits("same=1")
	if _, err := now.Check(nil, limits); err == nil || !strings.Contains(err.Error(), "--baseline") {
		t.Errorf("without a baseline: %v", err)
	}
}

// TestGateExpected counts every turn, and is never a share of the baseline.
func TestGateExpected(t *testing.T) {
	t.Parallel()
	now := documentOf(compare.Cell{Expected: 2, Met: 2}, compare.Cell{}, compare.Cell{Expected: 1, Met: 1}, compare.Cell{Expected: 1})
	now.Cells[0].Contested, now.Cells[3].Contested = false, false
	base := documentOf(compare.Cell{Expected: 2}) // it has fewer turns, and less of it is met
	base.Budgets[0] = "70%"
	for _, against := range []*compare.Document{nil, base} {
		g := gateOf(t, now, against, "expected=1")
		if !g.Failed || g.Turns != 3 || g.Now != 0.75 || g.Value != 0.75 || g.Baseline != nil ||
			!strings.HasPrefix(g.Text, "expected: topk at 45%: 0.750 of what is expected is met (95 %") || !strings.HasSuffix(g.Text, "that is 0.250 under 1") {
			t.Errorf("%+v", g)
		}
	}
	now.Cells[3].Met = 1
	if g := gateOf(t, now, base, "expected=1"); g.Failed || g.Low != 1 {
		t.Errorf("all are met: %+v", g)
	}
}

// TestUncontestedTurnsDoNotCount has a loss in a turn in which everything fits.
func TestUncontestedTurnsDoNotCount(t *testing.T) {
	t.Parallel()
	base, now := needing(4, 0), needing(4, 1)
	base.Cells[0].Contested, now.Cells[0].Contested = false, false
	if g := gateOf(t, now, base, "kept=1"); g.Failed || g.Turns != 3 {
		t.Errorf("%+v", g)
	}
	now.AllTurns = true
	if g := gateOf(t, now, base, "kept=1"); !g.Failed || g.Turns != 4 {
		t.Errorf("%+v", g)
	}
}

// TestGateWithNothingToMeasureFails has turns that say nothing of what is demanded.
func TestGateWithNothingToMeasureFails(t *testing.T) {
	t.Parallel()
	fits := needing(3, 0)
	for i := range fits.Cells {
		fits.Cells[i].Contested = false
	}
	idle := documentOf(compare.Cell{}, compare.Cell{})
	for _, c := range []struct {
		d     *compare.Document
		limit string
		says  string
	}{
		{fits, "kept=0.5", "kept: topk at 45%: nothing to measure: no contested turn; lower --budget or take --all-turns"},
		{fits, "coverage=0.5", "no contested turn"},
		{fits, "prefix=0.5", "no contested turn"},
		{fits, "same=0.5", "no contested turn"},
		{idle, "kept=0.5", "nothing to measure: no turn that counts needs anything"},
		{idle, "prefix=0.5", "nothing to measure: no turn that counts follows one"},
	} {
		g := gateOf(t, c.d, c.d, c.limit)
		if !g.Failed || g.Turns != 0 || !strings.Contains(g.Text, c.says) {
			t.Errorf("%s: %+v", c.limit, g)
		}
		written, err := json.Marshal(&g)
		if err != nil || strings.Count(string(written), "null") != 4 {
			t.Errorf("%s, %v", written, err)
		}
	}
}

func TestBaselinesThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	limits, _ := compare.ParseLimits("kept=0.9")
	for says, change := range map[string]func(d *compare.Document){
		"has no topk at 45%": func(d *compare.Document) { d.Budgets[0] = "20%" },
		"compare what it has, with --strategies rag --budget 45%, or make it anew": func(d *compare.Document) { d.Strategies[0] = "rag" },
		"no turn of these sessions": func(d *compare.Document) { d.Sessions[0].Session = "other" },
	} {
		base := needing(3, 0)
		change(base)
		if _, err := needing(3, 0).Check(base, limits); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	// The folder of a file is another one on every machine.
	base := needing(3, 0)
	base.Sessions[0].Source.Path = "elsewhere/b.jsonl"
	if g := gateOf(t, needing(3, 0), base, "kept=0.9"); g.Turns != 3 {
		t.Errorf("%+v", g)
	}
	base.Cells = base.Cells[:2]
	base.Cells[0].PoolHash = "another"
	if missing, changed := needing(3, 0).Unpaired(base); missing != 1 || changed != 1 {
		t.Errorf("%d missing, %d changed", missing, changed)
	}
	for says, text := range map[string]string{
		"its schema is":            `{"schema":"pacms.session/1"}`,
		"interrupted after 1 of 2": `{"schema":"pacms.comparison/1","partial":true,"done":1,"total":2}`,
		"its cells are not":        `{"schema":"pacms.comparison/1","strategies":["topk","rag"],"budgets":["1"],"cells":[{}]}`,
		"cell 0 is of no session":  `{"schema":"pacms.comparison/1","strategies":["topk"],"budgets":["1"],"cells":[{"strategy":"topk"}]}`,
		"unexpected EOF":           `{`,
	} {
		if _, err := compare.Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}

func TestParseLimits(t *testing.T) {
	t.Parallel()
	got, err := compare.ParseLimits("kept=0.9, coverage=1")
	if err != nil || !reflect.DeepEqual(got, []compare.Limit{{Name: "kept", Least: 0.9}, {Name: "coverage", Least: 1}}) {
		t.Errorf("%v, %v", got, err)
	}
	for text, says := range map[string]string{
		"recall=0.9": "there is no gate", "": "there is no gate", "kept": "number above 0", "kept=0": "number above 0", "kept=1.1": "number above 0",
		"kept=x": "number above 0", "kept=NaN": "number above 0", "kept=0.9,kept=0.8": "named twice",
	} {
		if _, err := compare.ParseLimits(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}
