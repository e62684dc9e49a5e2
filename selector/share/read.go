package share

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"pacms/selector"
	"pacms/selector/compare"
	"pacms/session/poolfile"
	"pacms/session/token"
)

// maxBytes is how long a file of cases may be.
const maxBytes = 512 << 20

// stored is a case as it is read.
type stored struct {
	Schema    string
	Turn      int
	Text      Text
	Masked    map[string]int
	Same      bool `json:"same_as_source"`
	Build     compare.Build
	Config    Config
	Pool      json.RawMessage
	Selection *selector.Selection
	Codes     []selector.Code
	Evidence  Evidence
	Digests   map[string]string
}

// Read reads a file of cases, one or one after the other. An error says which of them
// it is about.
func Read(r io.Reader) ([]*Case, error) {
	limited := &io.LimitedReader{R: r, N: maxBytes}
	var cases []*Case
	buffered := bufio.NewReader(limited)
	if mark, _ := buffered.Peek(3); string(mark) == "\ufeff" {
		_, _ = buffered.Discard(len(mark))
	}
	for d := json.NewDecoder(buffered); ; {
		var document json.RawMessage
		err := d.Decode(&document)
		switch {
		case errors.Is(err, io.EOF) && len(cases) > 0:
			return cases, nil
		case errors.Is(err, io.EOF):
			return nil, errors.New("share: there is no case in it")
		case err != nil && limited.N <= 0:
			return nil, fmt.Errorf("share: longer than %d MiB", maxBytes>>20)
		case err != nil:
			if _, ok := errors.AsType[*json.SyntaxError](err); ok {
				err = fmt.Errorf("it is not what pacms export writes: %w", err)
			}
			return nil, fmt.Errorf("share: read case %d: %w", len(cases)+1, err)
		}
		c, err := read(document)
		if err != nil {
			return nil, fmt.Errorf("share: read case %d: %w", len(cases)+1, err)
		}
		cases = append(cases, c)
	}
}

// read reads one case.
func read(document []byte) (*Case, error) {
	var s stored
	if err := json.Unmarshal(document, &s); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return nil, fmt.Errorf("%s: must not be a JSON %s", strings.TrimSuffix("$."+strings.ToLower(wrong.Field), "."), wrong.Value)
		}
		return nil, err //nolint:wrapcheck // it says where
	}
	c, err := s.read()
	if err != nil {
		return nil, err
	}
	c.read, err = digestsOf(document)
	return c, err
}

// read checks what the rest of the program relies on.
func (s *stored) read() (*Case, error) {
	if s.Schema != Schema {
		return nil, fmt.Errorf("$.schema: must be %q, not %.80q", Schema, s.Schema)
	}
	if s.Pool == nil || s.Selection == nil {
		return nil, errors.New("a case has a pool and a selection")
	}
	counter, err := token.New(s.Config.Counter)
	if err != nil {
		return nil, fmt.Errorf("$.config.counter: %w", err)
	}
	pool, err := poolfile.Decode(bytes.NewReader(s.Pool), counter)
	if err != nil {
		return nil, fmt.Errorf("$.pool: %w", err)
	}
	pool.FromSession = s.Config.FromSession
	c := &Case{
		Turn: s.Turn, Text: s.Text, Masked: s.Masked, Same: s.Same, Build: s.Build, Config: s.Config, Pool: pool,
		Result: Result{Selection: s.Selection, Codes: s.Codes}, Evidence: s.Evidence, Digests: s.Digests,
	}
	switch {
	case s.Turn < 0 || s.Config.Tail < 0:
		return nil, errors.New("a number of turns is 0 or more")
	case !slices.Contains([]Text{Full, Redacted, None}, s.Text):
		return nil, fmt.Errorf("$.text: must be full, redacted or none, not %.80q", s.Text)
	case len(s.Codes) != len(pool.Candidates):
		return nil, fmt.Errorf("$.codes: has %d for %d candidates", len(s.Codes), len(pool.Candidates))
	case s.Config.Budget != nil && s.Config.Budget.Value < 0:
		return nil, errors.New("$.config.budget: is 0 or more")
	}
	if f := s.Evidence.Found; f != nil {
		if err := f.Check(len(pool.Candidates)); err != nil {
			return nil, fmt.Errorf("$.evidence.found: %w", err)
		}
	}
	if _, err := c.Options(); err != nil {
		return nil, fmt.Errorf("$.config: %w", err)
	}
	return c, nil
}

// Is reports whether a schema is that of a case, in any version.
func Is(schema string) bool { return strings.HasPrefix(schema, "pacms.case/") }
