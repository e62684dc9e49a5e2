package openclaw

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
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
	Type       string   `json:"type"`
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
	Role       text    `json:"role"`
	Content    content `json:"content"`
	Timestamp  instant `json:"timestamp"`
	ID         text    `json:"id"`
	ResponseID text    `json:"responseId"`
	ToolCallID text    `json:"toolCallId"`
	ToolName   text    `json:"toolName"`
	IsError    flag    `json:"isError"`
	Excluded   flag    `json:"excludeFromContext"`
	Provenance struct {
		Kind       text `json:"kind"`
		SourceTool text `json:"sourceTool"`
	} `json:"provenance"`

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

// block is a piece of a message.
type block struct {
	Type      string          `json:"type"`
	Text      text            `json:"text"`
	Thinking  text            `json:"thinking"`
	Signature text            `json:"thinkingSignature"`
	Redacted  flag            `json:"redacted"`
	ID        text            `json:"id"`
	Name      text            `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Input     json.RawMessage `json:"input"`
	Data      blob            `json:"data"`
	MimeType  text            `json:"mimeType"`
}

// content is the list of a message's blocks; a bare string is one text block
// and a bare object is a list of one.
type content []block

func (c *content) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '[':
		var list []json.RawMessage
		if err := json.Unmarshal(b, (*[]block)(c)); err == nil || json.Unmarshal(b, &list) != nil {
			return nil
		}
		*c = nil
		for _, raw := range list { // one odd block must not cost the others
			var one block
			if json.Unmarshal(raw, &one) == nil {
				*c = append(*c, one)
			}
		}
	case '{':
		var one block
		if json.Unmarshal(b, &one) == nil {
			*c = content{one}
		}
	case '"':
		var t text
		if t.UnmarshalJSON(b) == nil {
			*c = content{{Type: "text", Text: t}}
		}
	}
	return nil
}

// text is a string; a number is taken as it is written.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	switch {
	case b[0] == '"':
		var s string
		if json.Unmarshal(b, &s) == nil {
			*t = text(s)
		}
	case b[0] == '-' || '0' <= b[0] && b[0] <= '9':
		*t = text(b)
	}
	return nil
}

// link is a reference to another event. It is set where the field is there as
// null or as an id, and its id is empty for null.
type link struct {
	set bool
	id  string
}

func (l *link) UnmarshalJSON(b []byte) error {
	var id text
	if err := id.UnmarshalJSON(b); err != nil {
		return err
	}
	*l = link{set: id != "" || bytes.Equal(b, []byte("null")), id: string(id)}
	return nil
}

// flag is a boolean.
type flag bool

func (f *flag) UnmarshalJSON(b []byte) error {
	*f = flag(bytes.Equal(b, []byte("true")))
	return nil
}

// number is an integer; 0 where it is none.
type number int

func (n *number) UnmarshalJSON(b []byte) error {
	if v, err := strconv.Atoi(string(bytes.Trim(b, `"`))); err == nil {
		*n = number(v)
	}
	return nil
}

// instant is a time, stored as milliseconds since 1970 or as ISO 8601.
type instant struct{ time.Time }

// maxMillis keeps times within what JSON can write: the year 9999.
const maxMillis = 253402300799999

func (t *instant) UnmarshalJSON(b []byte) error {
	s := string(bytes.Trim(b, `"`))
	if ms, err := strconv.ParseFloat(s, 64); err == nil {
		if 0 < ms && ms <= maxMillis {
			t.Time = time.UnixMilli(int64(ms)).UTC()
		}
		return nil
	}
	if v, err := time.Parse(time.RFC3339Nano, s); err == nil && v.Year() > 0 && v.UnixMilli() <= maxMillis {
		t.Time = v.UTC()
	}
	return nil
}

// blob is the size in bytes of what a base64 string stands for; the string
// itself is of no use here.
type blob int

func (n *blob) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		*n = blob(len(bytes.TrimRight(b[1:len(b)-1], "=")) * 3 / 4)
	}
	return nil
}
