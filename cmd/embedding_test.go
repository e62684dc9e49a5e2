package cmd

import (
	"testing"

	"pacms/selector/embed"
)

// What the program compares texts with is what it wraps, in every respect: vectors of
// mostly zeros that are not known as such take several times as long to compare.
func TestBuiltinIsWhatItWraps(t *testing.T) {
	t.Parallel()
	e, err := openEmbedding(t.Context(), embedBuiltin)
	if err != nil {
		t.Fatal(err)
	}
	want := embed.NewBuiltin()
	if e.Sparse() != want.Sparse() || !e.Sparse() || e.Dim() != want.Dim() || e.Name() != want.Name() ||
		e.Noise() != want.Noise() || e.Duplicate() != want.Duplicate() {
		t.Errorf("the program's embedder says other things of itself than %s", want.Name())
	}
}
