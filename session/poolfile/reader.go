package poolfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// maxDepth is how deep a document may nest.
const maxDepth = 100

// stepsPerLook is how many values are read between two looks at the context.
const stepsPerLook = 64

// step is one step of a JSON path: a key, or where that is empty an index.
type step struct {
	key   string
	index int
}

// reader walks a JSON document token by token, and so knows at any point where
// it is and refuses a second value for a key. A null is a value left out.
type reader struct {
	ctx  context.Context // of the call that reads
	data []byte
	dec  *json.Decoder
	path []step
	// steps counts the values that were read, see within.
	steps int
	// unknown counts the fields that have no meaning; firstUnknown is the path
	// of the first.
	unknown      int
	firstUnknown string
}

func newReader(ctx context.Context, data []byte) *reader {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return &reader{ctx: ctx, data: data, dec: dec}
}

// errorf makes an error at the present path.
func (r *reader) errorf(format string, args ...any) error {
	return &Error{Path: r.where(), Problem: fmt.Sprintf(format, args...)}
}

// tooMuch is an error at the present path for what is over a limit.
func (r *reader) tooMuch(format string, args ...any) error {
	return &Error{Path: r.where(), Problem: fmt.Sprintf(format, args...), Limit: true}
}

// A path in a message has the first and the last steps of a long one, and the
// beginning of a long key.
const (
	headSteps = 6
	tailSteps = 3
	maxKey    = 60
)

// where is the present path.
func (r *reader) where() string {
	var b strings.Builder
	b.WriteByte('$')
	for i, s := range r.path {
		if left := len(r.path) - headSteps - tailSteps; left > 1 && i >= headSteps && i < headSteps+left {
			if i == headSteps {
				fmt.Fprintf(&b, "…%d more…", left)
			}
			continue
		}
		s.key = beginning(s.key, maxKey)
		switch {
		case s.key == "":
			fmt.Fprintf(&b, "[%d]", s.index)
		case plainKey(s.key):
			b.WriteByte('.')
			b.WriteString(s.key)
		default:
			fmt.Fprintf(&b, "[%q]", s.key)
		}
	}
	return b.String()
}

// beginning is a text, or the first n characters of a longer one.
func beginning(text string, n int) string {
	for i := range text {
		if n--; n < 0 {
			return text[:i] + "…"
		}
	}
	return text
}

// plainKey reports whether key can stand behind a dot in a path.
func plainKey(key string) bool {
	return !strings.ContainsFunc(key, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_'
	})
}

// peek is the first byte of the next value, or 0 at the end.
func (r *reader) peek() byte {
	rest := bytes.TrimLeft(r.data[r.dec.InputOffset():], ":, \t\r\n")
	if len(rest) == 0 {
		return 0
	}
	return rest[0]
}

// token reads the next token.
func (r *reader) token() (json.Token, error) {
	tok, err := r.dec.Token()
	if err != nil {
		return nil, r.syntaxError(err)
	}
	return tok, nil
}

// syntaxError is the error for what the decoder cannot read.
func (r *reader) syntaxError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return r.errorf("the document ends early, after %d bytes", len(r.data))
	}
	return r.errorf("not JSON near byte %d: %v", r.dec.InputOffset(), err)
}

// end refuses anything behind the document.
func (r *reader) end() error {
	at := r.dec.InputOffset()
	if rest := bytes.TrimSpace(r.data[at:]); len(rest) > 0 {
		return r.errorf("something follows the document, after byte %d", at)
	}
	return nil
}

// within runs read with one more step on the path.
func (r *reader) within(s step, read func() error) error {
	if len(r.path) == maxDepth {
		return r.tooMuch("nested deeper than %d levels", maxDepth)
	}
	if r.steps++; r.steps%stepsPerLook == 0 {
		if err := r.ctx.Err(); err != nil {
			return err
		}
	}
	r.path = append(r.path, s)
	if err := read(); err != nil {
		return err
	}
	r.path = r.path[:len(r.path)-1]
	return nil
}

// open reads the bracket that begins an object or an array.
func (r *reader) open(bracket json.Delim, kind string) error {
	tok, err := r.token()
	if err != nil {
		return err
	}
	if tok != bracket {
		return r.errorf("must be %s, not %s", kind, describe(tok))
	}
	return nil
}

