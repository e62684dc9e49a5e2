package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"pacms/selector"
	"pacms/selector/embed"
	"pacms/session"
)

// sizes are the screens that the goldens are drawn on.
var sizes = [][2]int{{60, 20}, {80, 24}, {120, 36}, {160, 45}}

// Every main state of the screen at every size, as plain text.
func TestGolden(t *testing.T) {
	states := []struct {
		name string
		do   func(r *robot)
	}{
		{"mark", func(r *robot) { r.wait(time.Minute) }},
		{"back", func(r *robot) { r.wait(time.Minute); r.press("1") }},
		{"lanes", func(r *robot) { r.wait(time.Minute); r.press("o") }},
		{"why", func(r *robot) { r.wait(time.Minute); r.press("enter") }},
		{"help", func(r *robot) { r.wait(time.Minute); r.press("?") }},
		{"prompt", func(r *robot) { r.wait(time.Minute); r.press("b 4 x enter") }},
		{"first", func(r *robot) { r.press("space") }},
	}
	for _, state := range states {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s-%dx%d", state.name, size[0], size[1]), func(t *testing.T) {
				drive(t, storyConfig(t), size[0], size[1], func(r *robot) {
					state.do(r)
					golden.RequireEqual(t, r.screen())
				})
			})
		}
	}
}

func TestGoldenColour(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"dark":  func(*Config) {},
		"ascii": func(cfg *Config) { cfg.ASCII = true },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := storyConfig(t)
			change(&cfg)
			drive(t, cfg, 80, 24, func(r *robot) {
				r.wait(time.Minute)
				r.press("1")
				golden.RequireEqual(t, r.m.View().Content+"\n")
			})
		})
	}
}

// A screen in ASCII has nothing else on it.
func TestASCII(t *testing.T) {
	cfg := storyConfig(t)
	cfg.ASCII = true
	drive(t, cfg, 160, 45, func(r *robot) {
		r.wait(time.Minute)
		for _, keys := range []string{"", "1", "o", "?", "q enter", "q"} {
			r.press(keys)
			for _, c := range r.screen() {
				if c > 0x7e {
					t.Fatalf("%q after %q:\n%s", c, keys, r.screen())
				}
			}
		}
	})
}

func TestStory(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		r.sees("turn 1/30 ▶", "lastk would keep 0 of 0 items", "nothing was offered for this turn")
		r.wait(time.Second)
		r.sees("turn 5/30 ▶")
		r.wait(time.Minute)
		r.sees("turn 24/30 ‖", "needed by this turn and dropped: 1", "◉", "“"+fact+"”", "1 pacms", "press 1 to see it come back", "DROPPED")
		r.press("3")
		r.sees("lastk runs already")
		r.press("1")
		r.sees("#7 is back from turn 3, 21 turns ago: pacms keeps it within the same", "since lastk", "(#7 …)", "still dropped by 3 lastk", "KEPT")
		r.seesNot("◉ ·")
		r.press("3")
		r.sees("needed by this turn and dropped: 1")
		r.press("D")
		r.sees("turn 1/30 ▶")
		r.wait(time.Minute)
		r.sees("turn 24/30 ‖")
	})
}

// Keys act while the story plays, and it still stops at its mark.
func TestStoryWithKeys(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		r.wait(time.Second)
		r.press("1")
		r.sees("pacms would keep", "▶")
		r.press("space")
		r.sees("‖", "paused")
		before := r.m.shown.number
		r.wait(time.Minute)
		if r.m.shown.number != before {
			t.Errorf("a paused story went from turn %d to %d", before, r.m.shown.number)
		}
		r.press("> space")
		r.sees("▶ 2×")
		r.wait(time.Minute)
		r.sees("turn 24/30 ‖", "#7 is back")
		r.press("space")
		r.wait(time.Minute)
		r.sees("turn 30/30 ‖", "the last turn")
	})
}

func TestStoryWithoutMotion(t *testing.T) {
	cfg := storyConfig(t)
	cfg.NoMotion = true
	drive(t, cfg, 80, 24, func(r *robot) { r.sees("turn 24/30 ‖", "needed by this turn and dropped: 1") })
}

