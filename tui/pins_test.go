package tui

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pacms/selector"
	"pacms/session"
	"pacms/tui/choices"
)

// candidate puts the cursor on the candidate with a number.
func (r *robot) candidate(number int) {
	r.t.Helper()
	i := slices.Index(r.m.shown.numbers, number)
	if i < 0 {
		r.t.Fatalf("#%d is not offered", number)
	}
	r.start(r.m.point(i))
	r.settle()
}

// keeps reports whether the candidate with a number is kept.
func (r *robot) keeps(number int) bool { return r.m.shown.kept[number] }

func TestPins(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("3 b 2 0 % enter")
		r.candidate(7)
		if r.keeps(7) {
			t.Fatal("lastk keeps the old fact: nothing to show")
		}
		r.press("p")
		r.sees("PINNED 1", "#7 is pinned", "KEPT", "since that pin or ban")
		r.press("1")
		if !r.keeps(7) {
			t.Error("another strategy drops what is pinned")
		}
		r.press("3 ,")
		r.sees("turn 27/30", "PINNED 1")
		if !r.keeps(7) {
			t.Error("on another turn the pin does not hold")
		}
		r.press("b 4 0 enter")
		if !r.keeps(7) {
			t.Error("a lower budget drops what is pinned")
		}
		r.press("x")
		r.sees("BANNED 1", "#7 is banned", "DROPPED")
		r.seesNot("PINNED")
		r.press("x")
		r.sees("#7 is no longer banned")
		r.seesNot("BANNED")
		r.press("u")
		r.sees("BANNED 1", "taken back: #7 is no longer banned")
		r.press("u")
		r.sees("PINNED 1")
		r.press("u")
		r.seesNot("PINNED")
		r.press("u")
		r.sees("nothing to take back")
		r.press("ctrl+r ctrl+r ctrl+r")
		r.sees("again: #7 is no longer banned")
		r.press("ctrl+r")
		r.sees("nothing was taken back that could be done again")
	})
}

// A ban of something required is refused with the cause; a group is one thing.
func TestBanRefused(t *testing.T) {
	drive(t, config(t), 120, 36, func(r *robot) {
		r.candidate(1)
		r.press("x")
		r.sees("#1 is required and cannot be banned: the first message of the session")
		if n := r.m.want.counts(); n != "" {
			t.Errorf("the refused ban counts: %s", n)
		}
		call := slices.IndexFunc(r.m.shown.pool.Candidates, func(c session.Candidate) bool { return len(c.Calls) > 0 })
		r.candidate(r.m.shown.numbers[call])
		r.press("x l")
		r.sees("BANNED 1")
		if r.m.shown.sel.Keeps(call) || r.m.shown.sel.Keeps(call+1) {
			t.Error("half of a banned group is kept")
		}
		r.press("x")
		r.sees("'s group is no longer banned")
	})
}

// What only the tail rule keeps can be banned, and does not say that it is required.
func TestBanOfTheNewestTurn(t *testing.T) {
	drive(t, config(t), 120, 36, func(r *robot) {
		tail := slices.IndexFunc(r.m.shown.pool.Candidates, func(c session.Candidate) bool { return c.Turn == 27 })
		if code := r.m.shown.sel.Code(tail); code != selector.Tail {
			t.Fatalf("the newest turn is kept as %s", code)
		}
		r.candidate(r.m.shown.numbers[tail])
		r.sees("KEPT", "part of the newest complete turn (rule tail)")
		r.seesNot("required:")
		r.press("x")
		r.sees("is banned", "DROPPED")
		if r.m.shown.sel.Keeps(tail) {
			t.Error("the ban does not hold")
		}
	})
}

// The pins and bans of a case hold when it is opened, and are changed like a person's own.
func TestPinsOfACase(t *testing.T) {
	cfg := config(t)
	drive(t, cfg, 80, 24, func(r *robot) {
		cfg.Pins, cfg.Bans = []string{r.m.shown.pool.Candidates[6].ID}, []string{r.m.shown.pool.Candidates[4].ID}
	})
	for _, dir := range []string{"", filepath.Join(t.TempDir(), "pacms")} {
		cfg.StateDir = dir
		drive(t, cfg, 120, 36, func(r *robot) {
			r.sees("PINNED 1 BANNED 1")
			if !r.keeps(7) || r.keeps(5) {
				t.Error("the pin and the ban of the case do not hold")
			}
			r.candidate(7)
			r.press("p")
			r.seesNot("PINNED")
			r.sees("BANNED 1")
		})
	}
	drive(t, cfg, 120, 36, func(r *robot) { // what a person chose is remembered
		r.sees("BANNED 1")
		r.seesNot("PINNED")
	})
}

