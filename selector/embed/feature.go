package embed

import (
	"math"
	"unicode/utf8"
)

// Weights of the lexical features that do not depend on how rare a word is.
const (
	pieceWeight   = 1.0
	unigramWeight = 1.28
	bigramWeight  = 3.2
	// properDamp is what a proper name counts beside another word: names are
	// everywhere in a conversation and tell its messages apart badly.
	properDamp = 0.5
	// smoothing is the constant a of a word's weight a/(a+p) in the semantic
	// part: smooth inverse frequency, Arora, Liang and Ma 2017.
	smoothing = 0.001
)

// pieceLength is how many code points a piece of a word has.
const pieceLength = 4

// feature is one hashed lexical feature of a text.
type feature struct {
	key    uint64
	count  int
	weight float64 // the largest of its occurrences
}

// scratch is the memory that one text needs while it is embedded.
type scratch struct {
	tokenizer tokenizer
	ranks     map[string]int32
	stopWords map[string]bool
	// By rank, 0 where they were not asked for: the rarity of a word, and the length of
	// its vector.
	rarities, lengths []float64
	stem              []byte
	marked            []byte
	features          []feature
	// places has the index in features of each key.
	places   map[uint64]int
	lexical  [lexicalDim]float64
	semantic [tableDim]float64
}

func newScratch() *scratch {
	words := len(tableVectors) / tableDim
	return &scratch{
		ranks: loadRanks(), stopWords: loadStopWords(), places: map[uint64]int{},
		rarities: make([]float64, words+1), lengths: make([]float64, words+1),
	}
}

// oversized reports whether an unusually long text has left so much memory
// behind that keeping it would cost more than making it anew.
func (s *scratch) oversized() bool {
	const usual = 1 << 12
	return len(s.features) > usual || cap(s.tokenizer.run) > usual
}

// collect gathers the features of text and the sum of its word vectors.
func (s *scratch) collect(text string) {
	s.features = s.features[:0]
	clear(s.places)
	clear(s.semantic[:])
	tokens, stops := 0, 0
	s.tokenizer.each(text, func(t token) {
		tokens++
		if t.kind == word && s.stopWords[string(t.text)] {
			stops++
			return
		}
		s.add(t)
	})
	switch {
	case tokens == 0:
		s.tokenizer.symbols(text, s.add)
	case stops == tokens:
		s.tokenizer.each(text, s.add)
	}
}

// add counts the features of one token.
func (s *scratch) add(t token) {
	switch t.kind {
	case unigram:
		s.count(hash(wordPrefix, t.text), unigramWeight)
	case bigram:
		s.count(hash(wordPrefix, t.text), bigramWeight)
	case identifier:
		s.addWhole(t.text, 1)
	case word:
		damp := 1.0
		if t.proper {
			damp = properDamp
		}
		s.addWhole(t.text, damp)
		s.addPieces(t.text, damp*pieceWeight)
		if rank, ok := s.ranks[string(t.text)]; ok {
			addVector(&s.semantic, rank, damp*smoothing/(smoothing+probability(rank))/s.length(rank))
		}
	}
}

// addWhole counts the stem of a word, by the rarity of the word.
func (s *scratch) addWhole(w []byte, damp float64) {
	s.stem = appendStem(s.stem[:0], w)
	rank, ok := s.ranks[string(w)]
	if !ok {
		rank, ok = s.ranks[string(s.stem)]
	}
	if !ok {
		rank = unknownRank
	}
	s.count(hash(wordPrefix, s.stem), damp*s.rarity(rank))
}

// rarity is that of the word of a rank.
func (s *scratch) rarity(rank int32) float64 {
	at := rank
	if rank == unknownRank {
		at = 0 // no word has it
	}
	if s.rarities[at] == 0 {
		s.rarities[at] = rarity(rank)
	}
	return s.rarities[at]
}

// length is that of the vector of the word of a rank.
func (s *scratch) length(rank int32) float64 {
	if s.lengths[rank] == 0 {
		s.lengths[rank] = vectorLength(rank)
	}
	return s.lengths[rank]
}

// addPieces counts every piece of "<" + w + ">", whose marks tell beginnings and
// ends from the middle. Pieces make misspelt and inflected words meet.
func (s *scratch) addPieces(w []byte, weight float64) {
	s.marked = append(append(append(s.marked[:0], '<'), w...), '>')
	from, to := 0, 0
	for n := 1; to < len(s.marked); n++ {
		to += runeLength(s.marked[to:])
		if n < pieceLength {
			continue
		}
		s.count(hash(piecePrefix, s.marked[from:to]), weight)
		from += runeLength(s.marked[from:])
	}
}

// runeLength is the number of bytes of the first code point of b.
func runeLength(b []byte) int {
	_, size := utf8.DecodeRune(b)
	return size
}

// count notes one occurrence of a feature.
func (s *scratch) count(key uint64, weight float64) {
	i, ok := s.places[key]
	if !ok {
		s.places[key] = len(s.features)
		s.features = append(s.features, feature{key: key, count: 1, weight: weight})
		return
	}
	f := &s.features[i]
	f.count++
	f.weight = max(f.weight, weight)
}

// project adds every feature to one component of s.lexical, with a sign, both
// picked by its key: signed feature hashing, Weinberger et al. 2009.
func (s *scratch) project() {
	const golden = 0x9E3779B97F4A7C15 // 2^64 divided by the golden ratio
	clear(s.lexical[:])
	for _, f := range s.features {
		value := f.weight * math.Sqrt(float64(f.count))
		x := f.key * golden
		if x>>32&1 == 1 {
			value = -value
		}
		s.lexical[x>>33%lexicalDim] += value
	}
}

// Constants of the 64-bit FNV-1a hash.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// wordPrefix and piecePrefix are the states of the hash after "w:" and "c:", with
// which the keys of words and of pieces begin.
const (
	wordPrefix  uint64 = ((fnvOffset^'w')*fnvPrime&math.MaxUint64 ^ ':') * fnvPrime & math.MaxUint64
	piecePrefix uint64 = ((fnvOffset^'c')*fnvPrime&math.MaxUint64 ^ ':') * fnvPrime & math.MaxUint64
)

// hash goes on with a 64-bit FNV-1a hash over b.
func hash(state uint64, b []byte) uint64 {
	for _, c := range b {
		state = (state ^ uint64(c)) * fnvPrime
	}
	return state
}
