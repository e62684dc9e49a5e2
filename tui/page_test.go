package tui

import (
	"context"
	"strings"
	"testing"

	"pacms/session"
)

// The stored record stands in the place of the text, as it is and harmless, and
// goes with the candidate.
func TestRawRecord(t *testing.T) {
	cfg := config(t)
	gone := false
	cfg.Load = func(context.Context, Progress) (*session.Session, error) {
		s := madeUp()
		s.Raw = func(id string) [][]byte {
			if gone {
				return nil
			}
			return [][]byte{[]byte(`{"id":"` + id + `","text":"x` + "\x9b" + `31m"}`), []byte("no JSON\x1b[2J")}
		}
		return s, nil
	}
	drive(t, cfg, 100, 30, func(r *robot) {
		r.press("3 home enter r")
		r.sees("stored record", `  "id": "c001"`, "no JSON␛[2J")
		r.seesNot(exchanges[0][0])
		r.press("n")
		r.sees("── text")
		r.seesNot("stored record")
		r.press("r r")
		r.sees("── text")
		gone = true
		r.press("r")
		r.sees("the record is not there any more")
	})
	cfg.Load = func(context.Context, Progress) (*session.Session, error) {
		s := madeUp()
		s.Raw = nil
		return s, nil
	}
	drive(t, cfg, 100, 30, func(r *robot) {
		r.press("enter r")
		r.sees("this store has no records to show")
	})
}

// One finds words in a long text, forwards and backwards, and sees where one is.
func TestFindOnPage(t *testing.T) {
	cfg := config(t)
	cfg.Load = func(context.Context, Progress) (*session.Session, error) {
		s := madeUp()
		s.Candidates[0].Text = strings.Repeat("nothing here\n", 200) + "the Needle\n" + strings.Repeat("more\n", 99) + "needle again"
		return s, nil
	}
	drive(t, cfg, 80, 24, func(r *robot) {
		r.press("home enter")
		r.sees("lines 1 to 18 of", " · 5 %")
		r.press("/ n e e d l e")
		r.sees("the Needle", "find in the text: needle")
		r.press("enter n")
		r.sees("needle again", "line 2 of 2 with “needle”", " · 100 %")
		r.press("n")
		r.sees("the Needle", "line 1 of 2")
		r.press("N")
		r.sees("needle again")
		r.press("/ x enter n")
		r.sees("“needlex” is not on this page")
		r.press("/ esc N")
		r.sees("why") // without a search N walks candidates again
	})
}
