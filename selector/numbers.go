package selector

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"pacms/session"
)

// meanCosine is the mean cosine of two different candidates.
func (p *Prepared) meanCosine() float64 {
	if p.mean != nil {
		return *p.mean
	}
	return p.space.meanCosine(p.rows)
}

// usable reports whether candidate i has a vector that can be compared.
func (p *Prepared) usable(i int) bool { return p.space.ok[p.rows[i]] }

// grams is how many different word 3-grams candidate i has.
func (p *Prepared) grams(i int) int {
	if p.Pool.Similarity != nil {
		if p.counts == nil {
			return 0
		}
		return p.counts[i]
	}
	return len(p.space.grams[p.rows[i]])
}

// Numbers is everything of the texts and vectors of the pool that a selection is made
// of: with it, and with Findings, a pool without texts gives the same selections, for
// every strategy, budget and set of rules. It takes the room of all pairs.
func (p *Prepared) Numbers(ctx context.Context) (*session.Similarity, error) {
	n := len(p.of)
	mean := p.meanCosine()
	s := &session.Similarity{
		Query: make([]float32, n), Mean: &mean, Duplicate: p.duplicate, Noise: p.noise,
		Asked: &p.asked, Source: p.QuerySource, Embedder: p.embedder,
	}
	for i, c := range p.query {
		s.Query[i] = float32(c)
		if !p.usable(i) {
			s.Unlike = append(s.Unlike, i)
		}
	}
	into := make([]float32, n)
	s.Pairs = session.Triangle(n, func(i int) []float32 { return p.simRow(i, into) })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !p.hasText {
		return s, nil
	}
	contained, err := p.contained(ctx)
	if err != nil {
		return nil, err
	}
	s.Containment = session.Triangle(n, func(i int) []float32 { return contained[i] })
	if p.Pool.Similarity == nil || p.counts != nil {
		s.Grams = make([]int, n)
		for i := range s.Grams {
			s.Grams[i] = p.grams(i)
		}
	}
	return s, nil
}

// contained is the containment of each pair, in the upper triangle of a square.
func (p *Prepared) contained(ctx context.Context) ([][]float32, error) {
	square := make([][]float32, len(p.of))
	for i := range square {
		square[i] = make([]float32, len(p.of))
	}
	err := p.eachContained(ctx, math.SmallestNonzeroFloat64, func(i, j int, k float64) {
		square[min(i, j)][max(i, j)] = float32(k)
	})
	return square, err
}

// NumbersHash is a digest, in hexadecimal, of all cosines of the pool and its question:
// what an embedder and the arithmetic made of the texts.
func (p *Prepared) NumbersHash(ctx context.Context) (string, error) {
	h := sha256.New()
	raw := make([]byte, 0, 4*len(p.of))
	write := func(row []float32) {
		raw = raw[:0]
		for _, x := range row {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
		}
		_, _ = h.Write(raw) // never fails
	}
	query, into := make([]float32, len(p.query)), make([]float32, len(p.query))
	for i, c := range p.query {
		query[i] = float32(c)
	}
	write(query)
	for i := range p.of {
		if i%embedBatch == 0 && ctx.Err() != nil {
			return "", ctx.Err()
		}
		write(p.simRow(i, into)[i:])
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
