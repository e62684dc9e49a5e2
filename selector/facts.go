package selector

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"

	"pacms/session"
)

// pollFamily is the number of equal user texts that make a family of polls
// where nothing marks them as such.
const pollFamily = 3

// longestPoll is the length in bytes above which a message is no poll.
const longestPoll = 4000

// ruleFacts are what the rules found in a pool. Indices are of groups.
type ruleFacts struct {
	system    []int
	firstUser int    // -1: none
	first     string // what the first user message is the first of
	polls     [][]poll
	reads     map[string][]int // cleaned path → groups that read all of it, in order
	readBy    map[int][]string // group → the paths it read, if it does nothing else
	empty     []int
	orphans   []int
	turns     [][]int // groups by turn, oldest first; a turn starts at a user message
}

// poll is one member of a family: the groups of the poll and its acknowledgement.
type poll struct{ groups []int }

func findFacts(pool *session.Pool, groups []group, of []int) (ruleFacts, error) {
	f := ruleFacts{firstUser: -1, first: "the first message of the session", reads: map[string][]int{}, readBy: map[int][]string{}}
	cands := pool.Candidates
	for g := range groups {
		members := groups[g].members
		c := &cands[members[0]]
		for _, m := range members {
			if cands[m].Kind == session.System {
				f.system = append(f.system, g)
				break
			}
			if cands[m].Kind == session.Summary {
				f.first = "the first message that is still offered"
			}
		}
		if pool.FromSession && f.firstUser < 0 && c.Kind == session.User && c.Internal == "" {
			f.firstUser = g
		}
		if len(members) == 1 {
			switch {
			case c.Kind == session.Tool && c.Tool != nil:
				f.orphans = append(f.orphans, g)
			case strings.TrimSpace(c.Text) == "" && len(c.Calls) == 0 && c.Embedding == nil && pool.Similarity == nil:
				f.empty = append(f.empty, g)
			}
		}
		if paths, ok := wholeReads(cands, members); ok {
			f.read(g, paths)
		}
	}
	f.polls = findPolls(cands, groups, of)
	f.turns = findTurns(cands, groups, of)
	return f, f.take(pool, of)
}

// read notes that a group reads whole files.
func (f *ruleFacts) read(g int, paths []string) {
	f.readBy[g] = paths
	for _, p := range paths {
		f.reads[p] = append(f.reads[p], g)
	}
}

// findTurns splits the groups by turn. A turn starts at a person's message;
// what stands before the first one is in no turn.
func findTurns(cands []session.Candidate, groups []group, of []int) [][]int {
	var turns [][]int
	seen := make([]bool, len(groups))
	for i := range cands {
		c := &cands[i]
		if c.Kind == session.User && c.Internal == "" {
			turns = append(turns, nil)
		}
		if g := of[i]; !seen[g] && len(turns) > 0 {
			seen[g] = true
			turns[len(turns)-1] = append(turns[len(turns)-1], g)
		}
	}
	return turns
}

// complete reports whether a turn has an answer.
func complete(cands []session.Candidate, groups []group, turn []int) bool {
	for _, g := range turn {
		for _, m := range groups[g].members {
			if cands[m].Kind == session.Assistant && cands[m].Internal == "" {
				return true
			}
		}
	}
	return false
}

// findPolls finds the families of polls: user messages that the host marked as
// its own, or that are equal but for digits three times or more. Each comes
// with the acknowledgement that follows it.
func findPolls(cands []session.Candidate, groups []group, of []int) [][]poll {
	families := make(map[string][]int)
	var order []string
	for i := range cands {
		if cands[i].Kind != session.User {
			continue
		}
		if len(cands[i].Text) > longestPoll {
			continue
		}
		text := lettersOnly(cands[i].Text)
		if text == "" {
			continue
		}
		key := cands[i].Internal + "\x00" + text
		if families[key] == nil {
			order = append(order, key)
		}
		families[key] = append(families[key], i)
	}
	var found [][]poll
	for _, key := range order {
		at := families[key]
		marked := key[0] != 0
		if len(at) < 2 || !marked && len(at) < pollFamily {
			continue
		}
		answers := make(map[string]int)
		for _, i := range at {
			if i+1 < len(cands) && cands[i+1].Kind == session.Assistant {
				answers[lettersOnly(cands[i+1].Text)]++
			}
		}
		var family []poll
		for _, i := range at {
			if p, ok := pollAt(i, cands, groups, of, answers); ok {
				family = append(family, p)
			}
		}
		if len(family) > 1 {
			found = append(found, family)
		}
	}
	return found
}