// } and { walk the turns with a mark: what lastk misses, and the compaction.
func TestMarkedTurns(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		r.press("space")
		var marked []int
		for range 40 {
			r.press("}")
			if n := r.m.shown.number; len(marked) == 0 || marked[len(marked)-1] != n {
				marked = append(marked, n)
			}
		}
		r.sees("no turn after this one is marked")
		if !slices.Contains(marked, askTurnN) || marked[len(marked)-1] != 29 {
			t.Errorf("} goes to the turns %v", marked)
		}
		r.sees("turn 29/30", "compaction before this turn")
		r.press("{")
		if r.m.shown.number != marked[len(marked)-2] {
			t.Errorf("{ goes to turn %d of %v", r.m.shown.number, marked)
		}
		for range marked {
			r.press("{")
		}
		r.sees("no turn before this one is marked")
	})
}

// Heartbeats are folded until somebody asks for them.
func TestInternalTurns(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("g 1 1 enter .")
		r.sees("turn 13/30")
		r.press("H ,")
		r.sees("turn 12/30", "heartbeat")
		r.press("H")
		r.sees("turn 11/30", "folded")
	})
}

func TestKeysThatCannotAct(t *testing.T) {
	drive(t, config(t), 120, 36, func(r *robot) {
		r.press("g 3 0 enter")
		for _, c := range [][2]string{
			{".", "this is the last turn"},
			{"=", "the host's budget is not in this session"},
			{"8", "there is no strategy 8: they are 1 to 7"},
			{"9", "there is no strategy 9"},
			{"1", "pacms runs already"},
			{"D", "only the demo has a story"},

			{"w", "nothing is on the key w: ? lists the keys"},
			{"esc", "nothing is open: q quits"},
		} {
			r.press(c[0])
			r.sees(c[1])
		}
		r.press("g 1 enter")
		for _, c := range [][2]string{{",", "this is the first turn"}, {"l", "nothing was offered for this turn"}, {"enter", "nothing was offered"}} {
			r.press(c[0])
			r.sees(c[1])
		}
		r.press("* _ -")
		if r.quit != nil {
			t.Errorf("a key ended the program: %v", r.quit)
		}
	})
}

func TestBudgetKeys(t *testing.T) {
	cfg := config(t)
	cfg.HostBudget = 300
	drive(t, cfg, 80, 24, func(r *robot) {
		open := r.m.want.budget
		kept := r.m.shown.sel.KeptIndices
		r.press("+")
		if r.m.want.budget <= open || fmt.Sprint(r.m.shown.sel.KeptIndices) == fmt.Sprint(kept) {
			t.Errorf("+ goes from %d to %d and keeps %v", open, r.m.want.budget, r.m.shown.sel.KeptIndices)
		}
		up := r.m.want.budget
		r.press("-")
		if r.m.want.budget >= up {
			t.Errorf("- goes from %d to %d", up, r.m.want.budget)
		}
		r.press("b 5 0 % enter *")
		if want := r.m.basis/2 + r.m.basis/100; r.m.want.budget != want {
			t.Errorf("50 %% and 1 %% more are %d of %d tokens, want %d", r.m.want.budget, r.m.basis, want)
		}
		r.press("_ _")
		if want := r.m.basis/2 - r.m.basis/100; r.m.want.budget != want {
			t.Errorf("2 %% less are %d, want %d", r.m.want.budget, want)
		}
		r.press("=")
		if r.m.want.budget != 300 {
			t.Errorf("= goes to %d, want 300", r.m.want.budget)
		}
		r.sees("budget 300", "host")
		r.press("b 1 0 0 % enter + ")
		r.sees("more budget changes nothing")
		r.press("b 0 enter -")
		r.sees("less budget changes nothing")
	})
}

