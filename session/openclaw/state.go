package openclaw

import (
	"errors"
	"os"
	"time"
)

// suffixes are the ends of the names of the files that a database consists of.
var suffixes = [...]string{"", "-wal", "-journal"}

// fileState is what of a file changes when it is written to.
type fileState struct {
	exists  bool
	size    int64
	written time.Time
}

// databaseState is the state of the files of a database.
type databaseState [len(suffixes)]fileState

// stateOf is the state of the database at path; an error where that is not there.
func stateOf(path string) (state databaseState, err error) {
	for i, suffix := range suffixes {
		info, err := os.Stat(path + suffix)
		if err == nil {
			state[i] = stateOfFile(info)
		} else if suffix == "" || !errors.Is(err, os.ErrNotExist) {
			return state, err //nolint:wrapcheck // the caller wraps
		}
	}
	return state, nil
}

func stateOfFile(info os.FileInfo) fileState {
	return fileState{true, info.Size(), info.ModTime()}
}

// tick is how far apart two writes may be and still leave a file with one time: the
// coarsest of the usual file systems counts in two seconds.
const tick = 2 * time.Second

// rests reports whether a write after now would show in the times of the files.
func rests(now time.Time, files ...fileState) bool {
	for _, f := range files {
		if f.exists && now.Sub(f.written) <= tick {
			return false
		}
	}
	return true
}
