package cmd

import (
	"errors"
	"os"
	"path/filepath"

	"pacms/session/files"
)

// outputFile is the file that a flag names to be written. One that cannot be meant is
// refused before anything is worked out for it: what is read, a folder, and without
// force a file that is there.
func outputFile(flag, path string, force bool, inputs []string) (*files.Output, error) {
	o := &files.Output{Path: path, Replace: force, Inputs: inputs}
	err := o.Check()
	switch {
	case errors.Is(err, files.ErrExists):
		return nil, usagef("%s: %w: --force replaces it", flag, err)
	case err != nil:
		return nil, usagef("%s: %w", flag, err)
	}
	return o, nil
}

// sameFile reports whether two names are of one file, which need not be there yet.
func sameFile(a, b string) bool {
	one, first := os.Stat(a)
	two, second := os.Stat(b)
	if first == nil && second == nil {
		return os.SameFile(one, two)
	}
	folder, err := os.Stat(filepath.Dir(a))
	other, errOther := os.Stat(filepath.Dir(b))
	return err == nil && errOther == nil && os.SameFile(folder, other) && filepath.Base(a) == filepath.Base(b)
}
