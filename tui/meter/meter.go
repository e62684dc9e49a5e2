// Package meter draws the bar of what is kept and dropped: the kept part by
// kind, the dropped part, and the handle of the budget on it.
package meter

import (
	"slices"
	"strconv"

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

// Legend writes the kinds that were offered, each with what is kept of it: in
// candidates and tokens, in candidates alone where width columns have no room
// for both, and nothing where they have no room for that.
func (m *Meter) Legend(b *paint.Block, t *themes.Table, names []string, width int) {
	for _, tokens := range []bool{true, false} {
		var spans []paint.Span
		used := 0
		for k, sums := range m.Kinds {
			if sums.Offered == 0 {
				continue
			}
			counts := " " + strconv.Itoa(sums.Kept) + "/" + strconv.Itoa(sums.Offered)
			if tokens {
				counts += " " + paint.Tokens(sums.Tokens)
			}
			spans = append(spans, paint.Span{Style: t.Kinds[k], Text: names[k]}, paint.Span{Style: t.Muted, Text: counts + "   "})
			used += len(names[k]) + len(counts) + 3
		}
		if used <= width {
			b.Spans(spans...)
			return
		}
	}
}
