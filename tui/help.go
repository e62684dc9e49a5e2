package tui

import (
	tea "charm.land/bubbletea/v2"
)

// openHelp lists all keys. What is typed narrows the list, and enter does what
// the chosen line says.
func openHelp(m *Model, _ string) tea.Cmd {
	var rows []pickRow
	var keys []string // by row
	add := func(r pickRow, key string) { rows, keys = append(rows, r), append(keys, key) }
	for _, s := range m.keymap.sections {
		add(pickRow{kind: rowHeading, text: s.title}, "")
		for i := range s.bindings {
			b := &s.bindings[i]
			why := ""
			if b.blocked != nil {
				why = b.blocked(m)
			}
			if b.each == nil {
				add(pickRow{key: b.name, text: b.help, why: why}, b.keys[0])
				continue
			}
			for k, help := range b.each {
				add(pickRow{key: b.keys[k], text: help, why: why}, b.keys[k])
			}
		}
		if s.title == strategySection {
			for i, label := range m.labels {
				add(pickRow{key: label[:1], text: "run " + m.strategies[i].String(), why: noSession(m)}, label[:1])
			}
		}
	}
	note := func(title string, lines [][2]string) {
		add(pickRow{kind: rowHeading, text: title}, "")
		for _, l := range lines {
			add(pickRow{kind: rowNote, key: l[0], text: l[1]}, "")
		}
	}
	note("on the page that shows why", whyHelp())
	note("in the matrix and on the chart", tableHelp())
	note("in the comparison of two", compareHelp())
	note("the mouse", mouseHelp())
	note("the signs", m.signHelp())
	return m.openPick(&picker{
		title: "keys", empty: "no key does that", enter: "do it", rows: rows,
		choose: func(m *Model, row int, _ string, _ bool) tea.Cmd {
			if row < 0 {
				return nil
			}
			m.back()
			if m.page != nil {
				return m.readCompare(keys[row])
			}
			return m.press(keys[row])
		},
	}, 0)
}

// changeWord is how help calls the look of what has changed.
func (m *Model) changeWord() string {
	if g := m.glyphs; m.table.Signed {
		return g.CameIn + " " + g.CameInRequired + " " + g.Gone
	}
	return "shaded"
}

// signHelp is what the signs mean.
func (m *Model) signHelp() [][2]string {
	g := m.glyphs
	return [][2]string{
		{g.Kept, "kept by the strategy"},
		{g.Required, "kept by a rule, the request or a pin, before the strategy chooses; lit: this turn needs it, and has it"},
		{g.Dropped, "dropped"},
		{g.Banned, "dropped because a person banned it"},
		{g.Needed, "dropped although this turn needs it; in a replay an estimate from the record"},
		{m.changeWord(), "came in or left with the last change of turn, strategy or budget"},
		{"underlined", "what the kept item under the cursor covers, or what covers the dropped one"},
		{g.In + " " + g.Left, "before a count: how many came in, how many left"},
		{g.Here, "under the timeline: the turn on screen"},
		{g.Dropped, "in a row of a strategy: no turn here needs what is known"},
		{g.Had, "under the timeline: a turn that has what it needs, one row a strategy on a high screen"},
		{g.Miss, "under the timeline: a turn that misses something it needs (likely, where it is an estimate)"},
		{g.Fork, "under the timeline: turns before this one were left on another branch; g lists them"},
		{g.Cut, "under the timeline: the host compacted or reset the session here"},
	}
}
