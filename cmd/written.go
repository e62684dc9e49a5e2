package cmd

import "os"

// written is a file that remembers the first error of a write. Helps are printed by a
// library that does not look at it.
type written struct {
	file *os.File
	err  error
}

// Write writes to the file.
func (w *written) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	if w.err == nil {
		w.err = err
	}
	return n, err //nolint:wrapcheck // it names the file
}

// Read reads from the file: only what can be read counts as a terminal.
func (w *written) Read(p []byte) (int, error) { return w.file.Read(p) } //nolint:wrapcheck // it names the file

// Close leaves the file open, which is the caller's.
func (*written) Close() error { return nil }

// Fd is the descriptor of the file.
func (w *written) Fd() uintptr { return w.file.Fd() }
