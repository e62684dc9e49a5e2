package selector_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/token"
	"pacms/testdata"
)

// demo is the session inside the binary at the turn where its story stops.
type demo struct {
	story    *testdata.Story
	session  *session.Session
	pool     *session.Pool
	prepared *selector.Prepared
}

// readDemo reads and prepares it once for all tests, none of which changes it.
var readDemo = sync.OnceValues(func() (demo, error) {
	story, err := testdata.LoadStory()
	if err != nil {
		return demo{}, err
	}
	counter, err := token.New("openclaw")
	if err != nil {
		return demo{}, err
	}
	s, err := openclaw.Read(background, testdata.Session(), testdata.SessionName, openclaw.Options{Counter: counter})
	if err != nil {
		return demo{}, err
	}
	at := slices.IndexFunc(s.Turns, func(turn session.Turn) bool { return turn.Number == story.Mark.Turn })
	if at < 0 {
		return demo{}, fmt.Errorf("the session has no turn %d", story.Mark.Turn)
	}
	pool := s.Pool(at, session.PoolWindow)
	prepared, err := selector.NewEngine(embed.NewBuiltin(), counter.Name()).Prepare(background, pool, selector.PrepareOptions{})
	if err != nil {
		return demo{}, err
	}
	return demo{story, s, pool, prepared}, nil
})

