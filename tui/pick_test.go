package tui

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pacms/session"
)

// The list of keys narrows while one types, and enter does what its line says.
func TestHelp(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("?")
		r.sees("keys  type to find", "▶ ,", "the next turn", "letters find")
		for c := range strings.SplitSeq("by rank", "") {
			r.press(strings.ReplaceAll(c, " ", "space"))
		}
		r.sees("keys  by rank", "▶ o", "items")
		r.seesNot("the next turn")
		r.press("enter")
		r.sees("by rank", "ASKED")
		if !r.m.lanes {
			t.Error("enter does not do what the line says")
		}
		r.press("? r u n space l a s t enter")
		r.sees("lastk would keep")
		r.press("? o l d e s t space i t e m enter")
		if r.m.cursor != 0 {
			t.Errorf("the cursor is on %d", r.m.cursor)
		}
		r.press("? d e m o space a g a i n")
		r.sees("only the demo has a story")
		r.press("enter")
		r.sees("only the demo has a story")
		if r.m.page != nil {
			t.Error("a line that was found and cannot act keeps the list open")
		}
		r.press("? z z z")
		r.sees("no key does that")
		r.press("enter down up backspace backspace backspace")
		r.sees("type to find", "▶ ,")
		r.press("end")
		r.sees("quit at once")
		r.press("home down")
		r.sees("▶ . ]")
		r.send(tea.PasteMsg{Content: "pin:\n"})
		r.sees("keys  pin:", "▶ p")
		r.press("esc")
		r.sees("ASKED")
	})
}

// A line of a list can be clicked: once to go there, again to choose it.
func TestClickOnList(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("g")
		r.sees("go to turn")
		y := 0
		for i, line := range strings.Split(r.screen(), "\n") {
			if strings.Contains(line, "27  2026") {
				y = i
			}
		}
		click := tea.MouseClickMsg{X: 20, Y: y, Button: tea.MouseLeft}
		r.send(click)
		r.sees("▶ 27")
		r.send(tea.MouseClickMsg{X: 20, Y: 23, Button: tea.MouseLeft}, tea.MouseClickMsg{X: 20, Y: 0, Button: tea.MouseLeft}, click)
		r.sees("turn 27/30")
	})
}

// A turn that cannot be shown is not opened on; a folded one is.
func TestOpensOnTurn(t *testing.T) {
	for number, want := range map[int][]string{
		27: {"turn 30/30", "turn 27 is on a branch that was left"},
		31: {"turn 30/30", "there is no turn 31: they are 1 to 30"},
		12: {"turn 12/30", "heartbeat"},
		3:  {"turn 3/30"},
	} {
		cfg := config(t)
		cfg.Turn = number
		cfg.Load = func(context.Context, Progress) (*session.Session, error) {
			s := madeUp()
			s.Turns[26].Branch = session.BranchOther
			return s, nil
		}
		drive(t, cfg, 120, 36, func(r *robot) { r.sees(want...) })
	}
}

// The list of turns says what is special about each, and goes to a turn by its
// question too.
func TestTurnList(t *testing.T) {
	cfg := config(t)
	cfg.Load = func(context.Context, Progress) (*session.Session, error) {
		s := madeUp()
		s.Turns[26].Branch = session.BranchOther
		return s, nil
	}
	drive(t, cfg, 120, 36, func(r *robot) {
		r.press("g")
		r.sees("▶ 28", "compaction before it", "2026-11-29", "branch that was left")
		r.press("s t a g i n g space d a t a b")
		r.sees("▶ 24", "Which port did we settle on")
		r.press("enter")
		r.sees("turn 24/30")
		r.press("g b r a n c h enter")
		r.sees("turn 27  on a branch that was left, offered for no turn")
		r.press("q g 2 7")
		r.sees("▶ 27")
		r.press("enter")
		r.sees("turn 27  on a branch that was left, offered for no turn")
		r.press("q g x y z enter")
		r.sees("neither the number of a turn nor a time")
		r.press("ctrl+u h e a r t b enter")
		r.sees("turn 12/30")
		r.press("g up up enter")
		r.sees("turn 10/30")
	})
}

// A number that is typed is a turn's, whatever else has that digit in it: in its
// own number, in its time or in its question. So is a time.
func TestTurnByNumber(t *testing.T) {
	cfg := config(t)
	cfg.Load = func(context.Context, Progress) (*session.Session, error) {
		s := madeUp()
		s.Turns[2].Branch = session.BranchOther
		return s, nil
	}
	drive(t, cfg, 120, 36, func(r *robot) {
		for i := range r.m.session.Turns {
			number := strconv.Itoa(i + 1)
			r.press("g " + strings.Join(strings.Split(number, ""), " "))
			if i != 11 && i != 2 && r.m.page.pick.at != i {
				t.Errorf("with %s typed the cursor is on row %d", number, r.m.page.pick.at)
			}
			r.press("enter")
			if i == 2 {
				r.sees("turn 3  on a branch that was left")
				r.press("q")
				continue
			}
			if r.m.shown.number != i+1 {
				t.Errorf("g %s goes to turn %d", number, r.m.shown.number)
			}
		}
		for _, none := range []string{"0", "31", "9 9 9"} {
			r.press("g " + none)
			r.seesNot("▶")
			r.press("enter")
			r.sees("there is no turn " + strings.ReplaceAll(none, " ", "") + ": they are 1 to 30")
			r.press("esc")
		}
		r.press("g 0 9 : 3 0")
		want, err := findTurn(r.m.session, "09:30")
		if err != nil || r.m.page.pick.at != want || want == 0 {
			t.Errorf("09:30 is turn index %d, %v, and the cursor is on %d", want, err, r.m.page.pick.at)
		}
		r.press("enter")
		if r.m.shown.turn != want {
			t.Errorf("g 09:30 goes to turn index %d, not %d", r.m.shown.turn, want)
		}
	})
}

// The table of keys in the README has every key.
func TestReadmeHasAllKeys(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| key | what |")
	table, _, _ = strings.Cut(table, "\n\n")
	for _, s := range sections() {
		for _, b := range s.bindings {
			for k, key := range b.keys {
				if k > 0 && b.each == nil || len(b.keys) > 7 || strings.Contains("left right up down pgup home end ctrl+c ctrl+z { } _ * = ctrl+u ctrl+d", key) {
					continue // an alias, or one that is written otherwise or left to the help
				}
				if !strings.Contains(table, "`"+key+"`") {
					t.Errorf("the README does not have the key %s: %s", key, b.help)
				}
			}
		}
	}
}
