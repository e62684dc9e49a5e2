package selector

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"pacms/selector/embed"
	"pacms/selector/kernel"
)

// denseLimit is the number of distinct texts up to which all pairwise cosines
// are kept; above it a row is computed when it is asked for.
const denseLimit = 5000

// embedBatch is how many texts are embedded between two reports of progress
// and two looks at the context.
const embedBatch = 64

// hashedAtOnce is how many bytes are hashed between two looks at the context: a
// millisecond or two.
const hashedAtOnce = 1 << 20

// comparedBytes is how much of a text is compared with others: several times what fits
// any model's window. What a text costs to compare grows with it, to gigabytes for the
// longest that is read.
const comparedBytes = 4 << 20

// compared is the beginning of a text that is compared with others.
func compared(text string) string {
	if len(text) <= comparedBytes {
		return text
	}
	cut := comparedBytes
	for cut > comparedBytes-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut]
}

// space holds the vectors of every distinct text seen so far and their cosines.
// Rows are only ever appended, so that a snapshot of the slices stays valid
// while the space grows.
type space struct {
	limit int          // the number of rows up to which all cosines are kept
	mu    sync.RWMutex // guards the fields below against readers; one at a time appends
	index map[[sha256.Size]byte]int
	rows  kernel.Rows
	ok    []bool      // the vector is usable: finite and not zero
	gram  [][]float32 // gram[i][j] for all i, j below len(rows); nil above denseLimit
	grams [][]uint64  // sorted hashes of the word 3-grams of the text
}

// newSpace returns an empty space; thin is for vectors of which most numbers are 0.
func newSpace(limit int, thin bool) *space {
	return &space{limit: limit, index: map[[sha256.Size]byte]int{}, rows: kernel.NewRows(thin)}
}

// view is a snapshot of a space. Where a pool brings cosines there are no rows.
type view struct {
	rows  kernel.Rows
	ok    []bool
	gram  [][]float32
	grams [][]uint64
}

func (s *space) view() view {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return view{s.rows, s.ok, s.gram, s.grams}
}

// cos is the cosine of the rows i and j: exactly 1 of a usable row to itself.
func (v view) cos(i, j int) float32 {
	switch {
	case i == j && v.ok[i]:
		return 1
	case !v.ok[i] || !v.ok[j]:
		return 0
	case v.gram != nil:
		return v.gram[i][j]
	}
	return v.exactly(v.rows.Dot(i, j), i, j)
}

// nearOne is the inner product from which two rows may be the same to the last bit: it
// is far from 1 by more than rounding puts there.
const nearOne = 1 - 1e-4

// exactly is the inner product c of two rows as their cosine: exactly 1 where they are
// the same, for rounding must not let a copy add anything.
func (v view) exactly(c float32, i, j int) float32 {
	if c >= nearOne && v.ok[i] && v.rows.Same(i, j) {
		return 1
	}
	return c
}

// addTexts makes sure that every text has a row and returns the rows, in order.
// Only one call may be under way.
func (s *space) addTexts(ctx context.Context, e embed.Embedder, texts []string, progress func(done, total int)) ([]int, error) {
	ids := make([]int, len(texts))
	var fresh []string
	var keys [][sha256.Size]byte
	next := s.rows.Len()
	seen := make(map[[sha256.Size]byte]int)
	hashed := 0 // bytes
	for i, t := range texts {
		if hashed += len(t); hashed > hashedAtOnce {
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("selector: compare %d texts: %w", len(texts), err)
			}
			hashed = 0
		}
		key := sumOfText(t)
		id, ok := s.index[key]
		if !ok {
			id, ok = seen[key]
		}
		if !ok {
			id = next + len(fresh)
			seen[key] = id
			fresh, keys = append(fresh, compared(t)), append(keys, key)
		}
		ids[i] = id
	}
	vectors := make([][]float32, 0, len(fresh))
	for at := 0; at < len(fresh); at += embedBatch {
		batch := fresh[at:min(at+embedBatch, len(fresh))]
		got, err := e.Documents(ctx, batch)
		if err != nil {
			return nil, fmt.Errorf("selector: embed %d texts with %s: %w", len(batch), e.Name(), err)
		}
		if len(got) != len(batch) {
			return nil, fmt.Errorf("selector: %s returned %d vectors for %d texts", e.Name(), len(got), len(batch))
		}
		vectors = append(vectors, got...)
		if progress != nil {
			progress(len(vectors), len(fresh))
		}
	}
	grams := make([][]uint64, len(fresh))
	for i, t := range fresh {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("selector: compare %d texts: %w", len(fresh), err)
		}
		grams[i] = wordGrams(t)
	}
	if _, err := s.append(ctx, vectors, grams); err != nil {
		return nil, err
	}
	s.mu.Lock()
	for i, key := range keys {
		s.index[key] = next + i
	}
	s.mu.Unlock()
	return ids, nil
}

