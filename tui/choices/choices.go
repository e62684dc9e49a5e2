// Package choices holds what a person pinned, banned and marked in a session, and
// keeps it in a file from one visit to the next.
package choices

import "slices"

// Choices are candidates by id, in the order in which they were chosen. They are
// not changed: a method gives new ones.
type Choices struct {
	Pins []string `json:"pins"`
	Bans []string `json:"bans"`
	// Marks change nothing of what is kept: they say what a person expects.
	Marks []Mark `json:"marks,omitempty"`
}

// Mark is that a candidate is to be kept in one turn, or dropped.
type Mark struct {
	// Turn is the number of the turn, ID the candidate.
	Turn int    `json:"turn"`
	ID   string `json:"id"`
	Keep bool   `json:"keep"`
	// Note says what for; it may be empty.
	Note string `json:"note,omitempty"`
}

// Verb is "keep" or "drop".
func (m *Mark) Verb() string {
	if m.Keep {
		return "keep"
	}
	return "drop"
}

// Empty reports whether nothing is pinned, banned or marked.
func (c *Choices) Empty() bool { return len(c.Pins) == 0 && len(c.Bans) == 0 && len(c.Marks) == 0 }

// SameSelection reports whether both pin and ban the same, in the same order, so that
// they select the same.
func (c *Choices) SameSelection(o *Choices) bool {
	return c == o || slices.Equal(c.Pins, o.Pins) && slices.Equal(c.Bans, o.Bans)
}

// MarkOf is the mark of a candidate in a turn, nil without one.
func (c *Choices) MarkOf(turn int, id string) *Mark {
	i := slices.IndexFunc(c.Marks, func(m Mark) bool { return m.Turn == turn && m.ID == id })
	if i < 0 {
		return nil
	}
	return &c.Marks[i]
}

// MarksIn are the marks of a turn.
func (c *Choices) MarksIn(turn int) []Mark {
	var marks []Mark
	for _, m := range c.Marks {
		if m.Turn == turn {
			marks = append(marks, m)
		}
	}
	return marks
}

// Mark gives the choices with a mark, in the place of one of the same candidate in the
// same turn. The marks are by turn.
func (c *Choices) Mark(m Mark) *Choices {
	marked := c.Unmark(m.Turn, m.ID)
	at, _ := slices.BinarySearchFunc(marked.Marks, m.Turn+1, func(o Mark, turn int) int { return o.Turn - turn })
	marked.Marks = slices.Insert(marked.Marks, at, m)
	return marked
}

// Unmark gives the choices without the mark of a candidate in a turn.
func (c *Choices) Unmark(turn int, id string) *Choices {
	return &Choices{Pins: c.Pins, Bans: c.Bans, Marks: slices.DeleteFunc(slices.Clone(c.Marks), func(m Mark) bool {
		return m.Turn == turn && m.ID == id
	})}
}

// Apply gives c with what changes from was to now: what now has no more goes, what it
// has anew comes last, and what neither of them has stays.
func (c *Choices) Apply(was, now *Choices) *Choices {
	all := func(c *Choices) []string { return slices.Concat(c.Pins, c.Bans) }
	gone := without(all(was), all(now))
	pins, bans := without(now.Pins, was.Pins), without(now.Bans, was.Bans)
	gone = slices.Concat(gone, pins, bans) // chosen otherwise, or anew
	applied := &Choices{
		Pins:  append(without(c.Pins, gone), pins...),
		Bans:  append(without(c.Bans, gone), bans...),
		Marks: slices.Clone(c.Marks),
	}
	for _, m := range was.Marks {
		if now.MarkOf(m.Turn, m.ID) == nil {
			applied = applied.Unmark(m.Turn, m.ID)
		}
	}
	for _, m := range now.Marks {
		if old := was.MarkOf(m.Turn, m.ID); old == nil || *old != m {
			applied = applied.Mark(m)
		}
	}
	return applied
}

// Pinned reports whether one of ids is pinned.
func (c *Choices) Pinned(ids ...string) bool { return anyOf(c.Pins, ids) }

// Banned reports whether one of ids is banned.
func (c *Choices) Banned(ids ...string) bool { return anyOf(c.Bans, ids) }

// Pin gives the choices with id pinned; group are the candidates that share its
// fate, id among them, of which nothing else stays chosen.
func (c *Choices) Pin(id string, group []string) *Choices {
	free := c.Free(group)
	free.Pins = append(free.Pins, id)
	return free
}

// Ban gives the choices with id banned, in the way of Pin.
func (c *Choices) Ban(id string, group []string) *Choices {
	free := c.Free(group)
	free.Bans = append(free.Bans, id)
	return free
}

// Free gives the choices without any of group.
func (c *Choices) Free(group []string) *Choices {
	return &Choices{Pins: without(c.Pins, group), Bans: without(c.Bans, group), Marks: c.Marks}
}

func anyOf(set, ids []string) bool {
	return slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(set, id) })
}

func without(set, ids []string) []string {
	return slices.DeleteFunc(slices.Clone(set), func(id string) bool { return slices.Contains(ids, id) })
}
