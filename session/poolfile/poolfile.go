// Package poolfile reads and writes pacms.pool/1 documents: one, or one a line.
package poolfile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"pacms/session"
	"pacms/session/token"
)

// maxBytes is how large a document may be.
const maxBytes = 64 << 20

// Error says what is wrong with a document, and where.
type Error struct {
	// Path is the JSON path of the value, such as "$.candidates[3].id".
	Path string
	// Problem is what is wrong with it and what it must be.
	Problem string
	// Limit is true where nothing is wrong but that there is too much of it.
	Limit bool
}

// Limits bound what is read of a document, beyond what always bounds it. A zero
// bounds nothing.
type Limits struct {
	Candidates int
	// Text is the most bytes that one text may have.
	Text int
}

// Error is the path and the problem; of what is wrong with the whole document, the
// problem alone.
func (e *Error) Error() string {
	problem := beginning(e.Problem, maxProblem)
	if e.Path == "$" {
		return problem
	}
	return e.Path + ": " + problem
}

// maxProblem is how many characters of a problem are said, which may quote what is in
// the document.
const maxProblem = 300

// Decode reads one pool document and fills in what may be left out: missing
// tokens are counted with c, a missing kind is user, and where groups are missing
// calls and results are paired as session.Pair does. A document that does not say
// its schema is taken for a pool. What is odd but harmless is in Pool.Warnings. A
// fault of the document gives an *Error.
func Decode(r io.Reader, c token.Counter) (*session.Pool, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("poolfile: %w", err)
	}
	return DecodeWithin(context.Background(), data, c, Limits{})
}

// DecodeWithin reads the document in data as Decode does, within limits, and gives
// up when ctx ends. data may be changed afterwards.
func DecodeWithin(ctx context.Context, data []byte, c token.Counter, lim Limits) (*session.Pool, error) {
	if len(data) > maxBytes {
		return nil, fmt.Errorf("poolfile: %w", tooLong())
	}
	data, err := trimMark(data)
	if err != nil {
		return nil, fmt.Errorf("poolfile: %w", err)
	}
	p, err := decode(ctx, data, c, lim)
	if err != nil {
		return nil, fmt.Errorf("poolfile: %w", err)
	}
	return p, nil
}

// DecodeAll reads a file with one pool a line, as Decode reads each. Blank lines
// are passed over. An error says which line of name it is about.
func DecodeAll(r io.Reader, name string, c token.Counter) ([]*session.Pool, error) {
	var pools []*session.Pool
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxBytes)
	number := 0
	fail := func(err error) ([]*session.Pool, error) {
		return nil, fmt.Errorf("poolfile: read %s line %d: %w", name, number, err)
	}
	for lines.Scan() {
		number++
		line := lines.Bytes()
		if number == 1 {
			var err error
			if line, err = trimMark(line); err != nil {
				return fail(err)
			}
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		p, err := decode(context.Background(), line, c, Limits{})
		if err != nil {
			return fail(err)
		}
		pools = append(pools, p)
	}
	if err := lines.Err(); err != nil {
		number++
		if errors.Is(err, bufio.ErrTooLong) {
			err = tooLong()
		}
		return fail(err)
	}
	if len(pools) == 0 {
		return nil, fmt.Errorf("poolfile: read %s: no pools in it", name)
	}
	return pools, nil
}

// tooLong is the error for a document over maxBytes.
func tooLong() error {
	return &Error{Path: "$", Problem: fmt.Sprintf("longer than %d MiB", maxBytes>>20), Limit: true}
}