// What is pinned is there again on the next visit, unless it cannot be read.
func TestPinsAreSaved(t *testing.T) {
	cfg := config(t)
	cfg.StateDir = filepath.Join(t.TempDir(), "pacms")
	drive(t, cfg, 80, 24, func(r *robot) {
		r.candidate(7)
		r.press("p")
	})
	drive(t, cfg, 80, 24, func(r *robot) {
		r.sees("PINNED 1")
		if !r.keeps(7) {
			t.Error("the pin of the last visit does not hold")
		}
		r.candidate(5)
		r.press("x")
		r.candidate(9)
		r.press("p")
	})
	// u takes back what was chosen before, the last one first, and that is saved.
	drive(t, cfg, 120, 36, func(r *robot) {
		r.sees("PINNED 2 BANNED 1")
		r.press("/ p i n n e d enter")
		r.sees("/ pinned  2 of")
		r.press("esc u")
		r.sees("taken back: #5 is banned", "PINNED 2")
		r.seesNot("BANNED")
		r.press("u")
		r.sees("taken back: #9 is pinned", "PINNED 1")
		r.press("u")
		r.seesNot("PINNED")
		r.press("u")
		r.sees("nothing to take back")
		r.press("ctrl+r")
	})
	drive(t, cfg, 80, 24, func(r *robot) {
		r.sees("PINNED 1")
		if !r.keeps(7) {
			t.Error("what was taken back and done again is not saved")
		}
	})
	story := storyConfig(t)
	story.StateDir = cfg.StateDir
	drive(t, story, 80, 24, func(r *robot) {
		r.press("space")
		r.seesNot("PINNED")
	})
	path, err := filepath.Abs("made-up.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	file := choices.File{Dir: cfg.StateDir, Source: path, Session: "agent:main:main"}
	if err := os.WriteFile(file.Path(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	drive(t, cfg, 120, 36, func(r *robot) {
		r.sees("what was pinned, banned and marked before is lost")
		r.seesNot("PINNED")
	})
	cfg.StateDir = file.Path() // a file, in which nothing can be made
	drive(t, cfg, 120, 36, func(r *robot) {
		r.sees("what was pinned, banned and marked before is lost")
		r.press("p")
		r.sees("pins, bans and marks are not saved")
	})
}

// The demo forgets pins when it starts again, and a replay keeps none without a
// folder for them.
func TestPinsAreForgotten(t *testing.T) {
	drive(t, storyConfig(t), 80, 24, func(r *robot) {
		r.press("space")
		for r.m.shown.number < 5 {
			r.press(".")
		}
		r.press("p")
		r.sees("PINNED 1")
		r.press("D space")
		r.seesNot("PINNED")
		r.press("u")
		r.sees("nothing to take back")
	})
}

// The last choice is the one that is written, whatever the order of the writers.
func TestKeeper(t *testing.T) {
	m := New(t.Context(), Config{StateDir: t.TempDir()})
	k, err := m.remembered(&session.Session{Key: "s"})
	if err != nil {
		t.Fatal(err)
	}
	first, second := &choices.Choices{Pins: []string{"a"}}, &choices.Choices{Bans: []string{"b"}}
	k.wanted.Store(first)
	k.wanted.Store(second)
	for range 2 {
		if err := k.save(); err != nil {
			t.Fatal(err)
		}
	}
	if c, err := k.file.Load(); err != nil || !c.Banned("b") || c.Pinned("a") {
		t.Errorf("saved are %v, %v", c, err)
	}
}

// A program that is left at once has saved its last pin.
func TestPinThenQuit(t *testing.T) {
	cfg := config(t)
	cfg.StateDir = t.TempDir()
	term := openTerminal(t, cfg, 80, 24)
	term.until("turn 28/30", "pacms would keep")
	term.emu.SendText("pq")
	if err := term.left(); err != nil {
		t.Error(err)
	}
	again, err := New(context.Background(), cfg).remembered(madeUp())
	if err != nil || again.written.Empty() {
		t.Errorf("after leaving there is %v, %v", again.written, err)
	}
}
