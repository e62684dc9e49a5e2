package embed_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"pacms/selector/embed"
)

// reference is what an independent implementation of the same definition gives.
type reference struct {
	Dims    int
	Texts   []string
	Norms   []float64
	Cosines []struct {
		A, B int
		Cos  float64
	}
	Nonzero  int          `json:"nonzero_of_text_0"`
	First    [][2]float64 `json:"first_nonzero_of_text_0"`
	Semantic []float64    `json:"semantic_part_of_text_0_first_10"`
}

func readReference(t *testing.T) reference {
	t.Helper()
	data, err := os.ReadFile("testdata/builtin-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref reference
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	return ref
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestBuiltinMeetsReference(t *testing.T) {
	ref := readReference(t)
	e := embed.NewBuiltin()
	if e.Dim() != ref.Dims {
		t.Fatalf("Dim() = %d, want %d", e.Dim(), ref.Dims)
	}
	vectors, err := e.Documents(t.Context(), ref.Texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range vectors {
		if got := math.Sqrt(dot(v, v)); math.Abs(got-ref.Norms[i]) > 1e-6 {
			t.Errorf("norm of %q = %g, want %g", ref.Texts[i], got, ref.Norms[i])
		}
	}
	if len(ref.Cosines) != 435 {
		t.Fatalf("the reference has %d cosines, want 435", len(ref.Cosines))
	}
	for _, pair := range ref.Cosines {
		got := dot(vectors[pair.A], vectors[pair.B])
		if math.Abs(got-pair.Cos) > 1e-4 {
			t.Errorf("cosine of %q and %q = %.5f, want %.4f",
				ref.Texts[pair.A], ref.Texts[pair.B], got, pair.Cos)
		}
	}
}

func TestBuiltinComponents(t *testing.T) {
	ref := readReference(t)
	v, err := embed.NewBuiltin().Query(t.Context(), ref.Texts[0])
	if err != nil {
		t.Fatal(err)
	}
	var nonzero []int
	for i, c := range v {
		if c != 0 {
			nonzero = append(nonzero, i)
		}
	}
	if len(nonzero) != ref.Nonzero {
		t.Errorf("%d components are not zero, want %d", len(nonzero), ref.Nonzero)
	}
	for k, want := range ref.First {
		i := int(want[0])
		if nonzero[k] != i || math.Abs(float64(v[i])-want[1]) > 1e-6 {
			t.Errorf("component %d: [%d] = %g, want [%d] = %g", k, nonzero[k], v[nonzero[k]], i, want[1])
		}
	}
	for k, want := range ref.Semantic {
		if got := float64(v[len(v)-100+k]); math.Abs(got-want) > 1e-6 {
			t.Errorf("semantic component %d = %g, want %g", k, got, want)
		}
	}
}
