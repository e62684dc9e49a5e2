//go:build !cgo

package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// errNoSQLite is what a build without cgo says of a file of captures.
var errNoSQLite = errors.New("this build of pacms has no SQLite, as it was built without cgo")

// migrations are none in a build that has no database.
var migrations []string

// file stands for the database in a build that has none.
type file struct{ bytes int64 }

func openFile(context.Context, string, bool, []string) (*file, error) { return nil, errNoSQLite }

func (*file) write(context.Context, []*entry, map[string]int) (map[*entry]error, error) {
	return nil, errNoSQLite
}
func (*file) prune(context.Context, Policy) (Removed, error) { return Removed{}, errNoSQLite }
func (*file) gone() bool                                     { return false }
func (*file) end(context.Context) error                      { return nil }
func (*file) close()                                         {}

func setAside(string) (string, error) { return "", errNoSQLite }

// Prune says that there is no database.
func Prune(context.Context, string, Policy) (Removed, error) {
	return Removed{}, fmt.Errorf("store: %w", errNoSQLite)
}

// Remove says that there is no database.
func Remove(context.Context, string, []int64, bool) (removed Removed, missing []int64, err error) {
	return Removed{}, nil, fmt.Errorf("store: %w", errNoSQLite)
}

// Reader stands for what reads the database in a build that has none.
type Reader struct{}

// OpenReader says that there is no database.
func OpenReader(context.Context, string) (*Reader, error) {
	return nil, fmt.Errorf("store: %w", errNoSQLite)
}

// Close does nothing.
func (*Reader) Close() error { return nil }

// Info says that there is no database.
func (*Reader) Info(context.Context) (*Info, error) { return nil, errNoSQLite }

// Sessions says that there is no database.
func (*Reader) Sessions(context.Context) ([]Stored, error) { return nil, errNoSQLite }

// List says that there is no database.
func (*Reader) List(context.Context, Filter) ([]Entry, error) { return nil, errNoSQLite }

// Capture says that there is no database.
func (*Reader) Capture(context.Context, int64) (*Capture, error) { return nil, errNoSQLite }

// Before says that there is no database.
func (*Reader) Before(context.Context, string, time.Time) (*Capture, error) { return nil, errNoSQLite }

// Captures says that there is no database.
func (*Reader) Captures(context.Context, string) ([]*Capture, []error, error) {
	return nil, nil, errNoSQLite
}
