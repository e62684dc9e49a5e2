package tui

import (
	"context"
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pacms/session"
)

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
