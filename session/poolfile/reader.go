package poolfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxDepth is how deep a document may nest.
const maxDepth = 100

// step is one step of a JSON path: a key, or where that is empty an index.
type step struct {
	key   string
	index int
}

// reader walks a JSON document token by token, and so knows at any point where
// it is and refuses a second value for a key. A null is a value left out.
type reader struct {
	data []byte
	dec  *json.Decoder
	path []step
	// before is the offset in data at which the last token was looked for.
	before int64
	// unknown counts the fields that have no meaning; firstUnknown is the path
	// of the first.
	unknown      int
	firstUnknown string
}

func newReader(data []byte) *reader {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return &reader{data: data, dec: dec}
}

// errorf makes an error at the present path.
func (r *reader) errorf(format string, args ...any) error {
	return &Error{Path: r.where(), Problem: fmt.Sprintf(format, args...)}
}

// where is the present path.
func (r *reader) where() string {
	var b strings.Builder
	b.WriteByte('$')
	for _, s := range r.path {
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

// plainKey reports whether key can stand behind a dot in a path.
func plainKey(key string) bool {
	return !strings.ContainsFunc(key, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_'
	})
}

// token reads the next token.
func (r *reader) token() (json.Token, error) {
	r.before = r.dec.InputOffset()
	tok, err := r.dec.Token()
	if err == nil {
		return tok, nil
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, r.errorf("the document ends early, after %d bytes", len(r.data))
	}
	return nil, r.errorf("not JSON near byte %d: %v", r.dec.InputOffset(), err)
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
		return r.errorf("nested deeper than %d levels", maxDepth)
	}
	r.path = append(r.path, s)
	if err := read(); err != nil {
		return err
	}
	r.path = r.path[:len(r.path)-1]
	return nil
}

// object calls field for each field of the object that tok begins; a field with
// the value null is passed over.
func (r *reader) object(tok json.Token, field func(key string, value json.Token) error) error {
	if tok != json.Delim('{') {
		return r.errorf("must be an object, not %s", describe(tok))
	}
	seen := map[string]bool{}
	for r.dec.More() {
		name, err := r.token()
		if err != nil {
			return err
		}
		key, _ := name.(string) // the decoder lets nothing else stand here
		err = r.within(step{key: key}, func() error {
			if seen[key] {
				return r.errorf("given twice")
			}
			seen[key] = true
			value, err := r.token()
			if err != nil || value == nil {
				return err
			}
			return field(key, value)
		})
		if err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}

// array calls element for each element of the array that tok begins.
func (r *reader) array(tok json.Token, element func(i int, value json.Token) error) error {
	if tok != json.Delim('[') {
		return r.errorf("must be an array, not %s", describe(tok))
	}
	for i := 0; r.dec.More(); i++ {
		err := r.within(step{index: i}, func() error {
			value, err := r.token()
			if err != nil {
				return err
			}
			return element(i, value)
		})
		if err != nil {
			return err
		}
	}
	_, err := r.token()
	return err
}

// skip reads to the end of the value that tok begins.
func (r *reader) skip(tok json.Token) error {
	switch tok {
	case json.Delim('{'):
		return r.object(tok, func(_ string, value json.Token) error { return r.skip(value) })
	case json.Delim('['):
		return r.array(tok, func(_ int, value json.Token) error { return r.skip(value) })
	}
	return nil
}

// ignore passes over a field that has no meaning, and counts it.
func (r *reader) ignore(tok json.Token) error {
	if r.unknown == 0 {
		r.firstUnknown = r.where()
	}
	r.unknown++
	return r.skip(tok)
}

// raw sets dst to the JSON of the value that tok begins, without spaces.
func (r *reader) raw(tok json.Token, dst *json.RawMessage) error {
	from := r.before
	if err := r.skip(tok); err != nil {
		return err
	}
	value := bytes.TrimLeft(r.data[from:r.dec.InputOffset()], ":, \t\r\n")
	var compact bytes.Buffer
	if err := json.Compact(&compact, value); err != nil {
		return r.errorf("not JSON: %v", err)
	}
	*dst = compact.Bytes()
	return nil
}

// text sets dst to the string tok.
func (r *reader) text(tok json.Token, dst *string) error {
	s, ok := tok.(string)
	if !ok {
		return r.errorf("must be a string, not %s", describe(tok))
	}
	*dst = s
	return nil
}

// flag sets dst to the truth value tok.
func (r *reader) flag(tok json.Token, dst *bool) error {
	b, ok := tok.(bool)
	if !ok {
		return r.errorf("must be true or false, not %s", describe(tok))
	}
	*dst = b
	return nil
}

// count sets dst to the whole number tok, from 0 to limit.
func (r *reader) count(tok json.Token, dst *int, limit int) error {
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

// optionalCount sets dst to point to the whole number tok, from 0 to limit.
func (r *reader) optionalCount(tok json.Token, dst **int, limit int) error {
	*dst = new(int)
	return r.count(tok, *dst, limit)
}

// moment sets dst to the RFC 3339 time tok, in UTC.
func (r *reader) moment(tok json.Token, dst *time.Time) error {
	var s string
	if err := r.text(tok, &s); err != nil {
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

// vector sets dst to the finite numbers of the array that tok begins.
func (r *reader) vector(tok json.Token, dst *[]float32) error {
	v := []float32{}
	err := r.array(tok, func(_ int, value json.Token) error {
		n, ok := value.(json.Number)
		if !ok {
			return r.errorf("must be a number, not %s", describe(value))
		}
		f, err := strconv.ParseFloat(n.String(), 32)
		if err != nil || math.IsInf(f, 0) {
			return r.errorf("must be a number within the range of float32, not %s", n)
		}
		v = append(v, float32(f))
		return nil
	})
	*dst = slices.Clip(v)
	return err
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
