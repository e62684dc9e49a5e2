package tui

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacms/selector"
	"pacms/tui/paint"
	"pacms/tui/why"
)

// whyOf opens the page of the first candidate that is wanted, with pacms.
func whyOf(t *testing.T, wanted func(s *selector.Selection, i int) bool, f func(r *robot)) {
	t.Helper()
	drive(t, storyConfig(t), 120, 40, func(r *robot) {
		onItem("1", wanted, "enter")(r)
		f(r)
	})
}

func isCovered(s *selector.Selection, i int) bool { return s.Code(i) == selector.CoveredBy }

// The page names the keepers with their shares, and enter goes to the chosen one,
// from where the way back is a link, too.
func TestWhyJumps(t *testing.T) {
	whyOf(t, isCovered, func(r *robot) {
		from := r.m.pointed()
		by := r.m.asked().why.CoveredBy
		first := r.m.shown.numbers[r.m.shown.indexOf(by[0].ID)]
		if r.m.page.link() != first {
			t.Errorf("enter goes to #%d, want the greatest keeper, #%d", r.m.page.link(), first)
		}
		r.sees("DROPPED  covered: ", "by #"+strconv.Itoa(first)+" ", "enter to #"+strconv.Itoa(first), "enter goes there")
		r.press("right")
		if r.m.page.link() == first {
			t.Error("right does not choose another link")
		}
		r.press("left")
		if r.m.page.link() != first {
			t.Error("left does not choose the first link again")
		}
		r.press("enter")
		if r.m.pointed() != first || r.m.page == nil {
			t.Fatalf("enter goes to #%d, want #%d with its page", r.m.pointed(), first)
		}
		r.sees("why  #"+strconv.Itoa(first)+" ", "KEPT", "WOULD BE DROPPED")
		if from == first {
			t.Error("it was there before")
		}
	})
}

// Every change that the page offers turns the verdict when its key is pressed, as it
// says; and what was pinned or banned by it can be taken back.
func TestWhyKeysTurnTheVerdict(t *testing.T) {
	notShort(t)
	turned := make(map[string]bool)
	for _, kept := range []bool{false, true} {
		for _, start := range []string{"1", "3"} {
			drive(t, storyConfig(t), 120, 40, func(r *robot) {
				onItem(start, func(*selector.Selection, int) bool { return true }, "")(r)
				step := len(r.m.shown.cells) / 4
				for at := step / 2; at < len(r.m.shown.cells); at += step {
					if r.m.shown.sel.Keeps(at) != kept {
						continue
					}
					number := r.m.shown.numbers[at]
					open := func() {
						r.start(r.m.point(r.m.shown.find(number)))
						r.settle()
						r.press("enter")
					}
					open()
					changes := r.m.changes(r.m.asked())
					r.press("q")
					for _, c := range changes {
						for key := range strings.FieldsSeq(c.Keys) {
							open()
							r.press(key)
							if i := r.m.shown.find(number); r.m.shown.sel.Keeps(i) == kept {
								t.Errorf("%s, #%d kept %t: after %s (%s, %s) it is as before:\n%s", start, number, kept, key, c.Text, c.What, r.screen())
							}
							turned[key] = true
							r.press("q")
							// Back to where it began.
							for len(r.m.history.past) > 0 {
								r.press("u")
							}
							r.press(start + " b 3 1 0 enter")
						}
					}
				}
			})
		}
	}
	for _, key := range []string{"b", "x", "p", "1", "2"} {
		if !turned[key] {
			t.Errorf("no page offered %s", key)
		}
	}
}

// While something is on its way the page says so, and a key that would apply it does
// nothing; what comes too late is dropped.
func TestWhyWaits(t *testing.T) {
	whyOf(t, isCovered, func(r *robot) {
		r.press("q")
		choices, budget := r.m.want.choices, r.m.want.budget
		_, cmd := r.m.Update(keyPress("enter"))
		for _, key := range []string{"b", "x", "X"} {
			r.press(key)
			r.sees("still trying what would turn it")
		}
		r.sees("working")
		if r.m.want.choices != choices || r.m.want.budget != budget || r.m.prompt != nil {
			t.Error("a key acted before it was known what it would do")
		}
		late := r.m.inquiry
		r.press("q")
		if late.ctx.Err() == nil {
			t.Error("the work goes on without its page")
		}
		r.press("l enter")
		now := r.m.inquiry
		r.start(cmd)
		r.settle()
		r.send(foundOutMsg{generation: late.generation, take: func(q *inquiry) { q.later = []why.Step{{Text: "too late"}} }})
		if r.m.inquiry != now || slices.Contains(now.later, why.Step{Text: "too late"}) {
			t.Error("an answer to an older question was taken")
		}
	})
}

