// Package poolfile reads pacms.pool/1 documents: one, or one a line.
package poolfile

import (
	"errors"
	"io"

	"pacms/session"
	"pacms/session/token"
)

// Decode reads one pool document and fills in what may be left out: missing
// tokens are counted, a missing kind is user. An error names the JSON path.
func Decode(r io.Reader, c token.Counter) (*session.Pool, error) {
	return nil, errors.New("poolfile: not implemented")
}

// DecodeAll reads a JSONL of pools as a session whose turns are the pools.
func DecodeAll(r io.Reader, name string, c token.Counter) ([]*session.Pool, error) {
	return nil, errors.New("poolfile: not implemented")
}
