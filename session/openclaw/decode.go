package openclaw

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"pacms/session"
	"pacms/session/token"
)

// entry is a stored event, decoded.
type entry struct {
	rec  record
	raw  []byte // only where the store cannot be read again
	hash uint64 // of the stored bytes

	typ     string
	id      string
	parent  link
	side    bool // appended beside the branch, does not move the leaf
	time    time.Time
	version int // of a header

	target, appendParent link   // of a leaf row
	firstKept            string // of a compaction or a reset

	msg *said // nil where the event says nothing to the model

	// more is the next line of the same message, set when the session is built.
	more *entry

	// What had to be mended to read the event.
	badUnicode, rawControls bool
}

// decoder turns stored bytes into entries. It is safe for concurrent use.
type decoder struct {
	counter token.Counter
	seed    maphash.Seed
}

func newDecoder(c token.Counter) *decoder {
	return &decoder{counter: c, seed: maphash.MakeSeed()}
}

// decode returns the entry in data, or why there is none. An entry that says
// nothing because of a defect comes with the cause as well: it still is a link
// in the tree.
func (d *decoder) decode(data []byte, rec record) (e *entry, cause string) {
	if rec.cause != "" {
		return nil, rec.cause
	}
	e = &entry{rec: rec, hash: maphash.Bytes(d.seed, data)}
	if !utf8.Valid(data) {
		data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
		e.badUnicode = true
	}
	e.badUnicode = e.badUnicode || hasLoneSurrogate(data)
	var ev event
	err := json.Unmarshal(data, &ev, lenient)
	if err != nil && bytes.ContainsFunc(data, isControl) {
		ev = event{}
		if json.Unmarshal(escapeControls(data), &ev, lenient) == nil {
			err, e.rawControls = nil, true
		}
	}
	if err != nil {
		return nil, jsonCause(err, rec)
	}
	if ev.Type == "" {
		return nil, "no session event: it has no type"
	}
	d.fill(e, &ev)
	switch ev.Type {
	case typeMessage:
		if ev.Message == nil {
			return e, "a message event without a message"
		}
		e.msg, cause = d.message(ev.Message)
	case typeCompaction, typeBranchSummary:
		if ev.Summary != "" {
			e.msg = d.summary(e.typ, string(ev.Summary))
		}
	case typeCustomMessage:
		e.msg = d.custom(string(ev.CustomType), ev.Content)
	}
	if e.msg != nil {
		if e.msg.time.IsZero() {
			e.msg.time = e.time
		}
		d.identify(e.msg)
	}
	if e.id == "" && !canonical(e.typ) && e.typ != typeHeader {
		return nil, fmt.Sprintf("no session event: type %.40q without an id", e.typ)
	}
	return e, cause
}

// fill copies what an event has in common with all others.
func (d *decoder) fill(e *entry, ev *event) {
	e.typ = string(ev.Type)
	e.id = strings.TrimSpace(string(ev.ID))
	e.parent = ev.ParentID
	e.side = ev.AppendMode == "side"
	e.time = ev.Timestamp.Time
	e.version = int(ev.Version)
	e.target, e.appendParent = ev.Target, ev.AppendParentID
	e.firstKept = string(ev.FirstKept)
}

// identify fills in by what a message is known when it is stored again under
// another id: who said what, when, and of which call.
func (d *decoder) identify(m *said) {
	var h maphash.Hash
	h.SetSeed(d.seed)
	write := func(parts ...string) {
		for _, s := range parts {
			_, _ = h.WriteString(s)
			_ = h.WriteByte(0)
		}
	}
	maphash.WriteComparable(&h, m.time.UnixMilli())
	write(m.role, m.toolCallID, m.text)
	for _, c := range m.calls {
		write(c.Name, c.CallID, string(c.Args))
	}
	m.identity = h.Sum64()
}

// lenient accepts what JavaScript accepts.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// jsonCause says in a few words why a record is no JSON object of an event.
func jsonCause(err error, rec record) string {
	if rec.torn && errors.Is(err, io.ErrUnexpectedEOF) {
		return "cut off: the file ends inside this record"
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Sprintf("damaged JSON at byte %d of the record: %v", syntax.ByteOffset, syntax.Err)
	}
	if odd, ok := errors.AsType[*json.SemanticError](err); ok {
		where := "it"
		if odd.JSONPointer != "" {
			where = "its " + string(odd.JSONPointer)
		}
		return fmt.Sprintf("no session event: %s is a JSON %s", where, kindName(odd.JSONKind))
	}
	return fmt.Sprintf("not readable as JSON: %v", err)
}

// kindName says in a word what a JSON value is.
func kindName(k jsontext.Kind) string {
	switch k {
	case jsontext.KindBeginArray:
		return "array"
	case jsontext.KindBeginObject:
		return "object"
	case jsontext.KindTrue, jsontext.KindFalse:
		return "boolean"
	default:
		return k.String()
	}
}

// isControl reports whether r may not stand in a JSON string unescaped.
func isControl(r rune) bool { return r < ' ' }

// escapeControls escapes the control characters inside the strings of a JSON
// text. Some versions of the host wrote them raw.
func escapeControls(data []byte) []byte {
	out := make([]byte, 0, len(data)+64)
	inString, escaped := false, false
	for _, c := range data {
		if inString && c < ' ' {
			out = fmt.Appendf(out, `\u%04x`, c)
			escaped = false
			continue
		}
		out = append(out, c)
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = inString
		case c == '"':
			inString = !inString
		}
	}
	return out
}

// hasLoneSurrogate reports whether a JSON text has an escaped half of a
// character without its other half, which a decoder replaces silently.
func hasLoneSurrogate(data []byte) bool {
	high := false
	for i := 0; ; {
		at := bytes.IndexByte(data[i:], '\\')
		if at < 0 {
			return high
		}
		if high && at > 0 {
			return true
		}
		i += at
		unit, size := escape(data[i:])
		isLow := 0xDC00 <= unit && unit <= 0xDFFF
		if high != isLow {
			return true
		}
		high = 0xD800 <= unit && unit <= 0xDBFF
		i += size
	}
}

// escape is the code unit and the length of the escape that data starts with;
// the unit is -1 for any that is no \u.
func escape(data []byte) (unit, size int) {
	if len(data) < 6 || data[1] != 'u' {
		return -1, min(2, len(data))
	}
	for _, c := range data[2:6] {
		digit := bytes.IndexByte([]byte("0123456789abcdef"), c|0x20)
		if digit < 0 {
			return -1, 2
		}
		unit = unit<<4 | digit
	}
	return unit, 6
}

// kindOfRole gives the kind of the candidate for each role of a message.
func kindOfRole(role string) (session.Kind, bool) {
	switch role {
	case "user", "bashExecution":
		return session.User, true
	case "assistant":
		return session.Assistant, true
	case "toolResult", "tool":
		return session.Tool, true
	case "system", "developer":
		return session.System, true
	case "branchSummary", "compactionSummary":
		return session.Summary, true
	case "custom", "hookMessage":
		return session.Document, true
	}
	return "", false
}