// sumOfText is the hash of a text, of a long one without a copy of it.
func sumOfText(text string) (key [sha256.Size]byte) {
	const most = 8 << 10
	if len(text) <= most {
		return sha256.Sum256([]byte(text))
	}
	h := sha256.New()
	var piece [most]byte
	for text != "" {
		n := copy(piece[:], text)
		h.Write(piece[:n]) // never fails
		text = text[n:]
	}
	h.Sum(key[:0])
	return key
}

// append adds rows and extends the cosines; it returns how many vectors could
// not be used.
func (s *space) append(ctx context.Context, vectors [][]float32, grams [][]uint64) (unusable int, err error) {
	v := view{rows: s.rows, ok: s.ok}
	for part := range slices.Chunk(vectors, embedBatch) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		var usable []bool
		if v.rows, usable, err = v.rows.Append(part...); err != nil {
			return 0, fmt.Errorf("selector: %w", err)
		}
		for _, is := range usable {
			if !is {
				unusable++
			}
		}
		v.ok = append(v.ok, usable...)
	}
	if v.rows.Len() <= s.limit {
		if v.gram, err = extend(ctx, s.gram, v); err != nil {
			return 0, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows, s.ok, s.gram = v.rows, v.ok, v.gram
	s.grams = append(s.grams, grams...)
	return unusable, nil
}

// extend adds the cosines of the rows of v that are behind those of a square matrix
// gram to it; equal rows have a cosine of exactly 1.
func extend(ctx context.Context, gram [][]float32, v view) ([][]float32, error) {
	old, n := len(gram), v.rows.Len()
	fresh := make([][]float32, n-old)
	for i := range fresh {
		if i%embedBatch == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		// Room for the texts of the next turns, so that rows need not move.
		fresh[i] = make([]float32, n, n+n/16+embedBatch)
	}
	if err := v.rows.Gram(ctx, fresh, old); err != nil {
		return nil, fmt.Errorf("selector: cosines of %d new texts: %w", len(fresh), err)
	}
	for i, row := range fresh {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j, c := range row {
			if c >= nearOne {
				row[j] = v.exactly(c, old+i, j)
			}
		}
	}
	square := make([][]float32, 0, n)
	for j := range old {
		if j%embedBatch == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row := gram[j]
		for _, f := range fresh {
			row = append(row, f[j])
		}
		square = append(square, row)
	}
	return append(square, fresh...), nil
}

// meanCosine is the mean cosine of two different rows of ids, which may repeat;
// 0 for fewer than two usable ones.
func (v view) meanCosine(ids []int) float64 {
	usable := 0
	for _, id := range ids {
		if v.ok[id] {
			usable++
		}
	}
	if usable < 2 {
		return 0
	}
	square := 0.0
	if v.rows.Len() == 0 { // only cosines are known
		for _, i := range ids {
			for _, j := range ids {
				square += float64(v.cos(i, j))
			}
		}
	} else {
		sum := make([]float64, v.rows.Length())
		for _, id := range ids {
			v.rows.AddTo(sum, id)
		}
		for _, x := range sum {
			square += x * x
		}
	}
	n := float64(usable)
	mean := (square - n) / (n * (n - 1))
	if math.IsNaN(mean) {
		return 0
	}
	return mean
}