// A stored pool keeps its own budget until a person moves the handle.
func TestRecordedBudgets(t *testing.T) {
	cfg := config(t)
	cfg.BudgetRecorded, cfg.Turn = true, 2
	cfg.Load = func(context.Context, Progress) (*session.Session, error) {
		full := madeUp()
		s := &session.Session{Key: "pools"}
		for i, budget := range []int{90, 120} {
			p := full.Pool(20+i, session.PoolWindow)
			p.Query, p.Budget = "", &budget
			s.Pools = append(s.Pools, p)
			s.Turns = append(s.Turns, session.Turn{Number: i + 1, Branch: session.BranchActive})
		}
		return s, nil
	}
	drive(t, cfg, 80, 24, func(r *robot) {
		r.sees("budget 120", "as recorded", "a question that came without its text")
		r.press(",")
		r.sees("budget 90", "as recorded")
		r.press("b 7 7 enter .")
		r.sees("budget 77")
		r.seesNot("as recorded")
	})
	cfg.BudgetRecorded, cfg.BudgetPerTurn = false, true
	drive(t, cfg, 80, 24, func(r *robot) {
		if want := r.m.offered[1] * 45 / 100; r.m.shown.budget != want {
			t.Errorf("45 %% of the turn's own pool are %d, want %d", r.m.shown.budget, want)
		}
	})
}

// Keys that come faster than a search add up.
func TestBudgetKeysAddUp(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("+")
		one := r.m.want.budget
		r.press("+ +")
		three := r.m.want.budget
		r.press("b 4 5 % enter")
		r.send(keyPress("+"), keyPress("+"), keyPress("+"))
		if r.m.want.budget != three || one >= three {
			t.Errorf("three fast + go to %d, three slow ones to %d, one to %d", r.m.want.budget, three, one)
		}
	})
}

func TestBudgetPrompt(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		before := r.m.want.budget
		r.press("b x enter")
		r.sees("budget: x", "is not a number")
		r.press("backspace 9 9 esc")
		if r.m.want.budget != before || r.m.prompt != nil {
			t.Errorf("esc sets the budget to %d", r.m.want.budget)
		}
		r.press("b")
		r.send(tea.PasteMsg{Content: "25\x1b[31m%"})
		r.sees("budget: 25[31m%")
		r.press("ctrl+u 7 enter")
		if r.m.want.budget != 7 {
			t.Errorf("7 sets %d", r.m.want.budget)
		}
	})
}

func TestGoTo(t *testing.T) {
	drive(t, config(t), 120, 36, func(r *robot) {
		r.press("g 1 0 enter")
		r.sees("turn 10/30")
		r.press("g 9 9 enter")
		r.sees("there is no turn 99: they are 1 to 30")
		r.press("esc g 9 : 3 0 enter")
		at := r.m.session.Turns[r.m.shown.turn].Time
		before := r.m.session.Turns[r.m.shown.turn-1].Time
		if want := time.Date(2026, 11, 29, 9, 30, 0, 0, time.UTC); at.Before(want) || !before.Before(want) {
			t.Errorf("9:30 goes to the turn at %v after that at %v", at, before)
		}
		r.press("g s o o n enter")
		r.sees("neither the number of a turn nor a time")
		r.press("esc g 2 3 : 5 9 enter")
		r.sees("no turn is as late as 23:59")
		r.press("esc g 1 2 enter")
		r.sees("turn 12/30", "heartbeat")
	})
}

// The cursor walks, stays on its candidate from turn to turn, and n goes through
// what changed.
func TestCursor(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("n")
		r.sees("nothing to compare with yet")
		r.press("home l l j")
		number := r.m.pointed()
		r.press("k")
		if r.m.pointed() >= number {
			t.Errorf("k goes from #%d to #%d", number, r.m.pointed())
		}
		r.press("end")
		if r.m.cursor != len(r.m.shown.cells)-1 {
			t.Errorf("end goes to %d of %d", r.m.cursor, len(r.m.shown.cells))
		}
		number = r.m.pointed()
		r.press("left")
		number--
		r.press("3")
		if r.m.pointed() != number {
			t.Errorf("another strategy moves the cursor from #%d to #%d", number, r.m.pointed())
		}
		changed := r.m.shown.changed
		if len(changed) == 0 {
			t.Fatal("nothing changed")
		}
		r.press("home")
		for _, want := range changed {
			if r.m.cursor == want {
				continue // the walk goes on from the cursor
			}
			r.press("n")
			if r.m.cursor != want {
				t.Errorf("n goes to %d, want %d of %v", r.m.cursor, want, changed)
			}
		}
		r.press("n")
		if r.m.cursor != changed[0] {
			t.Errorf("n after the last change goes to %d, want %d", r.m.cursor, changed[0])
		}
		r.press("N")
		if r.m.cursor != changed[len(changed)-1] {
			t.Errorf("N goes to %d", r.m.cursor)
		}
	})
}

