//go:build !cgo

package openclaw

import "context"

func newFollowedDatabase(path, _ string) (followed, error) {
	return nil, &NotSessionError{Path: path, What: "a SQLite database, and " + errNoSQLite.Error()}
}

func heldSession(context.Context, string, string, string) (string, error) { return "", errNoSQLite }
