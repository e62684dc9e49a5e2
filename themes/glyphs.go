package themes

import "strings"

// Glyphs are the signs of the screen. Each is one column wide unless said
// otherwise.
type Glyphs struct {
	// Kept, Dropped and Required are the cells of the grid by verdict; Needed is
	// dropped although the turn needs it.
	Kept, Dropped, Required, Needed string
	// Banned is dropped because a person wants it so.
	Banned string
	// CameIn, CameInRequired and Gone stand for Kept, Required and Dropped where
	// that is a change and no colour can show it.
	CameIn, CameInRequired, Gone string
	// Lined stands for a kept cell with a line under it where the cell would hide
	// that; "" where it does not.
	Lined string
	// Solid repeats the sign of a kept or dropped cell in its second column,
	// where it has one.
	Solid bool
	// OnlyA and OnlyB are what one of two sides alone keeps; Full is what both do.
	OnlyA, OnlyB string
	// In and Left head the counts of what came in and left.
	In, Left string
	// Handle is the budget on the bar, Full a part of it that is taken, Track
	// what is offered and dropped, Line what is not there yet, Tick a budget
	// that the host has set.
	Handle, Full, Track, Line, Tick string
	// PillLeft and PillRight enclose the strategy that runs.
	PillLeft, PillRight string
	// Shades stand for the heights of Spark where colours cannot tell kept from
	// offered: offered alone, less than half of the cell kept, more of it kept.
	Shades [3]string
	// Spark are the heights of a column of the timeline, the lowest first.
	Spark []string
	// Covered and Compacted are turns of a lifeline at which a candidate was dropped
	// because others say the same, and at which it was part of a summary only.
	Covered, Compacted string
	// Here, Had, Miss and Cut mark turns under the timeline: the one on screen,
	// one that has what it needs, one that has not, one after a compaction, and
	// one before which turns were left on another branch. Nothing is a turn without
	// a mark in the line of a strategy.
	Here, Had, Miss, Cut, Fork, Nothing string
	// Rule and Wall are lines between panes.
	Rule, Wall string
	// Play and Pause are the states of playing.
	Play, Pause string
	// More ends what had to be cut short.
	More string

	// ascii replaces what texts contain beside these signs; nil: nothing.
	ascii *strings.Replacer
}

// Text is s in the characters of the set, as wide as before.
func (g *Glyphs) Text(s string) string {
	if g.ascii == nil {
		return s
	}
	return g.ascii.Replace(s)
}

// Unicode returns the usual glyphs.
func Unicode() *Glyphs {
	return &Glyphs{
		Kept: "■", Dropped: "·", Required: "▲", Needed: "◉", Banned: "×", In: "▲", Left: "▼",
		CameIn: "▣", CameInRequired: "△", Gone: "◦", Covered: "≈", Compacted: "≡",
		Handle: "◆", Full: "█", Track: "░", Line: "─", Tick: "┃",
		OnlyA: "▌", OnlyB: "▐", PillLeft: "▐", PillRight: "▌",
		Shades: [3]string{"░", "▒", "█"},
		Spark:  []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
		Here:   "▴", Had: "✓", Miss: "!", Cut: "│", Fork: "┊", Nothing: "·", Rule: "─", Wall: "│",
		Play: "▶", Pause: "‖", More: "…",
	}
}

// ASCII returns glyphs of ASCII alone, for terminals and fonts in which others
// are missing or of doubtful width.
func ASCII() *Glyphs {
	return &Glyphs{
		Kept: "#", Dropped: ".", Required: "^", Needed: "@", Banned: "x", In: "+", Left: "-",
		CameIn: "%", CameInRequired: "A", Gone: "o", Covered: "~", Compacted: "=",
		Handle: "O", Full: "#", Track: ":", Line: "-", Tick: "|",
		OnlyA: "[", OnlyB: "]", PillLeft: "[", PillRight: "]",
		Shades: [3]string{".", "=", "#"},
		Spark:  []string{"_", "_", ".", ".", "-", "-", "=", "#"},
		Here:   "^", Had: "+", Miss: "!", Cut: "|", Fork: ":", Nothing: ".", Rule: "-", Wall: "|",
		Play: ">", Pause: "|", More: "~",
		ascii: strings.NewReplacer(
			"·", "-", "…", "~", "“", `"`, "”", `"`, "‘", "'", "’", "'", "–", "-", "—", "-", "−", "-", "×", "x", "≥", ">", "≤", "<",
			"↑", "^", "↓", "v", "←", "<", "→", ">", "↵", "<", "▲", "+", "▼", "v", "■", "#", "◉", "@", "▴", "^", "│", "|", "─", "-",
			"█", "#", "░", ":", "◆", "O", "▶", ">", "‖", "|", "✓", "+", "▐", "[", "▌", "]", "▣", "%", "△", "A", "◦", "o", "≈", "~", "≡", "=", "\u00a0", " "),
	}
}

// enlarge makes the cells as loud as they can be.
func (g *Glyphs) enlarge() {
	g.Solid = true
	if g.ascii == nil {
		g.Kept, g.Dropped = "█", "░"
		g.CameIn, g.Gone, g.Lined = "▓", "▒", "▀"
	}
}
