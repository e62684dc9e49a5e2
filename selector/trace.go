package selector

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"pacms/session"
)

// trace is what a candidate has by which a later turn may show that it needed it.
type trace struct {
	// tokens are those that point at few candidates and that were asked for,
	// sorted.
	tokens []string
	// looked is set on the result of a call that succeeded and that says something.
	looked bool
	// changes is set where that call changes files; files are their cleaned paths,
	// none where it does not say which in arguments of their own, as with a patch.
	changes bool
	files   []string
	// reads is the cleaned path of the file that it reads, whole where it reads all
	// of it; call is the key of any other call.
	reads string
	whole bool
	call  string
}

// traceOf reads a candidate; asked are the tokens of which it matters who says
// them.
func traceOf(c *session.Candidate, asked map[string]string) trace {
	var t trace
	if len(asked) > 0 {
		eachToken(c.Content(), func(tok string) {
			if len(tok) < minWord && !code(tok) {
				return // nobody asks for it
			}
			// The asked one, so that the text's own in lower case is let go.
			if tok, ok := asked[tok]; ok {
				t.tokens = append(t.tokens, tok)
			}
		})
		slices.Sort(t.tokens)
		t.tokens = slices.Compact(t.tokens)
	}
	if t.looked = succeeded(c); !t.looked {
		return t
	}
	if t.changes = changes(c.Tool.Name); t.changes {
		t.files = changedFiles(c.Tool)
		return t
	}
	if t.reads, t.whole = fileRead(c.Tool); t.reads == "" {
		t.call = callKey(c.Tool)
	}
	return t
}

// ask adds the tokens of a text that may point at something to asked.
func ask(asked map[string]string, text string) {
	eachToken(text, func(tok string) {
		if distinctive(tok) {
			asked[tok] = tok
		}
	})
}

// succeeded reports whether c is the result of a call that succeeded and that
// says something. A shell says itself that a command failed.
func succeeded(c *session.Candidate) bool {
	return c.Kind == session.Tool && c.Tool != nil && !c.Tool.Error && strings.TrimSpace(c.Text) != "" &&
		!strings.Contains(c.Text[max(0, len(c.Text)-commandFailed):], "exited with code ")
}

// commandFailed is at how many bytes from its end the output of a shell says that
// the command failed.
const commandFailed = 40

// changing are the words in the names of tools that change files.
var changing = []string{"write", "edit", "patch", "replace", "insert", "append", "create", "delete", "remove", "move", "rename"}

// changes reports whether the tool of a name changes files.
func changes(tool string) bool {
	tool = strings.ToLower(tool)
	return slices.ContainsFunc(changing, func(word string) bool { return strings.Contains(tool, word) })
}

// changedFiles are the cleaned paths that a call names in arguments of their own.
func changedFiles(call *session.ToolUse) []string {
	var args map[string]any
	if json.Unmarshal(call.Args, &args) != nil {
		return nil
	}
	var files []string
	for key, v := range args {
		if file, ok := v.(string); ok && namesFile(key) {
			files = append(files, path.Clean(file))
		}
	}
	return files
}