// object reads an object; field is called for each key and reads its value. A
// field with the value null is passed over.
func (r *reader) object(field func(key string) error) error {
	if err := r.open('{', "an object"); err != nil {
		return err
	}
	seen := map[string]bool{}
	for r.dec.More() {
		tok, err := r.token()
		if err != nil {
			return err
		}
		key, _ := tok.(string) // the decoder lets nothing else stand here
		err = r.within(step{key: key}, func() error {
			if seen[key] {
				return r.errorf("given twice")
			}
			seen[key] = true
			if r.peek() == 'n' {
				_, err := r.token()
				return err
			}
			return field(key)
		})
		if err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}

// array reads an array; element is called for each index and reads the value.
func (r *reader) array(element func(i int) error) error {
	if err := r.open('[', "an array"); err != nil {
		return err
	}
	for i := 0; r.dec.More(); i++ {
		if err := r.within(step{index: i}, func() error { return element(i) }); err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}

// skip reads a value of any kind.
func (r *reader) skip() error {
	switch r.peek() {
	case '{':
		return r.object(func(string) error { return r.skip() })
	case '[':
		return r.array(func(int) error { return r.skip() })
	}
	_, err := r.token()
	return err
}

// ignore passes over a field that has no meaning, and counts it.
func (r *reader) ignore() error {
	if r.unknown == 0 {
		r.firstUnknown = r.where()
	}
	r.unknown++
	return r.skip()
}

// raw sets dst to the JSON of a value, without spaces.
func (r *reader) raw(dst *json.RawMessage) error {
	from := r.dec.InputOffset()
	if err := r.skip(); err != nil {
		return err
	}
	value := bytes.TrimLeft(r.data[from:r.dec.InputOffset()], ":, \t\r\n")
	var compact bytes.Buffer
	if err := json.Compact(&compact, value); err != nil {
		return r.syntaxError(err)
	}
	*dst = compact.Bytes()
	return nil
}

// text sets dst to a string.
func (r *reader) text(dst *string) error {
	tok, err := r.token()
	if err != nil {
		return err
	}
	s, ok := tok.(string)
	if !ok {
		return r.errorf("must be a string, not %s", describe(tok))
	}
	*dst = s
	return nil
}

// flag sets dst to a truth value.
func (r *reader) flag(dst *bool) error {
	tok, err := r.token()
	if err != nil {
		return err
	}
	b, ok := tok.(bool)
	if !ok {
		return r.errorf("must be true or false, not %s", describe(tok))
	}
	*dst = b
	return nil
}

// count sets dst to a whole number from 0 to limit.
func (r *reader) count(dst *int, limit int) error {
	tok, err := r.token()
	if err != nil {
		return err
	}
	n, ok := tok.(json.Number)
	if !ok {
		return r.errorf("must be a whole number, not %s", describe(tok))
	}
	i, err := strconv.Atoi(n.String())
	if err != nil || i < 0 || i > limit {
		return r.errorf("must be a whole number from 0 to %d, not %s", limit, n)
	}
	*dst = i
	return nil
}

// number sets dst to a number.
func (r *reader) number(dst *float64) error {
	tok, err := r.token()
	if err != nil {
		return err
	}
	n, ok := tok.(json.Number)
	if !ok {
		return r.errorf("must be a number, not %s", describe(tok))
	}
	f, err := n.Float64()
	if err != nil {
		return r.errorf("must be a number within the range of float64, not %.20s", n)
	}
	*dst = f
	return nil
}

// optionalCount sets dst to point to a whole number from 0 to limit.
func (r *reader) optionalCount(dst **int, limit int) error {
	*dst = new(int)
	return r.count(*dst, limit)
}

// moment sets dst to an RFC 3339 time, in UTC.
func (r *reader) moment(dst *time.Time) error {
	var s string
	if err := r.text(&s); err != nil {
		return err
	}
	var t time.Time
	if err := t.UnmarshalText([]byte(s)); err != nil {
		return r.errorf("must be a time such as 2026-11-29T21:36:19Z, not %q", s)
	}
	t = t.UTC()
	if t.Year() < 0 || t.Year() > 9999 {
		return r.errorf("must be a time in the years 0 to 9999, not %q", s)
	}
	*dst = t
	return nil
}

// vector sets dst to an array of numbers. Vectors are most of a document that
// has any, so they are not read token by token.
func (r *reader) vector(dst *[]float32) error {
	if r.peek() != '[' {
		return r.open('[', "an array")
	}
	var raw json.RawMessage
	if err := r.dec.Decode(&raw); err != nil {
		return r.syntaxError(err)
	}
	body := bytes.TrimSpace(raw[1 : len(raw)-1])
	v := make([]float32, 0, bytes.Count(body, []byte(","))+1)
	for len(body) > 0 {
		number, rest, _ := bytes.Cut(body, []byte(","))
		number, body = bytes.TrimSpace(number), rest
		f, err := strconv.ParseFloat(string(number), 32)
		if err != nil {
			return r.within(step{index: len(v)}, func() error {
				return r.errorf("must be a number within the range of float32, not %.20s", number)
			})
		}
		v = append(v, float32(f))
	}
	*dst = v
	return nil
}

// describe names the kind of value that tok begins.
func describe(tok json.Token) string {
	switch v := tok.(type) {
	case json.Delim:
		if v == '{' {
			return "an object"
		}
		return "an array"
	case string:
		return "a string"
	case json.Number:
		return "the number " + v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return "null"
}
