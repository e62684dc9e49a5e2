package tui

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"pacms/capture"
	"pacms/session"
)

// upTo is the made-up session as it was after so many of its turns, with the answers
// of the last where answered is set.
func upTo(turns int, answered bool) *session.Session {
	s := madeUp()
	for i := range s.Turns { // a host names its entries
		s.Turns[i].EntryID = fmt.Sprintf("turn-%d", i+1)
	}
	s.Turns = s.Turns[:turns]
	s.Candidates = slices.DeleteFunc(s.Candidates, func(c session.Candidate) bool {
		return c.Turn > turns || c.Turn == turns && !answered && c.Kind != session.User
	})
	if !answered {
		s.Turns[turns-1].Answer = ""
	}
	return s
}

// host is where the news of a followed session come from in tests.
type host struct{ news chan capture.News }

// followed is a screen that follows a session, which is at first what it is up to a turn.
func followed(t *testing.T, turns int) (Config, *host) {
	h := new(host)
	cfg := config(t)
	cfg.Turn = 0
	cfg.Load = func(context.Context, Progress) (*session.Session, error) {
		h.news = make(chan capture.News, 1) // it belongs to the time of the robot
		return upTo(turns, true), nil
	}
	cfg.Follow = func(ctx context.Context) (capture.News, error) {
		select {
		case n, open := <-h.news:
			if !open {
				return n, errors.New("the disk is gone")
			}
			return n, nil
		case <-ctx.Done():
			return capture.News{}, ctx.Err()
		}
	}
	return cfg, h
}

// tell gives the screen news.
func (h *host) tell(r *robot, n capture.News) {
	h.news <- n
	r.settle()
}

func (h *host) say(r *robot, s *session.Session) { h.tell(r, capture.News{Session: s}) }

// The newest turn comes on screen by itself, and what is shown of it is what a screen
// shows that was opened on it.
func TestFollowing(t *testing.T) {
	cfg, h := followed(t, 24)
	cold := map[string]string{}
	for _, turns := range []int{25, 26, 30} {
		opened := cfg
		opened.Follow = nil
		opened.Load = func(context.Context, Progress) (*session.Session, error) { return upTo(turns, true), nil }
		drive(t, opened, 100, 30, func(r *robot) {
			r.wait(10 * time.Second)
			cold[fmt.Sprint(turns)] = known(r)
		})
	}
	cfg, h = followed(t, 24)
	drive(t, cfg, 100, 30, func(r *robot) {
		r.sees("turn 24/24 live")
		for _, turns := range []int{25, 26, 30} {
			h.say(r, upTo(turns, false))
			r.sees(fmt.Sprintf("turn %d/%d live", turns, turns))
			h.say(r, upTo(turns, true))
			r.wait(10 * time.Second)
			if got := known(r); got != cold[fmt.Sprint(turns)] {
				t.Errorf("after turn %d\n%s\nopened on it\n%s", turns, got, cold[fmt.Sprint(turns)])
			}
		}
	})
}

// known is all that the screen shows of a session, apart from what has changed since
// another picture.
func known(r *robot) string {
	m := r.m
	return fmt.Sprintf("turn %d of %v\nbudget %d of %d\nkept %v\nneeds %+v\nothers %+v\nbar %+v\ntimeline %v\noffered %v\nanswer %q\nwhy %q",
		m.shown.number, m.turns, m.want.budget, m.basis, m.shown.sel.Kept, m.shown.needs, m.others, m.shown.kinds, m.sweep.found,
		m.offered, m.session.Turns[m.shown.turn].Answer, m.shown.sel.Explain(0).Reason.Text)
}

// Whoever goes back stays there, is told what has come, and goes on with a key.
func TestFollowingPauses(t *testing.T) {
	cfg, h := followed(t, 20)
	drive(t, cfg, 100, 30, func(r *robot) {
		r.press("G")
		r.sees("the newest turn is on screen")
		r.press(", ,")
		r.sees("turn 18/20 paused", "G follow")
		shown := r.m.shown
		h.say(r, upTo(23, true))
		r.sees("turn 18/23 paused, 3 new turns")
		if r.m.shown.turn != shown.turn || r.m.shown.prepared != shown.prepared {
			t.Error("the turn was made ready anew, though nothing of it has changed")
		}
		golden.RequireEqual(t, r.screen())
		r.press("G")
		r.sees("turn 23/23 live")
		r.press("g 2 0 enter")
		r.sees("turn 20/23 paused")
		r.press(". . .")
		r.sees("turn 23/23 live")
	})
}