// In the lanes a kind stands together in the order of the ranks; the order holds
// for the next pictures, and going back brings the time order back.
func TestLanes(t *testing.T) {
	drive(t, config(t), 120, 36, func(r *robot) {
		byTime := r.screen()
		inOrder := func() {
			t.Helper()
			p, last, kind := r.m.shown, 0, uint8(0)
			for place := range p.cells {
				i := r.m.arrangement.Move(0, -len(p.cells), 0)
				i = r.m.arrangement.Move(i, place, 0)
				c := p.cells[i]
				if c.Kind < kind || c.Kind == kind && c.Rank < last {
					t.Fatalf("#%d of kind %d and rank %d stands behind kind %d and rank %d", p.numbers[i], c.Kind, c.Rank, kind, last)
				}
				if want := p.sel.Rank(i); want > 0 && c.Rank > 0 && c.Rank != want {
					t.Errorf("#%d has rank %d, want %d", p.numbers[i], c.Rank, want)
				}
				kind, last = c.Kind, c.Rank
			}
		}
		r.press("o")
		r.sees("by rank", "assistant")
		inOrder()
		r.press("2")
		r.sees("by rank", "topk would keep")
		inOrder()
		r.press("1 o esc")
		r.sees("oldest first")
		if strings.Count(byTime, "■") != strings.Count(r.screen(), "■") {
			t.Errorf("the order by time is another one than before:\n%s\n%s", byTime, r.screen())
		}
	})
}

// The reason under the cursor is the selector's own.
func TestInspector(t *testing.T) {
	drive(t, config(t), 160, 45, func(r *robot) {
		for range 12 {
			r.press("left")
			v := r.m.shown.sel.Explain(r.m.cursor)
			first, _, _ := strings.Cut(v.Reason.Text, " ")
			r.sees(fmt.Sprintf("#%d ", r.m.pointed()), first)
			if v.Kept {
				r.sees("KEPT")
			} else {
				r.sees("DROPPED")
			}
		}
	})
}

// A page that is open when its candidate goes is closed; with another candidate
// it shows that one.
func TestPageFollows(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.update(keyPress(","))
		r.press("enter")
		r.sees("why", "for turn 27")
		r.press("q g 2 enter")
		r.update(keyPress(","))
		r.press("enter")
		r.sees("turn 1/30", "nothing was offered for this turn")
	})
}

func TestAnswerPage(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("g 2 4 enter a")
		r.sees("as recorded for turn 24", "Which port did we settle on", "It is 5433 for the database on staging.")
		r.press("x")
		r.sees("q goes back to the main screen")
		r.press("q")
		r.sees("ASKED")
	})
}

func TestQuit(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("? q")
		if r.quit != nil {
			t.Fatal("q on a page ends the program")
		}
		r.press("q")
		if _, ok := r.quit.(tea.QuitMsg); !ok || r.m.err != nil {
			t.Errorf("q ends with %v, %v", r.quit, r.m.err)
		}
	})
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("ctrl+z")
		if _, ok := r.quit.(tea.SuspendMsg); !ok {
			t.Errorf("ctrl+z gives %v", r.quit)
		}
		r.press("b ctrl+c")
		if _, ok := r.quit.(tea.InterruptMsg); !ok {
			t.Errorf("ctrl+c gives %v", r.quit)
		}
	})
}

