package tui

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/vt"

	"pacms/selector"
	"pacms/session"
)

// What is copied reaches the clipboard of the terminal as it is.
func TestTerminalCopy(t *testing.T) {
	cfg := config(t)
	term := openTerminal(t, cfg, 120, 36)
	term.until("turn 28/30", "pacms would keep")
	term.emu.SendKey(vt.KeyPressEvent{Code: vt.KeyHome})
	term.until("#1 user")
	term.emu.SendText("y")
	term.until("to the clipboard: #1 as Markdown")
	text, err := term.copied(1)
	want := "**#1 user** · turn 1 · 14 tokens — kept for turn 28 by `pacms` within "
	if err != nil || !strings.HasPrefix(text, want) || !strings.HasSuffix(text, "\n```\n"+exchanges[0][0]+"\n```\n") {
		t.Errorf("copied is %q, %v", text, err)
	}
	term.emu.SendText("Y")
	term.until("#1 as JSON")
	var e excerpt
	text, err = term.copied(2)
	if jsonErr := json.Unmarshal([]byte(text), &e); err != nil || jsonErr != nil || e.Candidate.Text != exchanges[0][0] || !e.Verdict.Kept || e.Turn != 28 {
		t.Errorf("copied is %q, %v, %v", text, err, jsonErr)
	}
	term.emu.SendKey(vt.KeyPressEvent{Code: 'y', Mod: vt.ModCtrl})
	term.until("turn 28's selection as JSON")
	var sel selector.Selection
	text, err = term.copied(3)
	if jsonErr := json.Unmarshal([]byte(text), &sel); err != nil || jsonErr != nil || sel.Schema != selector.SelectionSchema || len(sel.Kept) == 0 {
		t.Errorf("copied is %q, %v, %v", text, err, jsonErr)
	}
	term.emu.SendText("q")
	if err := term.left(); err != nil {
		t.Error(err)
	}
}

// Text in a copy is text: it closes no fence, acts on no terminal that it is
// pasted into, and is cut off where it is long.
func TestCopyOfHostileText(t *testing.T) {
	hostile := "```\n# heading ````` \x1b[2J \u202e \x9b31m"
	cfg := config(t)
	cfg.Load = func(context.Context, Progress) (*session.Session, error) {
		s := madeUp()
		s.Candidates[0].Text = hostile
		s.Candidates[4].Tool.Name = "a`b"
		s.Candidates[4].Text = strings.Repeat("é", maxCopy)
		return s, nil
	}
	drive(t, cfg, 80, 24, func(r *robot) {
		markdown := func(i int) string {
			e := r.m.shown.excerpt(r.m.session, i)
			text := e.markdown("#1")
			if len(text) > maxCopy || strings.ContainsFunc(text, func(c rune) bool { return c != '\n' && unicode.IsControl(c) || c == '\u202e' }) {
				t.Errorf("%d bytes: %.300q", len(text), text)
			}
			return text
		}
		if text := markdown(0); !strings.Contains(text, "\n``````\n```\n# heading ````` ␛[2J") || !strings.HasSuffix(text, "\n``````\n") {
			t.Errorf("%q", text)
		}
		if text := markdown(4); !strings.Contains(text, "`` a`b ") || !strings.Contains(text, "(the first ") {
			t.Errorf("%.300q … %q", text, text[len(text)-80:])
		}
		r.candidate(5)
		r.press("Y")
		r.sees("#5 as JSON: 131,", "are more than a terminal takes (65,536)")
	})
}
