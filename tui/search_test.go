package tui

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacms/session"
)

func TestSearch(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("3 /")
		r.sees("find:", "kind:tool")
		r.press("k i n d : t o o l")
		tools := 0
		for i, c := range r.m.shown.pool.Candidates {
			if c.Kind == session.Tool {
				tools++
			}
			if r.m.marked()[i] != (c.Kind == session.Tool) {
				t.Errorf("%s %s: found %v", c.ID, c.Kind, r.m.marked()[i])
			}
		}
		r.sees("/ kind:tool  " + strconv.Itoa(tools) + " of " + strconv.Itoa(len(r.m.shown.cells)) + " match")
		r.press("enter")
		if !r.m.marked()[r.m.cursor] {
			t.Error("enter does not put the cursor on a hit")
		}
		first := r.m.cursor
		r.press("n")
		r.sees("hit ", "for kind:tool")
		if r.m.cursor == first || !r.m.marked()[r.m.cursor] {
			t.Errorf("n goes from %d to %d", first, r.m.cursor)
		}
		r.press("N")
		if r.m.cursor != first {
			t.Errorf("N goes back to %d, not %d", r.m.cursor, first)
		}
		r.press(",")
		r.sees("turn 27/30", "/ kind:tool", "match")
		r.press("1")
		r.sees("/ kind:tool")
		r.press("esc")
		r.sees("all items again")
		r.seesNot("/ kind:tool")
		r.press("n")
		r.sees("change ")
		r.press("/ z z z z")
		r.sees("/ zzzz  0 of")
		r.press("enter n")
		r.sees("nothing here matches zzzz")
		r.press("/")
		r.sees("find: zzzz")
		r.press("esc")
		r.seesNot("zzzz")
	})
}

// Each term finds exactly what it says, and terms narrow each other.
func TestSearchTerms(t *testing.T) {
	drive(t, config(t), 80, 24, func(r *robot) {
		r.press("3")
		r.candidate(7)
		r.press("x")
		p := r.m.shown
		cases := map[string]func(i int) bool{
			"5433":        func(i int) bool { return strings.Contains(p.pool.Candidates[i].Text, "5433") },
			"STAGING db":  func(i int) bool { return strings.Contains(p.pool.Candidates[i].Text, "staging db") },
			"kept":        p.sel.Keeps,
			"dropped":     func(i int) bool { return !p.sel.Keeps(i) },
			"kind:u":      func(i int) bool { return p.pool.Candidates[i].Kind == session.User },
			"turn:3":      func(i int) bool { return p.pool.Candidates[i].Turn == 3 },
			"turn:3-5":    func(i int) bool { n := p.pool.Candidates[i].Turn; return n >= 3 && n <= 5 },
			"turn:20-":    func(i int) bool { return p.pool.Candidates[i].Turn >= 20 },
			"turn:-4":     func(i int) bool { return p.pool.Candidates[i].Turn <= 4 },
			"reason:old":  func(i int) bool { return p.sel.Code(i) == "older" },
			"banned":      func(i int) bool { return p.numbers[i] == 7 },
			"changed":     func(i int) bool { return slices.Contains(p.changed, i) },
			"text:kept":   func(i int) bool { return strings.Contains(strings.ToLower(p.pool.Candidates[i].Content()), "kept") },
			"kind:a kept": func(i int) bool { return p.pool.Candidates[i].Kind == session.Assistant && p.sel.Keeps(i) },
			"exec step":   func(i int) bool { return strings.Contains(p.pool.Candidates[i].Content(), "exec {") },
		}
		for text, want := range cases {
			s, err := parseSearch(text)
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			for i, is := range s.in(p).is {
				if is != want(i) {
					t.Errorf("%s: #%d found %v", text, p.numbers[i], is)
				}
			}
		}
	})
	for text, want := range map[string]string{"kind:x": "no kind x: user", "turn:x": "turn: takes a number", "turn:1-x": "turn: takes a number"} {
		if s, err := parseSearch(text); err == nil || !strings.Contains(err.Error(), want) || s != nil {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
	if s, err := parseSearch("   "); s != nil || err != nil {
		t.Errorf("blanks are a search: %v, %v", s, err)
	}
}
