package cmd

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacms/selector"
	"pacms/selector/compare"
)

// recordedSets are the sessions that comparisons are tried on.
var recordedSets = []string{
	demoName, "../testdata/openclaw/2026.5.28.jsonl", "../testdata/openclaw/2026.9.6-basic.jsonl", "../testdata/openclaw/2026.9.6-edge.jsonl",
}

// replayed is the command that gives the pools of a set.
func replayed(set string, args ...string) []string {
	if set == demoName {
		return append([]string{"demo", "--jsonl"}, args...)
	}
	return append([]string{"replay", set, "--jsonl"}, args...)
}

func comparisonOf(t *testing.T, args ...string) *compare.Document {
	t.Helper()
	d, err := compare.Read(bytes.NewReader(output(t, append([]string{"compare", "--json", "--debug"}, args...)...)))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// agrees holds a cell to a selection that was made by itself.
func agrees(t *testing.T, set string, c *compare.Cell, s *selector.Selection) {
	t.Helper()
	if !slices.Equal(c.Kept, s.Kept) || c.Items != len(s.Kept) || c.Tokens != s.Tokens.Kept || c.Coverage != s.Coverage ||
		c.Budget != s.Budget || c.Effective != s.EffectiveBudget || c.Contested != (s.Tokens.Pool > s.EffectiveBudget) || c.Strategy != s.Strategy {
		t.Errorf("%s, turn %d, %s at %d:\nthe comparison has %+v\nalone it is %v, %+v, coverage %v", set, c.Turn, c.Strategy, c.Budget, c, s.Kept, s.Tokens, s.Coverage)
	}
}

// TestComparisonAgreesWithSelect pipes the pool of each turn through pacms select
// at the budget in tokens that the comparison prints, with every rule and with the
// widening of short questions: the pool says that it is one of a session.
func TestComparisonAgreesWithSelect(t *testing.T) {
	t.Parallel()
	notShort(t)
	for _, set := range recordedSets {
		d := comparisonOf(t, set, "--budget", "5%,20%,70%")
		pools := map[int]string{} // files of pools by turn
		for line := range bytes.Lines(output(t, replayed(set)...)) {
			var turn struct {
				Turn int
				Pool json.RawMessage
			}
			if err := json.Unmarshal(line, &turn); err != nil {
				t.Fatal(err)
			}
			pools[turn.Turn] = filepath.Join(t.TempDir(), "pool.json")
			if err := os.WriteFile(pools[turn.Turn], turn.Pool, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		each := len(d.Strategies) * len(d.Budgets)
		tried := 0
		for i := range d.Cells {
			if turn := i / each; set == demoName && turn%9 != 8 { // the demo has many turns
				continue
			}
			c := &d.Cells[i]
			var s selector.Selection
			printed := output(t, "select", "--json", pools[c.Turn], "--strategy", c.Strategy, "--budget", strconv.Itoa(c.Budget))
			if err := json.Unmarshal(printed, &s); err != nil {
				t.Fatal(err)
			}
			agrees(t, set, c, &s)
			tried++
		}
		if tried < 7*each {
			t.Errorf("%s: only %d cells were tried", set, tried)
		}
	}
}

// TestComparisonAgreesWithReplay is the same with every rule and every turn: a
// replay at the printed budget in tokens selects for each turn of the session.
func TestComparisonAgreesWithReplay(t *testing.T) {
	t.Parallel()
	notShort(t)
	for _, set := range recordedSets {
		d := comparisonOf(t, set, "--budget", "20%", "--strategies", "pacms,lastk,pacms+:smooth=0.3")
		byTurn := map[string]*compare.Cell{}
		for i := range d.Cells {
			byTurn[d.Cells[i].Strategy+strconv.Itoa(d.Cells[i].Turn)] = &d.Cells[i]
		}
		tokens := strconv.Itoa(d.Sessions[0].Budgets[0])
		for _, strategy := range d.Strategies {
			found := 0
			for line := range bytes.Lines(output(t, replayed(set, "--strategy", strategy, "--budget", tokens)...)) {
				var turn struct {
					Turn      int
					Branch    string
					Internal  string
					Selection *selector.Selection
					Needed    []struct{ Kept bool }
				}
				if err := json.Unmarshal(line, &turn); err != nil {
					t.Fatal(err)
				}
				c := byTurn[strategy+strconv.Itoa(turn.Turn)]
				if compared := turn.Branch == "active" && turn.Internal == ""; compared != (c != nil) {
					t.Fatalf("%s: turn %d is compared: %v", set, turn.Turn, c != nil)
				}
				if c == nil {
					continue
				}
				found++
				agrees(t, set, c, turn.Selection)
				missed := 0
				for _, n := range turn.Needed {
					if !n.Kept {
						missed++
					}
				}
				if c.Needs != len(turn.Needed) || c.Missed != missed {
					t.Errorf("%s, turn %d, %s: %d of %d missed, in the replay %d of %d", set, turn.Turn, strategy, c.Missed, c.Needs, missed, len(turn.Needed))
				}
			}
			if found != d.Sessions[0].Compared || found == 0 {
				t.Errorf("%s: %d turns, and the comparison has %d", set, found, d.Sessions[0].Compared)
			}
		}
	}
}

// TestReportsAgreeWithReplay makes the rows of a comparison out of replays at the budget
// in tokens that it prints, and finds the same in CSV and in the report.
func TestReportsAgreeWithReplay(t *testing.T) {
	t.Parallel()
	notShort(t)
	for _, set := range recordedSets {
		report := filepath.Join(t.TempDir(), "report.html")
		lines, err := csv.NewReader(bytes.NewReader(output(t, "compare", set, "--budget", "20%", "--strategies", "pacms,lastk", "--csv", "--html", report))).ReadAll()
		if err != nil || len(lines) != 3 {
			t.Fatalf("%d lines, %v", len(lines), err)
		}
		page, err := os.ReadFile(report)
		if err != nil {
			t.Fatal(err)
		}
		runs, rows := map[string][]*singleRun{}, map[string]map[string]string{}
		for _, line := range lines[1:] {
			row := map[string]string{}
			for k, name := range lines[0] {
				row[name] = line[k]
			}
			rows[row["strategy"]] = row
			runs[row["strategy"]] = singleRuns(t, set, row["strategy"], row["budget_tokens_most"])
		}
		for strategy, row := range rows {
			sum := map[string]float64{}
			before := 0 // tokens kept in the turn before
			for i, r := range runs[strategy] {
				s, last := r.Selection, before
				before = s.Tokens.Kept
				if sum["turns"]++; s.Tokens.Pool <= s.EffectiveBudget {
					continue
				}
				sum["counted"]++
				sum["contested"]++
				sum["items_mean"] += float64(len(s.Kept))
				sum["tokens_mean"] += float64(s.Tokens.Kept)
				sum["coverage_mean"] += s.Coverage
				sum["overlap_mean"] += jaccard(runs["pacms"][i].Selection.Kept, s.Kept)
				if r.Stable != nil && last > 0 {
					sum["prefix_turns"]++
					sum["prefix_mean"] += float64(*r.Stable) / float64(last)
				}
				for _, n := range r.Needed {
					sum["needs_sum"]++
					switch {
					case !n.Kept:
						sum["missed_sum"]++
					case n.Sign == selector.Quoted:
						sum["quoted_sum"]++
					}
				}
			}
			for _, name := range []string{"items_mean", "tokens_mean", "coverage_mean", "overlap_mean"} {
				sum[name] /= sum["counted"]
			}
			sum["prefix_mean"] /= sum["prefix_turns"]
			for _, name := range []string{
				"turns", "counted", "contested", "items_mean", "tokens_mean", "coverage_mean", "overlap_mean", "prefix_mean", "prefix_turns",
				"missed_sum", "quoted_sum", "needs_sum",
			} {
				want := sum[name]
				if got, err := strconv.ParseFloat(row[name], 64); err != nil || got != want || sum["counted"] == 0 {
					t.Errorf("%s, %s: %s is %s in CSV, and %v in single runs", set, strategy, name, row[name], want)
				}
				if strings.HasSuffix(name, "_mean") && !bytes.Contains(page, []byte(`data-value="`+strconv.FormatFloat(want, 'g', -1, 64)+`"`)) {
					t.Errorf("%s, %s: the report has no %s of %v", set, strategy, name, want)
				}
			}
			if cells := fmt.Sprintf("<td>%.0f of %.0f</td><td>%.0f</td>", sum["missed_sum"], sum["needs_sum"], sum["quoted_sum"]); !bytes.Contains(page, []byte(cells)) {
				t.Errorf("%s, %s: the report has no %q", set, strategy, cells)
			}
		}
	}
}

// singleRun is a turn that a person asked, as a replay prints it.
type singleRun struct {
	Branch, Internal string
	Selection        *selector.Selection
	Needed           []struct {
		Kept bool
		Sign selector.Sign
	}
	Stable *int `json:"stable_prefix"`
}

// singleRuns replays a set with a strategy under a budget.
func singleRuns(t *testing.T, set, strategy, budget string) []*singleRun {
	t.Helper()
	var list []*singleRun
	for line := range bytes.Lines(output(t, replayed(set, "--strategy", strategy, "--budget", budget)...)) {
		r := new(singleRun)
		if err := json.Unmarshal(line, r); err != nil {
			t.Fatal(err)
		}
		if r.Branch == "active" && r.Internal == "" {
			list = append(list, r)
		}
	}
	return list
}

// jaccard is how many ids two lists have in common, of those that either has.
func jaccard(a, b []string) float64 {
	both := 0
	for _, id := range a {
		if slices.Contains(b, id) {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// TestComparisonExpectsAsCheckDoes counts what pacms check says of the same file.
func TestComparisonExpectsAsCheckDoes(t *testing.T) {
	t.Parallel()
	notShort(t)
	var file strings.Builder
	file.WriteString("expect:\n")
	for k, id := range []string{"2", "13", "40", "99", "120"} {
		verb := []string{"keep", "drop"}[k%2]
		for _, turn := range []string{"60", "61"} {
			file.WriteString(" - turn: " + turn + "\n   " + verb + ": {id: " + id + "}\n   strategy: [pacms, lastk, mmr]\n   budget: [5%, 3k]\n")
		}
	}
	path := expectations(t, file.String())
	printed, _, said := checked(t, "demo", "--expect", path, "--json")
	var verdicts checkDocument
	if err := json.Unmarshal(printed, &verdicts); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	type count struct{ expected, met int }
	want, got := map[string]count{}, map[string]count{}
	key := func(turn int, strategy string, tokens int) string { return fmt.Sprint(turn, strategy, tokens) }
	for _, r := range verdicts.Results {
		k := key(r.Turn, r.Strategy, *r.Tokens)
		n := want[k]
		n.expected++
		if r.Met {
			n.met++
		}
		want[k] = n
	}
	d := comparisonOf(t, "demo", "--strategies", "mmr,pacms,lastk", "--budget", "3k,5%", "--expect", path)
	for i := range d.Cells {
		if c := &d.Cells[i]; c.Expected > 0 {
			got[key(c.Turn, c.Strategy, c.Budget)] = count{c.Expected, c.Met}
		}
	}
	if len(want) != 12 || !maps.Equal(got, want) {
		t.Errorf("the comparison counts %v, the check %v", got, want)
	}
	sum := 0
	for i := range d.Rows {
		sum += d.Rows[i].Expected - d.Rows[i].Met
	}
	if sum != verdicts.Missed || sum == 0 {
		t.Errorf("the rows miss %d, the check %d", sum, verdicts.Missed)
	}
}

func TestParseStrategies(t *testing.T) {
	t.Parallel()
	for list, want := range map[string][]string{
		"pacms":                               {"pacms"},
		"topk,mmr:lambda=0.7,lastk":           {"topk", "mmr:lambda=0.7", "lastk"},
		"pacms+:preset=A,smooth=0.3,rag:k=20": {"pacms+:preset=A,smooth=0.3", "rag:k=20"},
		" topk, rag":                          {"topk", "rag"},
		"pacms-plus,mmr:lambda=0.5":           {"pacms+", "mmr"},
	} {
		got, err := parseStrategies(list)
		var names []string
		for _, s := range got {
			names = append(names, s.String())
		}
		if err != nil || !slices.Equal(names, want) {
			t.Errorf("%s: %q, %v, want %q", list, names, err, want)
		}
	}
	for _, list := range []string{"", "topk,", "topk,topk", "mmr,mmr:lambda=0.5", "lambda=0.7,mmr", "best", "topk,lambda=0.7"} {
		if got, err := parseStrategies(list); err == nil {
			t.Errorf("%q is read as %v", list, got)
		}
	}
}
