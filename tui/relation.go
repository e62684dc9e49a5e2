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
	count   int
}

// relate finds what the candidate at a pool index has to do with others, nil where
// that is nothing. It is made for commands.
func (p *picture) relate(i int) *relation {
	r := &relation{picture: p, index: i, kept: p.sel.Keeps(i)}
	related := p.related(i)
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

// related are the pool indices of the keepers of a dropped candidate.
func (p *picture) related(i int) []int {
	if p.sel.Keeps(i) {
		return nil
	}
	var keepers []int
	for _, s := range p.sel.Explain(i).Reason.By {
		keepers = append(keepers, p.indexOf(s.ID))
	}
	return keepers
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
	if r.kept {
		text = ": " + paint.Count(r.count) + " it covers"
	}
	return []paint.Span{{Style: t.TextLined, Text: "underlined"}, {Style: t.Muted, Text: text}}
}
