package poolfile

import (
	"fmt"
)

// candidateError is an error about a field of the candidate at index i.
func candidateError(i int, field, format string, args ...any) error {
	return &Error{Path: fmt.Sprintf("$.candidates[%d].%s", i, field), Problem: fmt.Sprintf(format, args...)}
}

// check looks at what fields mean to each other.
func (d *decoder) check() error {
	if !d.hasCandidates {
		return &Error{Path: "$.candidates", Problem: "missing; an empty pool has an empty array"}
	}
	for _, check := range []func() error{d.checkIDs, d.checkVectors, d.checkSimilarity, d.checkContent} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkIDs refuses candidates without an id of their own.
func (d *decoder) checkIDs() error {
	index := make(map[string]int, len(d.pool.Candidates))
	for i := range d.pool.Candidates {
		id := d.pool.Candidates[i].ID
		if id == "" {
			return candidateError(i, "id", "missing or empty; every candidate needs an id of its own")
		}
		if first, ok := index[id]; ok {
			return candidateError(i, "id", "%q is also the id of $.candidates[%d]", beginning(id, maxKey), first)
		}
		index[id] = i
	}
	return nil
}

// checkVectors refuses vectors that cannot be compared with each other.
func (d *decoder) checkVectors() error {
	p := &d.pool
	dim := len(p.QueryEmbedding)
	if p.QueryEmbedding != nil && dim == 0 {
		return &Error{Path: "$.query_embedding", Problem: "empty; leave it out where there is none"}
	}
	for i := range p.Candidates {
		v := p.Candidates[i].Embedding
		switch {
		case v == nil && dim > 0:
			return candidateError(i, "embedding", "missing; with a query_embedding every candidate has one")
		case v != nil && dim == 0:
			return candidateError(i, "embedding", "given without $.query_embedding")
		case len(v) != dim:
			return candidateError(i, "embedding", "has %d numbers, $.query_embedding has %d", len(v), dim)
		}
	}
	return nil
}

// checkSimilarity refuses similarities that do not fit the candidates.
func (d *decoder) checkSimilarity() error {
	s := d.pool.Similarity
	n := len(d.pool.Candidates)
	if f := d.pool.Findings; f != nil {
		if s == nil {
			return &Error{Path: "$.findings", Problem: "given without $.similarity: rules read the texts themselves"}
		}
		if err := f.Check(n); err != nil {
			return &Error{Path: "$.findings", Problem: err.Error()}
		}
	}
	if s == nil {
		return nil
	}
	const path = "$.similarity"
	if d.pool.QueryEmbedding != nil {
		return &Error{Path: path, Problem: "given beside $.query_embedding; give one of the two"}
	}
	for i := range d.pool.Candidates {
		if d.pool.Candidates[i].Text != "" {
			return candidateError(i, "text", "given beside %s, which stands in for texts; give one of the two", path)
		}
	}
	if err := s.Check(n); err != nil {
		return &Error{Path: path + ".query", Problem: err.Error()}
	}
	if _, err := s.Cosines(n); err != nil {
		return &Error{Path: path + ".pairs", Problem: err.Error()}
	}
	if s.Containment == "" {
		return nil
	}
	if _, err := s.Contained(n); err != nil {
		return &Error{Path: path + ".containment", Problem: err.Error()}
	}
	return nil
}

// checkContent refuses candidates of which nothing is known.
func (d *decoder) checkContent() error {
	p := &d.pool
	for i := range p.Candidates {
		known := d.hasText[i] || p.Candidates[i].Embedding != nil || p.Similarity != nil
		if !known {
			return candidateError(i, "text", "missing; a candidate has a text or an embedding, or the pool a similarity")
		}
	}
	return nil
}
