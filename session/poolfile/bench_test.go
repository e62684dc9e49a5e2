package poolfile_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pacms/session"
	"pacms/session/poolfile"
)

// BenchmarkDecode reads pools of 1,000 candidates: messages of 500 bytes, and
// vectors of 768 numbers.
func BenchmarkDecode(b *testing.B) {
	texts, vectors := &session.Pool{}, &session.Pool{QueryEmbedding: make([]float32, 768)}
	for i := range 1000 {
		id := fmt.Sprintf("e%d", i)
		texts.Candidates = append(texts.Candidates, session.Candidate{
			ID: id, Kind: session.User, Text: strings.Repeat("word ", 100),
		})
		vector := make([]float32, len(vectors.QueryEmbedding))
		for k := range vector {
			vector[k] = float32(i*k%997) / 997
		}
		vectors.Candidates = append(vectors.Candidates, session.Candidate{ID: id, Kind: session.User, Embedding: vector})
	}
	for name, p := range map[string]*session.Pool{"texts": texts, "vectors": vectors} {
		doc := encode(b, p)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if _, err := poolfile.Decode(bytes.NewReader(doc), counter{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
