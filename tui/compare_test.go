package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/selector/embed"
	"pacms/session"
	"pacms/session/openclaw"
	"pacms/session/token"
	"pacms/testdata"
	"pacms/tui/paint"
)

// compareViews are the compare view in its states.
func compareViews() []view {
	return []view{
		{name: "compare", do: atMark("1 c")},
		{name: "comparecursor", do: atMark("1 c n n tab")},
		{name: "comparebudgets", do: atMark("1 c A 7 0 % enter")},
		{name: "comparesame", do: atMark("1 c 3")},
		{name: "compareturns", do: atMark("1 c B t h e space o n e space b e f o r e enter")},
		{name: "comparerules", do: atMark("1 c A n o space r u l e s enter 3")},
		{name: "comparechoose", do: atMark("1 c A")},
		{name: "comparetyped", do: atMark("1 c B m m r : l a m b d a = 0 . 9")},
		{name: "comparewrong", do: atMark("1 c B z z z enter")},
		{name: "compareboth", do: atMark("1 c enter")},
		{name: "comparebothworking", do: func(r *robot) {
			atMark("1 c")(r)
			r.m.Update(keyPress("n"))
			r.m.Update(keyPress("enter"))
		}},
		{name: "comparefile", with: withOther(nil), do: atMark("1 c B a n o t h e r space f i l e enter")},
		{name: "compareother", with: withOther(nil), do: atMark("1 c B c h a r s enter")},
		{name: "comparefailed", with: withOther(errors.New("no answer from the model that was asked for")), do: atMark("1 c B c h a r s enter")},
		{name: "comparerunning", do: func(r *robot) {
			atMark("1")(r)
			r.m.Update(keyPress("c"))
		}},
		{name: "comparemany", with: func(cfg *Config) {
			cfg.Story, cfg.Title, cfg.Turn = nil, "made-up.jsonl", 0
			cfg.Load = func(context.Context, Progress) (*session.Session, error) { return wide(500), nil }
		}, do: pressed("c n n n")},
		{name: "compareestimate", with: onTurn(24), do: pressed("3 c")},
		{name: "comparenoitems", with: onTurn(1), do: pressed("c")},
		{name: "comparepinned", with: replay(func(_ *Config, s *session.Session) { s.Candidates[0].Tokens = 5_000 }), do: pressed("b 1 0 0 enter p c")},
		{name: "strangecompare", with: func(cfg *Config) {
			cfg.Story, cfg.Title, cfg.Turn = nil, "made-up.jsonl", 0
			cfg.Load = func(context.Context, Progress) (*session.Session, error) { return strange(), nil }
		}, do: pressed("c n")},
	}
}

// withOther lets sides be taken from another session, which is as long as it is wide,
// or from none where opening one fails.
func withOther(err error) func(*Config) {
	return func(cfg *Config) {
		cfg.Embedder, cfg.Embedders = "builtin", []string{"builtin", "ollama"}
		cfg.Other = func(_ context.Context, p Place, _ Progress) (*session.Session, *selector.Engine, error) {
			if err != nil {
				return nil, nil, err
			}
			s := madeUp()
			if p.Counter != "" {
				s.Tokenizer = p.Counter
				for i := range s.Candidates {
					s.Candidates[i].Tokens += 2
				}
			}
			return s, selector.NewEngine(embed.NewBuiltin(), s.Tokenizer), nil
		}
	}
}

// c opens the view on the item under the cursor, with the rival of the present strategy
// beside it, and what closes it leaves the main screen as it was.
func TestCompareOpens(t *testing.T) {
	drive(t, storyConfig(t), 120, 36, func(r *robot) {
		atMark("1 c")(r)
		r.sees("A 3 lastk  B 1 pacms", "differ in strategy", "#7 user", "A drops it", "B keeps it")
		r.press("q")
		r.sees("pacms would keep")
		r.press("3 c")
		r.sees("A 3 lastk  B 1 pacms")
		r.press("tab")
		r.sees("A 1 pacms  B 3 lastk", "A keeps it", "B drops it")
		r.press("5")
		r.sees("A 1 pacms  B 5 mmr")
		r.press("a") // over the comparison, which has no place beside a grid
		r.sees("recorded at turn 24, in the agent's own context")
		r.press("q")
		r.sees("A 1 pacms  B 5 mmr")
		r.press("c c")
		r.sees("A 1 pacms  B 5 mmr") // what a person has chosen stays
		r.press("q")
		r.sees("lastk would keep")
	})
}

