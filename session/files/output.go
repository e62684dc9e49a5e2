package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Faults of an output that a person names.
var (
	// ErrExists is the error for a file that is there and was not to be replaced.
	ErrExists = errors.New("there is a file of that name")
	// ErrInput is the error for an output that is read, too.
	ErrInput = errors.New("it is what is read: name another file")
)

// Output is a file that a person names to have something written to it.
type Output struct {
	// Path is where it is, as it was given.
	Path string
	// Replace allows a file that is there to be replaced.
	Replace bool
	// Inputs are the files that are read: none of them is written to.
	Inputs []string
}

// Check reports why o cannot be written to, before anything is worked out for it. An
// error names the path and wraps ErrExists, ErrInput or what the system says.
func (o *Output) Check() error {
	info, err := os.Stat(o.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err //nolint:wrapcheck // it names the path
	}
	for _, path := range o.Inputs {
		if input, err := os.Stat(path); err == nil && os.SameFile(info, input) {
			return fmt.Errorf("%s: %w", o.Path, ErrInput)
		}
	}
	switch {
	case info.IsDir():
		return fmt.Errorf("%s is a folder: name a file in it", o.Path)
	case info.Mode().IsRegular() && !o.Replace:
		return fmt.Errorf("%s: %w", o.Path, ErrExists)
	}
	return nil
}

// Write writes what write gives: a file at once and whole, for the user alone, as
// Replace does, where a link leads if it is one; and to a device, a pipe or a socket
// directly, since there is nothing to replace. An error names the path as it was given.
func (o *Output) Write(write func(io.Writer) error) error {
	if err := o.Check(); err != nil {
		return err
	}
	target, err := filepath.EvalSymlinks(o.Path)
	if err != nil {
		target = o.Path // it is not there yet; a link that leads nowhere is replaced
	}
	if info, err := os.Stat(target); err == nil && !info.Mode().IsRegular() {
		return o.into(target, write)
	}
	if err := Replace(target, write); err != nil {
		return named(o.Path, err)
	}
	return nil
}

// into writes to what is no regular file.
func (o *Output) into(target string, write func(io.Writer) error) error {
	f, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return named(o.Path, err)
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return named(o.Path, err)
	}
	return nil
}

// named is an error about the file that a person named, and not about one on the way.
func named(path string, err error) error {
	if fault, ok := errors.AsType[*fs.PathError](err); ok {
		err = fault.Err
	} else if link, ok := errors.AsType[*os.LinkError](err); ok {
		err = link.Err
	}
	return fmt.Errorf("write %s: %w", path, err)
}
