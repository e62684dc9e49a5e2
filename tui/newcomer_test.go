package tui

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"pacms/selector"
	"pacms/tui/paint"
)

// A step to the next change of the budget says what it changed, however little
// that is.
func TestStepSaysWhatChanged(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		said := regexp.MustCompile(`budget [\d,]+: (#\d+|[\d,]+) (came in|left)`)
		for _, key := range []string{"-", "-", "+", "-", "-"} {
			r.press(key)
			if !said.MatchString(r.m.status) || !strings.Contains(r.m.status, paint.Count(r.m.shown.budget)) {
				t.Errorf("%s says %q", key, r.m.status)
			}
			r.press("h")
			if r.m.status != "" {
				t.Errorf("what changed stays when something else is done: %q", r.m.status)
			}
		}
		r.press("2") // not searched for
		if r.m.status != "" {
			t.Errorf("a strategy says %q", r.m.status)
		}
	})
}

// A row gives its reason in words, as everything else does.
func TestRowsSpeakInWords(t *testing.T) {
	for _, strategy := range []string{"1", "3", "4", "5", "6"} {
		drive(t, config(t), 120, 45, func(r *robot) {
			r.press(strategy + " home z b 1 0 0 enter")
			for line := range strings.SplitSeq(r.screen(), "\n") {
				if strings.Contains(strings.ReplaceAll(line, "cart_test", ""), "_") {
					t.Errorf("a code is on the screen: %s", line)
				}
			}
		})
	}
	for _, code := range []selector.Code{selector.TooLarge, selector.CoveredBy, selector.DuplicateOf, selector.OrphanResult, selector.WithGroup, selector.Tail} {
		if words := code.Words(); strings.Contains(words, "_") || len(words) > 16 {
			t.Errorf("%s is said as %q", code, words)
		}
	}
}

// The turns of the host itself that are not on screen are counted.
func TestFoldedTurnsAreCounted(t *testing.T) {
	drive(t, config(t), 280, 45, func(r *robot) {
		r.sees("H 1 folded")
		r.press("H")
		r.sees("the host's own turns are shown: 1", "H internal turns")
		r.press("H")
		r.sees("the host's own turns are folded: 1")
	})
}

// After the last text is embedded the status says what is done then.
func TestComparingIsSaid(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.m.working = true
		r.send(progressMsg{generation: r.m.generation, what: "comparing the items with each other"})
		r.sees("comparing the items with each other")
		r.seesNot("%  ") // nothing is counted
	})
}

// What is dropped is counted wherever there is room for it.
func TestDroppedIsCounted(t *testing.T) {
	cfg := config(t)
	for _, width := range []int{72, 76, 80, 100} {
		drive(t, cfg, width, 24, func(r *robot) {
			for _, number := range []string{"2 8", "2 0", "9"} {
				r.press("g " + number + " enter")
				line := strings.Split(r.screen(), "\n")[2]
				if need := " · " + paint.Count(len(r.m.shown.cells)-len(r.m.shown.sel.KeptIndices)) + " dropped"; !strings.Contains(line, need) && len([]rune(line+need)) <= width {
					t.Errorf("%q has room for %q on %d columns", line, need, width)
				}
			}
		})
	}
}

// The text of every page can be copied.
func TestCopyPage(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		for _, key := range []string{"a", "t"} {
			r.press(key + " y")
			r.wait(time.Second)
			r.sees("to the clipboard: this page")
			r.press("esc")
		}
	})
}

// A line of help is not cut off where the screen has the usual width.
func TestHelpHasRoom(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("home ?")
		for range 8 {
			for line := range strings.SplitSeq(r.screen(), "\n") {
				if strings.HasSuffix(line, "…") {
					t.Errorf("%q is cut off", line)
				}
			}
			r.press("pgdown")
			r.send(motionMsg{x: 1, y: 1, wheel: 3})
		}
	})
}