// n walks what one side alone keeps, in the order of time and around, N back; the
// cursor of the main screen follows.
func TestCompareWalks(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		atMark("1 c home")(r)
		d := r.m.contest.shown
		for k, at := range d.differences {
			if k > 0 || !d.items[0].Differs() {
				r.press("n")
			}
			if r.m.contest.cursor != at {
				t.Fatalf("difference %d is at %d, the cursor at %d", k, at, r.m.contest.cursor)
			}
		}
		r.press("n N N")
		if want := d.differences[len(d.differences)-2]; r.m.contest.cursor != want {
			t.Errorf("N goes to %d, not to %d", r.m.contest.cursor, want)
		}
		number := d.candidate(r.m.contest.cursor).Number
		r.press("q")
		if got := r.m.shown.pool.Candidates[r.m.cursor].Number; got != number {
			t.Errorf("the main screen is at #%d, the comparison was at #%d", got, number)
		}
	})
}

// Budget and turn move both sides: the keys of both kinds, a typed budget, the bar and
// the wheel on it. A side with a budget of its own keeps its distance.
func TestCompareMovesBoth(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		atMark("1 c")(r)
		budgets := func() [2]int {
			s := r.m.contest.shown.sides
			return [2]int{s[0].cell.Budget, s[1].cell.Budget}
		}
		before := budgets()
		r.press("+")
		if now := budgets(); now[0] <= before[0] || now[0] != now[1] {
			t.Errorf("+ leads from %v to %v", before, now)
		}
		r.press("-")
		before = budgets()
		r.press("*")
		if now := budgets(); now[0] != before[0]+r.m.basis/100 || now[1] != now[0] {
			t.Errorf("* leads from %v to %v", before, now)
		}
		r.press("b 5 0 0 enter B 6 0 0 enter")
		if now := budgets(); now != [2]int{500, 600} {
			t.Errorf("typed are 500 and 600, not %v", now)
		}
		r.sees("B 1 pacms at 600", "differ in strategy, budget")
		r.press("b 4 0 0 enter")
		if now := budgets(); now != [2]int{400, 500} {
			t.Errorf("after a move to 400: %v", now)
		}
		r.send(tea.MouseClickMsg{X: 40, Y: 2, Button: tea.MouseLeft}, motionMsg{motion: &tea.MouseMotionMsg{X: 50, Y: 9}}, tea.MouseReleaseMsg{X: 60, Y: 9, Button: tea.MouseLeft})
		want := r.m.basis * 59 / 77
		if now := budgets(); now != [2]int{want, want + 100} {
			t.Errorf("dragged to %d: %v", want, now)
		}
		r.send(motionMsg{x: 60, y: 2, wheel: 1})
		if now := budgets(); now[0] != want-r.m.basis/100 {
			t.Errorf("a notch on the bar leads from %d to %v", want, now)
		}
		r.press(",")
		r.sees("turn 23/30")
		if d := r.m.contest.shown; d.sides[0].number != 23 || d.sides[1].number != 23 {
			t.Errorf("the turns are %d and %d", d.sides[0].number, d.sides[1].number)
		}
		r.press("g 2 0 enter")
		r.sees("compare", "turn 20/30")
	})
}

// The next change of the budget is the nearest of either side, and none is left out.
func TestCompareNextChange(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		atMark("1 c b 2 0 0 enter")(r)
		kept := func() string {
			s := r.m.contest.shown.sides
			return fmt.Sprint(s[0].cell.KeptHash, s[1].cell.KeptHash)
		}
		for range 5 {
			before, from := kept(), r.m.want.budget
			d := r.m.contest.shown
			r.press("+")
			to := r.m.want.budget
			if to <= from || kept() == before {
				t.Fatalf("from %d to %d nothing changed", from, to)
			}
			for b := from; b < to; b++ {
				for k, f := range d.sides {
					opt := f.options
					opt.Budget.Value = b
					s, err := f.prepared.Select(r.m.ctx, opt)
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(s.KeptIndices, f.sel.KeptIndices) {
						t.Fatalf("%s changes at %d already, between %d and %d", sideNames[k], b, from, to)
					}
				}
			}
		}
	})
}

