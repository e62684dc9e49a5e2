package compare

import "pacms/session"

// Agreement is how far two selections keep the same. The overlaps are Jaccard
// indices: what both keep as a share of what either keeps, by items and by tokens.
type Agreement struct {
	Both, OnlyA, OnlyB, Neither Sum
	Items, Tokens               float64
}

// Sum counts items and their tokens. Where the sides count tokens differently, those
// of A count for what A keeps, and those of B for what B alone keeps.
type Sum struct{ Items, Tokens int }

// Pair is a candidate by its pool index on each side, -1 where it is not offered.
type Pair [2]int

// Aligned puts the candidates of two pools, known by their ids, into one order: that
// of A, and what B alone offers before the next that both do.
func Aligned(a, b *session.Pool) []Pair {
	at := [2]map[string]int{indexed(a), indexed(b)}
	pairs := make([]Pair, 0, max(len(a.Candidates), len(b.Candidates)))
	next := 0 // of A
	take := func(end int) {
		for ; next < end; next++ {
			p := Pair{next, -1}
			if k, both := at[1][a.Candidates[next].ID]; both {
				p[1] = k
			}
			pairs = append(pairs, p)
		}
	}
	for k := range b.Candidates {
		if i, both := at[0][b.Candidates[k].ID]; both {
			take(i + 1)
		} else {
			pairs = append(pairs, Pair{-1, k})
		}
	}
	take(len(a.Candidates))
	return pairs
}

func indexed(p *session.Pool) map[string]int {
	at := make(map[string]int, len(p.Candidates))
	for i := range p.Candidates {
		at[p.Candidates[i].ID] = i
	}
	return at
}

// Agree measures how far two selections agree on the pairs of their pools; keeps
// report of each side whether it keeps the candidate at a pool index.
func Agree(a, b *session.Pool, pairs []Pair, keepsA, keepsB func(i int) bool) Agreement {
	var g Agreement
	smaller, larger := 0, 0 // tokens
	for _, p := range pairs {
		inA, inB := p[0] >= 0 && keepsA(p[0]), p[1] >= 0 && keepsB(p[1])
		costA, costB := 0, 0
		if p[0] >= 0 {
			costA = a.Candidates[p[0]].Tokens
		}
		if p[1] >= 0 {
			costB = b.Candidates[p[1]].Tokens
		}
		switch {
		case inA && inB:
			g.Both.add(costA)
			smaller, larger = smaller+min(costA, costB), larger+max(costA, costB)
		case inA:
			g.OnlyA.add(costA)
			larger += costA
		case inB:
			g.OnlyB.add(costB)
			larger += costB
		case p[0] >= 0:
			g.Neither.add(costA)
		default:
			g.Neither.add(costB)
		}
	}
	g.Items = share(float64(g.Both.Items), float64(g.Both.Items+g.OnlyA.Items+g.OnlyB.Items))
	g.Tokens = share(float64(smaller), float64(larger))
	return g
}

func (s *Sum) add(tokens int) { s.Items, s.Tokens = s.Items+1, s.Tokens+tokens }
