package embed

import (
	_ "embed" // for the data of the table
	"math"
	"strings"
	"sync"
)

//go:generate go run ./gen

// wordList has a word a line, the commonest first; tableVectors has an int8
// vector of tableDim components for each.
var (
	//go:embed data/builtin-words.txt
	wordList string
	//go:embed data/builtin-vectors.i8
	tableVectors string
)

const (
	tableDim = 100
	// unknownRank is the rank that a word has which is not in the table.
	unknownRank = 60000
)

// loadRanks gives the rank from 1 of every word of the table. It is made at the
// first use, because most runs of the program embed nothing.
var loadRanks = sync.OnceValue(func() map[string]int32 {
	ranks := make(map[string]int32, 1+strings.Count(wordList, "\n"))
	rank := int32(0)
	for w := range strings.SplitSeq(wordList, "\n") {
		rank++
		ranks[w] = rank
	}
	return ranks
})

// probability is how often the word of a rank occurs in English text, by the
// Zipf–Mandelbrot law; the divisor makes the 400,000 words that the vectors were
// trained for add up to 1. It is frozen, because a vector must not depend on the
// texts around it.
func probability(rank int32) float64 {
	return 1 / ((float64(rank) + 2.7) * 11.7320742867)
}

// rarity is the lexical weight of the word of a rank: the inverse document
// frequency in documents of 20 words, damped by a root. It is about 2 at rank
// 100 and 3.2 for unknown words.
func rarity(rank int32) float64 {
	return math.Sqrt(-math.Log(1 - math.Exp(-20*probability(rank))))
}

// vectorLength is the Euclidean length of the vector of the word of a rank, as the
// table has it.
func vectorLength(rank int32) float64 {
	v := tableVectors[int(rank-1)*tableDim:][:tableDim]
	square := 0
	for i := range len(v) {
		c := int(int8(v[i]))
		square += c * c
	}
	return math.Sqrt(float64(square))
}

// addVector adds the vector of the word of a rank to sum, times scale.
func addVector(sum *[tableDim]float64, rank int32, scale float64) {
	v := tableVectors[int(rank-1)*tableDim:][:tableDim]
	for i := range len(v) {
		sum[i] += scale * float64(int8(v[i]))
	}
}