// pollAt is the poll at candidate i with its acknowledgement. It is none where
// its group holds anything else, which would be lost with it.
func pollAt(i int, cands []session.Candidate, groups []group, of []int, answers map[string]int) (poll, bool) {
	last := i
	if i+1 < len(cands) && acknowledges(&cands[i+1], answers) {
		last = i + 1
		for _, m := range groups[of[last]].members {
			if cands[m].Kind == session.Tool { // the result of the host's own tool
				last = max(last, m)
			}
		}
	}
	var p poll
	for _, g := range []int{of[i], of[min(i+1, last)]} {
		for _, m := range groups[g].members {
			if m < i || m > last {
				return poll{}, false
			}
		}
		if !slices.Contains(p.groups, g) {
			p.groups = append(p.groups, g)
		}
	}
	return p, true
}

// acknowledges reports whether c only confirms a poll: by a marker, by the
// host's own tool, or by saying what it said to the others of the family.
func acknowledges(c *session.Candidate, answers map[string]int) bool {
	if c.Kind != session.Assistant {
		return false
	}
	for _, call := range c.Calls {
		if call.Name != "heartbeat_respond" {
			return false
		}
	}
	switch strings.Trim(strings.ToUpper(strings.TrimSpace(c.Text)), ".!") {
	case "HEARTBEAT_OK", "NO_REPLY", "OK", "":
		return true
	}
	return len(c.Calls) == 0 && answers[lettersOnly(c.Text)] >= pollFamily
}

// lettersOnly is text without digits, punctuation and spacing, in lower case:
// what stays the same when a clock or a counter in it moves on.
func lettersOnly(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// wholeReads returns the paths that a group read, if all its calls are
// successful reads of whole files and each has its result.
func wholeReads(cands []session.Candidate, members []int) ([]string, bool) {
	var paths []string
	calls, results := 0, 0
	for _, m := range members {
		c := &cands[m]
		switch c.Kind {
		case session.Assistant:
			calls += len(c.Calls)
			if len(c.Calls) == 0 && c.Tool != nil {
				calls++
			}
		case session.Tool:
			results++
			if c.Tool == nil || c.Tool.Error || truncated(c.Text) {
				return nil, false
			}
			p, whole := fileRead(c.Tool)
			if !whole {
				return nil, false
			}
			paths = append(paths, p)
		case session.User, session.Memory, session.Summary, session.Document, session.System:
			return nil, false
		}
	}
	return paths, results > 0 && results == calls
}

// readTools are the names under which agents read a file.
var readTools = []string{"read", "read_file", "readfile", "view_file"}

// fileRead returns the cleaned path of the file that a call reads, empty where it
// reads none, and whether it reads from the first to the last line.
func fileRead(call *session.ToolUse) (name string, whole bool) {
	if !slices.Contains(readTools, strings.ToLower(call.Name)) {
		return "", false
	}
	var args map[string]any
	if json.Unmarshal(call.Args, &args) != nil {
		return "", false
	}
	whole = true
	for key, v := range args {
		switch {
		case namesFile(key):
			s, ok := v.(string)
			if !ok || s == "" || name != "" {
				return "", false
			}
			name = path.Clean(s)
		case slices.Contains([]string{"offset", "start", "start_line", "startline"}, strings.ToLower(key)):
			n, ok := v.(float64)
			whole = whole && ok && n <= 1
		default: // a limit, an end, a range, or something unknown
			whole = whole && v == nil
		}
	}
	return name, whole && name != ""
}

// namesFile reports whether an argument of a tool is the path of a file.
func namesFile(key string) bool {
	switch strings.ToLower(key) {
	case "path", "file", "file_path", "filepath", "filename":
		return true
	}
	return false
}

// truncated reports whether the end of a tool's output says that the output is
// only a part.
func truncated(text string) bool {
	end := strings.ToLower(text[max(0, len(text)-300):])
	return strings.Contains(end, "truncated") || strings.Contains(end, "more lines in file") ||
		strings.Contains(end, "use offset=") || strings.Contains(end, "[showing lines")
}
