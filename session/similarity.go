package session

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
)

// Similarity carries the numbers that a selection needs instead of texts.
type Similarity struct {
	// Query is the cosine of each candidate to the query.
	Query []float32 `json:"query"`
	// Pairs is base64 of little-endian float32, the upper triangle without the
	// diagonal, row by row: the cosine of each pair.
	Pairs string `json:"pairs"`
	// Containment is the same shape: the word-3-gram containment of each pair.
	Containment string `json:"containment,omitempty"`
}

// outside is how far rounding may carry a cosine or a containment past its
// bounds.
const outside = 1e-5

// Check is an error where the cosines of n candidates to the query are not n
// numbers from -1 to 1.
func (s *Similarity) Check(n int) error {
	if len(s.Query) != n {
		return fmt.Errorf("has %d numbers for %d candidates", len(s.Query), n)
	}
	for i, x := range s.Query {
		if !within(x, -1) {
			return fmt.Errorf("number %d is %v: a cosine is from -1 to 1", i, x)
		}
	}
	return nil
}

// Cosines decodes Pairs into a square matrix of n candidates, its diagonal 1.
func (s *Similarity) Cosines(n int) ([][]float32, error) { return triangle(s.Pairs, n, -1) }

// Contained decodes Containment likewise.
func (s *Similarity) Contained(n int) ([][]float32, error) { return triangle(s.Containment, n, 0) }

func within(x float32, least float64) bool {
	f := float64(x)
	return f >= least-outside && f <= 1+outside // false for NaN
}

// triangle decodes an upper triangle of little-endian float32 from least to 1.
func triangle(text string, n int, least float64) ([][]float32, error) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("not base64: %w", err)
	}
	if pairs := n * (n - 1) / 2; len(raw) != 4*pairs {
		return nil, fmt.Errorf("has %d bytes; %d pairs of %d candidates need %d", len(raw), pairs, n, 4*pairs)
	}
	square := make([][]float32, n)
	for i := range square {
		square[i] = make([]float32, n)
		square[i][i] = 1
	}
	at := 0
	for i := range n {
		for j := i + 1; j < n; j++ {
			x := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*at:]))
			if !within(x, least) {
				return nil, fmt.Errorf("number %d is %v: it is from %g to 1", at, x, least)
			}
			square[i][j], square[j][i] = x, x
			at++
		}
	}
	return square, nil
}