func openDemo(t *testing.T) demo {
	t.Helper()
	d, err := readDemo()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// selects runs a strategy at the mark under the story's budget.
func (d demo) selects(t *testing.T, strategy string) *selector.Selection {
	t.Helper()
	budget, err := selector.ParseBudget(d.story.Start.Budget)
	if err != nil {
		t.Fatal(err)
	}
	sel, err := d.prepared.Select(t.Context(), selector.Options{
		Strategy: mustStrategy(t, strategy),
		Rules:    selector.DefaultRules(),
		Tail:     1,
		Budget:   selector.Term{Value: budget.Tokens(d.session.LargestPool(session.PoolWindow)), Source: "demo"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return sel
}

func (d demo) index(t *testing.T, id string) int {
	t.Helper()
	i := slices.IndexFunc(d.pool.Candidates, func(c session.Candidate) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("the pool of turn %d has no candidate %s", d.pool.Turn, id)
	}
	return i
}

func TestDemoIsReadWhole(t *testing.T) {
	d := openDemo(t)
	if n := len(d.session.Turns); n != 80 {
		t.Errorf("the session has %d turns, want 80", n)
	}
	if len(d.session.Skipped) > 0 || len(d.session.Warnings) > 0 {
		t.Errorf("skipped %v, warnings %v: the demo is to be read without either", d.session.Skipped, d.session.Warnings)
	}
	if d.pool.Query != d.story.Mark.Question {
		t.Errorf("turn %d asks %q, the story says %q", d.pool.Turn, d.pool.Query, d.story.Mark.Question)
	}
	if n := len(d.pool.Candidates); n < 150 || n > 200 {
		t.Errorf("the pool at the mark has %d candidates, want 150 to 200 to fill the grid", n)
	}
}

// The compaction is late: at the mark the first turns are still offered.
func TestDemoCompactsAfterTheMark(t *testing.T) {
	d := openDemo(t)
	var compacted []int
	for _, turn := range d.session.Turns {
		if turn.Boundary != nil && turn.Boundary.Kind == "compaction" {
			compacted = append(compacted, turn.Number)
		}
	}
	if len(compacted) != 1 || compacted[0] <= d.story.Mark.Turn {
		t.Errorf("compactions before the turns %v, want one after turn %d", compacted, d.story.Mark.Turn)
	}
	if said := d.pool.Candidates[0].Turn; said != 1 {
		t.Errorf("the oldest candidate at the mark is of turn %d", said)
	}
}

// Polls have numbers as every turn has; what they left unanswered is not offered.
func TestDemoHasHeartbeats(t *testing.T) {
	d := openDemo(t)
	polls, answered := 0, 0
	for _, turn := range d.session.Turns {
		if turn.Internal != "heartbeat" {
			continue
		}
		polls++
		if turn.Number < d.pool.Turn && turn.Answer != "" && turn.Answer != "NO_REPLY" {
			answered++
		}
	}
	if polls < 8 || answered < 3 {
		t.Errorf("%d heartbeats, %d of them answered before the mark: too few for a family", polls, answered)
	}
	offered := 0
	for _, c := range d.pool.Candidates {
		if c.Text == "NO_REPLY" {
			t.Errorf("%s is offered although nobody answered that poll", c.ID)
		}
		if c.Internal == "heartbeat" && c.Kind == session.User {
			offered++
		}
	}
	if offered != answered {
		t.Errorf("%d polls are offered, %d were answered", offered, answered)
	}
}

// The story: recency has dropped every place where the fact was said, and the
// strategies that read the question keep it within the same budget.
func TestDemoBringsTheFactBack(t *testing.T) {
	d := openDemo(t)
	needed := d.index(t, d.story.Mark.Needed)
	if c := d.pool.Candidates[needed]; c.Text != d.story.Mark.Fact || c.Kind != session.User || c.Turn > 10 {
		t.Errorf("needed is %s %q of turn %d, want what the user said early: %q", c.Kind, c.Text, c.Turn, d.story.Mark.Fact)
	}
	recent := d.selects(t, d.story.Start.Strategy)
	for i := range d.pool.Candidates {
		if recent.Keeps(i) && strings.Contains(d.pool.Candidates[i].Content(), "5433") {
			t.Errorf("%s keeps %q", d.story.Start.Strategy, d.pool.Candidates[i].Text)
		}
	}
	if code := recent.Code(needed); code != selector.Older {
		t.Errorf("%s drops the fact as %s, want %s", d.story.Start.Strategy, code, selector.Older)
	}
	for _, name := range []string{"pacms", "topk", "pacms+"} {
		if sel := d.selects(t, name); !sel.Keeps(needed) {
			t.Errorf("%s drops the fact: %s", name, sel.Explain(needed).Reason.Text)
		}
	}
}

func TestDemoShowsTheReasonsThatMatter(t *testing.T) {
	d := openDemo(t)
	sel := d.selects(t, "pacms")
	count := map[selector.Code]int{}
	for i := range d.pool.Candidates {
		count[sel.Code(i)]++
	}
	for _, code := range []selector.Code{selector.Selected, selector.CoveredBy, selector.SupersededBy, selector.Heartbeat, selector.TooLarge} {
		if count[code] == 0 {
			t.Errorf("no candidate has the reason %s: %v", code, count)
		}
	}
}

// One file is read twice unchanged and once after its edit: the later reading
// stands for both.
func TestDemoReadsOneFileThrice(t *testing.T) {
	d := openDemo(t)
	sel := d.selects(t, "pacms")
	var texts []string
	var codes []selector.Code
	for i, c := range d.pool.Candidates {
		if c.Kind == session.Tool && c.Tool.Name == "read" && strings.Contains(string(c.Tool.Args), "staging.yaml") {
			texts = append(texts, c.Text)
			codes = append(codes, sel.Code(i))
		}
	}
	if len(texts) != 3 || texts[0] != texts[1] || texts[1] == texts[2] {
		t.Fatalf("%d readings of the config, want two alike and a third that differs", len(texts))
	}
	if codes[0] == selector.Selected || codes[1] == selector.Selected || codes[2] != selector.Selected {
		t.Errorf("the readings are %v, want only the last one selected", codes)
	}
}

// Tools answered at length and in a word, and not always with success.
func TestDemoHasToolResultsOfAllSizes(t *testing.T) {
	d := openDemo(t)
	large, short, failed, exited := 0, 0, 0, 0
	for _, c := range d.pool.Candidates {
		if c.Kind != session.Tool {
			continue
		}
		if c.Tokens > 4000 {
			large++
		}
		if c.Tokens < 100 {
			short++
		}
		if c.Tool.Error {
			failed++
		}
		if strings.Contains(c.Text, "exited with code 1") {
			exited++
		}
	}
	if large < 4 || short < 8 || failed == 0 || exited == 0 {
		t.Errorf("%d large and %d short results, %d failed calls, %d failed commands", large, short, failed, exited)
	}
}

func TestDemoStorySaysWhatHappened(t *testing.T) {
	d := openDemo(t)
	line := d.story.Outcome(testdata.Outcome{Item: 13, Said: 4, Strategy: "pacms", Budget: "2.1k"})
	for _, want := range []string{"#13", "turn 4", "pacms", "2.1k"} {
		if !strings.Contains(line, want) {
			t.Errorf("the outcome %q does not say %q", line, want)
		}
	}
	if strings.ContainsAny(line, "{}") {
		t.Errorf("the outcome %q has a place that nothing filled", line)
	}
}

// The newest push the story's fact out, again and again, until a compaction puts a
// summary in its place; the question alone never decides with lastk.
func TestDemoLifeline(t *testing.T) {
	d := openDemo(t)
	e := selector.NewEngine(embed.NewBuiltin(), "openclaw")
	w := walkOf(t, e, d.session, "lastk", "default", always(1808))
	w.Turns = slices.DeleteFunc(w.Turns, func(i int) bool {
		turn := &d.session.Turns[i]
		return turn.Branch != session.BranchActive || turn.Internal != ""
	})
	moments, err := e.Lifeline(background, w, d.story.Mark.Needed, nil)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for _, m := range moments {
		switch {
		case m.State == selector.StateNotOffered && m.Turn > 69:
			if m.Code != selector.Code(session.Compacted) || m.Into == 0 {
				t.Errorf("turn %d: %+v", m.Turn, m)
			}
		case m.State == selector.StateNotOffered:
			t.Errorf("turn %d: %+v", m.Turn, m)
		case m.Cause == selector.CauseNewcomer && m.By != "":
			lost++
		case m.Cause != "":
			t.Errorf("turn %d: %+v", m.Turn, m)
		}
	}
	if last := moments[len(moments)-1]; lost == 0 || last.State != selector.StateNotOffered {
		t.Errorf("changed by newcomers in %d turns, and in the end %+v", lost, last)
	}
}
