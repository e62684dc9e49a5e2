package selector

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"pacms/session"
)

// longestCall is the number of bytes of a call's arguments that a need tells of.
const longestCall = 80

// again finds what the run of a turn looked up although the pool had it: a file
// that it read again, and a call that it made again. Only what came out the same
// counts, of calls that succeeded: another outcome was news. What the agent
// changed since then does not count either: it had reason to look.
func again(p *session.Pool, run []session.Candidate, traces []trace) []Need {
	var made []trace
	for i := range run {
		made = append(made, traceOf(&run[i], nil))
	}
	if !slices.ContainsFunc(made, func(t trace) bool { return t.looked }) {
		return nil
	}
	seen := lookups{p.Candidates, traces, make(map[string][]int), make(map[string][]int), make(map[string]bool)}
	for i := range p.Candidates {
		seen.note(i)
	}
	var reread, repeated []Need
	for i := range run {
		c, t := &run[i], &made[i]
		switch {
		case !t.looked:
		case t.changes:
			seen.changed(t)
		case t.reads != "":
			if holders := seen.read(t, c.Text); len(holders) > 0 {
				reread = append(reread, Need{Sign: Reread, Text: t.reads, Holders: holders})
			}
		default:
			if holders := seen.made(t.call, c.Text); len(holders) > 0 {
				repeated = append(repeated, Need{Sign: Repeated, Text: callText(c.Tool), Holders: holders})
			}
		}
	}
	return append(reread, repeated...)
}

// lookups are the calls of a pool and what they brought, as far as it still holds.
type lookups struct {
	cands  []session.Candidate
	traces []trace
	// reads are the results that have a file as it is, by its cleaned path.
	reads map[string][]int
	// calls are the results of other calls, by name and arguments.
	calls map[string][]int
	// news are the calls that brought different things at different times: they
	// are made to learn what is new.
	news map[string]bool
}

// note takes in the candidate at pool index i.
func (s *lookups) note(i int) {
	t := &s.traces[i]
	switch {
	case !t.looked:
	case t.changes:
		s.changed(t)
	case t.reads != "":
		s.reads[t.reads] = append(s.reads[t.reads], i)
	default:
		if made := s.calls[t.call]; len(made) > 0 && s.cands[made[len(made)-1]].Text != s.cands[i].Text {
			s.news[t.call] = true
		}
		s.calls[t.call] = append(s.calls[t.call], i)
	}
}

// changed forgets what no longer holds after a call that changes files: the files
// themselves, and what every other call brought.
func (s *lookups) changed(t *trace) {
	clear(s.calls)
	for _, file := range t.files {
		delete(s.reads, file)
	}
	if len(t.files) == 0 {
		clear(s.reads)
	}
}

// read are the results that have what was read now.
func (s *lookups) read(now *trace, text string) []int {
	var holders []int
	for _, i := range s.reads[now.reads] {
		had, both := s.cands[i].Text, now.whole && s.traces[i].whole
		if had == text || !both && holdsLines(had, text) {
			holders = append(holders, i)
		}
	}
	return holders
}

// made are the results of a call that brought a text again, where it was not made
// for news.
func (s *lookups) made(call, text string) []int {
	made := s.calls[call]
	if len(made) == 0 || s.news[call] || s.cands[made[0]].Text != text || !saysSomething(text) {
		return nil
	}
	return made
}

// holdsLines reports whether all lines of part are lines of text. The last line
// of what is cut off is the tool's own.
func holdsLines(text, part string) bool {
	lines := make(map[string]bool)
	for line := range strings.Lines(text) {
		lines[strings.TrimSpace(line)] = true
	}
	asked := strings.Split(strings.TrimSpace(part), "\n")
	if truncated(part) {
		asked = asked[:len(asked)-1]
	}
	held := 0
	for _, line := range asked {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case !lines[line]:
			return false
		default:
			held++
		}
	}
	return held > 0
}

// saysSomething reports whether an output has as much in it as would point at it
// in an answer: "(no output)" has not.
func saysSomething(text string) bool {
	weight := 0
	eachToken(text, func(tok string) {
		if distinctive(tok) {
			weight += telling(tok)
		}
	})
	return weight >= enough
}

// callKey is the same for calls of one tool with the same arguments, whatever
// their order and spacing.
func callKey(call *session.ToolUse) string { return call.Name + "\x00" + canonicalArgs(call.Args) }

// canonicalArgs is JSON with sorted keys and without spacing; what is no JSON
// stays as it is, and no arguments are an empty object.
func canonicalArgs(args json.RawMessage) string {
	if len(args) == 0 {
		return "{}"
	}
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return string(args)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return string(args)
	}
	return string(b)
}

// callText is a call in a line for people: its tool and the values of its
// arguments.
func callText(call *session.ToolUse) string {
	var args map[string]any
	if json.Unmarshal(call.Args, &args) != nil {
		return call.Name
	}
	parts := []string{call.Name}
	for _, key := range slices.Sorted(maps.Keys(args)) {
		s, ok := args[key].(string)
		if !ok {
			b, _ := json.Marshal(args[key]) // it was JSON before
			s = string(b)
		}
		parts = append(parts, s)
	}
	text := strings.Join(parts, " ")
	if len(text) > longestCall {
		text = strings.ToValidUTF8(text[:longestCall], "") + "…"
	}
	return text
}
