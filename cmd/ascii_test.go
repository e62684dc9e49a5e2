package cmd

import (
	"strings"
	"testing"
)

// However a text is cut into writes, its signs become ASCII and its letters stay.
func TestASCIIWriter(t *testing.T) {
	t.Parallel()
	const text, want = "“é … 漢” × 3 ≥ 2\n", "\"é ~ 漢\" x 3 > 2\n"
	for cut := 1; cut <= len(text); cut++ {
		var b strings.Builder
		w := textTo(&b, true)
		for from := 0; from < len(text); from += cut {
			if _, err := w.Write([]byte(text[from:min(from+cut, len(text))])); err != nil {
				t.Fatal(err)
			}
		}
		if b.String() != want {
			t.Errorf("in pieces of %d: %q, want %q", cut, b.String(), want)
		}
	}
	var b strings.Builder
	if w := textTo(&b, false); w != &b {
		t.Error("a text that need not change goes another way")
	}
}
