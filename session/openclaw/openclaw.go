// Package openclaw reads OpenClaw's sessions: JSONL transcripts (header
// versions 1 to 4) and openclaw-agent.sqlite. One event decoder stands behind
// the two line sources.
package openclaw

import (
	"context"
	"errors"
	"io"

	"pacms/session"
	"pacms/session/token"
)

// Options say how to read a store.
type Options struct {
	// Counter counts tokens; required.
	Counter token.Counter
	// Session picks a session key or session id in a store of several; empty:
	// the one most recently updated.
	Session string
	// Progress, if set, is told how many bytes of how many were read.
	Progress func(done, total int64)
}

// Open reads the session in the file at path, whichever of the two stores it is.
// The error says what the file is where it is neither.
func Open(ctx context.Context, path string, opt Options) (*session.Session, error) {
	return nil, errors.New("openclaw: not implemented")
}

// Read reads a JSONL transcript; name is what errors and Source.Path call it.
func Read(ctx context.Context, r io.Reader, name string, opt Options) (*session.Session, error) {
	return nil, errors.New("openclaw: not implemented")
}
