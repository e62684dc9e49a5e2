package cmd

import (
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"
)

// clearLine goes to the start of a terminal's line and empties it.
const clearLine = "\r\x1b[K"

// waitFor says on a terminal for whom the program waits, in the line of progress.
func waitFor(w *os.File, whom string) {
	_, _ = fmt.Fprintf(w, "%spacms: waiting for %s, ctrl+c ends it", clearLine, whom)
}

// progress tells on a terminal how far slow work has come, in one line that is
// gone when the work is done. Elsewhere it tells nothing. What has been done is
// said after two numbers.
func progress(w *os.File, what string) func(done, total int) {
	if !term.IsTerminal(w.Fd()) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return func(done, total int) {
		line := clearLine
		if done < total {
			line += fmt.Sprintf("pacms: %d of %d %s, ctrl+c ends it", done, total, what)
		}
		_, _ = fmt.Fprint(w, line) // nothing more can be done where it fails
	}
}
