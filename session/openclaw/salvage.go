package openclaw

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"pacms/session"
)

// salvageEffort is how many times its own length a damaged line may be looked
// at: enough for many records on it, and a bound for a line made to be slow.
const salvageEffort = 16

// salvage reads what it can of a line that is no record as a whole: records that
// stand on one line, a record that was cut off where the next begins, and runs
// of NUL that a crash of the machine leaves. Only what no record can be made of
// is skipped; cause is why the line as a whole is none.
func (d *decoder) salvage(line []byte, rec record, cause string) (entries []*entry, skipped []session.Skip) {
	skip := func(from, to int, cause string) {
		skipped = append(skipped, session.Skip{Line: rec.line, Offset: rec.offset + int64(from), Bytes: to - from, Cause: cause})
	}
	effort := salvageEffort * len(line)
	for at := 0; at < len(line); {
		if zeros := leadingZeros(line[at:]); zeros > 0 {
			skip(at, at+zeros, fmt.Sprintf("%d NUL bytes where a record should be", zeros))
			at += zeros
			continue
		}
		e, size, why := d.first(line[at:], rec.piece(at))
		effort -= size
		if e != nil {
			entries = append(entries, e)
			if why != "" {
				skip(at, at+size, why)
			}
			at += size
			at += len(line[at:]) - len(trimBetween(line[at:]))
			continue
		}
		next := d.nextEvent(line, at+1, rec, &effort)
		switch {
		case next < len(line):
			why = "cut off: another record begins inside this one"
		case at == 0:
			why = cause // nothing of the line can be read
		}
		end := at + len(bytes.TrimRight(line[at:next], "\x00"))
		skip(at, end, why)
		at = end
	}
	return entries, skipped
}

// piece is the record of the rest of a line.
func (r record) piece(at int) record {
	r.offset += int64(at)
	r.size -= at
	return r
}

// first decodes the record that a text begins with. It returns the size of the
// record, or of all that had to be looked at to see that there is none.
func (d *decoder) first(text []byte, rec record) (e *entry, size int, cause string) {
	size = objectSize(text)
	if size == len(text) {
		e, cause = d.decode(text, rec)
		return e, size, cause
	}
	rec.torn = false
	rec.size = size
	e, cause = d.decode(text[:size], rec)
	return e, size, cause
}

// trimBetween leaves out what may stand between two records of a line.
func trimBetween(text []byte) []byte {
	return bytes.TrimLeft(text, " \t\r"+bom)
}

// nextEvent is the first place in line, from at on, where a sound event begins;
// the length of the line where there is none, or none that may be looked for.
func (d *decoder) nextEvent(line []byte, at int, rec record, effort *int) int {
	for *effort > 0 {
		brace := bytes.IndexByte(line[at:], '{')
		if brace < 0 {
			break
		}
		at += brace
		name, read := typeName(line[at:])
		*effort -= read
		if name == typeHeader || name == typeLeaf || canonical(name) {
			e, size, cause := d.first(line[at:], rec.piece(at))
			*effort -= size
			if e != nil && cause == "" {
				return at
			}
		}
		at++
	}
	return len(line)
}

// typeName is the type of the event that a text may begin with; empty where the
// text is no JSON object before it names one. The blocks of a message have types
// too, of other names. It also returns how much of the text was read.
func typeName(text []byte) (name string, read int) {
	if inside := bytes.TrimLeft(text[1:], " \t\r"); len(inside) == 0 || inside[0] != '"' {
		return "", 1 // a brace in a text, mostly
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), lenient)
	_, err := dec.ReadToken() // the brace
	for err == nil && dec.PeekKind() == jsontext.KindString {
		var key jsontext.Value
		if key, err = dec.ReadValue(); err != nil {
			break
		}
		if string(key) == `"type"` {
			name, _ = scalar(dec) // empty with an error
			break
		}
		err = dec.SkipValue()
	}
	return name, int(dec.InputOffset())
}

// objectSize is the size of the JSON object that a text begins with, by its
// braces alone; the size of the text where that has no end.
func objectSize(text []byte) int {
	depth := 0
	inString, escaped := false, false
	for i, c := range text {
		switch {
		case escaped:
			escaped = false
		case inString:
			escaped = c == '\\'
			inString = c != '"'
		case c == '"':
			inString = true
		case c == '{':
			depth++
		case c == '}':
			depth--
			if depth <= 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// leadingZeros is how many NUL bytes a text begins with.
func leadingZeros(text []byte) int {
	return len(text) - len(bytes.TrimLeft(text, "\x00"))
}
