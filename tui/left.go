package tui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pacms/session"
	"pacms/tui/overlay"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// leftBranch says of a turn or a message where it is.
const leftBranch = "on a branch that was left"

// openLeft opens the page on which the turn at an index, on a branch that was
// left, can be read. Nothing was offered for it.
func (m *Model) openLeft(turn int) tea.Cmd {
	m.open(pageLeft)
	m.page.turn = turn
	m.fillPage()
	return nil
}

func (m *Model) fillLeft(p *page) {
	t, turn := m.table, &m.session.Turns[p.turn]
	p.Title = []paint.Span{
		{Style: t.TitleStrong, Text: "turn " + strconv.Itoa(turn.Number) + "  "},
		{Style: t.TitleMuted, Text: leftBranch + ", offered for no turn"},
	}
	p.Lines = nil // a new slice, by which the pane knows that the page is another
	m.rule(p, "asked")
	m.wrapped(p, safe.Text(turn.Query))
	said := false
	for i := range m.session.Aside {
		a := &m.session.Aside[i]
		if a.Turn != turn.Number || a.Why != session.OtherBranch || a.Kind == session.User {
			continue
		}
		said = true
		p.Lines = append(p.Lines, nil)
		heading := string(a.Kind)
		if tool := toolLabel(&a.Candidate); tool != "" {
			heading += " " + tool
		}
		m.rule(p, heading)
		m.wrapped(p, safe.Text(a.Content()))
	}
	if !said {
		p.Lines = append(p.Lines, nil, overlay.Line{{Style: t.Muted, Text: " nothing was said in answer"}})
	}
}

// findLeft says before which candidate of the pool on screen each message was said
// that is on a branch that was left, as indices into the session's Aside by pool
// index; those said after the last candidate stand at the pool's length.
func (m *Model) findLeft() map[int][]int {
	s, pool := m.session, m.shown.pool
	var left []int
	for i := range s.Aside {
		if a := &s.Aside[i]; a.Why == session.OtherBranch && a.Turn < m.shown.number {
			left = append(left, i)
		}
	}
	if left == nil {
		return nil
	}
	before := make(map[int][]int)
	for i := range pool.Candidates {
		for len(left) > 0 && s.Aside[left[0]].Turn < pool.Candidates[i].Turn {
			before[i] = append(before[i], left[0])
			left = left[1:]
		}
	}
	before[len(pool.Candidates)] = left
	return before
}

// leftLines are the messages on left branches that were said before the candidate
// at pool index i and after the one before it, to be read and not to be chosen.
func (m *Model) leftLines(i, width int) []overlay.Line {
	t := m.table
	var lines []overlay.Line
	for _, at := range m.earlier.left[i] {
		a := &m.session.Aside[at]
		lines = append(lines, overlay.Line{{Style: t.Muted, Text: " " + m.glyphs.Fork + " " + string(a.Kind) + talkWhere(&a.Candidate) + " · " + leftBranch}})
		for _, line := range clipped(a.Content(), width-5, talkLimit(&a.Candidate)) {
			lines = append(lines, overlay.Line{{Style: t.Muted, Text: " " + m.glyphs.Fork + " " + line}})
		}
	}
	return lines
}

// clipped is the beginning of a text on at most limit lines, the last with a sign
// where it goes on. A single line is filled, whatever it would be broken at.
func clipped(text string, width, limit int) []string {
	if limit == 1 {
		return []string{ansi.Truncate(safe.Line(paint.Head(text, width+1)), max(width, 1), "…")}
	}
	lines, more := paint.Wrap(safe.Text(paint.Head(text, width*(limit+1))), width, limit)
	if more && len(lines) > 0 {
		lines[len(lines)-1] += "…"
	}
	return lines
}