// Whoever reads a page or types is not sent to another turn, but afterwards.
func TestFollowingWaitsForReader(t *testing.T) {
	cfg, h := followed(t, 20)
	drive(t, cfg, 100, 30, func(r *robot) {
		for _, keys := range [][2]string{{"enter", "esc"}, {"/", "esc"}, {"b", "esc"}, {"t", "esc"}, {"?", "esc"}} {
			r.press(keys[0])
			turn := r.m.session.Turns[r.m.newest()].Number
			h.say(r, upTo(turn+1, true))
			if r.m.want.turn != turn-1 {
				t.Errorf("%s: the turn is %d, was %d", keys[0], r.m.want.turn+1, turn)
			}
			r.press(keys[1])
			r.sees(fmt.Sprintf("turn %d/%d live", turn+1, turn+1))
		}
	})
}

// Pins, bans, the search and the cursor are as they were after something has come.
func TestFollowingKeeps(t *testing.T) {
	cfg, h := followed(t, 20)
	drive(t, cfg, 100, 30, func(r *robot) {
		r.press("home l l l p l l l l x / k i n d : t o o l enter")
		r.press("home right")
		number, choices := r.m.pointed(), r.m.want.choices
		h.say(r, upTo(21, false))
		if r.m.pointed() != number || r.m.want.choices != choices || r.m.search == nil || r.m.hits == nil {
			t.Errorf("the cursor is on #%d, was on #%d; search %v", r.m.pointed(), number, r.m.search)
		}
		r.sees("turn 21/21 live")
		if !slices.Contains(r.m.shown.pinned, true) {
			t.Errorf("nothing is pinned any more of %v", r.m.shown.choices)
		}
		// A store that was written anew has other numbers: the cursor goes by the item.
		id := r.m.shown.pool.Candidates[r.m.cursor].ID
		s := upTo(22, true)
		s.Candidates = append([]session.Candidate{{ID: "first", Kind: session.User, Text: "what came before", Tokens: 4, Turn: 1}}, s.Candidates...)
		for i := range s.Turns {
			for k := range s.Turns[i].Window {
				s.Turns[i].Window = slices.Clone(s.Turns[i].Window)
				s.Turns[i].Window[k].From, s.Turns[i].Window[k].To = s.Turns[i].Window[k].From+1, s.Turns[i].Window[k].To+1
			}
		}
		h.say(r, s)
		if got := r.m.shown.pool.Candidates[r.m.cursor].ID; got != id {
			t.Errorf("the cursor is on %s, was on %s", got, id)
		}
		r.sees("turn 22/22 live")
	})
}

// A turn that was gone back before is not on screen any more.
func TestFollowingRewound(t *testing.T) {
	cfg, h := followed(t, 20)
	drive(t, cfg, 100, 30, func(r *robot) {
		r.press(", g")
		s := upTo(21, true)
		for i := 15; i < 20; i++ {
			s.Turns[i].Branch, s.Turns[i].Window, s.Turns[i].Key = session.BranchOther, nil, nil
		}
		h.tell(r, capture.News{Session: s, Events: []string{"5 turns back"}})
		r.sees("turn 21/21 live", "5 turns back")
		r.press("i")
		r.sees("what happened while it was followed", "5 turns back")
	})
}

// The state of following is visible, and what fails is said; the picture stays.
func TestFollowingStates(t *testing.T) {
	cfg, h := followed(t, 20)
	drive(t, cfg, 100, 30, func(r *robot) {
		for _, n := range []struct {
			news   capture.News
			title  string
			status string
		}{
			{capture.News{State: capture.Busy, Note: "the store is busy, it is tried again"}, "turn 20/20 store busy, retrying", "it is tried again"},
			{capture.News{State: capture.Failing, Note: "no permission\x1b[2J"}, "cannot read, retrying", "no permission␛[2J"},
			{capture.News{State: capture.Waiting, Note: "the transcript is gone"}, "turn 20/20 waiting", "the transcript is gone"},
			{capture.News{Pending: 1200}, "turn 20/20 live", "1,200 bytes"},
			{capture.News{Session: &session.Session{}}, "turn 20/20 waiting", "nobody asked"},
			{capture.News{}, "turn 20/20 live", "live"},
		} {
			h.tell(r, n.news)
			r.sees(n.title, n.status, "would keep")
		}
		close(h.news)
		r.settle()
		r.sees("cannot read, retrying", "the disk is gone")
		r.press(",")
		r.sees("turn 19/20")
	})
}

