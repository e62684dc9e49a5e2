package tui

import (
	"bytes"
	"encoding/json"
	"fmt"

	"pacms/session"
	"pacms/tui/safe"
)

// maxArgs is how much of a call's arguments is read for a label, in bytes.
const maxArgs = 2_048

// toolLabel is the tool of a result or of a message's first call, with what it
// was called with: "read docs/config.yaml".
func toolLabel(c *session.Candidate) string {
	use := c.Tool
	if use == nil && len(c.Calls) > 0 {
		use = &c.Calls[0]
	}
	if use == nil {
		return ""
	}
	label := use.Name + arguments(use.Args)
	if use.Error {
		label += " (failed)"
	}
	return safe.Line(label)
}

// arguments writes the values of a JSON object, the first one bare and the others
// behind their names; what is no object, or is cut short, ends the list.
func arguments(args json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(args[:min(len(args), maxArgs)]))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return ""
	}
	text := ""
	for d.More() {
		name, err := d.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			break
		}
		word := string(value)
		var s string
		if json.Unmarshal(value, &s) == nil {
			word = s
		}
		if text != "" {
			word = fmt.Sprint(name, "=", word)
		}
		text += " " + word
	}
	return text
}
