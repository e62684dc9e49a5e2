// Package openclaw reads OpenClaw's sessions: JSONL transcripts (header
// versions 1 to 4) and openclaw-agent.sqlite. One event decoder stands behind
// the two line sources.
package openclaw

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

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
	// Progress, if set, is told how many bytes of how many were read; the total
	// is 0 where it is unknown. It is called from one goroutine.
	Progress func(done, total int64)
}

// NotSessionError says that a file is no session that can be read, and what it is.
type NotSessionError struct {
	Path string
	// What is the rest of a sentence that begins with "this is".
	What string
}

func (e *NotSessionError) Error() string {
	return fmt.Sprintf("%s is no OpenClaw session: this is %s", e.Path, e.What)
}

// Open reads the session at path: a JSONL transcript, an agent database, or a
// folder that holds exactly one of them. Anything else gives a *NotSessionError
// that says what it is. A database is only read, and nothing is created beside it.
func Open(ctx context.Context, path string, opt Options) (*session.Session, error) {
	if opt.Counter == nil {
		return nil, errNoCounter
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("openclaw: open: %w", err)
	}
	if info.IsDir() {
		return openFolder(ctx, path, opt)
	}
	what, err := identifyFile(path)
	if err != nil {
		return nil, err
	}
	switch what {
	case isTranscript:
		return readFile(ctx, path, opt)
	case isDatabase:
		return readDatabase(ctx, path, opt)
	}
	return nil, &NotSessionError{Path: path, What: what}
}

// identifyFile says what the file at path is, by its first bytes.
func identifyFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("openclaw: open: %w", err)
	}
	if info.IsDir() {
		return "a folder", nil
	}
	if !info.Mode().IsRegular() {
		return "no regular file", nil
	}
	head, err := readHead(path)
	if err != nil {
		return "", err
	}
	return identify(path, head), nil
}

// readHead reads the first bytes of a file.
func readHead(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("openclaw: open: %w", err)
	}
	defer f.Close()
	head := make([]byte, sniffBytes)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("openclaw: read %s: %w", path, err)
	}
	return head[:n], nil
}
