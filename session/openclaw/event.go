package openclaw

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The types of stored events. Any other type is an opaque link of the tree.
const (
	typeHeader        = "session"
	typeMessage       = "message"
	typeCompaction    = "compaction"
	typeReset         = "reset"
	typeBranchSummary = "branch_summary"
	typeCustomMessage = "custom_message"
	typeLeaf          = "leaf"
)

// canonical reports whether an event of this type moves the leaf of the tree.
func canonical(typ string) bool {
	switch typ {
	case typeMessage, typeCompaction, typeReset, typeBranchSummary, typeCustomMessage,
		"thinking_level_change", "model_change", "custom", "label", "session_info":
		return true
	}
	return false
}

// event is a stored line as far as it matters here. Its decoding is lenient: a
// field of an unexpected shape is as good as absent.
type event struct {
	Type       text     `json:"type"`
	ID         text     `json:"id"`
	ParentID   link     `json:"parentId"`
	Timestamp  instant  `json:"timestamp"`
	AppendMode text     `json:"appendMode"`
	Message    *message `json:"message"`

	Version        number  `json:"version"`          // of a header
	Summary        text    `json:"summary"`          // of a compaction or a branch summary
	FirstKept      text    `json:"firstKeptEntryId"` // of a compaction or a reset
	Target         link    `json:"targetId"`         // of a leaf row
	AppendParentID link    `json:"appendParentId"`   // of a leaf row
	CustomType     text    `json:"customType"`       // of a custom message
	Content        content `json:"content"`          // of a custom message
}

// message is a message inside an event.
type message struct {
	Role       text               `json:"role"`
	Content    content            `json:"content"`
	Timestamp  instant            `json:"timestamp"`
	ID         text               `json:"id"`
	ResponseID text               `json:"responseId"`
	ToolCallID text               `json:"toolCallId"`
	ToolName   text               `json:"toolName"`
	IsError    flag               `json:"isError"`
	Excluded   flag               `json:"excludeFromContext"`
	Provenance object[provenance] `json:"provenance"`
	Usage      object[usage]      `json:"usage"`

	CustomType text `json:"customType"`
	Summary    text `json:"summary"`

	// Of a command that a person ran.
	Command        text   `json:"command"`
	Output         text   `json:"output"`
	ExitCode       number `json:"exitCode"`
	Cancelled      flag   `json:"cancelled"`
	Truncated      flag   `json:"truncated"`
	FullOutputPath text   `json:"fullOutputPath"`
}

// provenance says of a message that no person wrote where it came from.
type provenance struct {
	Kind       text `json:"kind"`
	SourceTool text `json:"sourceTool"`
}

// usage is what a provider reported of a request, in tokens.
type usage struct {
	Input      number `json:"input"`
	CacheRead  number `json:"cacheRead"`
	CacheWrite number `json:"cacheWrite"`
}

// prompt is the length of the whole request.
func (u *usage) prompt() int { return int(u.Input + u.CacheRead + u.CacheWrite) }

// block is a piece of a message.
type block struct {
	Type      text           `json:"type"`
	Text      text           `json:"text"`
	Thinking  text           `json:"thinking"`
	Signature text           `json:"thinkingSignature"`
	Redacted  flag           `json:"redacted"`
	ID        text           `json:"id"`
	Name      text           `json:"name"`
	Arguments jsontext.Value `json:"arguments"`
	Input     jsontext.Value `json:"input"`
	Data      blob           `json:"data"`
	MimeType  text           `json:"mimeType"`
}

// content is the list of a message's blocks; a bare string is one text block
// and a bare object is a list of one.
type content []block