// One goes from turn to turn with the page open where the item is offered, and is told
// where it is not.
func TestWhyWalksTurns(t *testing.T) {
	drive(t, storyConfig(t), 120, 40, func(r *robot) {
		atMark("1 enter")(r)
		r.sees("why  #7 user", "for turn 24")
		r.press(",")
		r.sees("why  #7 user", "for turn 23", "turns 1 to 30 under pacms")
		for range 40 {
			r.press(",")
		}
		r.sees("why  #7 user", "#7 is not offered for turn 3", "for turn 4")
	})
}

// Where few groups are free the best set can be searched, and only there.
func TestOptimumOnAKey(t *testing.T) {
	drive(t, config(t), 120, 40, func(r *robot) {
		r.press("1 b 2 0 0 enter g 2 5 enter end enter o")
		r.sees("too many sets: ")
		r.press("q g 5 enter b 4 0 enter home enter")
		r.sees("o tries every set")
		r.press("o")
		r.sees("optimum", "all were tried")
		r.seesNot("o tries every set")
		r.press("3 o")
		r.sees("lastk does not look for a best set")
	})
}

// The first tokens that are as in the turn before are those of the longest common
// beginning.
func TestWhyPrefix(t *testing.T) {
	drive(t, storyConfig(t), 120, 45, func(r *robot) {
		atMark("1 ,")(r)
		before := r.m.shown
		r.press(". enter")
		same := 0
		for k, i := range r.m.shown.sel.KeptIndices {
			if k >= len(before.sel.KeptIndices) || before.numbers[before.sel.KeptIndices[k]] != r.m.shown.numbers[i] {
				break
			}
			same += r.m.shown.pool.Candidates[i].Tokens
		}
		r.sees("the first " + strconv.Itoa(same) + " of " + strconv.Itoa(r.m.shown.sel.Tokens.Kept) + " kept tokens are as in turn 23")
	})
}

// What the page tells of the past is what the life shows: the last changes up to the
// turn on screen, each with its cause.
func TestWhyTellsChanges(t *testing.T) {
	drive(t, storyConfig(t), 120, 45, func(r *robot) {
		atMark("enter")(r)
		changed := r.m.life.changed
		if len(changed) == 0 || !r.m.life.done {
			t.Fatal("the story's fact has no changes")
		}
		told := ""
		for _, moment := range changed {
			if moment.Index <= r.m.shown.turn {
				told = "turn " + strconv.Itoa(moment.Turn) + " dropped: #"
			}
		}
		r.sees("changed", told, " came")
		r.press("1")
		r.sees("turns 1 to 30 under pacms")
		if r.m.life.key.strategy != "pacms" || !r.m.life.done {
			t.Errorf("the life is that under %s", r.m.life.key.strategy)
		}
	})
}

// What was pinned or banned can be taken back from the page, and it says so.
func TestWhyTakesBack(t *testing.T) {
	drive(t, storyConfig(t), 120, 45, func(r *robot) {
		onItem("1", func(s *selector.Selection, i int) bool { return isCovered(s, i) }, "")(r)
		r.press("p enter")
		r.sees("WOULD BE DROPPED", "pin taken back", "unpin: ")
		r.press("p")
		r.sees("WOULD BE KEPT")
		r.seesNot("taken back  ")
		r.press("q l x enter")
		r.sees("WOULD BE KEPT", "banned")
	})
	drive(t, storyConfig(t), 120, 45, func(r *robot) {
		onItem("1", func(s *selector.Selection, i int) bool { return s.Code(i) == selector.Selected }, "x enter")(r)
		r.sees("DROPPED", "ban taken back", "unban: ", "× banned")
		r.press("x")
		r.sees("KEPT", "WOULD BE DROPPED")
	})
}

// Over the budget a score is compared with nothing: the page tells by how much the pin
// exceeds it.
func TestWhyPinOverTheBudget(t *testing.T) {
	drive(t, storyConfig(t), 120, 45, func(r *robot) {
		onItem("1", func(s *selector.Selection, i int) bool { return isCovered(s, i) }, "")(r)
		i := r.m.cursor
		number, tokens := r.m.shown.numbers[i], 0
		for _, k := range r.m.groupOf(i) {
			tokens += r.m.shown.pool.Candidates[k].Tokens
		}
		r.press("b 1 enter")
		i = r.m.shown.find(number)
		r.start(r.m.point(i))
		r.settle()
		r.press("enter")
		over := r.m.shown.sel.Tokens.Required + tokens - 1
		r.sees("pinned", "over the budget by "+paint.Count(over))
	})
}
