// Package files reads the small files that a person keeps: settings, themes,
// choices. Whatever lies in their place, it does not hang and does not fill memory.
// It also makes the files of databases that are the program's own.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrNotRegular is the error for what is no regular file: reading from it may wait
// for somebody who never writes, or never end.
var ErrNotRegular = errors.New("only a regular file can be read here")

// Read returns what is in the regular file at path, of at most limit bytes. An error
// names the path and wraps fs.ErrNotExist, ErrNotRegular or what the system says.
func Read(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the path
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is %s: %w", path, Kind(info.Mode()), ErrNotRegular)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the path
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the path
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s has more than %d bytes: it is something else", path, limit)
	}
	return data, nil
}

// Kind says in a few words what a file of a mode is that is no regular one.
func Kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}