// What a person does while a session comes in is done with what has come.
func TestFollowingMeanwhile(t *testing.T) {
	cfg, h := followed(t, 20)
	drive(t, cfg, 100, 30, func(r *robot) {
		h.news <- capture.News{Session: upTo(25, true)}
		r.m.Update(keyPress(",")) // its work is on its way when the news come
		r.start(r.m.produce())
		r.settle()
		r.sees("turn 19/25 paused, 5 new turns")
		h.news <- capture.News{Session: upTo(26, true)}
		for _, key := range []string{"2", "_", "G"} {
			r.update(keyPress(key))
		}
		r.settle()
		r.sees("turn 26/26 live", "2 topk")
		if r.m.shown.strategy.String() != "topk" || !r.m.moved {
			t.Error("the strategy or the budget was lost")
		}
	})
	if cfg.Follow = nil; true {
		drive(t, cfg, 100, 30, func(r *robot) {
			r.press("G")
			r.sees("pacms tail")
		})
	}
}

// Looking at the turn before gives way to news, and is done again after them.
func TestFollowingLooksBackAgain(t *testing.T) {
	cfg, h := followed(t, 20)
	load := cfg.Load
	cfg.Load = func(ctx context.Context, p Progress) (*session.Session, error) {
		_, err := load(ctx, p)
		return upTo(20, false), err
	}
	drive(t, cfg, 100, 30, func(r *robot) {
		ctx, done := r.m.looking.Next(r.m.ctx) // as if it were not ready yet
		defer done()
		h.say(r, upTo(20, true))
		r.sees("turn 20/20 live", "since turn 19")
		if ctx.Err() == nil {
			t.Error("looking back goes on beside what has come")
		}
	})
}

// Memory is behind all messages, so that its numbers move with each that comes: what
// has changed is known all the same.
func TestFollowingBesideMemory(t *testing.T) {
	withMemory := func(turns int, answered bool) *session.Session {
		s := upTo(turns, answered)
		var entries []session.Candidate
		for i, text := range []string{"the port is 5433", "the user likes short answers", "deploy on Fridays never"} {
			entries = append(entries, session.Candidate{ID: fmt.Sprint("memory-", i), Kind: session.Memory, Text: text, Tokens: 8})
		}
		s.Remember(entries, nil)
		return s
	}
	cfg, h := followed(t, 20)
	load := cfg.Load
	cfg.Load = func(ctx context.Context, p Progress) (*session.Session, error) {
		_, err := load(ctx, p)
		return withMemory(20, true), err
	}
	// what tells what has changed, memory by what it says.
	what := func(r *robot) string {
		p := r.m.shown
		var ids []string
		for _, i := range p.changed {
			ids = append(ids, p.pool.Candidates[i].ID)
		}
		return fmt.Sprint("since ", p.since, ": ", ids, ", ", p.left, " left")
	}
	drive(t, cfg, 100, 30, func(r *robot) {
		h.say(r, withMemory(21, false))
		r.sees("turn 21/21 live", "since turn 20")
		before := what(r)
		h.say(r, withMemory(21, true))
		if got := what(r); got != before {
			t.Errorf("after the answer %s, before it %s", got, before)
		}
		cold := map[int]bool{}
		for _, id := range r.m.before.sel.Kept {
			at := slices.IndexFunc(r.m.session.Candidates, func(c session.Candidate) bool { return c.ID == id })
			cold[at+1] = true
		}
		if got := r.m.before.kept; !maps.Equal(got, cold) {
			t.Errorf("the turn before kept %v, want %v", got, cold)
		}
	})
}

// Whatever is open, a screen that follows a session takes over what comes.
func TestFollowingEverywhere(t *testing.T) {
	notShort(t)
	const first, last = 16, 29
	for some := range slices.Chunk(detours, last-first) {
		cfg, h := followed(t, first)
		drive(t, cfg, 160, 45, func(r *robot) {
			for i, detour := range some {
				r.press("esc esc esc G " + detour)
				for _, answered := range []bool{false, true} {
					h.say(r, upTo(first+1+i, answered))
					if fault := frameFault(r.m); fault != "" {
						t.Errorf("after %q: %s", detour, fault)
					}
				}
				r.press("esc esc esc G")
				if n := r.m.session.Turns[len(r.m.session.Turns)-1].Number; n != first+1+i {
					t.Errorf("after %q the newest turn is %d, want %d", detour, n, first+1+i)
				}
			}
		})
	}
}
