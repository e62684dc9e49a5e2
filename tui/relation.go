package tui

import (
	"pacms/themes"
	"pacms/tui/paint"
)

// relation is what the candidate under the cursor has to do with others: a kept one
// covers them, a dropped one is covered by them. It is never changed.
type relation struct {
	picture *picture
	index   int // of the candidate, in the pool
	kept    bool
	is      []bool // by pool index
	// count is how many are part of it, all is how many there are with lesser ones.
	count, all int
}

// relate finds what the candidate at a pool index has to do with others, nil where
// that is nothing. It is made for commands.
func (p *picture) relate(i int) *relation {
	related, all := p.related(i)
	r := &relation{picture: p, index: i, kept: p.sel.Keeps(i), all: all}
	if len(related) == 0 {
		return nil
	}
	r.is = make([]bool, len(p.cells))
	for _, k := range related {
		if !r.is[k] && k != i {
			r.is[k] = true
			r.count++
		}
	}
	return r
}

// mostKeepers is how many keepers of one candidate are shown at most, the greatest.
// Texts of one language are all a little alike, so that often every kept one covers
// something.
const mostKeepers = 5

// related are the pool indices of what a kept candidate covers, or of the greatest
// keepers of a dropped one, and how many it has in all.
func (p *picture) related(i int) (related []int, all int) {
	if p.sel.Keeps(i) {
		related = p.sel.Covers(i)
		return related, len(related)
	}
	related = p.sel.Keepers(i)
	return related[:min(mostKeepers, len(related))], len(related)
}

// lit is the relation of the candidate under the cursor; nil where it has none, and
// as long as that is being looked up.
func (m *Model) lit() *relation {
	if m.relation == nil || m.relation.picture != m.shown || m.relation.index != m.cursor {
		return nil
	}
	return m.relation
}

// cells says of each candidate whether it is part of the relation, which may be nil.
func (r *relation) cells() []bool {
	if r == nil {
		return nil
	}
	return r.is
}

// legend says what is underlined, for the line above the grid.
func (r *relation) legend(t *themes.Table) []paint.Span {
	text := ": its " + paint.Plural(r.count, "keeper")
	switch {
	case r.kept:
		text = ": " + paint.Count(r.count) + " it covers"
	case r.count < r.all:
		text = ": " + paint.Count(r.count) + " of its " + paint.Plural(r.all, "keeper")
	}
	return []paint.Span{{Style: t.TextLined, Text: "underlined"}, {Style: t.Muted, Text: text}}
}
