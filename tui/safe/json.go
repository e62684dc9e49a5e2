package safe

import (
	"bytes"
	"encoding/json"
	"fmt"
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

// escapeControls writes DEL, the C1 control characters, the characters that
// change the direction of text and bytes that are no UTF-8 as JSON escapes.
// Outside of strings JSON has none of them.
func escapeControls(b []byte) []byte {
	if utf8.Valid(b) && !bytes.ContainsFunc(b, acts) {
		return b
	}
	out := make([]byte, 0, len(b)+64)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if acts(r) || r == utf8.RuneError && n == 1 {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}

// acts reports whether a terminal may do something else than draw r.
func acts(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r == 0x061c || r == 0x200e || r == 0x200f ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
