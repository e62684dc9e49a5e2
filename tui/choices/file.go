package choices

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/lockedfile"

	"pacms/session/files"
)

// Schema names the format of a file of choices.
const Schema = "pacms.choices/1"

// maxFile is the size in bytes from which a file is taken for something else.
const maxFile = 16 << 20

// File is where the choices for one session are kept.
type File struct {
	// Dir is the folder of all such files; it is made when it is needed.
	Dir string
	// Source is the absolute path of the store, Session the key of the session in
	// it. Together they name the file.
	Source, Session string
}

// document is what stands in a file. Source and session are there for people.
type document struct {
	Schema  string `json:"schema"`
	Source  string `json:"source"`
	Session string `json:"session"`
	Choices
}

// Path is the path of the file. Its name tells nothing of the session.
func (f File) Path() string {
	sum := sha256.Sum256([]byte(f.Source + "\x00" + f.Session))
	return filepath.Join(f.Dir, "choices-"+hex.EncodeToString(sum[:12])+".json")
}

// Load reads the choices; where there is no file, there are none.
func (f File) Load() (*Choices, error) {
	text, err := files.Read(f.Path(), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return new(Choices), nil
	}
	if err != nil {
		return nil, fmt.Errorf("choices: %w", err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("choices: read %s: %w", f.Path(), err)
	}
	if d.Schema != Schema {
		return nil, fmt.Errorf("choices: read %s: its schema is %q, not %q", f.Path(), d.Schema, Schema)
	}
	return &d.Choices, nil
}

// Save writes the choices for the user alone, at once and whole: whoever reads
// the file meanwhile, or after a crash, finds the old or the new ones. Where
// nothing is chosen, there is no file afterwards.
func (f File) Save(c *Choices) error {
	path := f.Path()
	if c.Empty() {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("choices: %w", err)
		}
		return nil
	}
	text, err := json.MarshalIndent(document{Schema, f.Source, f.Session, *c}, "", "  ")
	if err != nil {
		return fmt.Errorf("choices: encode: %w", err)
	}
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		return fmt.Errorf("choices: %w", err)
	}
	if err := files.Replace(path, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err //nolint:wrapcheck // Replace wraps it
	}); err != nil {
		return fmt.Errorf("choices: %w", err)
	}
	return nil
}

// Update writes what has changed from was to c to what stands in the file now, where
// another program may have written meanwhile: what that one chose stays. Where the file
// cannot be read, c takes its place. The lock lies beside the file.
func (f File) Update(was, c *Choices) error {
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		return fmt.Errorf("choices: %w", err)
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(f.Dir, "choices.lock")).Lock()
	if err != nil {
		return fmt.Errorf("choices: %w", err)
	}
	defer unlock()
	if theirs, err := f.Load(); err == nil {
		c = theirs.Apply(was, c)
	}
	return f.Save(c)
}
