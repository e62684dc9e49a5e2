package selector

import (
	"crypto/sha256"
	"runtime"
	"slices"
	"strconv"
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
	if used := after.TotalAlloc - before.TotalAlloc; used > uint64(len(text))/4 {
		t.Errorf("%d bytes were allocated for a text of %d", used, len(text))
	}
}

// However long a text is, its grams are each of them once, in order, and take no more
// room than they need.
func TestWordGramsAreDistinct(t *testing.T) {
	for _, n := range []int{0, 2, 3, gramsKept - 1, gramsKept + 2, 3 * gramsKept, 9*gramsKept + 1} {
		for _, different := range []int{1, 7, gramsKept, 4 * gramsKept, 1 << 20} {
			list := make([]string, n)
			for i := range list {
				list[i] = "w" + strconv.Itoa(i%different)
			}
			want := map[string]bool{}
			for i := range list {
				if i >= gramWords-1 {
					want[strings.Join(list[i-gramWords+1:i+1], " ")] = true
				}
			}
			grams := wordGrams(strings.Join(list, " "))
			if len(grams) != len(want) || !slices.IsSorted(grams) || len(slices.Compact(slices.Clone(grams))) != len(want) {
				t.Errorf("%d words, %d of them different: %d grams, want %d", n, different, len(grams), len(want))
			}
			if cap(grams) > 2*len(grams)+8 {
				t.Errorf("%d words, %d of them different: room for %d grams is kept for %d", n, different, cap(grams), len(grams))
			}
		}
	}
}

// A long text has the hash that it would have in one piece.
func TestSumOfText(t *testing.T) {
	for _, n := range []int{0, 1, 8 << 10, 8<<10 + 1, 100_000} {
		text := strings.Repeat("x", n)
		if sumOfText(text) != sha256.Sum256([]byte(text)) {
			t.Errorf("the hash of %d bytes is another one", n)
		}
	}
}
