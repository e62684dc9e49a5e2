package find

import "strings"

// State says what the file of a session is.
type State string

// The states, the best to open first.
const (
	InDatabase State = "database"   // kept in an agent's database
	Current    State = "current"    // a transcript that its host goes on writing
	Imported   State = "imported"   // the original of what was imported into a database
	Reset      State = "reset"      // put aside when a new session began
	Deleted    State = "deleted"    // put aside when it was deleted
	Checkpoint State = "checkpoint" // a copy made before a compaction
	Backup     State = "backup"     // a copy made before a repair
	Captured   State = "captured"   // what was asked of the selector, in a file of captures
)

// states in order of preference.
var states = []State{InDatabase, Current, Imported, Reset, Deleted, Checkpoint, Backup, Captured}

// rank is the place of a state in that order.
func (s State) rank() int {
	for i, other := range states {
		if s == other {
			return i
		}
	}
	return len(states)
}

// marks are how the names of transcripts that are not current go on.
var marks = []struct {
	text  string
	state State
}{
	{".jsonl.imported-", Imported},
	{".jsonl.reset.", Reset},
	{".jsonl.deleted.", Deleted},
	{".jsonl.bak", Backup},
	{".checkpoint.", Checkpoint},
}

// stateOf tells by its name what a file of a folder of sessions is; it is not ok
// for one that is no transcript and is not meant to be.
func stateOf(name string) (s State, ok bool) {
	if !strings.Contains(name, ".jsonl") || strings.Contains(name, ".trajectory.") || strings.HasSuffix(name, ".lock") {
		return "", false
	}
	for _, m := range marks {
		if strings.Contains(name, m.text) {
			return m.state, true
		}
	}
	return Current, true
}
