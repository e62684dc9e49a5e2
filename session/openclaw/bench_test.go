package openclaw_test

import (
	"bytes"
	"testing"

	"pacms/session/openclaw"
	"pacms/session/sessiontest"
)

func BenchmarkRead(b *testing.B) {
	data := sessiontest.JSONL(20000)
	opt := openclaw.Options{Counter: newCounter(b, "openclaw")}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := openclaw.Read(b.Context(), bytes.NewReader(data), "generated.jsonl", opt); err != nil {
			b.Fatal(err)
		}
	}
}
