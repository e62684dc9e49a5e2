// Package embed turns text into vectors.
package embed

import "context"

// Embedder turns texts into vectors whose cosine says how alike they are.
type Embedder interface {
	// Name is the value of --embedder, with the model where there is one.
	Name() string
	// Dim is the length of every vector.
	Dim() int
	// Documents embeds stored texts, Query a question; some models tell them apart.
	// A vector has L2 norm 1 or is all zero where the text says nothing.
	Documents(ctx context.Context, texts []string) ([][]float32, error)
	Query(ctx context.Context, text string) ([]float32, error)
	// Duplicate is the cosine from which two texts count as near-duplicates,
	// Noise the cosine below which a query matches nothing in particular.
	Duplicate() float64
	Noise() float64
	// Sparse reports whether most numbers of the vectors are 0. It holds for every
	// text, so that nothing depends on which came first.
	Sparse() bool
}
