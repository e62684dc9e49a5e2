package main

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// lateStopWords joined the stop words after the table was made: it still counts
// them among the words that carry meaning.
const lateStopWords = "haven ours theirs won yours"

// clean makes the vectors unit vectors without their common direction, which says
// how frequent a word is rather than what it means: the first principal direction
// of the second moments of the words that carry meaning. Vectors are stored as
// float32 and computed with as float64, which decides the last bit of a few bytes.
func clean(rows []row, stop map[string]bool) {
	late := strings.Fields(lateStopWords)
	var meaning [][]float32
	for _, r := range rows {
		scale(r.vector, 1/length(r.vector))
		if alphanumeric(r.word) && (!stop[r.word] || slices.Contains(late, r.word)) {
			meaning = append(meaning, r.vector)
		}
	}
	common := principal(meaning)
	for _, r := range rows {
		along := 0.0
		for i, c := range r.vector {
			along += float64(c) * common[i]
		}
		for i, c := range r.vector {
			r.vector[i] = float32(float64(c) - along*common[i])
		}
	}
}

// principal is the first eigenvector of the sum of v·vᵀ, by power iteration.
func principal(vectors [][]float32) []float64 {
	moments := make([][]float64, dim)
	for i := range moments {
		moments[i] = make([]float64, dim)
		for _, v := range vectors {
			for j, c := range v {
				moments[i][j] += float64(v[i]) * float64(c)
			}
		}
	}
	u := slices.Repeat([]float64{1}, dim)
	const steps = 200
	for range steps {
		next := make([]float64, dim)
		for i, moment := range moments {
			for j, c := range moment {
				next[i] += c * u[j]
			}
		}
		scale(next, 1/length(next))
		u = next
	}
	return u
}

// encode gives the words, one a line, and the vectors as int8, each scaled so
// that its largest component is 127.
func encode(rows []row) (words, vectors []byte) {
	list := make([]string, len(rows))
	vectors = make([]byte, 0, dim*len(rows))
	for i, r := range rows {
		list[i] = r.word
		largest := 0.0
		for _, c := range r.vector {
			largest = max(largest, math.Abs(float64(c)))
		}
		for _, c := range r.vector {
			vectors = append(vectors, byte(int8(math.RoundToEven(float64(c)/largest*math.MaxInt8))))
		}
	}
	return []byte(strings.Join(list, "\n")), vectors
}

// alphanumeric reports whether w is all letters and digits.
func alphanumeric(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
}

// length is the Euclidean length of v.
func length[F float32 | float64](v []F) float64 {
	square := 0.0
	for _, c := range v {
		square += float64(c) * float64(c)
	}
	return math.Sqrt(square)
}

// scale multiplies v by factor.
func scale[F float32 | float64](v []F, factor float64) {
	for i, c := range v {
		v[i] = F(float64(c) * factor)
	}
}
