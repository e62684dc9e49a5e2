package compare

import (
	"math"
	"math/rand/v2"
	"slices"
)

// resamples is how many samples a bootstrap draws, and confidence how much of them
// its interval holds.
const (
	resamples  = 10_000
	confidence = 0.95
)

// observation is one turn: a part of a whole now, and in the baseline.
type observation struct{ part, whole, basePart, baseWhole float64 }

func sum(sample []observation) observation {
	var all observation
	for _, o := range sample {
		all.add(o)
	}
	return all
}

func (o *observation) add(p observation) {
	o.part, o.whole = o.part+p.part, o.whole+p.whole
	o.basePart, o.baseWhole = o.basePart+p.basePart, o.baseWhole+p.baseWhole
}

// share is part of whole: 1 where there is nothing to have a part of.
func share(part, whole float64) float64 {
	if whole == 0 {
		return 1
	}
	return part / whole
}

// ratio is the share now as one of the share in the baseline: 1 where that is 0,
// since nothing could be lost.
func ratio(o observation) float64 {
	base := share(o.basePart, o.baseWhole)
	if base == 0 {
		return 1
	}
	return share(o.part, o.whole) / base
}

// interval is the percentile interval of a paired bootstrap (Efron, Tibshirani
// 1993, chapter 13): turns are drawn with replacement, each with both of its sides,
// and value is taken of what was drawn. The draws are the same every time.
func interval(sample []observation, value func(observation) float64) (low, high float64) {
	if len(sample) == 0 {
		return 1, 1
	}
	draw := rand.New(rand.NewPCG(1, uint64(len(sample))))
	values := make([]float64, resamples)
	for i := range values {
		var all observation
		for range sample {
			all.add(sample[draw.IntN(len(sample))])
		}
		values[i] = value(all)
	}
	slices.Sort(values)
	tail := (1 - confidence) / 2
	at := func(q float64) float64 { return values[int(math.Round(q*float64(resamples-1)))] }
	return at(tail), at(1 - tail)
}
