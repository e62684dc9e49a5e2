package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Replace writes the file at path for the user alone, at once and whole: whoever reads
// it meanwhile, or after a crash, finds what was there or what write wrote. An error
// names the path.
func Replace(path string, write func(io.Writer) error) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".pacms-*")
	if err != nil {
		return err //nolint:wrapcheck // it names the path
	}
	err = write(temp)
	if err == nil {
		err = temp.Sync()
	}
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temp.Name()) // what failed before is what counts
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// mostNames is how many names are tried until one is free.
const mostNames = 10_000

// Create is Replace for a file that is not there yet: where path is taken, a number is
// put before its ending, as in name-2.md. It returns the path that it wrote.
func Create(path string, write func(io.Writer) error) (string, error) {
	ext := filepath.Ext(path)
	stem := strings.TrimSuffix(path, ext)
	for n := 1; n <= mostNames; n++ {
		name := path
		if n > 1 {
			name = stem + "-" + strconv.Itoa(n) + ext
		}
		// The name is taken first, so that nobody's file is replaced.
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err //nolint:wrapcheck // it names the path
		}
		_ = f.Close() // nothing was written
		if err := Replace(name, write); err != nil {
			_ = os.Remove(name)
			return "", err
		}
		return name, nil
	}
	return "", fmt.Errorf("write %s: there are %d files of that name", path, mostNames)
}
