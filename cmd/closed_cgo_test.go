//go:build cgo && unix

package cmd_test

// tellsClosed is true where the program can tell that its standard output is closed.
const tellsClosed = true
