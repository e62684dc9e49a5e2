//go:build !cgo

package openclaw

import (
	"context"
	"errors"

	"pacms/session"
)

// errNoSQLite is what a build without cgo says of a database.
var errNoSQLite = errors.New("this build of pacms cannot read SQLite databases: it was built without cgo")

func readDatabase(_ context.Context, path string, _ Options) (*session.Session, error) {
	return nil, &NotSessionError{Path: path, What: "a SQLite database, and " + errNoSQLite.Error()}
}

func databaseSessions(context.Context, string) (keys, ids []string, err error) {
	return nil, nil, errNoSQLite
}

func peekDatabase(_ context.Context, path string) ([]Stored, error) {
	return nil, &NotSessionError{Path: path, What: "a SQLite database, and " + errNoSQLite.Error()}
}
