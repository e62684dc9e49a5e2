//go:build cgo

package openclaw

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// restingDatabase is a file whose header says that a database has a write-ahead
// log while it is open.
func restingDatabase(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.sqlite")
	header := make([]byte, 100)
	copy(header, sqliteMagic)
	header[18], header[19] = 2, 2
	if err := os.WriteFile(path, header, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// What was read of a database that changed meanwhile is thrown away.
func TestChangedDatabaseIsReadAgain(t *testing.T) {
	changes := map[string]func(path string) error{
		"a log appeared":     func(path string) error { return os.WriteFile(path+"-wal", nil, 0o600) },
		"a journal appeared": func(path string) error { return os.WriteFile(path+"-journal", []byte{1}, 0o600) },
		"the file changed":   func(path string) error { return os.WriteFile(path, make([]byte, 9000), 0o600) },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			path := restingDatabase(t)
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
	path := restingDatabase(t)
	reads := 0
	err := withDatabase(t.Context(), path, func(*sql.DB) error {
		reads++
		return os.Truncate(path, int64(100+reads))
	})
	if !errors.Is(err, errChanged) || reads != readAttempts {
		t.Errorf("%d reads, error %v", reads, err)
	}
}

// askedContext calls asked each time it is asked whether it was cancelled.
type askedContext struct {
	context.Context
	asked func()
}

func (c *askedContext) Err() error {
	c.asked()
	return c.Context.Err()
}

// A copy that was made while the database changed is not read.
func TestChangesDuringCopy(t *testing.T) {
	changes := map[string]func(path string) error{
		"the writer closed it": func(path string) error { return os.Remove(path + "-wal") },
		"the log grew":         func(path string) error { return os.Truncate(path+"-wal", 9) },
		"the file changed":     func(path string) error { return os.Truncate(path, 200) },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			path := restingDatabase(t)
			if err := os.WriteFile(path+"-wal", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			asked, reads := 0, 0
			ctx := &askedContext{t.Context(), func() {
				if asked++; asked == 1 {
					if err := change(path); err != nil {
						t.Error(err)
					}
				}
			}}
			err := withDatabase(ctx, path, func(*sql.DB) error {
				reads++
				return nil
			})
			if err != nil || reads != 1 {
				t.Errorf("%d reads, %v", reads, err)
			}
			if asked < 2 {
				t.Error("the change came after the copy")
			}
		})
	}
}

// A copy that is cancelled leaves nothing behind.
func TestCopyCancelled(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path := restingDatabase(t)
	if err := os.WriteFile(path+"-wal", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := withDatabase(ctx, path, func(*sql.DB) error { return errors.New("it was read") })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
