package cmd

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pacms/session/find"
	"pacms/tui/safe"
)

// sessionsSchema names the format of a list of sessions.
const sessionsSchema = "pacms.sessions/1"

// sessionsDocument is what was found on this machine.
type sessionsDocument struct {
	Schema string `json:"schema"`
	*find.Result
}

func newSessions(std streams) *cobra.Command {
	f := new(flags)
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List the sessions on this machine",
		Long: `sessions looks for the sessions of OpenClaw: in its state folder
(OPENCLAW_STATE_DIR, ~/.openclaw), those of profiles (~/.openclaw-NAME) and of
older names (~/.moltbot, ~/.clawdbot), in databases and transcripts, with what
was reset, deleted, imported or copied. It only reads, and counts turns without
reading the sessions. The sessions of which pacms has captures are listed too.

A session that is stored several times is listed once, where it is most complete.
Where nothing is found it says where it looked and why nothing is there. --json
prints one document (pacms.sessions/1).`,
		Example: `  pacms sessions
  pacms sessions --json | jq -r '.sessions[].path'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			format, err := f.format()
			if err != nil {
				return err
			}
			found, err := findSessions(cmd.Context())
			if err != nil {
				return err
			}
			if format == formatJSON {
				return writeJSON(std.out, sessionsDocument{Schema: sessionsSchema, Result: found})
			}
			return writeSessions(localText(std.out), found)
		},
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON document")
	cmd.Flags().BoolVar(&f.plain, "plain", false, "print text without colour or cursor movement, as without the flag")
	return cmd
}

// writeSessions prints what was found, one fact a line.
func writeSessions(w io.Writer, found *find.Result) error {
	out := bufio.NewWriter(w)
	if len(found.Sessions) == 0 {
		fmt.Fprintln(out, "No session was found. pacms demo shows a recorded one.")
	}
	for i := range found.Sessions {
		writeStored(out, &found.Sessions[i])
	}
	fmt.Fprintln(out)
	for i := range found.Places {
		writePlace(out, &found.Places[i])
	}
	return failedWrite(out.Flush())
}

// writeStored prints what is known of a session without reading it.
func writeStored(w *bufio.Writer, s *find.Session) {
	turns := fmt.Sprintf("%d turns", s.Turns)
	switch s.Turns {
	case -1:
		turns = "too large to count its turns"
	case 1:
		turns = "1 turn"
	}
	last := "at an unknown time"
	if !s.Last.IsZero() {
		last = s.Last.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	whose := safe.Line(s.Key)
	if s.Agent != "" {
		whose += ", agent " + safe.Line(s.Agent)
	}
	fmt.Fprintf(w, "%s: %s, %s, last used %s\n", whose, turns, describeSize(s.Bytes), last)
	if s.First != "" {
		fmt.Fprintf(w, "    began with: %s\n", safe.Line(s.First))
	}
	fmt.Fprintf(w, "    %s: %s\n", describeState(s.State), safe.Line(s.Path))
	for _, path := range s.Also {
		fmt.Fprintf(w, "    also in: %s\n", safe.Line(path))
	}
	words := replayArgs(s, nil)
	for i := range words {
		words[i] = shellWord(words[i])
	}
	fmt.Fprintf(w, "    open it: pacms %s\n", safe.Line(strings.Join(words, " ")))
}

// shellWord is a word as a POSIX shell takes it for what it is.
func shellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=@%+,", r)
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// describeState says what the file of a session is.
func describeState(s find.State) string {
	switch s {
	case find.InDatabase:
		return "in a database"
	case find.Current:
		return "a transcript"
	case find.Imported:
		return "the original of an import"
	case find.Reset:
		return "put aside by a reset"
	case find.Deleted:
		return "put aside as deleted"
	case find.Checkpoint:
		return "a copy from before a compaction"
	case find.Backup:
		return "a backup copy"
	case find.Captured:
		return "captured by pacms"
	}
	return string(s)
}

// mostUnread is how many files that could not be used are named of one place.
const mostUnread = 10

// writePlace prints where was looked and what came of it.
func writePlace(w *bufio.Writer, p *find.Place) {
	result := p.Why
	switch {
	case result != "":
	case p.Stored == 1:
		result = "1 stored session"
	default:
		result = fmt.Sprintf("%d stored sessions", p.Stored)
	}
	fmt.Fprintf(w, "Looked in %s (%s): %s.\n", safe.Line(p.Path), safe.Line(p.Name), safe.Line(result))
	for _, u := range p.Unread[:min(mostUnread, len(p.Unread))] {
		fmt.Fprintf(w, "    not used: %s: %s\n", safe.Line(u.Path), safe.Line(u.Cause))
	}
	if more := len(p.Unread) - mostUnread; more > 0 {
		fmt.Fprintf(w, "    and %d more, which --json lists\n", more)
	}
}

// describeSize writes a number of bytes as people do.
func describeSize(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
