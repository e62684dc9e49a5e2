package safe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON is v as one line of JSON that holds the same text and in which nothing acts
// on a terminal: JSON itself escapes only the control characters below the space.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode JSON: %w", err)
	}
	return escapeControls(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// escapeControls writes what does not reach a terminal as it is, and bytes that are
// no UTF-8, as JSON escapes. Outside of strings JSON has none of them.
func escapeControls(b []byte) []byte {
	held := func(r rune) bool { return !reaches(r) }
	if utf8.Valid(b) && !bytes.ContainsFunc(b, held) {
		return b
	}
	out := make([]byte, 0, len(b)+64)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case reaches(r) && (r != utf8.RuneError || n > 1):
			out = append(out, b[:n]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		b = b[n:]
	}
	return out
}
