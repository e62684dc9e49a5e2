package tui

import (
	"strconv"

	"pacms/session"
	"pacms/tui/overlay"
	"pacms/tui/paint"
	"pacms/tui/safe"
)

// earlier is what was said before the turn on screen and is not offered for it
// any more: it can be read in the conversation, and not be chosen from.
type earlier struct {
	items []int  // indices into the session's candidates
	what  string // in a word or two, why
	into  string // the summary that they went into: " into #231"
	// left are messages on left branches by the pool index that they were said before.
	left map[int][]int
}

// findEarlier notes what the picture on screen does not offer any more.
func (m *Model) findEarlier() {
	m.earlier = earlier{what: "left out by the host", left: m.findLeft()}
	if m.cfg.PoolMode == session.PoolKey {
		return // everything is offered
	}
	m.earlier.items = m.session.NotOffered(m.shown.turn)
	b := m.session.LastBoundary(m.shown.turn)
	switch {
	case b == nil:
	case b.Kind == "reset":
		m.earlier.what = "before the reset"
	default:
		m.earlier.what = "compacted"
		for i := range m.shown.pool.Candidates {
			if m.shown.pool.Candidates[i].Kind == session.Summary {
				m.earlier.into = " into #" + strconv.Itoa(m.shown.numbers[i])
				break
			}
		}
	}
}

// earlierHead is how many items are not offered any more, for the legend.
func (m *Model) earlierHead() string {
	n := len(m.earlier.items)
	if n == 0 {
		return ""
	}
	return " · " + paint.Count(n) + " " + m.earlier.what
}

// earlierLines are the last of these items for the conversation's page.
func (m *Model) earlierLines(width int) []overlay.Line {
	t, items := m.table, m.earlier.items
	if len(items) == 0 {
		return nil
	}
	lines := []overlay.Line{{{Style: t.Muted, Text: " not offered for this turn, " + m.earlier.what + m.earlier.into + ": " + session.Counted(len(items), "item")}}}
	for _, at := range items[max(0, len(items)-talkReach):] {
		c := &m.session.Candidates[at]
		lines = append(lines, overlay.Line{
			{Style: t.Muted, Text: "   #" + strconv.Itoa(at+1) + " " + string(c.Kind) + talkWhere(c)},
		})
		for _, line := range clipped(c.Content(), width-5, talkTool) {
			lines = append(lines, overlay.Line{{Style: t.Muted, Text: "     " + line}})
		}
	}
	end := " offered for this turn"
	if len(m.shown.cells) == 0 {
		end = " nothing is offered for this turn"
	}
	return append(lines, overlay.Line{{Style: t.Muted, Text: end}})
}

// nothingOffered says why the pool of the turn on screen is empty.
func (m *Model) nothingOffered() string {
	n := len(m.earlier.items)
	if n == 0 {
		return "nothing was offered for this turn: it has no history"
	}
	by := "the host left"
	if b := m.session.LastBoundary(m.shown.turn); b != nil {
		by = "the " + safe.Line(b.Kind) + " took"
	}
	return "nothing offered: " + by + " out " + paint.Plural(n, "item") + ": t shows them"
}
