package poolfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"

	"pacms/session"
)

// Canonical is a JSON value in the one form that RFC 8785 gives it, so that two texts of
// an equal value are the same: the order of keys, spaces, escapes and how a number is
// written do not count. Numbers are those of float64. A key that is given twice stays.
func Canonical(value []byte) ([]byte, error) {
	v := jsontext.Value(bytes.Clone(value))
	if err := v.Canonicalize(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, fmt.Errorf("poolfile: %w", err)
	}
	return v, nil
}

// moved finds what one program writes otherwise than another, be it only in a text that
// looks like it: characters that are escaped here and not there, and numbers that are not
// small and whole.
var moved = regexp.MustCompile(`[^\x20-\x7e]|[<>&]|\\[^"\\nrt]|[0-9][.eE]|[0-9]{16}|-0`)

// settled reports whether every program that reads and writes the JSON of arguments
// gives back the same bytes.
func settled(args []byte) bool {
	canonical, err := Canonical(args)
	return err == nil && bytes.Equal(canonical, args) && !moved.Match(args)
}

// toolUse is a call as it is written. What a strategy and a counter read of arguments is
// their text, so that it has to come back to the byte, through whatever program the
// document has gone: where that is not sure the text stands beside them.
type toolUse struct {
	*session.ToolUse
	ArgsText string `json:"args_text,omitempty"`
}

func newToolUse(u *session.ToolUse) toolUse {
	if len(u.Args) == 0 || settled(u.Args) {
		return toolUse{ToolUse: u}
	}
	return toolUse{u, string(u.Args)}
}

// argsText puts the text of arguments in the place of how they are written.
func (d *decoder) argsText(use *session.ToolUse, text string) error {
	said, err := Canonical(use.Args)
	if err != nil {
		return d.errorf("given without args")
	}
	value, err := Canonical([]byte(text))
	if err != nil || !bytes.Equal(said, value) {
		return d.errorf("is not the text of the args beside it; leave it out")
	}
	use.Args = json.RawMessage(text)
	return nil
}
