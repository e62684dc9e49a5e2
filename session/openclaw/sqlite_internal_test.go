//go:build cgo

package openclaw

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// What was read of a database that changed meanwhile is thrown away.
func TestChangedDatabaseIsReadAgain(t *testing.T) {
	changes := map[string]func(path string) error{
		"a log appeared":   func(path string) error { return os.WriteFile(path+"-wal", nil, 0o600) },
		"the file changed": func(path string) error { return os.WriteFile(path, make([]byte, 9000), 0o600) },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.sqlite")
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			reads := 0
			err := withDatabase(t.Context(), path, func(*sql.DB) error {
				if reads++; reads == 1 {
					return change(path)
				}
				return nil
			})
			if err != nil || reads != 2 {
				t.Errorf("%d reads, %v", reads, err)
			}
		})
	}
}

func TestDatabaseThatNeverRests(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.sqlite")
	size := 0
	grow := func(*sql.DB) error {
		size++
		return os.WriteFile(path, make([]byte, size), 0o600)
	}
	if err := grow(nil); err != nil {
		t.Fatal(err)
	}
	if err := withDatabase(t.Context(), path, grow); !errors.Is(err, errChanged) {
		t.Errorf("error %v", err)
	}
}
