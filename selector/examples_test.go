package selector_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacms/selector"
	"pacms/session"
	"pacms/session/poolfile"
	"pacms/session/token"
)

// example is a row of the table of examples in docs/selection.md.
type example struct {
	code               selector.Code
	strategy           string
	turn, budget       int
	pin, ban           string // labels
	small              bool
	item, says, source string
}

// The terms of the second cell of a row, beside the strategy.
var (
	exampleTurn   = regexp.MustCompile(`turn (\d+)`)
	exampleBudget = regexp.MustCompile(`budget (\d+)`)
	examplePin    = regexp.MustCompile("`p` on (#\\d+)")
	exampleBan    = regexp.MustCompile("`x` on (#\\d+)")
	exampleName   = regexp.MustCompile("^`([^`]+)`")
)

// readExamples reads the table and the small pool.
func readExamples(t *testing.T) (examples []example, small *session.Pool) {
	t.Helper()
	data, err := os.ReadFile("../docs/selection.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(data), "### An example of each\n")
	if !found {
		t.Fatal("docs/selection.md has no examples")
	}
	table, rest, _ := strings.Cut(section, "```json\n")
	document, _, _ := strings.Cut(rest, "```")
	counter, err := token.New("openclaw")
	if err != nil {
		t.Fatal(err)
	}
	if small, err = poolfile.Decode(strings.NewReader(document), counter); err != nil {
		t.Fatalf("the small pool: %v", err)
	}
	first := func(re *regexp.Regexp, text string) string {
		if m := re.FindStringSubmatch(text); m != nil {
			return m[1]
		}
		return ""
	}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 6 || !strings.Contains(cells[1], "`") {
			continue
		}
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		how := cells[2]
		e := example{
			code: selector.Code(strings.Trim(cells[1], "`")), strategy: first(exampleName, how), turn: 61, budget: 1808,
			pin: first(examplePin, how), ban: first(exampleBan, how), small: strings.Contains(how, "small pool"),
			item: cells[3], says: cells[4], source: strings.TrimSpace(line),
		}
		if n := first(exampleTurn, how); n != "" {
			e.turn, _ = strconv.Atoi(n)
		}
		if n := first(exampleBudget, how); n != "" {
			e.budget, _ = strconv.Atoi(n)
		}
		examples = append(examples, e)
	}
	return examples, small
}

// labelled is the pool index of the candidate that people are told of by a label.
func labelled(t *testing.T, pool *session.Pool, label string) int {
	t.Helper()
	for i := range pool.Candidates {
		if pool.Candidates[i].Label(i) == label {
			return i
		}
	}
	t.Fatalf("the pool of turn %d has no %s", pool.Turn, label)
	return -1
}

// The examples of docs/selection.md are what the program says, and every code of
// the schema has one.
func TestExamplesInTheDocumentAreTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("one run after another")
	}
	examples, small := readExamples(t)
	d := openDemo(t)
	shown := make(map[selector.Code]bool)
	for _, e := range examples {
		shown[e.code] = true
		pool := small
		opt := selector.Options{Strategy: mustStrategy(t, e.strategy), Rules: selector.DefaultRules(), Tail: 1}
		if !e.small {
			at := slices.IndexFunc(d.session.Turns, func(turn session.Turn) bool { return turn.Number == e.turn })
			pool = d.session.Pool(at, session.PoolWindow)
			opt.Budget = selector.Term{Value: e.budget, Source: "flag"}
		}
		if e.pin != "" {
			opt.Pins = []string{pool.Candidates[labelled(t, pool, e.pin)].ID}
		}
		if e.ban != "" {
			opt.Bans = []string{pool.Candidates[labelled(t, pool, e.ban)].ID}
		}
		got := selectFrom(t, pool, opt).Explain(labelled(t, pool, e.item)).Reason
		if got.Code != e.code || got.Text != e.says {
			t.Errorf("%s\nis %s: %s", e.source, got.Code, got.Text)
		}
	}
	for _, code := range schemaCodes(t) {
		if !shown[code] {
			t.Errorf("no example of %s", code)
		}
	}
}

// schemaCodes are the reason codes that the schema of a selection allows.
func schemaCodes(t *testing.T) []selector.Code {
	t.Helper()
	data, err := os.ReadFile("../docs/schema/pacms.selection-1.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs struct {
			Reason struct {
				Properties struct {
					Code struct{ Enum []selector.Code }
				}
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	codes := schema.Defs.Reason.Properties.Code.Enum
	if len(codes) == 0 {
		t.Fatal("the schema lists no codes")
	}
	return codes
}
