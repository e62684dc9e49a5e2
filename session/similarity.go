package session

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
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

	// What follows makes a selection by these numbers the one that the texts gave, to
	// the last bit. All of it may be left out.

	// Grams is how many different word 3-grams the text of each candidate has, by which
	// Containment is exact. It is there where there were texts.
	Grams []int `json:"grams,omitempty"`
	// Unlike are the indices of the candidates that are like nothing, themselves
	// included: their text says nothing that can be compared.
	Unlike []int `json:"unlike,omitempty"`
	// Mean is the mean cosine of two different vectors.
	Mean *float64 `json:"mean,omitempty"`
	// Duplicate is the cosine from which the embedder takes two texts for one, Noise
	// the one below which a query matches nothing in particular.
	Duplicate float64 `json:"duplicate,omitempty"`
	Noise     float64 `json:"noise,omitempty"`
	// Asked is whether there was a question that could be compared; nil: there was
	// where a number of Query is not 0. Source is where the question came from.
	Asked  *bool  `json:"asked,omitempty"`
	Source string `json:"source,omitempty"`
	// Embedder is what made the vectors.
	Embedder string `json:"embedder,omitempty"`
}

// Findings is what rules found in the texts of a pool, for one that has none. Numbers
// of candidates are pool indices.
type Findings struct {
	// Empty are the candidates that say nothing.
	Empty []int `json:"empty,omitempty"`
	// Polls are families of polls, oldest first; of each poll the groups that it
	// consists of, by the first member of each.
	Polls [][][]int `json:"polls,omitempty"`
	// Reads are the groups that do nothing but read whole files.
	Reads []Reading `json:"reads,omitempty"`
}

// Reading is a group that reads whole files: its first member, and a number for each
// file, the same for the same one.
type Reading struct {
	At    int   `json:"at"`
	Files []int `json:"files"`
}

// Check is an error where a number is not that of one of n candidates.
func (f *Findings) Check(n int) error {
	check := func(what string, list []int) error {
		for _, i := range list {
			if i < 0 || i >= n {
				return fmt.Errorf("%s: %d is not the index of one of %d candidates", what, i, n)
			}
		}
		return nil
	}
	if err := check("empty", f.Empty); err != nil {
		return err
	}
	for _, family := range f.Polls {
		for _, groups := range family {
			if len(groups) == 0 {
				return errors.New("polls: a poll without a group")
			}
			if err := check("polls", groups); err != nil {
				return err
			}
		}
	}
	for _, r := range f.Reads {
		if err := check("reads", []int{r.At}); err != nil {
			return err
		}
	}
	return nil
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
	if s.Grams != nil && len(s.Grams) != n {
		return fmt.Errorf("stands beside %d numbers of grams for %d candidates", len(s.Grams), n)
	}
	for _, i := range s.Unlike {
		if i < 0 || i >= n {
			return fmt.Errorf("stands beside unlike, in which %d is not the index of one of %d candidates", i, n)
		}
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

// Triangle encodes the upper triangle of a square of n rows, as Pairs and Containment
// have it. What row gives is read before it is asked for the next one.
func Triangle(n int, row func(i int) []float32) string {
	raw := make([]byte, 0, 4*n*max(n-1, 0)/2)
	for i := range n {
		for _, x := range row(i)[i+1:] {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
		}
	}
	return base64.StdEncoding.EncodeToString(raw)
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
