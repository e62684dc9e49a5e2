package selector

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
)

// The constants of pacms+ that its presets share.
const (
	mostMean    = 0.9  // the mean cosine of a pool is clamped to this
	leastPhi    = 0.02 // φ up to this is 0, so that φ is sparse
	freeShare   = 0.5  // containment up to this says nothing
	fullShare   = 0.9  // containment from this on is full
	interest    = 2.0  // the exponent p of the relevance
	background  = 1.0  // the share f of the mean relevance
	presetText  = "L"
	presetShape = "A"
)

var pacmsPlus = method{
	name: "pacms+", alias: "pacms-plus", params: []param{{"preset", ""}},
	make: func(p params) (chooser, error) {
		switch p["preset"] {
		case "", presetText, presetShape:
			return weighted{p["preset"]}, nil
		}
		return nil, fmt.Errorf("preset=%s: the presets are %s and %s", p["preset"], presetText, presetShape)
	},
}

// weighted is the strategy pacms+: a facility location in which only what is
// nearly the same covers, a client weighs by its length and its relevance and
// not by how many copies it has, and what is left of the budget is filled in
// the order of similarity.
type weighted struct{ preset string }

func (w weighted) choose(ctx context.Context, pb *problem) (*choice, error) {
	s, err := w.search(ctx, pb)
	if err != nil {
		return nil, err
	}
	return s.locate(ctx, true)
}

func (w weighted) search(ctx context.Context, pb *problem) (*search, error) {
	preset := w.preset
	if preset == "" {
		preset = presetShape
		if pb.hasText {
			preset = presetText
		}
	}
	b, err := pb.held.bases.get(ctx, pb.baseKey("pacms+ "+preset), func() (*base, error) {
		phi, err := pb.held.phi.get(ctx, preset, func() (*sparse, error) { return pb.phi(ctx, preset) })
		if err != nil {
			return nil, err
		}
		b := pb.newBase(&objective{weight: pb.weights(phi), groups: len(pb.groups), affinity: phi})
		if preset == presetText {
			b.twins = pb.twins(phi)
		}
		return b, nil
	})
	if err != nil {
		return nil, err
	}
	return pb.search(b, pb.free), nil
}

// twins lists for each group those that it and they cover each other fully.
func (p *Prepared) twins(phi *sparse) func(g int) []int32 {
	list := make([][]int32, len(p.groups))
	for g := range p.groups {
		last := p.groups[g].last()
		groups, values := phi.row(last)
		for k, h := range groups {
			if values[k] >= 1 && int(h) != g && phi.at(p.groups[h].last(), g) >= 1 {
				list[g] = append(list[g], h)
			}
		}
	}
	return func(g int) []int32 { return list[g] }
}

// sparse is φ between candidates and groups, by row and by column; between
// candidates alone it is kept for the degrees.
type sparse struct {
	pairs, rows, cols []line
}

// line is one row or column: ascending indices and their values, all above 0.
type line struct {
	index []int32
	value []float32
}

func (s *sparse) row(i int) ([]int32, []float32) { return s.rows[i].index, s.rows[i].value }
func (s *sparse) col(g int) ([]int32, []float32) { return s.cols[g].index, s.cols[g].value }

// at is φ of candidate i to group g.
func (s *sparse) at(i, g int) float32 {
	k, ok := slices.BinarySearch(s.rows[i].index, int32(g))
	if !ok {
		return 0
	}
	return s.rows[i].value[k]
}

