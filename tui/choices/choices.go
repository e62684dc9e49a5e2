// Package choices holds what a person pinned and banned in a session, and keeps
// it in a file from one visit to the next.
package choices

import "slices"

// Choices are candidates by id, in the order in which they were chosen. They are
// not changed: a method gives new ones.
type Choices struct {
	Pins []string `json:"pins"`
	Bans []string `json:"bans"`
}

// Empty reports whether nothing is pinned or banned.
func (c *Choices) Empty() bool { return len(c.Pins) == 0 && len(c.Bans) == 0 }

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
	return &Choices{Pins: without(c.Pins, group), Bans: without(c.Bans, group)}
}

func anyOf(set, ids []string) bool {
	return slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(set, id) })
}

func without(set, ids []string) []string {
	return slices.DeleteFunc(slices.Clone(set), func(id string) bool { return slices.Contains(ids, id) })
}
