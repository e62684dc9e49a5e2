// Package meter draws the bar of what is kept and dropped: the kept part by
// kind, the dropped part, and the handle of the budget on it.
package meter

import (
	"slices"

	"pacms/themes"
	"pacms/tui/paint"
	"pacms/tui/slider"
)

// Sums are the counts of one kind.
type Sums struct {
	Kept, Offered int // candidates
	Tokens        int // of the kept
}

// Meter is what the bar shows.
type Meter struct {
	// Kinds are the sums by kind, in the order of session.Kinds.
	Kinds [themes.KindCount]Sums
	// Pool is what was offered, Budget where the handle stands, both in tokens.
	Pool, Budget int
	// Host is the budget that the host has set, 0 unknown.
	Host int
	// Basis is what the whole bar stands for.
	Basis int
}

// Render draws the bar over width columns.
func (m *Meter) Render(b *paint.Block, t *themes.Table, width int) {
	scale := slider.Scale{Basis: m.Basis, Width: min(width, b.Room())}
	parts := m.parts(scale)
	pool := 0
	if m.Pool > 0 {
		pool = scale.Column(m.Pool) + 1
	}
	handle, tick := scale.Column(m.Budget), -1
	if m.Host > 0 {
		tick = scale.Column(m.Host)
	}
	kind, left := 0, parts[0]
	for x := range scale.Width {
		for left == 0 && kind < len(parts)-1 {
			kind++
			left = parts[kind]
		}
		style, sign := t.Faint, t.Glyphs.Line
		switch {
		case left > 0:
			style, sign = t.Kinds[kind], t.Glyphs.Full
			left--
		case x < pool:
			style, sign = t.Track, t.Glyphs.Track
		}
		switch x {
		case handle:
			style, sign = t.Handle, t.Glyphs.Handle
		case tick:
			style, sign = t.Strong, t.Glyphs.Tick
		}
		b.Cell(style, sign)
	}
}

// parts gives each kind its columns of the kept part, by largest remainder, so
// that they add up to the columns of the whole.
func (m *Meter) parts(scale slider.Scale) (columns [themes.KindCount]int) {
	kept := 0
	for _, k := range m.Kinds {
		kept += k.Tokens
	}
	if kept == 0 {
		return columns
	}
	whole := max(scale.Column(kept), 1)
	var rest [themes.KindCount]int
	var order [themes.KindCount]int
	left := whole
	for k, sums := range m.Kinds {
		columns[k] = whole * sums.Tokens / kept
		rest[k] = whole * sums.Tokens % kept
		left -= columns[k]
		order[k] = k
	}
	slices.SortStableFunc(order[:], func(i, j int) int { return rest[j] - rest[i] })
	for _, k := range order[:left] {
		columns[k]++
	}
	return columns
}

// details are what a legend says of each kind.
type details uint8

const (
	namesOnly  details = iota
	withKept           // candidates kept
	withItems          // candidates kept and offered
	withTokens         // and the tokens of the kept
)

// Legend writes the kinds that were offered in their colours, each with as much of
// what is kept of it as there is room for on at most room columns. Where even the
// names do not fit, nothing is written, and it reports false.
func (m *Meter) Legend(b *paint.Block, t *themes.Table, names []string, room int) bool {
	room = min(room, b.Room())
	for d := withTokens; ; d-- {
		if width, gap := m.legendWidth(names, d), legendGap(d); width+gap <= room {
			b.To("", b.Used()+gap)
			m.legend(b, t, names, d)
			return true
		}
		if d == namesOnly {
			return false
		}
	}
}

// legendGap is the room before the legend.
func legendGap(d details) int {
	if d >= withItems {
		return 5
	}
	return 3
}

func (m *Meter) legend(b *paint.Block, t *themes.Table, names []string, d details) {
	for k, sums := range m.Kinds {
		if sums.Offered == 0 {
			continue
		}
		b.Put(t.Kinds[k], names[k])
		b.Put("", " ")
		if d >= withKept {
			b.Count(t.Muted, sums.Kept)
		}
		if d >= withItems {
			b.Put(t.Muted, "/")
			b.Count(t.Muted, sums.Offered)
		}
		if d >= withTokens {
			b.Put("", " ")
			b.Tokens(t.Muted, sums.Tokens)
		}
		switch {
		case d >= withItems:
			b.Put("", "   ")
		case d >= withKept:
			b.Put("", "  ")
		}
	}
}

// legendWidth is the number of columns that the legend takes.
func (m *Meter) legendWidth(names []string, d details) int {
	var b [32]byte
	width := 0
	for k, sums := range m.Kinds {
		if sums.Offered == 0 {
			continue
		}
		width += len(names[k]) + len(" ")
		if d >= withKept {
			width += len(paint.AppendCount(b[:0], sums.Kept)) + len("  ")
		}
		if d >= withItems {
			width += len("/ ") + len(paint.AppendCount(b[:0], sums.Offered))
		}
		if d >= withTokens {
			width += len(" ") + len(paint.AppendTokens(b[:0], sums.Tokens))
		}
	}
	return width
}
