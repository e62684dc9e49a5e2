package openclaw_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pacms/session/openclaw"
	"pacms/session/sessiontest"
)

// BenchmarkRead reads 30 MB: short messages, where a line is a third of a
// kilobyte, and tool outputs of 20 KB, as an agent that reads files has them.
func BenchmarkRead(b *testing.B) {
	output := strings.Repeat("2026-11-28T10:01:00Z INFO worker-1 processed batch 1 in 13ms\n", 330)
	outputs := newScript()
	for i := range 1500 {
		outputs.user(fmt.Sprintf("u%d", i), "Read the log.").calls(fmt.Sprintf("a%d", i), "c").
			message(fmt.Sprintf("r%d", i), map[string]any{"role": "toolResult", "toolCallId": "c", "content": output})
	}
	for name, data := range map[string][]byte{"messages": sessiontest.JSONL(20000), "outputs": outputs.bytes()} {
		b.Run(name, func(b *testing.B) {
			opt := options(b)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := openclaw.Read(b.Context(), bytes.NewReader(data), "generated.jsonl", opt); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