// UnmarshalJSONFrom never fails on well-formed JSON; it is one pass, which is
// most of the speed of reading a session.
func (c *content) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	switch dec.PeekKind() {
	case '[':
		if _, err := dec.ReadToken(); err != nil {
			return err //nolint:wrapcheck // the decoder adds where it was
		}
		for dec.PeekKind() != ']' {
			if err := c.readBlock(dec); err != nil {
				return err
			}
		}
		_, err := dec.ReadToken()
		return err //nolint:wrapcheck // the decoder adds where it was
	case '"':
		var t text
		if err := t.UnmarshalJSONFrom(dec); err != nil {
			return err
		}
		*c = content{{Type: "text", Text: t}}
		return nil
	default:
		return c.readBlock(dec)
	}
}

// readBlock appends the next value where it is an object.
func (c *content) readBlock(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue() //nolint:wrapcheck // the decoder adds where it was
	}
	var b block
	if err := json.UnmarshalDecode(dec, &b); err != nil {
		return err //nolint:wrapcheck // the decoder adds where it was
	}
	*c = append(*c, b)
	return nil
}

// object is a JSON object; anything else is as good as absent.
type object[T any] struct{ fields T }

// UnmarshalJSONFrom never fails on well-formed JSON.
func (o *object[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue() //nolint:wrapcheck // the decoder adds where it was
	}
	return json.UnmarshalDecode(dec, &o.fields) //nolint:wrapcheck // the decoder adds where it was
}

// text is a string; a number is taken as it is written.
type text string

// UnmarshalJSONFrom never fails on well-formed JSON.
func (t *text) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	s, err := scalar(dec)
	*t = text(s)
	return err
}

// scalar reads the next value and returns it where it is a string or a number,
// the latter as it is written.
func scalar(dec *jsontext.Decoder) (string, error) {
	switch dec.PeekKind() {
	case '"', '0':
		token, err := dec.ReadToken()
		if err != nil {
			return "", err //nolint:wrapcheck // the decoder adds where it was
		}
		return token.String(), nil
	default:
		return "", dec.SkipValue() //nolint:wrapcheck // the decoder adds where it was
	}
}

// link is a reference to another event. It is set where the field is there as
// null or as an id, and its id is empty for null.
type link struct {
	set bool
	id  string
}

// UnmarshalJSONFrom never fails on well-formed JSON.
func (l *link) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	isNull := dec.PeekKind() == 'n'
	id, err := scalar(dec)
	id = strings.TrimSpace(id)
	*l = link{set: isNull || id != "", id: id}
	return err
}

// flag is a boolean.
type flag bool

// UnmarshalJSONFrom never fails on well-formed JSON.
func (f *flag) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*f = dec.PeekKind() == 't'
	return dec.SkipValue() //nolint:wrapcheck // the decoder adds where it was
}

// number is an integer; 0 where it is none.
type number int

// UnmarshalJSONFrom never fails on well-formed JSON.
func (n *number) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	s, err := scalar(dec)
	if v, convErr := strconv.Atoi(s); convErr == nil {
		*n = number(v)
	}
	return err
}

// instant is a time, stored as milliseconds since 1970 or as ISO 8601.
type instant struct{ time.Time }

// maxMillis keeps times within what JSON can write: the year 9999.
const maxMillis = 253402300799999

// UnmarshalJSONFrom never fails on well-formed JSON.
func (t *instant) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	s, err := scalar(dec)
	if len(s) > 4 && s[4] == '-' { // a number has no hyphen there
		if v, convErr := time.Parse(time.RFC3339Nano, s); convErr == nil && 0 < v.Year() && v.UnixMilli() <= maxMillis {
			t.Time = v.UTC()
		}
	} else if ms, convErr := strconv.ParseFloat(s, 64); convErr == nil && 0 < ms && ms <= maxMillis {
		t.Time = time.UnixMilli(int64(ms)).UTC()
	}
	return err
}

// blob is the size in bytes of what a base64 string stands for; the string
// itself is of no use here.
type blob int

// UnmarshalJSONFrom never fails on well-formed JSON.
func (n *blob) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err == nil && value.Kind() == '"' {
		*n = blob(len(bytes.TrimRight(value[1:len(value)-1], "=")) * 3 / 4)
	}
	return err //nolint:wrapcheck // the decoder adds where it was
}
