package selector

import (
	"runtime"
	"strings"
	"testing"
)

// The words of a long text are never in memory together: that would be many
// times the text.
func TestWordGramsOfLongText(t *testing.T) {
	text := strings.Repeat("kettle shelf ferry lamp window garden river stone ", 100_000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	grams := wordGrams(text)
	runtime.ReadMemStats(&after)
	if len(grams) != 8 {
		t.Errorf("%d different grams, want 8", len(grams))
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 10*uint64(len(text)) {
		t.Errorf("%d bytes were allocated for a text of %d", used, len(text))
	}
}