// phi computes φ of a pool:
//
//	φ_ij = clip((cos_ij − m)/(hi·(1−m)), 0, 1)^q, φ_ii = 1 of a usable vector,
//	raised to clip((K_ij − 0.5)/0.4, 0, 1) by the containment K where there are
//	texts; what is at most 0.02 counts as 0. m is the mean cosine of the pool.
func (p *Prepared) phi(ctx context.Context, preset string) (*sparse, error) {
	hi, q := 0.95, 16.0
	if preset == presetShape {
		hi, q = 0.85, 12
	}
	n := len(p.of)
	m := min(max(p.meanCosine(), 0), mostMean)
	// Below this cosine φ is at most leastPhi, and no power need be taken.
	least := float32(m + hi*(1-m)*math.Pow(leastPhi, 1/q))
	square := make([]line, n)
	if err := p.eachSimilar(ctx, least, func(i int, similar []int32, cosines []float32) {
		for k, j := range similar {
			v, c := 1.0, float64(cosines[k])
			if i != int(j) || c <= 0 {
				v = math.Pow(min((c-m)/(hi*(1-m)), 1), q)
			}
			if v > leastPhi {
				square[i].set(int(j), float32(v))
			}
		}
	}); err != nil {
		return nil, err
	}
	if preset == presetText {
		if err := p.raise(ctx, square); err != nil {
			return nil, err
		}
	}
	s := &sparse{pairs: square, rows: make([]line, n), cols: make([]line, len(p.groups))}
	for i := range square {
		if i%embedBatch == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for k, j := range square[i].index {
			s.rows[i].raise(p.of[j], square[i].value[k])
		}
		for k, g := range s.rows[i].index {
			s.cols[g].set(i, s.rows[i].value[k])
		}
	}
	return s, nil
}

// raise lifts φ to what the containment of the texts gives.
func (p *Prepared) raise(ctx context.Context, square []line) error {
	lifted := make([]line, len(square))
	err := p.eachContained(ctx, freeShare, func(i, j int, k float64) {
		if v := min((k-freeShare)/(fullShare-freeShare), 1); v > leastPhi {
			lifted[i].set(j, float32(v))
			lifted[j].set(i, float32(v))
		}
	})
	for i := range lifted {
		if i%embedBatch == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		square[i].merge(&lifted[i])
	}
	return err
}

// set appends a value; indices ascend, except in what is merged.
func (l *line) set(i int, v float32) {
	l.index, l.value = append(l.index, int32(i)), append(l.value, v)
}

// raise makes the value at index i at least v.
func (l *line) raise(i int, v float32) {
	k, ok := slices.BinarySearch(l.index, int32(i))
	if ok {
		l.value[k] = max(l.value[k], v)
		return
	}
	l.index, l.value = slices.Insert(l.index, k, int32(i)), slices.Insert(l.value, k, v)
}

func (l *line) Len() int           { return len(l.index) }
func (l *line) Less(i, j int) bool { return l.index[i] < l.index[j] }
func (l *line) Swap(i, j int) {
	l.index[i], l.index[j] = l.index[j], l.index[i]
	l.value[i], l.value[j] = l.value[j], l.value[i]
}

// merge makes the values of l at least those of other, in whose order they are put.
func (l *line) merge(other *line) {
	if len(other.index) == 0 {
		return
	}
	if !slices.IsSorted(other.index) {
		sort.Sort(other)
	}
	var out line
	a, b := 0, 0
	for a < len(l.index) || b < len(other.index) {
		switch {
		case b == len(other.index) || a < len(l.index) && l.index[a] < other.index[b]:
			out.set(int(l.index[a]), l.value[a])
			a++
		case a == len(l.index) || other.index[b] < l.index[a]:
			out.set(int(other.index[b]), other.value[b])
			b++
		default:
			out.set(int(l.index[a]), max(l.value[a], other.value[b]))
			a, b = a+1, b+1
		}
	}
	*l = out
}

// weights are a_i = max(tok_i, 1)·(rel_i + f·mean(rel))^p / d_i with the degree
// d_i = Σ_k φ_ik, over the candidates that were not set aside.
func (pb *problem) weights(phi *sparse) []float64 {
	sum, n := 0.0, 0
	for i, is := range pb.client {
		if is {
			sum += pb.relevance[i]
			n++
		}
	}
	a := make([]float64, len(pb.of))
	for i, is := range pb.client {
		if !is {
			continue
		}
		degree := 0.0
		for k, j := range phi.pairs[i].index {
			if pb.client[j] {
				degree += float64(phi.pairs[i].value[k])
			}
		}
		if degree > 0 {
			rel := pb.relevance[i] + background*sum/float64(n)
			a[i] = float64(max(pb.Pool.Candidates[i].Tokens, 1)) * math.Pow(rel, interest) / degree
		}
	}
	return a
}