// The view opens with the largest differences in sight, wherever the cursor is, and the
// lists follow the cursor from the first move on.
func TestCompareListsBeginAtTheTop(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		atMark("1 c")(r)
		d := r.m.contest.shown
		last := d.only[1][len(d.only[1])-1].Item
		r.m.contest.cursor = last
		r.press("c")
		r.start(r.m.point(r.m.shown.indexOf(d.candidate(last).ID)))
		r.press("c")
		first := func() string { return d.labels[d.only[1][0].Item] + " " }
		if r.m.contest.cursor != last {
			t.Fatalf("the cursor is on %d, not %d", r.m.contest.cursor, last)
		}
		r.sees(first(), "more: n walks them")
		r.seesNot(" above, ")
		r.press("left right")
		r.sees(" above, 0 below")
		r.press("c c")
		r.seesNot(" above, ")
	})
}

// The path of another session can be typed into the list of a side, however long it is;
// a name is a path where such a file is there.
func TestCompareTakesTypedPaths(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("kept", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	long := "/home/ada/agents/" + strings.Repeat("deep/", 12) + "x.jsonl"
	for typed, want := range map[string]Place{
		"x.jsonl": {Path: "x.jsonl"}, "old/x": {Path: "old/x"}, long: {Path: long}, "x.sqlite": {Path: "x.sqlite"}, "kept": {Path: "kept"},
		"mmr:lambda=0.9": {}, "45%": {}, "lost": {},
	} {
		cfg := storyConfig(t)
		withOther(nil)(&cfg)
		drive(t, cfg, 80, 24, func(r *robot) {
			atMark("1 c B")(r)
			r.sees("or a path")
			for _, c := range typed {
				r.send(keyPress(string(c)))
			}
			r.press("enter")
			if got := r.m.contest.sides[1].place; got != want {
				t.Errorf("%q leads to %+v, want %+v", typed, got, want)
			}
			if typed == "lost" {
				r.sees("is no strategy, no budget and no file that is there")
			}
		})
	}
	cfg := storyConfig(t)
	withOther(nil)(&cfg)
	drive(t, cfg, 80, 24, func(r *robot) {
		atMark("1 c B x . j s o n l @ 9 enter")(r)
		r.sees("x.jsonl · turn 9")
	})
}

// A click on a cell or a line of a list puts the cursor there, and the wheel moves it.
func TestCompareMouse(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		atMark("1 c")(r)
		l := r.m.contest.layout
		click := func(x, y int) {
			r.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}, tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
		}
		for _, head := range l.Heads {
			click(1+l.Label+3*l.Pitch, head+1)
			if r.m.contest.cursor != 3 {
				t.Errorf("a click on the fourth cell below line %d leads to item %d", head, r.m.contest.cursor)
			}
		}
		d := r.m.contest.shown
		for side, x := range []int{4, 44} {
			click(x, l.Lists.Y+1)
			if want := d.only[side][0].Item; r.m.contest.cursor != want {
				t.Errorf("a click on the first of %s leads to item %d, not %d", sideNames[side], r.m.contest.cursor, want)
			}
		}
		r.send(motionMsg{x: 4, y: l.Heads[0] + 1, wheel: -9})
		if at := r.m.contest.cursor; at >= l.Per {
			t.Errorf("the wheel leads to item %d", at)
		}
		click(0, 0)
	})
}

// The page for both sides tells the reasoning of each, follows n, and takes a side to
// the main screen.
func TestCompareWhy(t *testing.T) {
	drive(t, storyConfig(t), 120, 36, func(r *robot) {
		atMark("1 c enter")(r)
		r.sees("#7 user", "── A lastk", "── B pacms", "DROPPED", "KEPT", "older: lastk spent", "takes A to the main screen")
		r.press("n")
		if i := r.m.contest.cursor; !strings.Contains(r.screen(), r.m.contest.shown.labels[i]+" ") {
			t.Errorf("n does not lead on:\n%s", r.screen())
		}
		r.press("q")
		r.sees("compare", "only A keeps")
		r.press("N enter enter")
		r.sees("DROPPED", "WOULD BE KEPT")
		r.press("q")
		r.sees("lastk would keep")
	})
}

// Help over the view runs what it says there, and closes to it.
func TestCompareHelp(t *testing.T) {
	drive(t, storyConfig(t), 120, 36, func(r *robot) {
		atMark("1 c ? p l a c e s")(r)
		r.sees("in the comparison of two", "A and B change places")
		r.press("esc")
		r.sees("only A keeps")
		r.press("? r u n space m m r enter")
		r.sees("A 3 lastk  B 5 mmr")
	})
}

