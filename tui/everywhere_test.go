package tui

import (
	"context"
	"strings"
	"testing"

	"pacms/session"
	"pacms/tui/choices"
)

// withAside is the made-up session with a turn that was left and a message that is
// kept from the model, both of which say the port.
func withAside() *session.Session {
	s := madeUp()
	s.Aside = []session.Aside{
		{Candidate: session.Candidate{ID: "left-behind-1", Kind: session.User, Text: "try port 5433 again", Turn: 5}, Why: session.OtherBranch},
		{Candidate: session.Candidate{ID: "shell", Kind: session.User, Text: "PORT=5433", Turn: 6}, Why: session.Excluded},
	}
	s.Turns[4].Branch = session.BranchOther
	return s
}

func asideConfig(t *testing.T) Config {
	t.Helper()
	cfg := config(t)
	cfg.Load = func(context.Context, Progress) (*session.Session, error) { return withAside(), nil }
	return cfg
}

func TestEverywhere(t *testing.T) {
	drive(t, asideConfig(t), 100, 45, func(r *robot) {
		r.press("3 F")
		r.sees("find everywhere:")
		r.press("5 4 3 3 enter")
		r.sees("“5433” in all that is stored", "stored items, as they are at turn 28", "turn by turn, as lastk would choose",
			"#7 ", "staging db port is 5433", "left-beh", "on a branch that was left · user", "shell", "kept from the model",
			"said in this turn #7 #8", "kept #7 #8", "on screen")
		r.seesNot("looked at")
		r.press("end")
		r.sees("compacted, and no summary stands for it")
		// A line of a turn goes there, with the cursor on what is offered.
		r.press("home")
		row := 0
		for i, line := range r.m.page.pick.rows {
			if strings.HasSuffix(line.key, " 9") {
				row = i
			}
		}
		r.m.page.pick.at = row
		r.press("enter")
		if r.m.page != nil || r.m.session.Turns[r.m.shown.turn].Number != 9 || r.m.pointed() != 7 {
			t.Errorf("enter goes to turn %d and #%d", r.m.session.Turns[r.m.shown.turn].Number, r.m.pointed())
		}
		// A line of an item stays in the turn where it is offered there.
		r.press("F enter down enter")
		if r.m.session.Turns[r.m.shown.turn].Number != 9 || r.m.pointed() != 8 {
			t.Errorf("enter goes to turn %d and #%d", r.m.session.Turns[r.m.shown.turn].Number, r.m.pointed())
		}
		// Where it is not offered, the last turn that offers it is gone to.
		r.press("g 3 0 enter F enter enter")
		if r.m.session.Turns[r.m.shown.turn].Number != 28 || r.m.pointed() != 7 {
			t.Errorf("enter goes to turn %d and #%d", r.m.session.Turns[r.m.shown.turn].Number, r.m.pointed())
		}
		// What no pool has cannot be gone to, and says why; esc leaves all as it was.
		r.press("F enter s h e l l enter")
		r.sees("shell is in no pool: kept from the model")
		r.press("esc")
		if r.m.page != nil || r.m.pointed() != 7 || r.m.everywhere.list != nil {
			t.Errorf("esc leaves the page %v, the cursor on #%d, the list %v", r.m.page, r.m.pointed(), r.m.everywhere.list)
		}
		// A turn that was left can be read, by its line and by what was said in it.
		r.press("F enter n o t h i n g")
		r.sees("on a branch that was left: nothing was offered")
		r.press("enter")
		r.sees("turn 5  on a branch that was left")
		r.press("esc F enter l e f t - b e h enter")
		r.sees("turn 5  on a branch that was left")
		r.press("esc")
	})
}

func TestEverywhereFindsNothing(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("F space enter")
		r.sees("type some words of what is to be found", "find everywhere:")
		r.press("x y z z y enter")
		r.sees("“xyzzy” is in none of")
		if r.m.page != nil {
			t.Error("a page is open")
		}
		// What was looked for last is offered again, and typing replaces it.
		r.press("F")
		r.sees("xyzzy")
		r.press("5 4 3 3 enter")
		r.sees("“5433” in all", " in 3 of ")
		r.press("esc F p o r t space d b enter")
		r.sees("“port db” in all", "all of its words in 1 of ")
	})
}

// The lines tell what the strategy, the budget and the pins on screen come to.
func TestEverywhereFollowsWhatIsOnScreen(t *testing.T) {
	line := func(r *robot, number string) string {
		for _, row := range r.m.page.pick.rows {
			if strings.HasSuffix(row.key, " "+number) {
				return row.key + " " + row.text
			}
		}
		return ""
	}
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("3 b 1 0 0 enter F 5 4 3 3 enter")
		if got := line(r, "20"); !strings.Contains(got, "dropped #7 #8") {
			t.Errorf("turn 20: %q", got)
		}
		r.press("esc")
		r.m.cursor = r.m.shown.find(7)
		r.press("p F enter")
		if got := line(r, "20"); !strings.Contains(got, "■ 20 kept #7") {
			t.Errorf("turn 20 with a pin: %q", got)
		}
		for i, told := range r.m.everywhere.list.told {
			r.m.want.turn = i
			p, err := r.m.prepare(i)(r.m.ctx, nil)
			if err != nil {
				t.Fatal(err)
			}
			sel, err := p.Select(r.m.ctx, r.m.options(request{i, r.m.want.strategy, r.m.want.budget, &choices.Choices{Pins: []string{"c007"}}}))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range told.sightings {
				if s.Index >= 0 && sel.Keeps(s.Index) != (s.State == "kept") {
					t.Errorf("turn %d: #%d is %s", i+1, p.Pool.Candidates[s.Index].Number, s.State)
				}
			}
		}
	})
}

// Work that nobody looks at any more ends, and what comes of it late is dropped.
func TestEverywhereIsGivenUp(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("F 5 4 3 3")
		open := r.m.prompt.done
		cmd, err := open(r.m, "5433")
		if err != nil {
			t.Fatal(err)
		}
		r.press("esc")
		late := cmd()
		r.press("F t r a i n enter")
		list := r.m.everywhere.list
		r.update(late)
		r.settle()
		if r.m.everywhere.list == nil || r.m.everywhere.list == late.(everyFoundMsg).list {
			t.Error("a late answer takes the place of the new one")
		}
		if r.m.everywhere.list != list {
			t.Error("the list was made again")
		}
		r.press("esc")
		if cmd := r.m.toldTurns(everyTurnsMsg{generation: r.m.everywhere.generation, rest: []int{1}}); cmd != nil {
			t.Error("the work goes on after esc")
		}
		// What is cancelled looks at nothing more.
		r.press("F")
		cmd, _ = open(r.m, "5433")
		r.m.stopEverywhere()
		if msg := cmd().(everyFoundMsg); msg.err == nil {
			t.Error("a search that was given up finds something")
		}
	})
}
