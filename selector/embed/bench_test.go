package embed_test

import (
	"fmt"
	"strings"
	"testing"

	"pacms/selector/embed"
)

// prose is English text of n bytes.
func prose(n int) string {
	const sentence = "The gateway reads the session from the database, replays every turn and asks " +
		"which of the earlier messages the agent will need for this question; the budget decides. "
	return strings.Repeat(sentence, n/len(sentence)+1)[:n]
}

// han is n Chinese characters without a space.
func han(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteRune(rune(0x4E00 + i*7919%20000))
	}
	return b.String()
}

// longWord is one word of n bytes whose pieces rarely repeat.
func longWord(n int) string {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = 'a' + byte(x>>24)%26
	}
	return string(b)
}

func BenchmarkBuiltin(b *testing.B) {
	e := embed.NewBuiltin()
	for _, c := range []struct{ name, text string }{
		{"140B", prose(140)},
		{"2000B", prose(2000)},
		{"word64KB", longWord(64 << 10)},
		{"word1MB", longWord(1 << 20)},
		{"han64KB", han(64 << 10 / 3)},
		{"han1MB", han(1 << 20 / 3)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				if _, err := e.Query(b.Context(), c.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBuiltinDocuments embeds a session's worth of messages on all processors.
func BenchmarkBuiltinDocuments(b *testing.B) {
	texts := make([]string, 1000)
	for i := range texts {
		texts[i] = fmt.Sprintf("message %d: %s", i, prose(130))
	}
	e := embed.NewBuiltin()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Documents(b.Context(), texts); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
}

// TestBuiltinAllocations holds an ordinary text to its vector and little else.
func TestBuiltinAllocations(t *testing.T) {
	e := embed.NewBuiltin()
	text := prose(2000)
	got := testing.AllocsPerRun(20, func() {
		if _, err := e.Query(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	})
	// One is the vector. Under the race detector a sync.Pool forgets some of what
	// it is given, and making the scratch anew costs about 36.
	if got > 20 {
		t.Errorf("%g allocations for a text, want at most 20", got)
	}
}