// The matrix opens over the view and closes to it; what is chosen there becomes side B.
func TestCompareMatrix(t *testing.T) {
	drive(t, storyConfig(t), 120, 36, func(r *robot) {
		atMark("1 c M")(r)
		r.sees("matrix")
		r.press("q")
		r.sees("A 3 lastk  B 1 pacms")
		r.press("M")
		for r.m.chosenStrategy() != "rag" {
			r.press("down")
			if r.m.chosenStrategy() == r.m.lineOrder()[len(r.m.lineOrder())-1] {
				break
			}
		}
		chosen := r.m.chosenStrategy()
		r.press("enter")
		if got := r.m.contest.shown.sides[1].strategy.String(); got != chosen {
			t.Errorf("B is %s, not %s", got, chosen)
		}
		r.press("q")
		r.sees("pacms would keep")
	})
}

// A side may be another turn, which keeps its distance, another counter or another
// file; what cannot be opened is said, and the last comparison stays.
func TestCompareOtherSides(t *testing.T) {
	cfg := storyConfig(t)
	withOther(nil)(&cfg)
	drive(t, cfg, 120, 36, func(r *robot) {
		atMark("1 c B t h e space o n e space b e f o r e enter")(r)
		r.sees("B 1 pacms turn 23", "differ in turn, strategy")
		r.press(",")
		r.sees("turn 23/30", "B 1 pacms turn 22")
		r.press("home")
		for range 21 {
			r.press(",")
		}
		r.sees("B: no turn is as far from the one on screen")
		r.press(".  B o n e space o n space s c r e e n enter")
		r.press("A c h a r s enter")
		r.sees("A 3 lastk chars4", "differ in strategy, counter")
		r.press("A o p e n c l a w enter B a n o t h e r space f i l e enter")
		r.sees("file of side B")
		r.press("x . j s o n l @ 9 enter")
		r.sees("B 1 pacms x.jsonl · turn 9", "differ in session, turn, strategy")
	})
	cfg = storyConfig(t)
	withOther(errors.New("nothing is there"))(&cfg)
	drive(t, cfg, 120, 36, func(r *robot) {
		atMark("1 c A c h a r s enter")(r)
		r.sees("A: nothing is there", "only A keeps", "misses 1 of 1", "B 1 pacms")
	})
}

// Every number in the view is that of single runs at the budgets that it prints.
func TestCompareNumbers(t *testing.T) {
	t.Parallel()
	for name, s := range comparedSessions(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config(t)
			cfg.Turn, cfg.Title = 0, name
			cfg.Load = func(context.Context, Progress) (*session.Session, error) { return s, nil }
			drive(t, cfg, 160, 45, func(r *robot) {
				r.press("c")
				for _, keys := range []string{"", "_", "b 2 0 % enter", ", 5", "B 1 0 % enter", "tab A m m r : l a m b d a = 0 . 9 enter", "B n o space r u l e s enter"} {
					r.press(keys)
					checkNumbers(r, s)
				}
			})
		})
	}
}

// comparedSessions are the demo and the recorded sets of the tests.
func comparedSessions(t *testing.T) map[string]*session.Session {
	counter, err := token.New("openclaw")
	if err != nil {
		t.Fatal(err)
	}
	sessions := map[string]*session.Session{"made up": madeUp()}
	demo, err := openclaw.Read(t.Context(), testdata.Session(), testdata.SessionName, openclaw.Options{Counter: counter})
	if err != nil {
		t.Fatal(err)
	}
	sessions["demo"] = demo
	for _, set := range []string{"2026.5.28", "2026.9.6-basic", "2026.9.6-edge"} {
		s, err := openclaw.Open(t.Context(), "../testdata/openclaw/"+set+".jsonl", openclaw.Options{Counter: counter})
		if err != nil {
			t.Fatal(err)
		}
		sessions[set] = s
	}
	return sessions
}