// While a session is read the screen says how far it is, and can be left.
func TestLoading(t *testing.T) {
	cfg := config(t)
	cfg.Load = func(ctx context.Context, progress Progress) (*session.Session, error) {
		progress("reading", 512, 2048)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	drive(t, cfg, 80, 24, func(r *robot) {
		golden.RequireEqual(t, r.screen())
		r.press("1")
		r.sees("the session is still being read")
		r.press("q")
		if _, ok := r.quit.(tea.QuitMsg); !ok {
			t.Errorf("q gives %v", r.quit)
		}
	})
}

func TestLoadFails(t *testing.T) {
	cause := errors.New("line 3 is no JSON")
	cfg := config(t)
	cfg.Load = func(context.Context, Progress) (*session.Session, error) { return nil, cause }
	drive(t, cfg, 80, 24, func(r *robot) {
		if _, ok := r.quit.(tea.QuitMsg); !ok || !errors.Is(r.m.err, cause) {
			t.Errorf("the program ends with %v, %v", r.quit, r.m.err)
		}
	})
	cfg.Load = func(context.Context, Progress) (*session.Session, error) { return new(session.Session), nil }
	drive(t, cfg, 80, 24, func(r *robot) {
		if r.m.err == nil || !strings.Contains(r.m.err.Error(), "no turn") {
			t.Errorf("an empty session ends with %v", r.m.err)
		}
	})
}

// stuck is an embedder whose vectors come when they are let go.
type stuck struct {
	embed.Embedder
	gate chan struct{}
}

func (s stuck) Query(ctx context.Context, text string) ([]float32, error) {
	if strings.Contains(text, "staging database") {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return s.Embedder.Query(ctx, text)
}

// The last complete picture stays until the next one is there; what nobody wants
// any more is given up.
func TestPictureStays(t *testing.T) {
	cfg := config(t)
	gate := make(chan struct{})
	drive(t, cfg, 80, 24, func(r *robot) {
		gate = make(chan struct{})
		r.m.engine = selector.NewEngine(stuck{embed.NewBuiltin(), gate}, "openclaw")
		r.press("g 2 3 enter .")
		r.sees("turn 23/30", "… 24")
		if !r.m.working {
			t.Fatal("no work on the next turn")
		}
		r.press(",")
		r.sees("turn 23/30")
		r.seesNot("… 24")
		r.press(".")
		r.sees("turn 23/30", "… 24")
		close(gate)
		r.settle()
		r.sees("turn 24/30", "staging database")
	})
}

func TestEngineFails(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.m.engine = selector.NewEngine(broken{embed.NewBuiltin()}, "openclaw")
		r.press(",")
		r.sees("turn 28/30", "the model is gone")
		r.press(".")
		r.sees("turn 28/30")
		r.seesNot("the model is gone")
	})
}

type broken struct{ embed.Embedder }

func (broken) Query(context.Context, string) ([]float32, error) {
	return nil, errors.New("the model is gone")
}

func (broken) Documents(context.Context, []string) ([][]float32, error) {
	return nil, errors.New("the model is gone")
}

// What a session says cannot act on the terminal: the frame holds no escape
// sequences but the program's own styles, and keeps its size.
func TestHostileText(t *testing.T) {
	hostile := "\x1b]52;c;aGk=\x07 \x1b[2J \x9b31m \x1b]8;;http://x\x07hi \x1bP \u202e \r over\ttab \u009b0m \x00"
	cfg := config(t)
	cfg.Title = hostile
	cfg.Load = func(context.Context, Progress) (*session.Session, error) {
		s := madeUp()
		for i := range s.Candidates {
			s.Candidates[i].Text += hostile
			if s.Candidates[i].Tool != nil {
				s.Candidates[i].Tool.Name += hostile
			}
		}
		for i := range s.Turns {
			s.Turns[i].Query += hostile
			s.Turns[i].Answer += hostile
			if s.Turns[i].Internal != "" {
				s.Turns[i].Internal += hostile
			}
		}
		return s, nil
	}
	drive(t, cfg, 160, 45, func(r *robot) {
		for _, keys := range []string{"", "H g 1 2 enter", "end", "enter", "q a", "q 3", "?"} {
			r.press(keys)
			v := r.m.View()
			if ansi.Strip(v.WindowTitle) != v.WindowTitle {
				t.Errorf("the window's title acts: %q", v.WindowTitle)
			}
			state := byte(0)
			for rest := v.Content; rest != ""; {
				seq, width, n, next := ansi.DecodeSequence(rest, state, nil)
				if width == 0 && seq != "\n" && !strings.HasSuffix(seq, "m") {
					t.Fatalf("after %q the frame holds %q", keys, seq)
				}
				state, rest = next, rest[n:]
			}
		}
	})
}
