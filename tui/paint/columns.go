package paint

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pacms/themes"
)

// Columns puts a text at the left and another at the right of width columns. The
// right one is cut off after a half of them, the left one where the right begins.
func Columns(left themes.Style, text string, right themes.Style, end string, width int) []Span {
	if width <= 0 {
		return nil
	}
	if end != "" {
		end = "  " + ansi.Truncate(end, max(width/2-2, 1), "…")
	}
	room := max(width-ansi.StringWidth(end), 0)
	text = ansi.Truncate(text, room, "…")
	text += strings.Repeat(" ", room-ansi.StringWidth(text))
	return []Span{{left, text}, {right, end}}
}