var (
	headNumbers = regexp.MustCompile(`([AB]) (?:\d )?(\S+).*?  ([\d,]+) items? (\S+) tokens(?: est\.)?.*?(?:misses (\d+) of (\d+)|no known)`)
	bothNumbers = regexp.MustCompile(`([\d,]+) \((\S+)\) both .*? ([\d,]+) \((\S+)\) only A .*? ([\d,]+) \((\S+)\) only B .*? ([\d,]+) neither .*overlap (\d+) % of items, (\d+) % of tokens`)
	barNumber   = regexp.MustCompile(`budget ([\d,]+)`)
	ownBudget   = regexp.MustCompile(`at ([\d,]+)`)
)

// checkNumbers holds what the screen prints to runs of its own.
func checkNumbers(r *robot, s *session.Session) {
	r.t.Helper()
	number := func(text string) int {
		n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
		if err != nil {
			r.t.Fatal(err)
		}
		return n
	}
	screen := r.screen()
	bar := number(barNumber.FindStringSubmatch(screen)[1])
	engine := selector.NewEngine(embed.NewBuiltin(), s.Tokenizer)
	turn := r.m.shown.turn
	var kept [2][]int
	var pool *session.Pool
	found := headNumbers.FindAllStringSubmatch(screen, -1)
	lines := strings.Split(screen, "\n")
	if len(found) != 2 {
		r.t.Fatalf("there are not two heads: %q\n%s", found, screen)
	}
	for k, head := range found {
		line := lines[slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, head[0]) })]
		strategy, err := selector.ParseStrategy(head[2])
		if err != nil {
			r.t.Fatal(err)
		}
		opt := selector.Options{Strategy: strategy, Budget: selector.Term{Value: bar, Source: "flag"}, Rules: selector.DefaultRules(), Tail: selector.DefaultTail}
		if own := ownBudget.FindStringSubmatch(line); own != nil {
			opt.Budget.Value = number(own[1])
		}
		if strings.Contains(line, "no rules") {
			opt.Rules = selector.Rules{}
		}
		p, err := engine.Prepare(r.m.ctx, s.Pool(turn, session.PoolWindow), selector.PrepareOptions{})
		if err != nil {
			r.t.Fatal(err)
		}
		sel, err := p.Select(r.m.ctx, opt)
		if err != nil {
			r.t.Fatal(err)
		}
		pool, kept[k] = p.Pool, sel.KeptIndices
		needs := selector.NewHindsight(s).Needs(turn, pool)
		if number(head[3]) != len(sel.Kept) || head[4] != paint.Tokens(sel.Tokens.Kept) {
			r.t.Errorf("%s at %d: %s items with %s tokens, a run of its own keeps %d with %d", head[2], opt.Budget.Value, head[3], head[4], len(sel.Kept), sel.Tokens.Kept)
		}
		if missed := len(selector.Missed(needs, sel.Keeps)); head[5] != "" && (number(head[5]) != missed || number(head[6]) != len(needs)) || head[5] == "" && len(needs) > 0 {
			r.t.Errorf("%s misses %s of %s, a run of its own %d of %d", head[2], head[5], head[6], missed, len(needs))
		}
	}
	var both, a, b [2]int // items and tokens
	for i := range pool.Candidates {
		_, inA := slices.BinarySearch(kept[0], i)
		_, inB := slices.BinarySearch(kept[1], i)
		for _, sum := range []struct {
			on  bool
			sum *[2]int
		}{{inA && inB, &both}, {inA && !inB, &a}, {inB && !inA, &b}} {
			if sum.on {
				sum.sum[0]++
				sum.sum[1] += pool.Candidates[i].Tokens
			}
		}
	}
	counts := bothNumbers.FindStringSubmatch(screen)
	if counts == nil {
		r.t.Fatalf("there are no counts:\n%s", screen)
	}
	share := func(part, whole int) string {
		if whole == 0 {
			return "100"
		}
		return strconv.Itoa(int(float64(part)/float64(whole)*100 + 0.5))
	}
	want := []string{
		strconv.Itoa(both[0]), paint.Tokens(both[1]), strconv.Itoa(a[0]), paint.Tokens(a[1]), strconv.Itoa(b[0]), paint.Tokens(b[1]),
		strconv.Itoa(len(pool.Candidates) - both[0] - a[0] - b[0]), strconv.Itoa(int(compare.Overlap(kept[0], kept[1])*100 + 0.5)), share(both[1], both[1]+a[1]+b[1]),
	}
	if !slices.Equal(counts[1:], want) {
		r.t.Errorf("the counts are %q, runs of their own give %q", counts[1:], want)
	}
}
