package embed

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"pacms/session/cores"
)

// BuiltinVersion names the vectors of the built-in embedder. It belongs into
// every key under which one is stored: a change of a list, of the table or of a
// constant makes other vectors and takes another name.
const BuiltinVersion = "builtin-1"

// Shape and mixture of a built-in vector: the lexical part, then the semantic one.
const (
	lexicalDim    = 2048
	builtinDim    = lexicalDim + tableDim
	lexicalShare  = 0.6 // of the cosine of two texts that have both parts
	semanticShare = 1 - lexicalShare
)

// NewBuiltin returns the embedder that is part of the program: hashed words,
// word pieces and characters beside a weighted mean of word vectors. A vector is
// a function of its text alone. It is safe for concurrent use.
func NewBuiltin() Embedder { return &builtin{} }

type builtin struct{ pool sync.Pool }

// Name is the value of --embedder.
func (*builtin) Name() string { return "builtin" }

// Dim is the length of every vector.
func (*builtin) Dim() int { return builtinDim }

// Duplicate is the cosine from which two texts count as near-duplicates: copies
// with small changes measured at least 0.894, 99 of 100 unrelated pairs less
// than 0.423.
func (*builtin) Duplicate() float64 { return 0.80 }

// Sparse is true: a text has few of all the words and pieces that are told apart.
func (*builtin) Sparse() bool { return true }

// Noise is the mean cosine of unrelated texts.
func (*builtin) Noise() float64 { return 0.16 }

// Query embeds a question, in the same way as a stored text.
func (b *builtin) Query(ctx context.Context, text string) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("embed: query: %w", err)
	}
	return b.vector(text), nil
}

// Documents embeds texts on all processors. It returns at once when ctx is
// cancelled; what is being done of a text, seconds for the longest, is let go on
// unseen.
func (b *builtin) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(cores.Workers(ctx), len(texts)) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(texts) {
					return
				}
				vectors[i] = b.vector(texts[i])
				runtime.Gosched() // a screen in the same program draws between two texts
			}
		})
	}
	done := make(chan struct{})
	go func() {
		workers.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("embed: %d texts: %w", len(texts), err)
	}
	return vectors, nil
}

// vector embeds one text with scratch memory from the pool.
func (b *builtin) vector(text string) []float32 {
	v := make([]float32, builtinDim)
	if blank(text) {
		return v
	}
	s, ok := b.pool.Get().(*scratch)
	if !ok {
		s = newScratch()
	}
	s.embed(text, v)
	if !s.oversized() {
		b.pool.Put(s)
	}
	return v
}

// blank reports whether text has nothing to see.
func blank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.IsControl(r)
	}) < 0
}

// embed writes the vector of a text that is not blank to v.
func (s *scratch) embed(text string, v []float32) {
	s.collect(text)
	s.project()
	lexical, semantic := norm(s.lexical[:]), norm(s.semantic[:])
	lexicalScale, semanticScale := math.Sqrt(lexicalShare), math.Sqrt(semanticShare)
	// A part that says nothing leaves its share to the other.
	if lexical == 0 {
		semanticScale = 1
	}
	if semantic == 0 {
		lexicalScale = 1
	}
	if lexical > 0 {
		scaleInto(v[:lexicalDim], s.lexical[:], lexicalScale/lexical)
	}
	if semantic > 0 {
		scaleInto(v[lexicalDim:], s.semantic[:], semanticScale/semantic)
	}
}

// norm is the Euclidean length of v.
func norm(v []float64) float64 {
	square := 0.0
	for _, c := range v {
		square += c * c
	}
	return math.Sqrt(square)
}

// scaleInto sets dst to src times scale.
func scaleInto(dst []float32, src []float64, scale float64) {
	for i, c := range src {
		dst[i] = float32(c * scale)
	}
}
