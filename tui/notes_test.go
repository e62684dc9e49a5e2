package tui

import (
	"context"
	"strings"
	"testing"

	"pacms/selector"
	"pacms/session"
)

// warned opens a session whose question and messages were changed.
func warned(t *testing.T, width int, change func(s *session.Session, cfg *Config), f func(r *robot)) {
	t.Helper()
	cfg := config(t)
	s := madeUp()
	change(s, &cfg)
	cfg.Load = func(context.Context, Progress) (*session.Session, error) { return s, nil }
	drive(t, cfg, width, 36, f)
}

// A warning stands where it matters.
func TestWarnings(t *testing.T) {
	ask := func(text string) func(*session.Session, *Config) {
		return func(s *session.Session, _ *Config) { s.Turns[27].Query = text }
	}
	warned(t, 120, ask("Why?"), func(r *robot) {
		r.sees("“Why?” widened by the messages before")
		r.candidate(r.m.shown.numbers[len(r.m.shown.numbers)-1])
		r.sees("the question was widened with it")
	})
	warned(t, 120, ask(""), func(r *robot) { r.sees("says nothing to select by") })
	warned(t, 120, ask("zxqv wqyz kjhq"), func(r *robot) {
		screen := r.screen()
		if !strings.Contains(screen, "nothing here is like it") && !strings.Contains(screen, "says nothing to select by") && !strings.Contains(screen, "weak: like nothing here") {
			t.Errorf("nobody says that the question matches nothing:\n%s", screen)
		}
		// The page of notes has it in full, and nothing that could be missed is none missed.
		r.press("i")
		if w := r.m.shown.sel.Warnings; len(w) == 0 {
			t.Error("the selection has no warning")
		} else {
			r.sees("this turn", strings.Join(strings.Fields(w[0].Message)[:4], " "))
		}
	})
	warned(t, 120, func(s *session.Session, _ *Config) { s.Candidates[0].Tokens = 5_000 }, func(r *robot) {
		r.press("b 1 0 0 enter")
		r.sees("what is required takes 4.9k more", "over the budget")
	})
	blob := strings.Repeat("QUJDREVGR0hJSktM", 40)
	warned(t, 160, func(s *session.Session, _ *Config) { s.Candidates[2].Text = blob }, func(r *robot) {
		r.candidate(3)
		r.sees("note       part of it is base64 data", "note: 1 item with base64 data")
	})
	warned(t, 120, func(s *session.Session, _ *Config) { s.Candidates[2].Text = blob }, func(r *robot) {
		r.candidate(3)
		r.sees("· part of it is base64 data")
	})
}

// A ban from another turn that does not hold on this one says so.
func TestBanThatDoesNotHold(t *testing.T) {
	warned(t, 160, func(s *session.Session, _ *Config) {
		s.Turns[28].Window = []session.Span{{From: 6, To: len(s.Candidates) - 4}}
	}, func(r *robot) {
		r.candidate(7)
		r.press("x .")
		r.candidate(7)
		if r.m.shown.sel.Code(0) != selector.Required {
			t.Fatalf("#7 is %s there", r.m.shown.sel.Code(0))
		}
		r.sees("your ban does not hold here: it is required")
	})
}

// What went wrong with a session can be read whole at any time: the status line counts
// it, and a page lists it.
func TestNotesPage(t *testing.T) {
	long := strings.Repeat("a long warning ", 20) + "that ends here"
	warned(t, 60, func(s *session.Session, _ *Config) {
		s.Skipped = []session.Skip{{Line: 12, Bytes: 40, Cause: "not\x1b[2J JSON"}}
		s.Warnings = []session.Warning{{Code: "embedder", Message: long}}
	}, func(r *robot) {
		r.sees("there are notes on this session: i")
		r.press(", . h")
		r.sees("3 notes: i")
		r.press("i")
		r.sees("1 record of the store could not be used", "that ends here", "line 12, 40 bytes: not", "this turn", "newer than what covers")
	})
	warned(t, 60, func(_ *session.Session, cfg *Config) { cfg.Turn = 2 }, func(r *robot) {
		r.press("i")
		r.sees("there is nothing to note on this turn or on the session")
	})
}

// What is to be said of a turn is not said as if it was about an item.
func TestNotesOfTheTurnStandApart(t *testing.T) {
	warned(t, 120, func(s *session.Session, _ *Config) { s.Candidates[2].Text = strings.Repeat("QUJDREVGR0hJSktM", 40) }, func(r *robot) {
		for _, number := range []int{3, 9} {
			r.candidate(number)
			r.press("enter")
			before, after, _ := strings.Cut(r.screen(), "THE TURN AS A WHOLE")
			if !strings.Contains(after, "1 item with base64 data") || strings.Contains(before, "1 item with base64") {
				t.Errorf("#%d:\n%s", number, r.screen())
			}
			if of := strings.Contains(before, "part of it is base64 data"); of != (number == 3) {
				t.Errorf("#%d has the note of another or not its own:\n%s", number, r.screen())
			}
			r.press("esc")
		}
	})
}

// A note is on the candidates that its warning names and on no others.
func TestNotes(t *testing.T) {
	for _, code := range []string{"opaque_blob", "query_widened", "thinking_unsigned", "ban_refused"} {
		p := &picture{sel: &selector.Selection{Warnings: []session.Warning{{Code: code, IDs: []string{"a"}}}}, pool: &session.Pool{Candidates: []session.Candidate{{ID: "b"}, {ID: "a"}}}}
		if got := p.notesOn(1); len(got) != 1 || got[0] == "" || p.notesOn(0) != nil {
			t.Errorf("%s: %v", code, got)
		}
	}
	p := &picture{sel: &selector.Selection{BudgetTerms: map[string]selector.Term{"reserve": {Value: 1_200}}, Warnings: []session.Warning{{Code: "reserve_clamped"}}}}
	if got := p.budgetNote(); got != "reserve cut to 1.2k" {
		t.Errorf("%q", got)
	}
}

// Turns on a branch that was left are marked where they were left, and nobody
// steps onto them.
func TestBranches(t *testing.T) {
	warned(t, 120, func(s *session.Session, _ *Config) {
		s.Turns[25].Branch, s.Turns[26].Branch = session.BranchOther, session.BranchOther
	}, func(r *robot) {
		r.sees("2 turns before this one on a branch that was left")
		r.press(",")
		r.sees("turn 25/30", "┊")
		r.seesNot("on a branch")
	})
}
